/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program at a tracepoint.
 *
 *	int link = kt_tracepoint_attach(event->id, program, &err);
 *	...				// it runs at every hit, on every CPU, whatever the task
 *	close(link);			// and no longer, unless the link is pinned
 *
 * The first program at a tracepoint switches the tracepoint on for the whole machine; closing the
 * last one, which waits until none is running, switches it off.
 */
#ifndef KT_HOOK_TRACEPOINT_H
#define KT_HOOK_TRACEPOINT_H

struct kt_error;

/* id is that of the event's format file. A descriptor that the caller closes, or -errno. */
int kt_tracepoint_attach(unsigned int id, int program, struct kt_error *err);

/*
 * The same for a program that gets what the tracepoint is called with. name is the tracepoint's; of
 * a program that was loaded for its btf_trace_* the kernel knows it, and it is NULL.
 */
int kt_tracepoint_attach_raw(const char *name, int program, struct kt_error *err);

#endif
