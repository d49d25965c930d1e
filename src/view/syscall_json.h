/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints hits as JSON objects on a line each, both events of a system call as one (doc/view.md).
 *
 *	struct kt_syscall_json *p = kt_syscall_json_new(metadata);
 *
 *	while (kt_trace_reader_next(r, &hit, &err) > 0)
 *		kt_syscall_json_print(p, &text, &hit);
 *	kt_syscall_json_end(p, &text);
 *	kt_syscall_json_free(p);
 *
 *	{"time":5012000123456,"cpu":1,"tid":4711,"comm":"cat","call":"openat",
 *	 "args":{"dfd":-100,"filename":"/nowhere","flags":0},"ret":-2,"error":"ENOENT",
 *	 "duration":2164,"labels":{"dfd":"AT_FDCWD","flags":["O_RDONLY"]}}	(on one line)
 *
 * An object is printed when the call has returned, with the time of its entry. Takes some 400 ns.
 */
#ifndef KT_VIEW_SYSCALL_JSON_H
#define KT_VIEW_SYSCALL_JSON_H

struct kt_hit;
struct kt_metadata;
struct kt_syscall_json;
struct kt_text;

/*
 * Creates a printer for a trace with that metadata, which must outlive it. Returns NULL without
 * memory.
 */
struct kt_syscall_json *kt_syscall_json_new(const struct kt_metadata *metadata);
void kt_syscall_json_free(struct kt_syscall_json *p);

/*
 * Adds the next hit in the order of time. Other events, and entries and returns whose counterpart
 * may be missing, are printed by kt_event_json_print(). Returns 0 or -ENOMEM.
 */
int kt_syscall_json_print(struct kt_syscall_json *p, struct kt_text *to, const struct kt_hit *hit);

/* Prints calls that have not returned, with "unfinished":true. Returns 0 or -ENOMEM. */
int kt_syscall_json_end(struct kt_syscall_json *p, struct kt_text *to);

#endif
