/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events whose fields ktrace gets from what the tracepoint is called with, as the kernel itself
 * does for its record of the hit, which then need not be made.
 *
 *	struct kt_btf *btf = kt_btf_new();
 *
 *	if (kt_curate(event, btf, &err) < 0)
 *		puts(err.text);			// recorded all the same, at a higher cost
 *
 * doc/probe.md says when that can be done, and what makes sure that the values are the same.
 */
#ifndef KT_FETCH_CURATE_H
#define KT_FETCH_CURATE_H

struct kt_btf;
struct kt_error;
struct kt_event;

/*
 * Sets event->curated; and of a system call makes its fields those of their types
 * (fetch/syscall_fields.h), curated or not, and adds what they point to (fetch/pointed_data.h). 0,
 * or -errno: ENODATA where nobody has written down how; or where it does not fit this kernel's
 * types or the event's fields, with the reason.
 */
int kt_curate(struct kt_event *event, struct kt_btf *btf, struct kt_error *err);

/*
 * The same for any event, by what the caller has written down: its fields, all and in their order,
 * as "pid=p->pid; prio=p->prio".
 */
int kt_curate_as(struct kt_event *event, const char *fields, struct kt_btf *btf,
		 struct kt_error *err);

#endif
