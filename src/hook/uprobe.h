/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attaches a program to points in programs (events/point.h).
 *
 *	struct kt_program_kind kind = {
 *		.type = BPF_PROG_TYPE_KPROBE, .attach_type = kt_uprobe_attach_type(),
 *	};
 *	int program = kt_program_load(kind, "uprobe:bash:readline", code, &err);
 *	struct kt_links links = {};
 *
 *	kt_uprobe_attach(point, NULL, 0, program, &links, &err);
 *	...				// runs at every hit, in processes that start later, too
 *	kt_links_close(&links);		// detaches
 *
 * The kernel puts a breakpoint into the code of every process that maps the file. A hit costs an
 * exception, 0.3 to 3 µs, in every process where the program is attached.
 */
#ifndef KT_HOOK_UPROBE_H
#define KT_HOOK_UPROBE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct kt_error;
struct kt_links;
struct kt_point;

/*
 * Returns the attach type that the program must be loaded for: BPF_TRACE_UPROBE_MULTI if the kernel
 * has links of many sites (since 6.6), found by trying once; or 0, for a perf event for each site.
 */
uint32_t kt_uprobe_attach_type(void);

/*
 * Attaches the program to all sites of the point, in n processes, or in all processes if n is 0.
 * Adds the links. Returns 0 or -errno: -ENOENT without the file; -ESTALE if it is another
 * one than when the point was found; -ESRCH without the process; -EINVAL or -ENOTSUP if
 * there is no instruction at a site that can be probed.
 */
int kt_uprobe_attach(const struct kt_point *point, const pid_t *pids, size_t n, int program,
		     struct kt_links *links, struct kt_error *err);

#endif
