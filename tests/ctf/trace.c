// SPDX-License-Identifier: GPL-2.0-or-later
/* Traces made by tests, read by babeltrace2. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include <cmocka.h>

#include "events/tracefs.h"
#include "tests/ctf/made_trace.h"

static void fields_of_every_kind(void **state)
{
	struct made *m = *state;

	begin(m, 1000, 0);
	record(m, KINDS, 1000, &kinds_low, sizeof(kinds_low));
	record(m, NOTHING, 1001, "", 0);
	record(m, KINDS, 1002, &kinds_high, sizeof(kinds_high));
	assert_int_equal(end(m, 1003), 0);
	assert_babeltrace(
		&m->dir, "--clock-cycles",
		"[00000000000000001000] here test:kinds: { cpu_id = 3 }, { tid = 100 }, "
		"{ u8 = 0, s8 = -128, event = 0, string = -32768, u32 = 0, s32 = -2147483648, "
		"u64 = 0, s64 = -9223372036854775808, ptr = 0x0, comm = \"\", "
		"ip = [ [0] = 0, [1] = 0, [2] = 0, [3] = 0 ], "
		"two = [ [0] = -2147483648, [1] = 1 ], "
		"odd = [ [0] = 0, [1] = 0, [2] = 0 ] }\n"
		"[00000000000000001001] here test:nothing: { cpu_id = 3 }, { tid = 100 }, { }\n"
		"[00000000000000001002] here test:kinds: { cpu_id = 3 }, { tid = 100 }, "
		"{ u8 = 255, s8 = 127, event = 65535, string = 32767, u32 = 4294967295, "
		"s32 = 2147483647, u64 = 18446744073709551615, s64 = 9223372036854775807, "
		"ptr = 0xFFFFFFFF81000000, comm = \"hello\", "
		"ip = [ [0] = 127, [1] = 0, [2] = 0, [3] = 255 ], "
		"two = [ [0] = -1, [1] = 2 ], "
		"odd = [ [0] = 7, [1] = 8, [2] = 9 ] }\n");
	assert_int_equal(kt_stream_writer_records(m->stream, KINDS), 2);
	assert_int_equal(kt_stream_writer_records(m->stream, NOTHING), 1);
	assert_int_equal(kt_stream_writer_records(m->stream, NUMBER), 0);
}

#define LINE(time, n) "[" time "] here test:number: { cpu_id = 3 }, { tid = 100 }, { n = " #n " }\n"

/* Their elements follow the last field; the next record follows them. */
static void varying_fields(void **state)
{
	static const struct varying none = {.u8 = 2};
	struct {
		struct varying header;
		char name[7000];
	} __attribute__((packed)) much = {.header = {.name_length = 7000}};
	struct made *m = *state;
	char *expected;

	memset(much.name, 'x', sizeof(much.name) - 1);
	begin(m, 1000, 0);
	record(m, VARYING, 1000, &some, sizeof(some));
	number(m, 1001, 5);
	record(m, VARYING, 1002, &none, sizeof(none));
	record(m, VARYING, 1003, &much, sizeof(much));
	number(m, 1004, 6);
	assert_int_equal(end(m, 1005), 0);
	assert_int_equal(kt_stream_writer_records(m->stream, VARYING), 3);
	assert_int_equal(kt_stream_writer_records(m->stream, NUMBER), 2);
	assert_true(
		asprintf(&expected,
			 "[00000000000000001000] here test:varying: { cpu_id = 3 }, { tid = 100 }, "
			 "{ _name_length = 6, u8 = 1, _s16s_length = 2, _u64s_length = 1, "
			 "last = 255, name = \"hello\", s16s = [ [0] = -32768, [1] = 32767 ], "
			 "u64s = [ [0] = 18446744073709551615 ] }\n" LINE(
				 "00000000000000001001",
				 5) "[00000000000000001002] here test:varying: { cpu_id = 3 }, { "
				    "tid = 100 }, "
				    "{ _name_length = 0, u8 = 2, _s16s_length = 0, _u64s_length = "
				    "0, "
				    "last = 0, name = \"\", s16s = [ ], u64s = [ ] }\n"
				    "[00000000000000001003] here test:varying: { cpu_id = 3 }, { "
				    "tid = 100 }, "
				    "{ _name_length = 7000, u8 = 0, _s16s_length = 0, _u64s_length "
				    "= 0, "
				    "last = 0, name = \"%s\", s16s = [ ], u64s = [ ] }\n" LINE(
					    "00000000000000001004", 6),
			 much.name) > 0);
	assert_babeltrace(&m->dir, "--clock-cycles", expected);
	free(expected);
}

