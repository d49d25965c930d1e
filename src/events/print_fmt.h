/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The "print fmt:" of an event's format file, as a source of labels and notations.
 *
 *	… (REC->gfp_flags) ? __print_flags(REC->gfp_flags, "|", {3264UL, "GFP_KERNEL"}, …) : "none"
 *
 * doc/catalog.md says which forms are understood.
 */
#ifndef KT_EVENTS_PRINT_FMT_H
#define KT_EVENTS_PRINT_FMT_H

#include <stddef.h>

struct kt_field;
struct kt_labels;
struct tep_event;

/*
 * Returns a copy of the format whose print fmt has only the arguments that may name values; the
 * caller frees it. Returns NULL with errno EPROTO if there is no print fmt, or ENOMEM.
 */
char *kt_print_fmt_reduce(const char *format);

/* Returns a copy of the format without arguments of the print fmt, as kt_print_fmt_reduce(). */
char *kt_print_fmt_remove(const char *format);

/*
 * Returns the format string of the print fmt, with escapes as in C; the caller frees it:
 *
 *	comm=%s pid=%d
 *
 * Returns NULL with errno EPROTO if there is none, or ENOMEM.
 */
char *kt_print_fmt_form(const char *format);

/* Returns the text after "print fmt:"; the caller frees it. Returns NULL with errno as above. */
char *kt_print_fmt_copy(const char *format);

/*
 * Gives fields the labels that the event's print fmt has for them, and adds these to the list.
 * Returns 0 or -ENOMEM.
 */
int kt_print_fmt_label(const struct tep_event *parsed, struct kt_field *fields, size_t n,
		       struct kt_labels **list);

/*
 * Gives fields the notation of their conversion, "%lx" or "%pI4", and KT_FIELD_SYMBOL for "%pS", if
 * they are printed unchanged. Takes the whole format.
 */
void kt_print_fmt_mark(const char *system, const char *format, struct kt_field *fields, size_t n);

#endif
