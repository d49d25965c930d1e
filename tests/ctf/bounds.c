// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Traces that are small on disk: reading takes little memory, and time in proportion to their size.
 * An alarm ends quadratic readers.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "constants/labels.h"
#include "tests/ctf/address_space.h"
#include "tests/ctf/babeltrace.h"
#include "tests/unit/metadata.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/syscall_pairs.h"
#include "trace/read/trace_reader.h"

/* The packet header described by HEAD and STREAM of tests/unit/metadata.h. */
struct header {
	uint64_t magic;
	unsigned char uuid[16];
	uint8_t stream_id;
	uint64_t cpu, begin, end, content, size, discarded;
} __attribute__((packed));

struct record {
	uint64_t id : 8, time : 48;
	uint64_t tid;
} __attribute__((packed));

enum { RECORD_HEAD = 15, KIB = 1 << 10, MIB = 1 << 20 };

static struct directory trace;
static struct kt_error err;

static int set_up(void **state)
{
	(void)state;
	open_directory(&trace);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	remove_directory(&trace);
	return 0;
}

static FILE *create(const char *name)
{
	int fd = openat(trace.fd, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

	assert_non_null(f);
	return f;
}

static void write_metadata(const char *text)
{
	FILE *f = create("metadata");

	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

/* Begins a packet whose content and size are given; the rest of the file is a hole. */
static FILE *begin_packet(unsigned int cpu, size_t content, size_t size)
{
	struct header header = {
		.magic = 0xc1fc1fc1,
		.uuid = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
		.cpu = cpu,
		.begin = 1000,
		.end = 2000,
		.content = 8 * content,
		.size = 8 * size,
	};
	char name[16];
	FILE *f;

	snprintf(name, sizeof(name), "cpu%u", cpu);
	f = create(name);
	assert_int_equal(ftruncate(fileno(f), size), 0);
	fwrite(&header, sizeof(header), 1, f);
	return f;
}

/* Records are aligned to 8 bytes. */
static void begin_record(FILE *f, unsigned int id)
{
	const struct record r = {.id = id, .time = 1500, .tid = 7};

	fseek(f, (ftell(f) + 7) & ~7L, SEEK_SET);
	fwrite(&r, RECORD_HEAD, 1, f);
}

static struct kt_trace_reader *open_reader(void)
{
	struct kt_trace_reader *r = kt_trace_reader_open(trace.path, &err);

	if (!r)
		fail_msg("%s", err.text);
	return r;
}

/* Makes a sequence of n bytes "abc..." between two empty ones. */
static void make_sequence(uint64_t n)
{
	size_t first = (sizeof(struct header) + 7) & ~7ul, second = first + RECORD_HEAD + 8;
	size_t end = ((((second + 7) & ~7ul) + RECORD_HEAD + 8 + n + 7) & ~7ul) + RECORD_HEAD + 8;
	FILE *f = begin_packet(0, end, end);
	uint64_t none = 0, i;

	begin_record(f, 0);
	fwrite(&none, sizeof(none), 1, f);
	begin_record(f, 0);
	fwrite(&n, sizeof(n), 1, f);
	for (i = 0; i < n; i++)
		fputc('a' + i % 26, f);
	begin_record(f, 0);
	fwrite(&none, sizeof(none), 1, f);
	assert_int_equal(fclose(f), 0);
}

static void assert_next(struct kt_trace_reader *r, uint64_t n)
{
	struct kt_hit hit;
	uint64_t i;

	assert_int_equal(kt_trace_reader_next(r, &hit, &err), 1);
	assert_int_equal(hit.values[0].n, n);
	for (i = 0; i < n; i++)
		if (hit.values[0].data[i] != (char)('a' + i % 26))
			fail_msg("byte %zu of %zu", (size_t)i, (size_t)n);
}

/* Records longer than the part of a packet in memory are read completely. */
static void long_records(void **state)
{
	static const uint64_t sizes[] = {128 * KIB - 200, 128 * KIB - 100, 128 * KIB, 300 * KIB,
					 MIB - 100};
	struct kt_trace_reader *r;
	struct kt_hit hit;
	size_t i;

	(void)state;
	write_metadata(HEAD ENV("") STREAM EVENT(0, "a:b", "u64 n; byte x[n];"));
	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		make_sequence(sizes[i]);
		r = open_reader();
		assert_next(r, 0);
		assert_next(r, sizes[i]);
		assert_next(r, 0);
		assert_int_equal(kt_trace_reader_next(r, &hit, &err), 0);
		kt_trace_reader_free(r);
	}
}

static void assert_damaged(struct kt_trace_reader *r, const char *why)
{
	struct kt_hit hit;

	assert_int_equal(kt_trace_reader_next(r, &hit, &err), -EBADMSG);
	assert_non_null(strstr(err.text, why));
	kt_trace_reader_free(r);
}

static void too_long_records(void **state)
{
	struct kt_trace_reader *r;

	(void)state;
	write_metadata(HEAD ENV("") STREAM EVENT(0, "a:b", "u64 n; byte x[n];"));
	make_sequence(MIB);
	r = open_reader();
	assert_next(r, 0);
	assert_damaged(r, "a record longer than 1 MiB");
}

/* 64 packets of 32 MiB, which take some 600 KiB on disk. */
static void large_packets(void **state)
{
	struct kt_trace_reader *r;
	struct kt_hit hit;
	unsigned int cpu;
	FILE *f;
	int n = 0;

	(void)state;
	write_metadata(HEAD ENV("") STREAM EVENT(0, "a:b", ""));
	for (cpu = 0; cpu < 64; cpu++) {
		f = begin_packet(cpu, 80 + RECORD_HEAD, 32 * MIB);
		begin_record(f, 0);
		assert_int_equal(fclose(f), 0);
	}
	r = open_reader();
	while (kt_trace_reader_next(r, &hit, &err) > 0 && n < 64)
		assert_int_equal(hit.cpu, n++);
	assert_int_equal(n, 64);
	kt_trace_reader_free(r);
}

/* Makes a sequence of n structs; for JSON's sake a struct counts as 16 values. */
static void make_structs(uint64_t n)
{
	FILE *f = begin_packet(0, MIB, MIB);

	begin_record(f, 0);
	fwrite(&n, sizeof(n), 1, f);
	assert_int_equal(fclose(f), 0);
}

static void many_values(void **state)
{
	static const char metadata[] =
		HEAD ENV("") STREAM "struct in { u8 a; };\nstruct out { struct in b[1]; };\n" EVENT(
			0, "a:b", "u64 n; struct out x[n];");
	struct kt_trace_reader *r;
	struct kt_hit hit;

	(void)state;
	write_metadata(metadata);
	make_structs(MIB / 33);
	r = open_reader();
	assert_int_equal(kt_trace_reader_next(r, &hit, &err), 1);
	assert_int_equal(hit.values[0].n, MIB / 33);
	kt_trace_reader_free(r);
	make_structs(MIB / 33 + 1);
	assert_damaged(open_reader(), "a record of too many values");
}

/* Parses metadata of a beginning, n repetitions and an end. */
static struct kt_metadata *parse(const char *begin, void (*write)(FILE *f, size_t i), size_t n,
				 const char *end)
{
	struct kt_metadata *s;
	char *text = NULL;
	size_t size, i;
	FILE *f = open_memstream(&text, &size);

	fputs(begin, f);
	for (i = 0; i < n; i++)
		write(f, i);
	fputs(end, f);
	assert_int_equal(fclose(f), 0);
	s = kt_metadata_parse(text, size, &err);
	free(text);
	return s;
}

/* That many repetitions are accepted, and one more is refused. */
static void assert_bound(const char *begin, void (*write)(FILE *f, size_t i), size_t n,
			 const char *end, const char *why)
{
	struct kt_metadata *s = parse(begin, write, n, end);

	if (!s)
		fail_msg("%s", err.text);
	kt_metadata_free(s);
	assert_null(parse(begin, write, n + 1, end));
	assert_non_null(strstr(err.text, why));
}

static void write_member(FILE *f, size_t i)
{
	fprintf(f, "u8 _m%zu; ", i);
}

static void write_flag(FILE *f, size_t i)
{
	fprintf(f, "%s f%zu = %zu", i ? "," : "", i, i);
}

static void write_variant(FILE *f, size_t i)
{
	fprintf(f, "variant v%zu <a> { u8 x; };\n", i);
}

static void write_option(FILE *f, size_t i)
{
	fprintf(f, "u8 o%zu; ", i);
}

static void write_nested(FILE *f, size_t i)
{
	fprintf(f, "struct s%zu { struct s%zu x[1]; };\n", i + 1, i);
}

#define EVENT_BEGIN "event { name = \"a:b\"; id = 0; stream_id = 0; fields := struct { "

static void metadata_bounds(void **state)
{
	(void)state;
	assert_bound(HEAD ENV("") STREAM EVENT_BEGIN, write_member, 512, "}; };",
		     "a struct of more than 512 members");
	assert_bound(HEAD ENV("") STREAM EVENT_BEGIN "enum a_flags : u64 {", write_flag, 1024,
		     "} x; }; };", "more than 1024 flags");
	assert_bound(HEAD ENV("") STREAM, write_variant, 512, "", "more than 512 variants");
	assert_bound(HEAD ENV("") STREAM "variant v <a> {", write_option, 512, "};",
		     "a variant of more than 512 options");
	assert_bound(HEAD ENV("") STREAM "struct s0 { u8 x; };\n", write_nested, 32, "",
		     "structs nested more than 32 deep");
}

/* Each entry looks for its return: none exists, or all do. */
static void write_call(FILE *f, size_t i)
{
	fprintf(f,
		"event { name = \"syscalls:sys_%s_c%zu\"; id = %zu; stream_id = 0; "
		"fields := struct { s64 ret; }; };\n",
		i % 2 ? "exit" : "enter", i / 2, i);
}

static void write_lone_entry(FILE *f, size_t i)
{
	fprintf(f,
		"event { name = \"syscalls:sys_enter_c%zu\"; id = %zu; stream_id = 0; "
		"fields := struct { }; };\n",
		i, i);
}

static void many_calls(void **state)
{
	struct kt_metadata *s = parse(HEAD ENV("") STREAM, write_lone_entry, 65536, "");
	struct kt_syscall_pairs *p;
	struct kt_call call;
	struct kt_hit hit = {.tid = 1};

	(void)state;
	assert_non_null(s);
	alarm(40);
	p = kt_syscall_pairs_new(s);
	assert_non_null(p);
	hit.event = &s->events[65535];
	assert_int_equal(kt_syscall_pairs_add(p, &hit, &call), KT_CALL_NONE);
	kt_syscall_pairs_free(p);
	kt_metadata_free(s);

	s = parse(HEAD ENV("") STREAM, write_call, 65536, "");
	assert_non_null(s);
	p = kt_syscall_pairs_new(s);
	assert_non_null(p);
	alarm(0);
	kt_syscall_pairs_free(p);
	kt_metadata_free(s);
}

/* Sorted lookup finds the first label of a value, like a linear search. */
static void sorted_labels(void **state)
{
	struct kt_labels *list = NULL, *labels = kt_labels_new(&list, false);
	struct kt_labelled sorted, found;
	uint64_t value, random = 1;
	char text[24];
	size_t i;

	(void)state;
	assert_non_null(labels);
	for (i = 0; i < 300; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		snprintf(text, sizeof(text), "l%zu", i);
		value = i % 50 == 0 ? UINT64_MAX - i : random >> 33 & 255;
		assert_int_equal(kt_labels_add(labels, value, text), 0);
	}
	for (i = 0; i < 600; i++) {
		value = i < 300 ? i : UINT64_MAX - (i - 300);
		assert_int_equal(kt_labels_sort(labels), 0);
		kt_labels_of(labels, value, &sorted);
		free(labels->by_value);
		labels->by_value = NULL;
		kt_labels_of(labels, value, &found);
		assert_int_equal(sorted.n, found.n);
		assert_int_equal(sorted.rest, found.rest);
		if (found.n)
			assert_string_equal(sorted.text[0], found.text[0]);
	}
	kt_labels_free(list);
}

static void write_label(FILE *f, size_t i)
{
	fprintf(f, "%sl%zu", i ? ", " : "", i);
}

static void many_labels(void **state)
{
	struct kt_metadata *s = parse(HEAD ENV("") STREAM EVENT_BEGIN "enum : u64 {", write_label,
				      200000, "} x; }; };");
	const struct kt_labels *labels;
	struct kt_labelled found;
	size_t i;

	(void)state;
	assert_non_null(s);
	labels = s->events[0].fields.members[0].labels;
	alarm(20);
	for (i = 0; i < 1000000; i++) {
		kt_labels_of(labels, 100000 + i % 200000, &found);
		assert_int_equal(found.n, i % 200000 < 100000);
	}
	alarm(0);
	kt_metadata_free(s);
}

static int limit_memory(void **state)
{
	(void)state;
	return limit_address_space(512);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(long_records, set_up, tear_down),
		cmocka_unit_test_setup_teardown(too_long_records, set_up, tear_down),
		cmocka_unit_test_setup_teardown(large_packets, set_up, tear_down),
		cmocka_unit_test_setup_teardown(many_values, set_up, tear_down),
		cmocka_unit_test(metadata_bounds),
		cmocka_unit_test(many_calls),
		cmocka_unit_test(sorted_labels),
		cmocka_unit_test(many_labels),
	};

	return cmocka_run_group_tests_name("bounds", tests, limit_memory, NULL);
}
