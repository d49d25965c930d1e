// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/flight/flight_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "ring/rings.h"
#include "session/flight/buffer_contents.h"
#include "trace/flight/flight_position.h"
#include "trace/metadata_writer.h"
#include "trace/recording.h"
#include "trace/trace_directory.h"

struct lane {
	struct kt_flight_position *trail; /* NULL: there is no such ring */
	bool is_open;
};

struct kt_flight_stream {
	struct kt_buffer_contents of; /* what the recording needs of the flight */
	struct kt_recording *recording;
	struct kt_period settled;
	int dir;
	size_t n, n_cpus;
	struct lane lanes[]; /* n of them, by ring */
};

static int make_lanes(struct kt_flight_stream *feed, const struct kt_rings *rings,
		      struct kt_error *err)
{
	size_t i;

	for (i = 0; i < feed->n; i++) {
		if (!kt_rings_at(rings, i))
			continue;
		feed->lanes[i].trail = kt_flight_position_new(i, &feed->settled, err);
		if (!feed->lanes[i].trail)
			return -err->code;
	}
	return 0;
}

static struct kt_flight_stream *make_stream(struct kt_buffer_contents *of, const char *version,
					    int dir, struct kt_error *err)
{
	size_t n = kt_rings_count(of->source.rings);
	struct kt_flight_stream *feed = calloc(1, sizeof(*feed) + n * sizeof(*feed->lanes));

	if (!feed) {
		kt_buffer_contents_clear(of);
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	feed->of = *of;
	feed->dir = dir;
	feed->n = n;
	feed->n_cpus = kt_rings_cpus(of->source.rings);
	if (make_lanes(feed, of->source.rings, err) == 0)
		feed->recording = kt_recording_empty(&feed->of.source, version, dir, err);
	if (feed->recording)
		return feed;
	kt_flight_stream_free(feed);
	return NULL;
}

struct kt_flight_stream *kt_flight_stream_new(const struct kt_flight *f, int tracefs,
					      const char *version, int dir, struct kt_error *err)
{
	struct kt_buffer_contents of;

	if (kt_buffer_contents_read_all(&of, f, tracefs, err) < 0)
		return NULL;
	return make_stream(&of, version, dir, err);
}

void kt_flight_stream_free(struct kt_flight_stream *feed)
{
	size_t i;

	if (!feed)
		return;
	for (i = 0; i < feed->n; i++)
		kt_flight_position_free(feed->lanes[i].trail);
	kt_recording_free(feed->recording);
	kt_buffer_contents_clear(&feed->of);
	free(feed);
}

size_t kt_flight_stream_count(const struct kt_flight_stream *feed)
{
	return feed->n;
}

int kt_flight_stream_open(const struct kt_flight_stream *feed, size_t ring, struct kt_error *err)
{
	char name[16];
	int fd;

	kt_trace_directory_name_stream(name, sizeof(name), ring / feed->n_cpus,
				       ring % feed->n_cpus);
	fd = openat(feed->dir, name, O_RDWR | O_CLOEXEC);
	return fd < 0 ? kt_fail(err, errno, "%s: %s", name, strerror(errno)) : fd;
}

static void close_lane(struct lane *l)
{
	if (l->is_open)
		kt_flight_position_end(l->trail);
	l->is_open = false;
}

/* Copies as kt_flight_position_copy(). */
static int copy_more(struct kt_flight_stream *feed, struct lane *l, const struct kt_flight *f,
		     struct kt_error *err)
{
	int ret;

	if (!l->is_open && kt_flight_position_begin(l->trail, f, err) < 0)
		return -err->code;
	l->is_open = true;
	ret = kt_flight_position_copy(l->trail, f, feed->recording, err);
	if (ret == 0)
		close_lane(l);
	return ret;
}

int kt_flight_stream_copy(struct kt_flight_stream *feed, size_t ring, const struct kt_flight *f,
			  struct kt_error *err)
{
	int ret;

	do
		ret = copy_more(feed, &feed->lanes[ring], f, err);
	while (ret == 0);
	return ret < 0 ? ret : 0;
}

void kt_flight_stream_rest(struct kt_flight_stream *feed)
{
	size_t i;

	for (i = 0; i < feed->n; i++)
		close_lane(&feed->lanes[i]);
}

int kt_flight_stream_describe(const struct kt_flight *f, int tracefs, const char *version, FILE *to,
			      struct kt_error *err)
{
	struct kt_metadata_writer m;
	struct kt_buffer_contents x;
	int ret;

	if (kt_buffer_contents_read_all(&x, f, tracefs, err) < 0)
		return -err->code;
	m = kt_metadata_writer_of(&x.source, version);
	ret = kt_metadata_writer_fill(&m, err);
	if (ret == 0)
		ret = kt_metadata_writer_print(&m, to, err);
	kt_buffer_contents_clear(&x);
	return ret;
}
