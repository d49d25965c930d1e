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
#include "trace/flight/flight_stream.h"
#include "trace/stream_writer.h"

/* Bytes: more than any packet, and than its header. */
enum { BUFFER = 256 << 10, PIECE = 512 };

/* The stream of a ring, read up to an offset. */
struct stream {
	int fd; /* -1: not used yet */
	off_t read;
	size_t rest; /* unread bytes of a packet that is read in parts */
};

struct fs_packets {
	unsigned int users;
	int dir; /* of the streams' trace; -1: none yet */
	struct kt_flight_stream *feed;
	struct stream *streams; /* n of them, by ring; 0: not begun */
	size_t n;
	char *bytes; /* BUFFER bytes, with what was read last */
};

struct fs_packets *fs_packets_new(struct kt_error *err)
{
	struct fs_packets *p = calloc(1, sizeof(*p));

	if (p)
		*p = (struct fs_packets){.users = 1, .dir = -1, .bytes = malloc(BUFFER)};
	if (p && p->bytes)
		return p;
	free(p);
	kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	return NULL;
}

struct fs_packets *fs_packets_ref(struct fs_packets *p)
{
	p->users++;
	return p;
}

static int make_streams(struct fs_packets *p, struct kt_error *err)
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

/* Resets everything. */
static void reset_packets(struct fs_packets *p)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		if (p->streams[i].fd >= 0)
			close(p->streams[i].fd);
	free(p->streams);
	kt_flight_stream_free(p->feed);
	if (p->dir >= 0)
		close(p->dir);
	*p = (struct fs_packets){.users = p->users, .dir = -1, .bytes = p->bytes};
}

static int begin_trace(struct fs_packets *p, const struct kt_flight *f, int tracefs,
		       struct kt_error *err)
{
	p->dir = memory_dir_for_flight(f, err);
	if (p->dir >= 0)
		p->feed = kt_flight_stream_new(f, tracefs, ktrace_version, p->dir, err);
	if (p->feed && make_streams(p, err) == 0)
		return 0;
	reset_packets(p);
	return -err->code;
}

void fs_packets_unref(struct fs_packets *p)
{
	if (!p || --p->users > 0)
		return;
	reset_packets(p);
	free(p->bytes);
	free(p);
}

int fs_packets_follow(struct fs_packets *p, size_t ring, const struct kt_flight *f, int tracefs,
		      struct kt_error *err)
{
	int ret = p->n ? 0 : begin_trace(p, f, tracefs, err);

	if (ret == 0 && p->streams[ring].fd < 0)
		ret = p->streams[ring].fd = kt_flight_stream_open(p->feed, ring, err);
	if (ret >= 0)
		ret = kt_flight_stream_copy(p->feed, ring, f, err);
	return memory_dir_error(ret, err);
}

void fs_packets_release(struct fs_packets *p)
{
	if (p->feed)
		kt_flight_stream_rest(p->feed);
}

static struct stream *get_stream(const struct fs_packets *p, size_t ring)
{
	return ring < p->n && p->streams[ring].fd >= 0 ? &p->streams[ring] : NULL;
}

static size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Returns how many of the next n bytes to return, of at most `size`. */
static size_t choose_size(struct stream *s, const char *bytes, size_t n, size_t size)
{
	size_t most = min_size(n, size), some = 0, packet;

	if (s->rest) {
		some = min_size(s->rest, most);
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
 * Frees what was read in whole pages, including pages that were read in parts. If the file system
 * cannot, it is freed with the stream.
 */
static void free_read_pages(const struct stream *s)
{
	if (s->read)
		fallocate(s->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, s->read);
}

ssize_t fs_packets_read(struct fs_packets *p, size_t ring, size_t size, const char **bytes,
			struct kt_error *err)
{
	struct stream *s = get_stream(p, ring);
	ssize_t n;

	if (!s)
		return 0;
	/* Reads enough to have the packet's header. */
	n = pread(s->fd, p->bytes, min_size(BUFFER, size < PIECE ? PIECE : size), s->read);
	if (n < 0)
		return kt_fail(err, errno, "%s", strerror(errno));
	n = choose_size(s, p->bytes, n, size);
	s->read += n;
	free_read_pages(s);
	*bytes = p->bytes;
	return n;
}

bool fs_packets_are_read(const struct fs_packets *p, size_t ring)
{
	const struct stream *s = get_stream(p, ring);
	struct stat st;

	return !s || fstat(s->fd, &st) < 0 || s->read == st.st_size;
}
