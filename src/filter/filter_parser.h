/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses filters in ftrace's language.
 *
 *	event->filter = kt_filter_parse(event, "prev_prio < 100 && !(next_pid & 1)", &err);
 *
 *	// AND of LESS than 100 of field 2, and NOT of BITS 1 of field 5
 *
 * Tests:
 *
 * - NAME OP NUMBER, with == != < <= > >= or &, which is true if a bit of the number is set;
 * - NAME OP "TEXT", with ==, != or ~, which takes a glob (events/glob.h).
 *
 * They are combined, tightest first, by '!', '&&' and '||', and by parentheses.
 *
 * - NAME is a field that is a number or text. Unless the event has such a field, 'pid' is the
 *   current process, 'tid' or 'common_pid' its thread, 'comm' the thread's name, 'cpu' the CPU.
 *   'PID', 'TID', 'COMM' and 'CPU' always mean these.
 * - Of a function of the kernel NAME may also be what an argument points to, as in C:
 *   'file->f_inode->i_size', or a text 'file->f_path.dentry->d_name.name' (ctypes/member_path.h).
 *   What cannot be read is 0, or empty.
 * - NUMBER is as in C; in hexadecimal it may give all bits of a signed field. A label may stand for
 *   it: 'flags & O_CREAT', 'ret == -ENOENT', and several flags, 'O_WRONLY|O_CREAT'.
 * - TEXT is in single or double quotes, without escapes. An event's text ends at its first NUL;
 *   globs see only the beginning of a text that is too long.
 *
 * Only the entry of a system call has its arguments. A filter on them can mark the calls it
 * matches, and the return's filter can test the mark:
 *
 *	entry->filter = kt_filter_mark_entry(kt_filter_parse(entry, "flags & O_CREAT", &err));
 *	exit->filter = kt_filter_mark_return("flags & O_CREAT");
 */
#ifndef KT_FILTER_FILTER_PARSER_H
#define KT_FILTER_FILTER_PARSER_H

#include "events/filter.h"

struct kt_error;
struct kt_event;
struct kt_filter_scope;

/*
 * Parses a filter; the caller frees it. Without an event (NULL) only the syntax is checked. Returns
 * NULL on error, with the place in the text:
 *
 * - EINVAL: a syntax error;
 * - ENOENT: the event has no such field, or the field no such label;
 * - EOPNOTSUPP: the field is neither a number nor text, or of the other kind than its operand;
 * - ERANGE: a number or text that the field cannot have.
 */
struct kt_filter *kt_filter_parse(const struct kt_event *event, const char *text,
				  struct kt_error *err);

/* Parses a filter with these names, of which `field` in the result is an index. */
struct kt_filter *kt_filter_parse_in(const struct kt_filter_scope *scope, const char *text,
				     struct kt_error *err);

#endif
