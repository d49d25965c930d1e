/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace made by a test, packet by packet. */
#ifndef KT_TESTS_MADE_TRACE_H
#define KT_TESTS_MADE_TRACE_H

#include "base/error.h"
#include "bpf/ring_layout.h"
#include "events/event.h"
#include "ring/ring.h"
#include "tests/ctf/babeltrace.h"
#include "trace/metadata_writer.h"
#include "trace/stream_writer.h"

enum { NUMBER, KINDS, NOTHING, VARYING, LABELLED, N_EVENTS };

#define FORMAT(name, fields, ...)                                              \
	"name: " name "\nID: 1\nformat:\n"                                     \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\n" fields "\nprint fmt: \"\"" __VA_ARGS__ "\n"

static const char *const formats[N_EVENTS] = {
	[NUMBER] = FORMAT("number", "\tfield:u64 n;\toffset:8;\tsize:8;\tsigned:0;\n"),
	[KINDS] = FORMAT("kinds", "\tfield:u8 u8;\toffset:8;\tsize:1;\tsigned:0;\n"
				  "\tfield:s8 s8;\toffset:9;\tsize:1;\tsigned:1;\n"
				  "\tfield:u16 event;\toffset:10;\tsize:2;\tsigned:0;\n"
				  "\tfield:s16 string;\toffset:12;\tsize:2;\tsigned:1;\n"
				  "\tfield:unsigned int u32;\toffset:16;\tsize:4;\tsigned:0;\n"
				  "\tfield:int s32;\toffset:20;\tsize:4;\tsigned:1;\n"
				  "\tfield:u64 u64;\toffset:24;\tsize:8;\tsigned:0;\n"
				  "\tfield:s64 s64;\toffset:32;\tsize:8;\tsigned:1;\n"
				  "\tfield:void * ptr;\toffset:40;\tsize:8;\tsigned:0;\n"
				  "\tfield:char comm[6];\toffset:48;\tsize:6;\tsigned:0;\n"
				  "\tfield:__u8 ip[4];\toffset:54;\tsize:4;\tsigned:0;\n"
				  "\tfield:int two[2];\toffset:60;\tsize:8;\tsigned:1;\n"
				  "\tfield:struct odd odd;\toffset:68;\tsize:3;\tsigned:0;\n"),
	[NOTHING] = FORMAT("nothing", ""),
	[VARYING] =
		FORMAT("varying", "\tfield:__data_loc char[] name;\toffset:8;\tsize:4;\tsigned:0;\n"
				  "\tfield:u8 u8;\toffset:12;\tsize:1;\tsigned:0;\n"
				  "\tfield:__data_loc s16[] s16s;\toffset:16;\tsize:4;\tsigned:1;\n"
				  "\tfield:__rel_loc u64[] u64s;\toffset:20;\tsize:4;\tsigned:0;\n"
				  "\tfield:u8 last;\toffset:24;\tsize:1;\tsigned:0;\n"),
	[LABELLED] = FORMAT(
		"labelled",
		"\tfield:u8 vec;\toffset:8;\tsize:1;\tsigned:0;\n"
		"\tfield:s16 ret;\toffset:10;\tsize:2;\tsigned:1;\n"
		"\tfield:int flags;\toffset:12;\tsize:4;\tsigned:1;\n"
		"\tfield:u64 state;\toffset:16;\tsize:8;\tsigned:0;\n",
		", __print_symbolic(REC->vec, {0, \"HI\"}, {3, \"NET RX\"}, {4, \"HI\"}), "
		"__print_symbolic(REC->ret, {-1, \"EPERM\"}, {5, \"x\\ty\"}), "
		"(REC->flags) ? __print_flags(REC->flags, \"|\", {3UL, \"AB\"}, {1UL, \"A\"},"
		" {2UL, \"B\"}, {0x80000000UL, \"TOP\"}, {0, ((void *)0)}) : \"none\", "
		"(REC->state & 255) ? __print_flags(REC->state & 255, \"|\", {1, \"S\"},"
		" {2, \"D\"}) : \"R\", REC->state & 256 ? \"+\" : \"\""),
};

