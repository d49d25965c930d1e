/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a session records, hit by hit while it goes on, in the order of time.
 *
 *	kt_session_start(session);
 *	struct kt_trace_source origin = kt_session_trace_source(session);
 *	struct kt_live_session *l = kt_live_session_new(&origin, "0.1.0", dir, &err);
 *
 *	while (!interrupted) {
 *		kt_live_session_copy(l, &err);
 *		while ((ret = kt_live_session_next(l, &hit, &err)) != 0)
 *			...			// as of kt_trace_reader_next
 *		poll(NULL, 0, 20);
 *	}
 *	kt_session_stop(session);
 *	kt_live_session_end(l, kt_session_ended(session), &err);
 *	while ((ret = kt_live_session_next(l, &hit, &err)) != 0)
 *		...
 *	kt_live_session_free(l);
 *
 * It goes through a trace (trace/recording.h), of which what has been read is given back.
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
 * The trace's files are in the directory dir, which remains the caller's, is empty, should be in
 * memory and is for nobody else. As kt_recording_new else. On error NULL.
 */
struct kt_live_session *kt_live_session_new(const struct kt_trace_source *source,
					    const char *version, int dir, struct kt_error *err);
void kt_live_session_free(struct kt_live_session *l);

/*
 * All that was hit until now, some 10 ms ago when it returns, is there to be read next. 0 or
 * -errno: then what has been copied is, and nothing ever comes behind it.
 */
int kt_live_session_copy(struct kt_live_session *l, struct kt_error *err);

/* The same of the rest, once the session is stopped, at that time. */
int kt_live_session_end(struct kt_live_session *l, uint64_t ended, struct kt_error *err);

/* As kt_trace_reader_next (trace/read/trace_reader.h), of what is there to be read. */
int kt_live_session_next(struct kt_live_session *l, struct kt_hit *hit, struct kt_error *err);

/* They remain its own. */
const struct kt_metadata *kt_live_session_schema(const struct kt_live_session *l);
const struct kt_recording *kt_live_session_recording(const struct kt_live_session *l);

#endif
