// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/uprobe.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "events/point.h"
#include "hook/capabilities.h"
#include "hook/links.h"
#include "hook/perf_probe.h"

/* Of the kernel's interface, as it is since 6.6. */
static const enum bpf_attach_type UPROBE_MULTI = 48;
enum { UPROBE_MULTI_RETURN = 1 };

/* What BPF_LINK_CREATE takes for such a link: a part of union bpf_attr. */
struct multi_link {
	uint32_t program, target, attach_type, no_flags;
	uint64_t path, offsets, semaphores, cookies;
	uint32_t n, flags, pid;
};

static const char JOIN[] = "cannot attach a BPF program to a function of a program";

static uint64_t get_address(const void *p)
{
	return (uintptr_t)p;
}

/* Arrays of such a link, with an element for each site; the last two may be NULL. */
struct multi_sites {
	uint64_t *offsets, *semaphores, *cookies;
	size_t n;
};

/* Returns a link or -errno. */
static int create_multi_link(const char *path, const struct multi_sites *sites, bool is_return,
			     pid_t pid, int program)
{
	struct multi_link attr = {
		.program = program,
		.attach_type = UPROBE_MULTI,
		.path = get_address(path),
		.offsets = get_address(sites->offsets),
		.semaphores = get_address(sites->semaphores),
		.cookies = get_address(sites->cookies),
		.n = sites->n,
		.flags = is_return ? UPROBE_MULTI_RETURN : 0,
		.pid = pid,
	};
	int link = syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));

	return link < 0 ? -errno : link;
}

/* Returns a program that does nothing, or -errno. */
static int load_empty(void)
{
	const struct bpf_insn insns[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K}, /* r0 = 0 */
		{.code = BPF_JMP | BPF_EXIT},
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = UPROBE_MULTI);

	return bpf_prog_load(BPF_PROG_TYPE_KPROBE, "kt_try", "GPL", insns, 2, &opts);
}

/* A directory has no code: a kernel with such links refuses it as a file, others the whole call. */
static bool try_multi_link(void)
{
	uint64_t offset = 0;
	const struct multi_sites sites = {.offsets = &offset, .n = 1};
	int program = load_empty(), link;

	if (program < 0)
		return false;
	link = create_multi_link("/", &sites, false, 0, program);
	close(program);
	return link == -EBADF;
}

uint32_t kt_uprobe_attach_type(void)
{
	static int has_multi = -1;

	if (has_multi < 0)
		has_multi = try_multi_link();
	return has_multi ? UPROBE_MULTI : 0;
}

static int fail(const struct kt_point *point, int code, struct kt_error *err)
{
	enum { KERNEL_ENOTSUPP = 524 };

	if (code == KERNEL_ENOTSUPP || code == EINVAL)
		return kt_fail(err, code == EINVAL ? EINVAL : ENOTSUP,
			       "%s: the kernel cannot probe the instruction there: it is inside "
			       "another one, or of a kind that is not supported",
			       point->path);
	if (code == ESRCH)
		return kt_fail(err, ESRCH, "no such process");
	return kt_capabilities_fail(err, code, JOIN);
}

static bool copy_sites(struct multi_sites *to, const struct kt_point *point)
{
	size_t i;

	to->n = point->n;
	to->offsets = calloc(to->n, sizeof(*to->offsets));
	to->semaphores = calloc(to->n, sizeof(*to->semaphores));
	to->cookies = calloc(to->n, sizeof(*to->cookies));
	if (!to->offsets || !to->semaphores || !to->cookies)
		return false;
	for (i = 0; i < to->n; i++) {
		to->offsets[i] = point->sites[i].offset;
		to->semaphores[i] = point->sites[i].semaphore;
		to->cookies[i] = point->sites[i].row;
	}
	return true;
}

static int attach_multi(const struct kt_point *point, pid_t pid, int program,
			struct kt_links *links, struct kt_error *err)
{
	struct multi_sites sites = {0};
	int link = copy_sites(&sites, point)
			   ? create_multi_link(point->path, &sites, point->is_return, pid, program)
			   : -ENOMEM;

	free(sites.offsets);
	free(sites.semaphores);
	free(sites.cookies);
	return link < 0 ? fail(point, -link, err) : kt_links_add(links, link, err);
}

static int open_perf_event(const struct kt_point *point, size_t site, pid_t pid,
			   struct kt_error *err)
{
	static const char kind[] = "uprobe";
	struct perf_event_attr attr = {
		.uprobe_path = get_address(point->path),
		.probe_offset = point->sites[site].offset,
	};
	int semaphore_bit = kt_perf_probe_bit(kind, "ref_ctr_offset"), fd;

	if (semaphore_bit >= 0)
		attr.config |= point->sites[site].semaphore << semaphore_bit;
	fd = semaphore_bit < 0 ? -EOPNOTSUPP
			       : kt_perf_probe_open(kind, &attr, point->is_return, pid);
	if (fd == -EOPNOTSUPP)
		return kt_fail(err, EOPNOTSUPP, "this kernel has no uprobes");
	return fd < 0 ? fail(point, -fd, err) : fd;
}

static int attach_site(const struct kt_point *point, size_t site, pid_t pid, int program,
		       struct kt_links *links, struct kt_error *err)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts, .perf_event.bpf_cookie = point->sites[site].row);
	int event = open_perf_event(point, site, pid, err), link;

	if (event < 0)
		return event;
	link = bpf_link_create(program, event, BPF_PERF_EVENT, &opts);
	close(event);
	return link < 0 ? fail(point, -link, err) : kt_links_add(links, link, err);
}

static int attach_to_process(const struct kt_point *point, pid_t pid, int program,
			     struct kt_links *links, struct kt_error *err)
{
	size_t i;
	int ret = 0;

	if (kt_uprobe_attach_type())
		return attach_multi(point, pid, program, links, err);
	for (i = 0; ret == 0 && i < point->n; i++)
		ret = attach_site(point, i, pid, program, links, err);
	return ret;
}

/* In another file, or after a change, a site may be inside an instruction. */
static int check_file(const struct kt_point *point, struct kt_error *err)
{
	struct stat st;

	if (stat(point->path, &st) < 0)
		return kt_fail(err, errno, "%s: %s", point->path, strerror(errno));
	if (!kt_file_identity_is_same(kt_file_identity_of(&st), point->file))
		return kt_fail(err, ESTALE, "%s has been replaced or changed meanwhile",
			       point->path);
	return 0;
}

int kt_uprobe_attach(const struct kt_point *point, const pid_t *pids, size_t n, int program,
		     struct kt_links *links, struct kt_error *err)
{
	int ret = check_file(point, err);
	size_t i;

	if (ret == 0 && n == 0)
		ret = attach_to_process(point, 0, program, links, err);
	for (i = 0; ret == 0 && i < n; i++)
		ret = attach_to_process(point, pids[i], program, links, err);
	return ret;
}
