/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hit as a line, in ftrace's form: doc/view.md.
 *
 *	           <...>-4711    [001]  5012.000123456: irq_handler_exit: irq=42 ret=1
 *	CPU:1 [LOST 12 EVENTS]
 */
#ifndef KT_VIEW_FTRACE_LINE_H
#define KT_VIEW_FTRACE_LINE_H

struct kt_hit;
struct kt_text;

/* What it begins with: up to where the name of an event stands. */
void kt_ftrace_line_begin(struct kt_text *to, const struct kt_hit *hit);

/* And what it ends with, of a record: the event's name and its fields. */
void kt_ftrace_line_end(struct kt_text *to, const struct kt_hit *hit);

void kt_ftrace_line_print(struct kt_text *to, const struct kt_hit *hit);

#endif
