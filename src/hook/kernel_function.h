/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attaches a program to a function of the kernel (events/point.h).
 *
 *	struct kt_program_kind kind = kt_kernel_function_kind(event);
 *	int program = kt_program_load(kind, "func:vfs_read", code, &err);
 *	struct kt_links links = {};
 *
 *	kt_kernel_function_attach(point, program, &links, &err);
 *	...				// runs at every call
 *	kt_links_close(&links);		// detaches
 *
 * An fentry program is called from the function's first instruction, an fexit program when it
 * returns, which costs 20 to 50 ns; a kprobe.multi, or a kprobe.session at both ends, by ftrace; a
 * kprobe by ftrace or by an exception, 50 to 300 ns.
 */
#ifndef KT_HOOK_KERNEL_FUNCTION_H
#define KT_HOOK_KERNEL_FUNCTION_H

#include "hook/program.h"

struct kt_error;
struct kt_event;
struct kt_links;
struct kt_point;

/* Returns the type of a link that a point at the entry or return needs (hook/kprobe_multi.h). */
uint32_t kt_kernel_function_multi_type(bool is_return);

/*
 * Returns the kind of program that a curated event of such a function needs; one at the entry, if
 * the event is a return; or one at both, not by registers.
 */
struct kt_program_kind kt_kernel_function_kind(const struct kt_event *event);
struct kt_program_kind kt_kernel_function_entry_kind(const struct kt_event *event);
struct kt_program_kind kt_kernel_function_session_kind(const struct kt_event *event);

/*
 * Attaches the program to the function, or to all of its name, by the registers or as its kind
 * says. Adds the links. Returns 0 or -errno: -EPERM if this kernel or its administrator refuses
 * such probes; -EINVAL, -ENOENT, -ESRCH or -EADDRNOTAVAIL if this function cannot be traced.
 */
int kt_kernel_function_attach(const struct kt_point *point, int program, struct kt_links *links,
			      struct kt_error *err);

#endif
