// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/fs/fs_packets.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/cli/command.h"
#include "app/control/memory_dir.h"
#include "base/error.h"
#include "trace/flight_stream.h"
#include "trace/stream_writer.h"

/* Bytes: more than any packet has, and than its head. */
enum { BUFFER = 256 << 10, PIECE = 512 };

/* A ring's, of which all up to a byte has been read. */
struct stream {
	int fd; /* -1: nobody has wanted it yet */
	off_t read;
	size_t rest; /* bytes of a packet that is read in pieces */
};

struct packets {
	unsigned int users;
	int dir; /* where they are; -1: nowhere yet */
	struct kt_flight_stream *feed;
	struct stream *streams; /* n of them, by ring; 0: it has not begun */
	size_t n;
	char *bytes; /* BUFFER of them, that were read last */
};

struct packets *packets_new(struct kt_error *err)
{
	struct packets *p = calloc(1, sizeof(*p));

	if (p)
		*p = (struct packets){.users = 1, .dir = -1, .bytes = malloc(BUFFER)};
	if (p && p->bytes)
		return p;
	free(p);
	kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	return NULL;
}

struct packets *packets_join(struct packets *p)
{
	p->users++;
	return p;
}

static int make_streams(struct packets *p, struct kt_error *err)
{
	size_t i, n = kt_flight_stream_count(p->feed);

	p->streams = calloc(n, sizeof(*p->streams));
	if (!p->streams)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	for (i = 0; i < n; i++)
		p->streams[i].fd = -1;
	p->n = n;
	return 0;
}

/* As it was when it was new. */
static void undo(struct packets *p)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		if (p->streams[i].fd >= 0)
			close(p->streams[i].fd);
	free(p->streams);
	kt_flight_stream_free(p->feed);
	if (p->dir >= 0)
		close(p->dir);
	*p = (struct packets){.users = p->users, .dir = -1, .bytes = p->bytes};
}

static int begin(struct packets *p, const struct kt_flight *f, int tracefs, struct kt_error *err)
{
	p->dir = memory_for(f, err);
	if (p->dir >= 0)
		p->feed = kt_flight_stream_new(f, tracefs, ktrace_version, p->dir, err);
	if (p->feed && make_streams(p, err) == 0)
		return 0;
	undo(p);
	return -err->code;
}

void packets_leave(struct packets *p)
{
	if (!p || --p->users > 0)
		return;
	undo(p);
	free(p->bytes);
	free(p);
}

int packets_follow(struct packets *p, size_t ring, const struct kt_flight *f, int tracefs,
		   struct kt_error *err)
{
	int ret = p->n ? 0 : begin(p, f, tracefs, err);

	if (ret == 0 && p->streams[ring].fd < 0)
		ret = p->streams[ring].fd = kt_flight_stream_open(p->feed, ring, err);
	if (ret >= 0)
		ret = kt_flight_stream_copy(p->feed, ring, f, err);
	return memory_error(ret, err);
}

void packets_rest(struct packets *p)
{
	if (p->feed)
		kt_flight_stream_rest(p->feed);
}

static struct stream *stream_of(const struct packets *p, size_t ring)
{
	return ring < p->n && p->streams[ring].fd >= 0 ? &p->streams[ring] : NULL;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* How many of the n bytes that come next are to be read, of up to that size. */
static size_t pick(struct stream *s, const char *bytes, size_t n, size_t size)
{
	size_t most = least(n, size), some = 0, packet;

	if (s->rest) {
		some = least(s->rest, most);
		s->rest -= some;
		return some;
	}
	while ((packet = kt_stream_writer_packet_size(bytes + some, n - some)) &&
	       packet <= most - some)
		some += packet;
	if (!some && packet) {
		some = most;
		s->rest = packet - some;
	}
	return some;
}

/*
 * What has been read is given back, in whole pages: also those of which some was read before. Where
 * that cannot be done it is when nobody reads any more.
 */
static void forget_read(const struct stream *s)
{
	if (s->read)
		fallocate(s->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, s->read);
}

ssize_t packets_read(struct packets *p, size_t ring, size_t size, const char **bytes,
		     struct kt_error *err)
{
	struct stream *s = stream_of(p, ring);
	ssize_t n;

	if (!s)
		return 0;
	/* Also of less the head is to be seen. */
	n = pread(s->fd, p->bytes, least(BUFFER, size < PIECE ? PIECE : size), s->read);
	if (n < 0)
		return kt_fail(err, errno, "%s", strerror(errno));
	n = pick(s, p->bytes, n, size);
	s->read += n;
	forget_read(s);
	*bytes = p->bytes;
	return n;
}

bool packets_is_read(const struct packets *p, size_t ring)
{
	const struct stream *s = stream_of(p, ring);
	struct stat st;

	return !s || fstat(s->fd, &st) < 0 || s->read == st.st_size;
}