/* The low 48 bits wrap within and between packets; a small step back is levelled. */
static void full_times(void **state)
{
	const uint64_t turn = 1ull << 48;
	struct made *m = *state;

	begin(m, turn - 10, 0);
	number(m, turn - 10, 1);
	number(m, turn - 1, 2);
	number(m, turn - 6, 3);
	number(m, turn + 5, 4);
	number(m, turn + 1, 5);
	assert_int_equal(end(m, turn + 4), 0);
	begin(m, turn + 3, 0);
	number(m, turn + 3, 6);
	number(m, turn + (1ull << 47), 7);
	assert_int_equal(end(m, turn + (1ull << 47)), 0);
	begin(m, 5 * turn, 0);
	number(m, 5 * turn, 8);
	assert_int_equal(end(m, 5 * turn), 0);
	assert_babeltrace(&m->dir, "--clock-cycles",
			  LINE("00000281474976710646", 1) LINE("00000281474976710655", 2)
				  LINE("00000281474976710655", 3) LINE("00000281474976710661", 4)
					  LINE("00000281474976710661", 5)
						  LINE("00000281474976710661", 6)
							  LINE("00000422212465065984", 7)
								  LINE("00001407374883553280", 8));
	assert_int_equal(kt_stream_writer_records(m->stream, NUMBER), 8);
}

static size_t count(const char *text, const char *what)
{
	size_t n = 0;

	for (; (text = strstr(text, what)); text++)
		n++;
	return n;
}

/* Asserts the losses that babeltrace2 reports. */
static void assert_losses(struct made *m, const char *a, const char *b)
{
	char *warnings = babeltrace(&m->dir, "--clock-gmt >/dev/null");

	assert_int_equal(count(warnings, "WARNING"), 2);
	assert_non_null(strstr(warnings, a));
	assert_non_null(strstr(warnings, b));
	free(warnings);
}

/* A loss is reported between the packets around it, also after the last record. */
static void losses(void **state)
{
	struct made *m = *state;
	struct stat st;

	begin(m, 500, 0);
	assert_int_equal(end(m, 500), 0);
	begin(m, 1000, 2);
	number(m, 1000, 1);
	assert_int_equal(end(m, 2000), 0);
	begin(m, 3000, 2);
	number(m, 3000, 2);
	assert_int_equal(end(m, 3000), 0);
	begin(m, 4000, 7);
	assert_int_equal(end(m, 4000), 0);
	assert_babeltrace(&m->dir, "--clock-cycles 2>/dev/null",
			  LINE("00000000000000001000", 1) LINE("00000000000000003000", 2));
	assert_losses(m, "discarded 2 events between [00:00:00.000000500] and [00:00:00.000002000]",
		      "discarded 5 events between [00:00:00.000003000] and [00:00:00.000004000]");
	assert_int_equal(fstatat(m->dir.fd, "cpu3", &st, 0), 0);
	assert_int_equal(st.st_size, kt_stream_writer_size(m->stream));
}

