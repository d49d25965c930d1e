// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/tracepoint.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "hook/capabilities.h"

static const char JOIN[] = "cannot attach a BPF program to its tracepoint";

int kt_tracepoint_attach(unsigned int id, int program, struct kt_error *err)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = id,
		.disabled = 1, /* no effect on the program; perf need not sample */
	};
	int event, link;

	event = syscall(SYS_perf_event_open, &attr, -1, sched_getcpu(), -1, PERF_FLAG_FD_CLOEXEC);
	if (event < 0)
		return kt_capabilities_fail(err, errno, "perf_event_open");
	link = bpf_link_create(program, event, BPF_PERF_EVENT, NULL);
	close(event);
	if (link < 0)
		return kt_capabilities_fail(err, -link, JOIN);
	return link;
}

int kt_tracepoint_attach_raw(const char *name, int program, struct kt_error *err)
{
	int link = bpf_raw_tracepoint_open(name, program);

	if (link < 0)
		return kt_capabilities_fail(err, -link, JOIN);
	return link;
}
