/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an event's format says, behind "print fmt:", of how values of its fields are called, or
 * shown:
 *
 *	… (REC->gfp_flags) ? __print_flags(REC->gfp_flags, "|", {3264UL, "GFP_KERNEL"}, …) : "none"
 *
 * doc/catalog.md says what counts.
 */
#ifndef KT_EVENTS_PRINT_FMT_H
#define KT_EVENTS_PRINT_FMT_H

#include <stddef.h>

struct kt_field;
struct kt_labels;
struct tep_event;

/*
 * The format, in memory of the caller's, but of its print fmt only the arguments that may tell
 * something of that. NULL with errno EPROTO, where it has no print fmt, or ENOMEM.
 */
char *kt_print_fmt_reduce(const char *format);

/* The same without any. */
char *kt_print_fmt_remove(const char *format);

/*
 * The form of its text, with escapes as in C; for the caller to free:
 *
 *	comm=%s pid=%d
 *
 * NULL with errno EPROTO, where it has none, or ENOMEM.
 */
char *kt_print_fmt_form(const char *format);

/* What follows "print fmt:", for the caller to free. NULL with errno as above. */
char *kt_print_fmt_copy(const char *format);

/*
 * Gives those of the fields labels of which the event's print fmt tells them, and puts these into
 * the list. 0 or -ENOMEM.
 */
int kt_print_fmt_label(const struct tep_event *parsed, struct kt_field *fields, size_t n,
		       struct kt_labels **list);

/*
 * Gives those of the fields that are shown as they are the notation of their conversion, "%lx" or
 * "%pI4", and KT_FIELD_SYMBOL those that are shown as symbols, "%pS". Of the whole format.
 */
void kt_print_fmt_mark(const char *system, const char *format, struct kt_field *fields, size_t n);

#endif
