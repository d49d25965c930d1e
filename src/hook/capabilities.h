/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Explains why the kernel refused an operation of BPF or perf.
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

/*
 * Sets the error to `what` and the code's text, and for EPERM or EACCES to the missing capability,
 * too. Returns -code.
 */
int kt_capabilities_fail(struct kt_error *err, int code, const char *what);

#endif
