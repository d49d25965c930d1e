/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of numbers in the kernel's print formats, which most of them have resolved but some have
 * not:
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
 * Replaces the names of enumerators in event->print; other names stay, as all do where the kernel
 * has no BTF. 0 or -ENOMEM. Takes some ms if there is a name, as all types are read.
 */
int kt_print_fmt_resolve_enums(struct kt_event *event, struct kt_btf *btf);

#endif