/* An event with addresses, for put_event. */
static const char called_format[] =
	FORMAT("called",
	       "\tfield:u8 n;\toffset:8;\tsize:1;\tsigned:0;\n"
	       "\tfield:unsigned long ip;\toffset:16;\tsize:8;\tsigned:0;\n"
	       "\tfield:void * func;\toffset:24;\tsize:8;\tsigned:0;\n"
	       "\tfield:void * ptr;\toffset:32;\tsize:8;\tsigned:0;\n",
	       " \"%pS %ps %p\", (void *)REC->ip, REC->func, REC->ptr, \"an argument too many\"");

/* The fields of a record of KINDS. */
struct kinds {
	uint8_t u8;
	int8_t s8;
	uint16_t event;
	int16_t string;
	uint32_t u32;
	int32_t s32;
	uint64_t u64;
	int64_t s64;
	uint64_t ptr;
	char comm[6];
	uint8_t ip[4];
	int32_t two[2];
	uint8_t odd[3];
} __attribute__((packed));

static const struct kinds kinds_low = {
	.s8 = INT8_MIN,
	.string = INT16_MIN,
	.s32 = INT32_MIN,
	.s64 = INT64_MIN,
	.two = {INT32_MIN, 1},
};

static const struct kinds kinds_high = {
	UINT8_MAX,        INT8_MAX,   UINT16_MAX, INT16_MAX,           UINT32_MAX,
	INT32_MAX,        UINT64_MAX, INT64_MAX,  0xffffffff81000000u, "hello",
	{127, 0, 0, 255}, {-1, 2},    {7, 8, 9},
};

/* The fields of VARYING, followed by as many elements as counted. */
struct varying {
	uint16_t name_length;
	uint8_t u8;
	uint16_t s16s_length, u64s_length;
	uint8_t last;
} __attribute__((packed));

/* A record with some of each. */
static const struct {
	struct varying header;
	char name[6];
	int16_t s16s[2];
	uint64_t u64s[1];
} __attribute__((packed)) some = {{6, 1, 2, 1, 255}, "hello", {INT16_MIN, INT16_MAX}, {UINT64_MAX}};

/* The fields of LABELLED. */
struct labelled {
	uint8_t vec;
	int16_t ret;
	int32_t flags;
	uint64_t state;
} __attribute__((packed));

/* The fields of the event with addresses. */
struct called {
	uint8_t n;
	uint64_t ip, func, ptr;
} __attribute__((packed));

/* A trace in the making, one packet after the other in one stream. */
struct made {
	struct directory dir;
	struct kt_event *events[N_EVENTS];
	struct kt_metadata_writer metadata;
	struct kt_stream_writer *stream;
	struct kt_packet packet;
	uint64_t records[4096];
	struct kt_error err;
};

static inline int set_up(void **state)
{
	struct made *m = calloc(1, sizeof(*m));
	size_t i;

	open_directory(&m->dir);
	for (i = 0; i < N_EVENTS; i++) {
		m->events[i] = kt_event_parse("test", formats[i], &m->err);
		assert_non_null(m->events[i]);
	}
	m->metadata = (struct kt_metadata_writer){
		.uuid = {1, 2, 3},
		.host = {.nodename = "here", .release = "6.1"},
		.version = "1.2.3",
		.events = (const struct kt_event *const *)m->events,
		.n_events = N_EVENTS,
	};
	assert_int_equal(kt_metadata_writer_write(&m->metadata, m->dir.fd, &m->err), 0);
	m->stream = kt_stream_writer_new(&m->metadata, m->dir.fd, KT_MAIN, 3, &m->err);
	assert_non_null(m->stream);
	*state = m;
	return 0;
}

