/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attaches a program to a tracepoint.
 *
 *	int link = kt_tracepoint_attach(event->id, program, &err);
 *	...				// runs at every hit, on every CPU, in any task
 *	close(link);			// detaches, unless the link is pinned
 *
 * The first program at a tracepoint switches it on for the whole machine; closing the last one
 * waits until none is running, and switches it off.
 */
#ifndef KT_HOOK_TRACEPOINT_H
#define KT_HOOK_TRACEPOINT_H

struct kt_error;

/*
 * Attaches by the id in the event's format file. Returns a descriptor that the caller closes, or
 * -errno.
 */
int kt_tracepoint_attach(unsigned int id, int program, struct kt_error *err);

/*
 * Attaches a program that gets the tracepoint's arguments. name is the tracepoint's; NULL for a
 * program that was loaded for a btf_trace_* type. Returns as above.
 */
int kt_tracepoint_attach_raw(const char *name, int program, struct kt_error *err);

#endif
