/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why the kernel refused something of BPF or perf, in words that help.
 *
 *	fd = bpf_map_create(...);
 *	if (fd < 0)
 *		return kt_capabilities_fail(err, -fd, "cannot make a BPF map");
 *
 *	// cannot make a BPF map: Operation not permitted; CAP_BPF is missing: run as root
 */
#ifndef KT_HOOK_CAPABILITIES_H
#define KT_HOOK_CAPABILITIES_H

struct kt_error;

/* As kt_fail: what, the code's own text, and for EPERM or EACCES the right that is missing. */
int kt_capabilities_fail(struct kt_error *err, int code, const char *what);

#endif
