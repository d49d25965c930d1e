// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/read/live_session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

#include "base/error.h"
#include "trace/read/trace_reader.h"
#include "trace/recording.h"

struct kt_live_session {
	int dir;
	struct kt_recording *recording;
	struct kt_trace_reader *reader;
	uint64_t until; /* later hits cannot be read yet */
};

/* Creates the trace, locked: its reader then knows that it grows. */
static int create_trace(struct kt_live_session *l, const struct kt_trace_source *source,
			const char *version, int dir, struct kt_error *err)
{
	char path[32];

	if (flock(dir, LOCK_EX | LOCK_NB) < 0)
		return kt_fail(err, errno, "%s", strerror(errno));
	l->recording = kt_recording_new(source, version, dir, err);
	if (!l->recording)
		return -err->code;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", dir);
	l->reader = kt_trace_reader_open(path, err);
	return l->reader ? 0 : -err->code;
}

struct kt_live_session *kt_live_session_new(const struct kt_trace_source *source,
					    const char *version, int dir, struct kt_error *err)
{
	struct kt_live_session *l = calloc(1, sizeof(*l));

	if (l)
		l->dir = dir;
	if (!l)
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	else if (create_trace(l, source, version, dir, err) == 0)
		return l;
	kt_live_session_free(l);
	return NULL;
}

void kt_live_session_free(struct kt_live_session *l)
{
	if (!l)
		return;
	kt_trace_reader_free(l->reader);
	kt_recording_free(l->recording);
	free(l);
}

int kt_live_session_copy(struct kt_live_session *l, struct kt_error *err)
{
	int ret;

	kt_trace_reader_forget(l->reader);
	ret = kt_recording_catch_up(l->recording, &l->until, err);
	if (ret == 0)
		ret = kt_recording_append_names(l->recording, l->dir, err);
	kt_trace_reader_resume(l->reader, l->until);
	return ret;
}

int kt_live_session_end(struct kt_live_session *l, uint64_t ended, struct kt_error *err)
{
	int ret;

	kt_recording_stop(l->recording, ended);
	ret = kt_recording_end(l->recording, err);
	if (ret == 0)
		ret = kt_recording_append_names(l->recording, l->dir, err);
	kt_trace_reader_resume(l->reader, UINT64_MAX);
	return ret;
}

int kt_live_session_next(struct kt_live_session *l, struct kt_hit *hit, struct kt_error *err)
{
	return kt_trace_reader_next(l->reader, hit, err);
}

const struct kt_metadata *kt_live_session_metadata(const struct kt_live_session *l)
{
	return kt_trace_reader_metadata(l->reader);
}

const struct kt_recording *kt_live_session_recording(const struct kt_live_session *l)
{
	return l->recording;
}