static inline int tear_down(void **state)
{
	struct made *m = *state;
	size_t i;

	kt_stream_writer_free(m->stream);
	for (i = 0; i < N_EVENTS; i++)
		kt_event_free(m->events[i]);
	remove_directory(&m->dir);
	free(m);
	return 0;
}

static inline void begin(struct made *m, uint64_t time, uint64_t lost)
{
	memset(m->records, 0xff, sizeof(m->records)); /* padding is not zero */
	m->packet = (struct kt_packet){.records = m->records, .begin = time, .lost = lost};
}

static inline void record_of_task(struct made *m, uint64_t event, uint64_t time, uint32_t tid,
				  const void *fields, size_t size)
{
	struct kt_record r = {event | time << KT_TIME_SHIFT, tid};
	char *at = (char *)m->records + m->packet.size;

	memcpy(at, &r, sizeof(r));
	memcpy(at + sizeof(r), fields, size);
	m->packet.size += kt_record_size(sizeof(r) + size);
}

static inline void record(struct made *m, uint64_t event, uint64_t time, const void *fields,
			  size_t size)
{
	record_of_task(m, event, time, 100, fields, size);
}

static inline void number(struct made *m, uint64_t time, uint64_t n)
{
	record(m, NUMBER, time, &n, sizeof(n));
}

static inline int end(struct made *m, uint64_t time)
{
	m->packet.end = time;
	return kt_stream_writer_write(m->stream, &m->packet, &m->err);
}

/* Continues in that CPU's stream; the current packet is written. */
static inline void go_to_stream(struct made *m, enum kt_channel channel, unsigned int cpu)
{
	kt_stream_writer_free(m->stream);
	m->stream = kt_stream_writer_new(&m->metadata, m->dir.fd, channel, cpu, &m->err);
	assert_non_null(m->stream);
}

static inline void go_to_cpu(struct made *m, unsigned int cpu)
{
	go_to_stream(m, KT_MAIN, cpu);
}

/* Continues in that CPU's stream from that time on. */
static inline void begin_cpu(struct made *m, unsigned int cpu, uint64_t time)
{
	go_to_cpu(m, cpu);
	begin(m, time, 0);
}

/* Ends the packet and begins one with that many losses before it. */
static inline void lose(struct made *m, uint64_t time, uint64_t lost)
{
	assert_int_equal(end(m, time), 0);
	begin(m, time, lost);
}

/* Replaces an event from here on. */
static inline void put_event(struct made *m, size_t i, const char *system, const char *format)
{
	kt_event_free(m->events[i]);
	m->events[i] = kt_event_parse(system, format, &m->err);
	assert_non_null(m->events[i]);
}

/* Writes metadata for the current events. */
static inline void rewrite_metadata(struct made *m)
{
	assert_int_equal(unlinkat(m->dir.fd, "metadata", 0), 0);
	assert_int_equal(kt_metadata_writer_write(&m->metadata, m->dir.fd, &m->err), 0);
}

/* Replaces one event before anything is written. */
static inline void replace_event(struct made *m, size_t i, const char *format)
{
	put_event(m, i, "test", format);
	rewrite_metadata(m);
	assert_int_equal(unlinkat(m->dir.fd, "cpu3", 0), 0);
	go_to_cpu(m, 3);
}

/* Reads and writes a whole file of the trace. */
static inline size_t load(struct made *m, const char *name, char *bytes, size_t size)
{
	int fd = openat(m->dir.fd, name, O_RDONLY);
	ssize_t n = read(fd, bytes, size);

	close(fd);
	assert_in_range(n, 1, size - 1);
	return n;
}

static inline void store(struct made *m, const char *name, const char *bytes, size_t size)
{
	int fd = openat(m->dir.fd, name, O_WRONLY | O_TRUNC);

	assert_int_equal(write(fd, bytes, size), size);
	close(fd);
}

#endif
