/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Enumerators in print formats: the kernel replaces most of them by numbers, but not all.
 *
 *	event->print				// ... { IOPRIO_CLASS_RT, "rt" } ...
 *	kt_print_fmt_resolve_enums(event, btf);
 *	event->print				// ... { 1, "rt" } ...
 */
#ifndef KT_EVENTS_PRINT_FMT_ENUMS_H
#define KT_EVENTS_PRINT_FMT_ENUMS_H

struct kt_btf;
struct kt_event;

/*
 * Replaces enumerators in event->print by their values; other names stay, as all do if the kernel
 * has no BTF. Returns 0 or -ENOMEM. Takes some ms if there is a name, since all types are read.
 */
int kt_print_fmt_resolve_enums(struct kt_event *event, struct kt_btf *btf);

#endif