/* A ring read later ends at the same time, unless it has a later record. */
static void end_of_recording(void **state)
{
	struct made *m = *state;

	begin(m, 1000, 0);
	number(m, 1000, 1);
	kt_stream_writer_stop(m->stream, 3000);
	assert_int_equal(end(m, 2000), 0);
	assert_int_equal(kt_stream_writer_end(m->stream), 2000);
	begin(m, 2500, 2);
	number(m, 2500, 2);
	assert_int_equal(end(m, 9000000), 0);
	assert_int_equal(kt_stream_writer_end(m->stream), 3000);
	begin(m, 3001, 5);
	number(m, 3001, 3);
	number(m, 5000000, 4);
	assert_int_equal(end(m, 9000000), 0);
	assert_int_equal(kt_stream_writer_end(m->stream), 5000000);
	assert_losses(m, "discarded 2 events between [00:00:00.000002000] and [00:00:00.000003000]",
		      "discarded 3 events between [00:00:00.000003000] and [00:00:00.005000000]");
}

/* If a record is cut before its length, nothing beyond the packet is read. */
static void cut_records(void **state)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	struct made *m = *state;
	char *pages =
		mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(pages != MAP_FAILED);
	assert_int_equal(mprotect(pages + page, page, PROT_NONE), 0);
	begin(m, 1000, 0);
	record(m, VARYING, 1000, "cut", 3);
	m->packet.records = memcpy(pages + page - m->packet.size, m->records, m->packet.size);
	assert_int_equal(end(m, 1001), -EBADMSG);
	munmap(pages, 2 * page);
}

/* Packets that no probe wrote are refused; earlier and later packets remain. */
static void foreign_packets(void **state)
{
	static const struct varying longer = {.u64s_length = 1};
	const uint64_t ms = 1000000;
	struct made *m = *state;

	begin(m, 5 * ms, 0);
	number(m, 5 * ms, 1);
	assert_int_equal(end(m, 6 * ms), 0);

	begin(m, 7 * ms, 0);
	number(m, 7 * ms, 2);
	record(m, N_EVENTS, 7 * ms, "", 0);
	assert_int_equal(end(m, 8 * ms), -EBADMSG);
	assert_string_equal(m->err.text, "cpu3: invalid record at byte 24 of a packet");

	begin(m, 7 * ms, 0);
	record(m, KINDS, 7 * ms, "cut", 3); /* longer than the rest */
	assert_int_equal(end(m, 8 * ms), -EBADMSG);

	begin(m, 7 * ms, 0);
	record(m, VARYING, 7 * ms, &longer, sizeof(longer)); /* longer than the rest */
	assert_int_equal(end(m, 8 * ms), -EBADMSG);

	begin(m, 7 * ms, 0);
	number(m, 7 * ms, 2);
	m->packet.size += 4; /* less than a header */
	assert_int_equal(end(m, 8 * ms), -EBADMSG);

	begin(m, 7 * ms, 0);
	number(m, 9 * ms + 1, 2); /* later than the packet's end */
	assert_int_equal(end(m, 8 * ms), -EBADMSG);

	begin(m, 7 * ms, 0);
	number(m, 6 * ms - 1, 2); /* earlier than its begin */
	assert_int_equal(end(m, 8 * ms), -EBADMSG);

	begin(m, 5 * ms - 1, 0);
	assert_int_equal(end(m, 8 * ms), -EBADMSG);
	assert_string_equal(m->err.text, "cpu3: a packet is older than the one before");

	begin(m, 7 * ms, 0);
	number(m, 7 * ms, 2);
	assert_int_equal(end(m, 8 * ms), 0);
	assert_int_equal(kt_stream_writer_records(m->stream, NUMBER), 2);
	assert_babeltrace(&m->dir, "--clock-cycles",
			  LINE("00000000000005000000", 1) LINE("00000000000007000000", 2));
}

