/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the hits of a session while it records, in the order of time.
 *
 *	kt_session_start(session);
 *	struct kt_trace_source source = kt_session_trace_source(session);
 *	struct kt_live_session *l = kt_live_session_new(&source, "0.1.0", dir, &err);
 *
 *	while (!interrupted) {
 *		kt_live_session_copy(l, &err);
 *		while ((ret = kt_live_session_next(l, &hit, &err)) != 0)
 *			...			// as for kt_trace_reader_next()
 *		poll(NULL, 0, 20);
 *	}
 *	kt_session_stop(session);
 *	kt_live_session_end(l, kt_session_ended(session), &err);
 *	while ((ret = kt_live_session_next(l, &hit, &err)) != 0)
 *		...
 *	kt_live_session_free(l);
 *
 * The hits pass through the files of a trace (trace/recording.h); what was read is freed there.
 */
#ifndef KT_TRACE_READ_LIVE_SESSION_H
#define KT_TRACE_READ_LIVE_SESSION_H

#include <stdint.h>

struct kt_error;
struct kt_hit;
struct kt_live_session;
struct kt_trace_source;
struct kt_recording;
struct kt_metadata;

/*
 * Creates the reader of a session. dir is an empty directory for the trace's files, which remains
 * the caller's, should be in memory and private. The other arguments are those of
 * kt_recording_new(). Returns NULL on error.
 */
struct kt_live_session *kt_live_session_new(const struct kt_trace_source *source,
					    const char *version, int dir, struct kt_error *err);
void kt_live_session_free(struct kt_live_session *l);

/*
 * Copies all hits up to now, which kt_live_session_next() then returns; takes some 10 ms. Returns 0
 * or -errno; after an error the hits copied so far can be read, and no more will follow.
 */
int kt_live_session_copy(struct kt_live_session *l, struct kt_error *err);

/*
 * Copies the remaining hits after the session stopped at time `ended`. Returns as
 * kt_live_session_copy().
 */
int kt_live_session_end(struct kt_live_session *l, uint64_t ended, struct kt_error *err);

/*
 * Reads the next hit that was copied. Returns as kt_trace_reader_next()
 * (trace/read/trace_reader.h).
 */
int kt_live_session_next(struct kt_live_session *l, struct kt_hit *hit, struct kt_error *err);

/* Return the metadata and the recording, which remain the reader's. */
const struct kt_metadata *kt_live_session_metadata(const struct kt_live_session *l);
const struct kt_recording *kt_live_session_recording(const struct kt_live_session *l);

#endif
