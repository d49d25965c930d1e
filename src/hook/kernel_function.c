// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/kernel_function.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "events/curated.h"
#include "events/event.h"
#include "events/point.h"
#include "hook/capabilities.h"
#include "hook/kprobe_multi.h"
#include "hook/links.h"
#include "hook/perf_probe.h"

static const char JOIN[] = "cannot attach a BPF program to a function of the kernel";

uint32_t kt_kernel_function_multi_type(bool is_return)
{
	return is_return ? KT_TRACE_KPROBE_SESSION : KT_TRACE_KPROBE_MULTI;
}

static struct kt_program_kind get_kind(const struct kt_event *event, bool is_return)
{
	if (event->point->by_registers)
		return (struct kt_program_kind){
			.type = BPF_PROG_TYPE_KPROBE,
			.in_kernel = true,
			.is_return = is_return,
			.attach_type = event->point->by_multi
					       ? kt_kernel_function_multi_type(is_return)
					       : 0,
		};
	return (struct kt_program_kind){
		.type = BPF_PROG_TYPE_TRACING,
		.btf_id = event->curated->btf_id,
		.attach_type = is_return ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY,
	};
}

struct kt_program_kind kt_kernel_function_kind(const struct kt_event *event)
{
	return get_kind(event, event->point->is_return);
}

struct kt_program_kind kt_kernel_function_entry_kind(const struct kt_event *event)
{
	return get_kind(event, false);
}

static int fail(const struct kt_point *point, int code, struct kt_error *err)
{
	switch (code) {
	case EINVAL:
	case ENOENT:
	case ESRCH:
	case EILSEQ:
	case EADDRNOTAVAIL:
		return kt_fail(err, code, "the kernel does not let '%s' be traced: %s",
			       point->function, strerror(code));
	case EOPNOTSUPP:
		return kt_fail(err, code, "this kernel has no kprobes");
	default:
		return kt_capabilities_fail(err, code, JOIN);
	}
}

/* A function that shares its name is found by its address. */
static int open_kprobe(const struct kt_point *point, size_t site)
{
	char name[256];
	struct perf_event_attr attr = {};

	snprintf(name, sizeof(name), "%s%s%s", point->module ? point->module : "",
		 point->module ? ":" : "", point->function);
	if (point->n > 1)
		attr.kprobe_addr = point->sites[site].offset;
	else
		attr.kprobe_func = (uintptr_t)name;
	return kt_perf_probe_open("kprobe", &attr, point->is_return, 0);
}

static int attach_kprobe(const struct kt_point *point, size_t site, int program,
			 struct kt_links *links, struct kt_error *err)
{
	int event = open_kprobe(point, site), link;

	if (event < 0)
		return fail(point, -event, err);
	link = bpf_link_create(program, event, BPF_PERF_EVENT, NULL);
	close(event);
	return link < 0 ? fail(point, -link, err) : kt_links_add(links, link, err);
}

/* All of one name are known by their addresses. */
static int attach_multi(const struct kt_point *point, int program, struct kt_links *links,
			struct kt_error *err)
{
	uint64_t *addresses = calloc(point->n, sizeof(*addresses));
	const char *name = point->function;
	struct kt_kprobe_sites sites = {.n = point->n, .names = &name};
	size_t i;
	int link;

	if (!addresses)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	for (i = 0; i < point->n; i++)
		addresses[i] = point->sites[i].offset;
	if (addresses[0])
		sites.addresses = addresses;
	link = kt_kprobe_multi_attach(program, kt_kernel_function_multi_type(point->is_return),
				      sites);
	free(addresses);
	return link < 0 ? fail(point, -link, err) : kt_links_add(links, link, err);
}

struct kt_program_kind kt_kernel_function_session_kind(const struct kt_event *event)
{
	struct kt_program_kind kind = get_kind(event, false);

	kind.attach_type = KT_TRACE_FSESSION;
	return kind;
}

int kt_kernel_function_attach(const struct kt_point *point, int program, struct kt_links *links,
			      struct kt_error *err)
{
	size_t i;
	int link, ret = 0;

	if (point->by_multi)
		return attach_multi(point, program, links, err);
	for (i = 0; point->by_registers && ret == 0 && i < point->n; i++)
		ret = attach_kprobe(point, i, program, links, err);
	if (point->by_registers)
		return ret;
	link = bpf_raw_tracepoint_open(NULL, program);
	return link < 0 ? fail(point, -link, err) : kt_links_add(links, link, err);
}
