/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Curating an event: ktrace takes its fields from the tracepoint's arguments, as the kernel does
 * for its own record, which then need not be made.
 *
 *	struct kt_btf *btf = kt_btf_new();
 *
 *	if (kt_curate(event, btf, &err) < 0)
 *		puts(err.text);			// still recorded, at a higher cost
 *
 * doc/probe.md says when that is possible, and how the values are verified.
 */
#ifndef KT_FETCH_CURATE_H
#define KT_FETCH_CURATE_H

struct kt_btf;
struct kt_error;
struct kt_event;

/*
 * Sets event->curated. A point gets its fields (fetch/point_fields.h); a function of the kernel
 * that has to do with the registers gets them, too, with -ENOENT or -EOPNOTSUPP. For a system call
 * also gives the fields the sizes of their types (fetch/syscall_fields.h), even on error, and adds
 * pointed-to data (fetch/pointed_data.h). Returns 0; -ENODATA if no recipe is known; or another
 * -errno, with the reason, if the recipe does not fit this kernel's types or the event's fields.
 */
int kt_curate(struct kt_event *event, struct kt_btf *btf, struct kt_error *err);

/*
 * Curates any event by a given recipe, with all fields in their order: "pid=p->pid; prio=p->prio".
 */
int kt_curate_as(struct kt_event *event, const char *fields, struct kt_btf *btf,
		 struct kt_error *err);

#endif
