// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/flight/flight_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

#include "base/clock.h"
#include "base/error.h"
#include "session/flight/buffer_contents.h"
#include "trace/flight/flight_position.h"
#include "trace/recording.h"

struct kt_flight_text {
	struct kt_period settled;
	struct kt_flight_position *trail;
	struct kt_buffer_contents of;   /* of the open trace */
	struct kt_recording *recording; /* NULL: no trace is open */
};

struct kt_flight_text *kt_flight_text_new(struct kt_error *err)
{
	struct kt_flight_text *t = calloc(1, sizeof(*t));

	if (!t) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	t->trail = kt_flight_position_new(KT_ALL_RINGS, &t->settled, err);
	if (t->trail)
		return t;
	free(t);
	return NULL;
}

void kt_flight_text_end(struct kt_flight_text *t)
{
	kt_recording_free(t->recording);
	t->recording = NULL;
	kt_flight_position_end(t->trail);
	kt_flight_position_change_trace(t->trail);
	kt_buffer_contents_clear(&t->of);
}

void kt_flight_text_free(struct kt_flight_text *t)
{
	if (!t)
		return;
	kt_flight_text_end(t);
	kt_flight_position_free(t->trail);
	free(t);
}

static int begin_recording(struct kt_flight_text *t, const struct kt_flight *f,
			   struct kt_time_span time, int tracefs, const char *version, int dir,
			   struct kt_error *err)
{
	size_t set = kt_flight_position_period(t->trail).set;

	if (kt_buffer_contents_read(&t->of, f, set, time, tracefs, err) < 0)
		return -err->code;
	t->recording = kt_recording_empty(&t->of.source, version, dir, err);
	return t->recording ? 0 : -err->code;
}

int kt_flight_text_begin(struct kt_flight_text *t, const struct kt_flight *f, int tracefs,
			 const char *version, int dir, struct kt_error *err)
{
	struct kt_time_span time = {kt_flight_position_until(t->trail), kt_clock_now()};

	if (flock(dir, LOCK_EX | LOCK_NB) < 0)
		return kt_fail(err, errno, "%s", strerror(errno));
	if (kt_flight_position_begin(t->trail, f, err) < 0)
		return -err->code;
	if (begin_recording(t, f, time, tracefs, version, dir, err) == 0)
		return 0;
	kt_flight_text_end(t);
	return -err->code;
}

int kt_flight_text_copy(struct kt_flight_text *t, const struct kt_flight *f, struct kt_error *err)
{
	return kt_flight_position_copy(t->trail, f, t->recording, err);
}

uint64_t kt_flight_text_until(const struct kt_flight_text *t)
{
	return kt_flight_position_until(t->trail);
}

struct kt_recording *kt_flight_text_recording(const struct kt_flight_text *t)
{
	return t->recording;
}
