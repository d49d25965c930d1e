/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which hits of an event a person means, in ftrace's language:
 *
 *	event->filter = kt_filter_parse(event, "prev_prio < 100 && !(next_pid & 1)", &err);
 *
 *	// AND of LESS than 100 of field 2, and NOT of BITS 1 of field 5
 *
 * Tests 'NAME OP NUMBER' with == != < <= > >= or &, which is so where a bit of the number is set;
 * 'NAME OP "TEXT"' with == or !=, or with ~, to which the text is a pattern (events/glob.h);
 * joined, those that bind most first, by '!', '&&' and '||', and by parentheses.
 *
 * Of the two events of a system call the entry alone has its arguments. A filter that tests those
 * chooses calls, and can choose their returns with them:
 *
 *	entry->filter = kt_filter_mark_entry(kt_filter_parse(entry, "flags & O_CREAT", &err));
 *	exit->filter = kt_filter_mark_return("flags & O_CREAT");
 *
 * A NAME is a field of the event that is a number or text. Where it has none of that name, 'pid' is
 * the process that runs at the hit, 'tid' or 'common_pid' its thread, 'comm' the thread's name, and
 * 'cpu' the CPU; 'PID', 'TID', 'COMM' and 'CPU' are that of every event. A NUMBER is as in C; in
 * hexadecimal it may give all bits of a field with a sign. One that has a label may be called so,
 * 'flags & O_CREAT', 'ret == -ENOENT', and several of flags, 'O_WRONLY|O_CREAT'. A TEXT stands in
 * one kind of quotes or the other, without escapes; that of an event ends before its first 0. Of a
 * longer one than fits here, patterns see the beginning.
 */
#ifndef KT_FILTER_FILTER_PARSER_H
#define KT_FILTER_FILTER_PARSER_H

#include "events/filter.h"

struct kt_error;
struct kt_event;

/*
 * The caller frees what is returned. On error NULL, and where in the text: EINVAL for what is no
 * filter of any event, ENOENT for a field or label that this one has not, EOPNOTSUPP for one that
 * is neither number nor text, or not what it is compared with, ERANGE for a number or text that it
 * cannot be. Without an event (NULL) it is only seen whether the text is a filter at all.
 */
struct kt_filter *kt_filter_parse(const struct kt_event *event, const char *text,
				  struct kt_error *err);

#endif
