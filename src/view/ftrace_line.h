/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints a hit as a line in ftrace's format (doc/view.md).
 *
 *	           <...>-4711    [001]  5012.000123456: irq_handler_exit: irq=42 ret=1
 *	CPU:1 [LOST 12 EVENTS]
 */
#ifndef KT_VIEW_FTRACE_LINE_H
#define KT_VIEW_FTRACE_LINE_H

struct kt_hit;
struct kt_text;

/* Prints the part before the event's name. */
void kt_ftrace_line_begin(struct kt_text *to, const struct kt_hit *hit);

/* Prints the rest of a record's line: the event's name and fields. */
void kt_ftrace_line_end(struct kt_text *to, const struct kt_hit *hit);

void kt_ftrace_line_print(struct kt_text *to, const struct kt_hit *hit);

#endif
