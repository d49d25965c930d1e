/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session's rings, copied to a trace as they fill.
 *
 *	kt_session_start(session);
 *	struct kt_recording *r = kt_recording_new(session, "0.1.0", dir, &err);
 *
 *	while (!interrupted && kt_recording_copy(r, &err) >= 0)
 *		poll(NULL, 0, 50);
 *	kt_session_stop(session);
 *	kt_recording_end(r, &err);
 *	kt_recording_name_addresses(r, dir, &err);
 *	balance = kt_balance_of(r, &err);		// trace/balance.h
 *	kt_recording_free(r);
 *
 * Events are not to be added once it is made.
 */
#ifndef KT_TRACE_RECORDING_H
#define KT_TRACE_RECORDING_H

#include <stddef.h>
#include <stdint.h>

struct kt_error;
struct kt_metadata;
struct kt_recording;
struct kt_session;

/*
 * Makes the trace's files in the directory dir, -EEXIST in err where there are any. The session is
 * started, and to outlive it, and dir remains the caller's. On error NULL.
 */
struct kt_recording *kt_recording_new(const struct kt_session *session, const char *version,
				      int dir, struct kt_error *err);
void kt_recording_free(struct kt_recording *r);

/*
 * Writes what is whole in the rings, of each once around at most. The number of packets, or -errno:
 * the files are a valid trace then too, of what was written before, and it writes no more.
 */
int kt_recording_copy(struct kt_recording *r, struct kt_error *err);

/*
 * The rest, once the session is stopped, and what was lost; after an error of kt_recording_copy
 * that alone, with the same error. 0 or -errno.
 */
int kt_recording_end(struct kt_recording *r, struct kt_error *err);

/*
 * Puts into the trace what lies at the kernel's addresses that are in it, as the kernel calls it
 * now: some 60 ms, nothing where there are none. On error, as of kt_kallsyms_find
 * (catalog/kallsyms.h) or of writing, they remain numbers, and all else is as it was. 0 or -errno.
 */
int kt_recording_name_addresses(struct kt_recording *r, int dir, struct kt_error *err);

/* How many streams it has: one for each CPU with a ring. */
size_t kt_recording_streams(const struct kt_recording *r);

/* How many records of an event on a CPU are in the trace, and bytes in all its streams. */
uint64_t kt_recording_records(const struct kt_recording *r, size_t event, size_t cpu);
uint64_t kt_recording_size(const struct kt_recording *r);

/* What it is made of, and what the trace says of itself; that remains the recording's. */
const struct kt_session *kt_recording_session(const struct kt_recording *r);
const struct kt_metadata *kt_recording_metadata(const struct kt_recording *r);

#endif
