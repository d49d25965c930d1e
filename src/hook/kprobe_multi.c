// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/kprobe_multi.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hook/program.h"

/* What BPF_LINK_CREATE takes for such a link: a part of union bpf_attr. */
struct multi_link {
	uint32_t program, target, attach_type, no_flags;
	uint32_t flags, n;
	uint64_t names, addresses, cookies;
};

static uint64_t get_address(const void *p)
{
	return (uintptr_t)p;
}

int kt_kprobe_multi_attach(int program, uint32_t attach_type, struct kt_kprobe_sites sites)
{
	struct multi_link attr = {
		.program = program,
		.attach_type = attach_type,
		.n = sites.n,
		.names = sites.addresses ? 0 : get_address(sites.names),
		.addresses = get_address(sites.addresses),
		.cookies = get_address(sites.cookies),
	};
	int link = syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));

	return link < 0 ? -errno : link;
}

/* Returns a program that does nothing, or -errno. */
static int load_empty(uint32_t attach_type)
{
	const struct bpf_insn insns[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K}, /* r0 = 0 */
		{.code = BPF_JMP | BPF_EXIT},
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = attach_type);

	return bpf_prog_load(BPF_PROG_TYPE_KPROBE, "kt_try", "GPL", insns, 2, &opts);
}

/* A kernel with such links misses the function; another one refuses before. */
static bool try_link(uint32_t attach_type)
{
	const char *name = "no such function";
	int program = load_empty(attach_type), link;

	if (program < 0)
		return false;
	link = kt_kprobe_multi_attach(program, attach_type,
				      (struct kt_kprobe_sites){.n = 1, .names = &name});
	close(program);
	if (link >= 0)
		close(link);
	return link == -ESRCH;
}

bool kt_kprobe_multi_is_supported(uint32_t attach_type)
{
	static struct {
		bool tried, has;
	} of[2];
	size_t i = attach_type == KT_TRACE_KPROBE_SESSION;

	if (!of[i].tried)
		of[i].has = try_link(attach_type);
	of[i].tried = true;
	return of[i].has;
}