/* Packets of another ring continue where the last ring ended, even if it ended much later. */
static void another_ring(void **state)
{
	const uint64_t ms = 1000000;
	struct made *m = *state;

	begin(m, 5 * ms, 0);
	number(m, 30 * ms, 1);
	assert_int_equal(end(m, 30 * ms), 0);

	kt_stream_writer_change_ring(m->stream);
	begin(m, 10 * ms, 0);
	number(m, 10 * ms, 2);
	number(m, 20 * ms, 3);
	assert_int_equal(end(m, 20 * ms), 0);
	begin(m, 20 * ms, 0);
	number(m, 20 * ms, 4);
	number(m, 29 * ms, 5);
	number(m, 31 * ms, 6);
	number(m, 30 * ms + 5, 7);
	number(m, 33 * ms, 8);
	assert_int_equal(end(m, 33 * ms), 0);
	assert_int_equal(kt_stream_writer_end(m->stream), 33 * ms);

	/* From here on as usual. */
	begin(m, 34 * ms, 0);
	assert_int_equal(end(m, 34 * ms), 0);
	begin(m, 32 * ms, 0);
	assert_int_equal(end(m, 35 * ms), -EBADMSG);
	assert_babeltrace(&m->dir, "--clock-cycles",
			  LINE("00000000000030000000", 1) LINE("00000000000030000000", 2)
				  LINE("00000000000030000000", 3) LINE("00000000000030000000", 4)
					  LINE("00000000000030000000", 5)
						  LINE("00000000000031000000", 6)
							  LINE("00000000000031000000", 7)
								  LINE("00000000000033000000", 8));
}

/* If a file cannot grow by a packet, its contents stay a valid trace. */
static void full_disk(void **state)
{
	struct made *m = *state;
	struct stat st;
	int i, ret;

	begin(m, 1000, 0);
	number(m, 1000, 1);
	assert_int_equal(end(m, 2000), 0);

	begin(m, 3000, 0);
	for (i = 0; i < 10; i++)
		number(m, 3000, 2);
	limit_files(200);
	ret = end(m, 4000);
	limit_files(RLIM_INFINITY);
	assert_int_equal(ret, -EFBIG);
	assert_string_equal(m->err.text, "cpu3: File too large");
	assert_int_equal(kt_stream_writer_records(m->stream, NUMBER), 1);
	assert_int_equal(kt_stream_writer_size(m->stream), 128);
	assert_int_equal(fstatat(m->dir.fd, "cpu3", &st, 0), 0);
	assert_int_equal(st.st_size, 128);
	assert_babeltrace(&m->dir, "--clock-cycles", LINE("00000000000000001000", 1));

	begin(m, 5000, 0);
	number(m, 5000, 3);
	assert_int_equal(end(m, 5000), 0);
	assert_babeltrace(&m->dir, "--clock-cycles",
			  LINE("00000000000000001000", 1) LINE("00000000000000005000", 3));
}

/*
 * Wherever a packet ends, one without records still fits into the last KiB of the file; every
 * packet begins at a multiple of the header's size.
 */
static void room_for_last_packet(void **state)
{
	struct made *m = *state;
	uint64_t time, before, least = 0, i;
	static char expected[1 << 16];
	size_t len = 0;

	for (time = 1000; time < 1130; time++) {
		begin(m, time, 0);
		for (i = 0; i <= time % 7; i++) {
			number(m, time, 1);
			len += snprintf(expected + len, sizeof(expected) - len, LINE("%020lu", 1),
					time);
		}
		assert_int_equal(end(m, time), 0);
		least += (64 + m->packet.size + 63) / 64 * 64;
		assert_int_equal(kt_stream_writer_size(m->stream) % 64, 0);
		assert_true(kt_stream_writer_size(m->stream) % 1024 != 0);
	}
	before = kt_stream_writer_size(m->stream);
	assert_in_range(before, least + 64, least + 130 / 4 * 64);
	begin(m, time, 0);
	assert_int_equal(end(m, time), 0);
	assert_int_equal(kt_stream_writer_size(m->stream), before + 64);
	assert_babeltrace(&m->dir, "--clock-cycles", expected);
}

/* Times before and after 1970, and texts that need escapes in TSDL. */
static void clock_and_host(void **state)
{
	static const struct {
		int64_t since_1970;
		const char *line;
	} cases[] = {
		{1700000000999999999, "[1700000001.000000001]"},
		{-1, "[0.000000001]"},
		{-1000000001, "[-0.999999999]"},
	};
	struct made *m = *state;
	struct directory dir;
	char expected[256];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		kt_stream_writer_free(m->stream);
		open_directory(&dir);
		m->metadata.since_1970 = cases[i].since_1970;
		strcpy(m->metadata.host.nodename, "a\"b\\c\n\033d");
		assert_int_equal(kt_metadata_writer_write(&m->metadata, dir.fd, &m->err), 0);
		m->stream = kt_stream_writer_new(&m->metadata, dir.fd, KT_MAIN, 0, &m->err);
		assert_non_null(m->stream);
		begin(m, 2, 0);
		number(m, 2, 1);
		assert_int_equal(end(m, 2), 0);
		snprintf(expected, sizeof(expected),
			 "%s a\"b\\c ?d test:number: { cpu_id = 0 }, { tid = 100 }, { n = 1 }\n",
			 cases[i].line);
		assert_babeltrace(&dir, "--clock-seconds", expected);
		remove_directory(&dir);
	}
}

static void file_exists(void **state)
{
	struct made *m = *state;
	struct kt_metadata_writer *here = &m->metadata, again;
	char name[65], *text, *expected;
	struct directory dir;
	struct timespec t;
	int64_t drift;
	FILE *boot;

	assert_int_equal(kt_metadata_writer_fill(here, &m->err), 0);
	assert_int_equal(kt_metadata_writer_fill(&again, &m->err), 0);
	assert_memory_not_equal(here->uuid, again.uuid, 16);
	assert_memory_equal(here->boot, again.boot, 16);
	assert_int_equal(gethostname(name, sizeof(name)), 0);
	assert_string_equal(here->host.nodename, name);

	clock_gettime(CLOCK_REALTIME, &t);
	drift = t.tv_sec * 1000000000ll + t.tv_nsec - here->since_1970;
	clock_gettime(CLOCK_MONOTONIC, &t);
	drift -= t.tv_sec * 1000000000ll + t.tv_nsec;
	assert_true(drift < 1000000000 && drift > -1000000000);

	open_directory(&dir);
	assert_int_equal(kt_metadata_writer_write(here, dir.fd, &m->err), 0);
	boot = fopen("/proc/sys/kernel/random/boot_id", "re");
	assert_non_null(boot);
	assert_int_equal(fscanf(boot, "%64s", name), 1);
	fclose(boot);
	text = kt_tracefs_read(dir.fd, "metadata", &m->err);
	assert_non_null(text);
	assert_true(asprintf(&expected, "\n\tuuid = \"%s\";\n\tfreq = 1000000000;\n", name) > 0);
	assert_non_null(strstr(text, expected));
	assert_non_null(strstr(text, "\n\ttracer_version = \"1.2.3\";\n"));
	free(expected);
	free(text);
	remove_directory(&dir);
}

static void errors(void **state)
{
	struct made *m = *state;
	struct kt_metadata_writer many = m->metadata;
	struct directory dir;

	assert_int_equal(kt_metadata_writer_write(&m->metadata, m->dir.fd, &m->err), -EEXIST);
	assert_string_equal(m->err.text, "metadata: File exists");
	assert_null(kt_stream_writer_new(&m->metadata, m->dir.fd, KT_MAIN, 3, &m->err));
	assert_string_equal(m->err.text, "cpu3: File exists");
	open_directory(&dir);
	many.n_events = KT_EVENTS_MAX + 1;
	assert_int_equal(kt_metadata_writer_write(&many, dir.fd, &m->err), -E2BIG);
	assert_int_equal(unlinkat(dir.fd, "metadata", 0), -1); /* nothing half-written remains */
	remove_directory(&dir);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	static const struct CMUnitTest tests[] = {
		TEST(fields_of_every_kind),
		TEST(varying_fields),
		TEST(full_times),
		TEST(losses),
		TEST(end_of_recording),
		TEST(foreign_packets),
		TEST(another_ring),
		TEST(cut_records),
		TEST(full_disk),
		TEST(room_for_last_packet),
		TEST(clock_and_host),
		TEST(file_exists),
		TEST(errors),
	};

	return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
