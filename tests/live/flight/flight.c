// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Flights without any process; what a killed start or stop leaves of them; and that nothing is left
 * after removal. On a private bpffs.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "hook/map.h"
#include "session/flight/flight_stats.h"
#include "tests/live/flight.h"

enum { N_CALLS = 2000, N_KILLS = 50, N_RACES = 10 };

static uint64_t hits(const struct kt_flight *f)
{
	return kt_counter_map_sum(kt_buffer_sets_counters(kt_flight_buffer_sets(f)), 0).hits;
}

/* The kernel detaches programs and frees maps asynchronously. */
static void await_freed(int get(uint32_t id), uint32_t id)
{
	int fd, tries;

	for (tries = 0; (fd = get(id)) >= 0; tries++) {
		close(fd);
		if (tries == 1000)
			fail_msg("BPF object %u is still there", id);
		usleep(10000);
	}
	assert_int_equal(fd, -ENOENT);
}

static uint32_t id_of(int dir, const char *path, bool is_program)
{
	struct bpf_prog_info program = {0};
	struct bpf_map_info map = {0};
	uint32_t size = is_program ? sizeof(program) : sizeof(map);
	void *info = is_program ? (void *)&program : &map;
	struct kt_error err;
	int fd = kt_bpffs_get(dir, path, &err);

	if (fd < 0)
		fail_msg("%s: %s", path, err.text);
	assert_int_equal(bpf_obj_get_info_by_fd(fd, info, &size), 0);
	close(fd);
	return is_program ? program.id : map.id;
}

/* time() may be late by as long as a CPU of a virtual machine does not run. */
static time_t seconds_since_1970(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec;
}

/* It records until it is removed, and is then gone. */
static void continues(void **state)
{
	int dir, code;
	uint64_t before;
	char program[300];
	uint32_t program_id, ring_id;
	const struct kt_flight_info *info;
	struct kt_flight *f;
	pid_t pid;

	(void)state;
	skip_where_refused();
	assert_null(try_open_flight(&code));
	assert_int_equal(code, ENOENT);
	assert_int_equal(remove_flight(), -ENOENT);
	before = kt_clock_now();
	pid = begin_process(start_flight);
	assert_int_equal(end_process(pid), 0);
	make_calls(N_CALLS);
	f = open_flight();
	assert_int_equal(hits(f), N_CALLS);

	info = kt_flight_get_info(f);
	assert_string_equal(info->version, "1.2.3");
	assert_string_equal(info->command, COMMAND);
	assert_int_equal(info->pid, pid);
	assert_int_equal(info->uid, getuid());
	assert_in_range(info->began, before, kt_clock_now());
	assert_in_range(info->began_1970 / 1000000000, seconds_since_1970() - 60,
			seconds_since_1970());
	assert_int_equal(info->geometry.shift, 12);
	assert_int_equal(info->geometry.n_subbufs, 4);
	assert_int_equal(info->n_events, 1);
	assert_string_equal(info->events[0].system, "syscalls");
	assert_string_equal(info->events[0].name, names[ENTER]);
	assert_null(info->events[0].filter);

	dir = open(PLACE, O_RDONLY | O_DIRECTORY);
	assert_true(dir >= 0);
	snprintf(program, sizeof(program), "program/syscalls:%s:1", names[ENTER]);
	program_id = id_of(dir, program, true);
	ring_id = id_of(dir, "set0/cpu0", false);
	close(dir);

	assert_int_equal(start_flight(), -EEXIST);
	assert_int_equal(remove_flight(), 0);
	before = hits(f);
	make_calls(N_CALLS);
	assert_int_equal(hits(f), before);
	kt_flight_free(f);
	await_freed(bpf_prog_get_fd_by_id, program_id);
	await_freed(bpf_map_get_fd_by_id, ring_id);
	assert_int_equal(access(KT_BPFFS "/ktrace", F_OK), -1);
	assert_int_equal(remove_flight(), -ENOENT);
}

/* Its statistics: calls on one CPU, more than fit into its ring. */
static void statistics(void **state)
{
	uint64_t before, after;
	struct kt_flight_stats_event sum;
	struct kt_error err;
	struct kt_flight *f;
	struct kt_flight_stats g;
	cpu_set_t one, all;
	int code;

	(void)state;
	skip_where_refused();
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_int_equal(start_flight(), 0);
	f = try_open_flight(&code);
	make_calls(10);
	assert_int_equal(kt_flight_stats_read(&g, f, &err), 0);
	assert_int_equal(g.channels[KT_MAIN].held, 10);
	assert_int_equal(g.overwritten, 0);
	assert_int_equal(g.channels[KT_MAIN].ring_size, 4 * 4096);
	assert_in_range(g.channels[KT_MAIN].span, 1, g.age);
	kt_flight_stats_clear(&g);

	before = kt_clock_now();
	make_calls(N_CALLS);
	after = kt_clock_now();
	usleep(20000);
	assert_int_equal(kt_flight_stats_read(&g, f, &err), 0);
	sum = kt_flight_stats_sum(&g);
	assert_int_equal(g.n_events, 1);
	assert_int_equal(sum.counters.hits, 10 + N_CALLS);
	assert_int_equal(kt_counters_lost(sum.counters) + sum.missed, 0);
	assert_int_equal(g.channels[KT_MAIN].held + g.overwritten, 10 + N_CALLS);
	assert_in_range(g.channels[KT_MAIN].held, 3 * 4096 / 40, 4 * 4096 / 16);
	assert_in_range(g.channels[KT_MAIN].bytes, 3 * 4096, 4 * 4096);
	assert_true(g.channels[KT_MAIN].span > 20000000 &&
		    g.channels[KT_MAIN].span < kt_clock_now() - before);
	assert_true(g.age > g.channels[KT_MAIN].span && before < after);
	/* Of one ring: the others are empty. */
	assert_in_range(g.per_second,
			g.channels[KT_MAIN].held * 10000000000 / g.channels[KT_MAIN].span - 1,
			g.channels[KT_MAIN].held * 10000000000 / g.channels[KT_MAIN].span + 1);
	assert_true(g.memory > g.channels[KT_MAIN].n_rings * g.channels[KT_MAIN].ring_size);
	kt_flight_stats_clear(&g);

	assert_int_equal(remove_flight(), 0);
	assert_int_equal(kt_flight_stats_read(&g, f, &err), -ENOENT);
	kt_flight_free(f);
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
}

/* All of it, nothing, or remains marked as incomplete. */
static void check_state(int counts[3])
{
	int code;
	struct kt_flight *f = try_open_flight(&code);
	uint64_t before;

	if (f) {
		before = hits(f);
		make_calls(10);
		assert_int_equal(hits(f), before + 10);
		kt_flight_free(f);
		counts[0]++;
		assert_int_equal(start_flight(), -EEXIST);
	} else {
		counts[code == ESTALE ? 1 : 2]++;
		assert_true(code == ESTALE || code == ENOENT);
	}
}

static void killed(void **state)
{
	unsigned int start_us, remove_us;
	int i, counts[3] = {0}, ret;
	pid_t pid;

	(void)state;
	skip_where_refused();
	for (i = 0; i < N_KILLS; i++) {
		start_us = time_work(start_flight); /* about one start's time */
		remove_us = time_work(remove_flight);
		pid = begin_process(start_flight);
		kill_within(pid, (start_us * 5 / 4 + 500) * i / N_KILLS);
		end_process(pid);
		check_state(counts);
		ret = start_flight(); /* remains do not block it */
		assert_true(ret == 0 || ret == -EEXIST);

		pid = begin_process(remove_flight);
		kill_within(pid, (remove_us * 5 / 4 + 500) * i / N_KILLS);
		end_process(pid);
		check_state(counts);
		ret = remove_flight();
		assert_true(ret == 0 || ret == -ENOENT);
		assert_int_equal(access(PLACE, F_OK), -1);
	}
	print_message("# %d whole, %d remnants, %d gone\n", counts[0], counts[1], counts[2]);
	assert_true(counts[0] && counts[1] && counts[2]);
}

/* One of several concurrent starts succeeds; other commands do not disturb it. */
static void at_once(void **state)
{
	enum { N = 4 };
	int i, k, done, ret, counts[3] = {0};
	pid_t pids[2 * N];

	(void)state;
	skip_where_refused();
	for (i = 0; i < N_RACES; i++) {
		for (k = 0; k < N; k++)
			pids[k] = begin_process(start_flight);
		for (k = done = 0; k < N; k++) {
			ret = end_process(pids[k]);
			assert_true(ret == 0 || ret == -EEXIST);
			done += ret == 0;
		}
		assert_int_equal(done, 1);
		for (k = 0; k < 2 * N; k++)
			pids[k] = begin_process(k % 2 ? start_flight : remove_flight);
		for (k = 0; k < 2 * N; k++) {
			ret = end_process(pids[k]);
			assert_true(ret == 0 || ret == (k % 2 ? -EEXIST : -ENOENT));
		}
		/* No process was killed: nothing is incomplete. */
		check_state(counts);
		assert_int_equal(counts[1], 0);
		ret = remove_flight();
		assert_true(ret == 0 || ret == -ENOENT);
		assert_int_equal(access(PLACE, F_OK), -1);
	}
}

/* Pins of ours replaced by foreign objects. */
static void pin_text(int dir, const char *name, const char *text)
{
	struct kt_error err;
	struct kt_map map;

	assert_int_equal(kt_map_make(&map, "test", (strlen(text) + 7) / 8 * 8, 1, &err), 0);
	memcpy(map.memory, text, strlen(text));
	kt_bpffs_drop(dir, name, &err);
	assert_int_equal(kt_bpffs_pin(dir, name, map.fd, &err), 0);
	kt_map_free(&map);
}

static void expect_refusal(int code)
{
	int got;

	assert_null(try_open_flight(&got));
	assert_int_equal(got, code);
}

/* A valid info, but for the point of its event. */
#define POINT(text)                                                                         \
	"{\"format\":25,\"uid\":0,\"pid\":1,\"bytes_max\":32,\"began\":1,\"began_1970\":1," \
	"\"shift\":12,\"n_subbufs\":4,"                                                     \
	"\"events\":[{\"system\":\"a\",\"name\":\"b\",\"point\":" text "}]}"

/* The begin of a mark's point. */
#define MARK "{\"path\":\"/x\",\"device\":1,\"inode\":1,\"size\":1,\"changed\":1,\"mark\":1,"

static void foreign(void **state)
{
	static const char *const texts[] = {
		"",
		"{",
		"[]",
		"{}",
		"{\"format\":5}",
		"{\"format\":4,\"version\":\"0\"}",
		"{\"format\":25,\"version\":\"9\"}",
		/* no NUL at the end */
		"{\"format\":5}   ",
		"{\"format\":25,\"uid\":0,\"pid\":1,\"bytes_max\":32,\"began\":1,\"began_1970\":1,"
		"\"shift\":12,"
		"\"n_subbufs\":3,\"events\":[{\"system\":\"a\",\"name\":\"b\"}]}",
		"{\"format\":25,\"uid\":0,\"pid\":1,\"bytes_max\":32,\"began\":1,\"began_1970\":1,"
		"\"shift\":12,"
		"\"n_subbufs\":4,\"events\":[{\"system\":\"a\"}]}",
		POINT("1"),
		POINT("{\"path\":\"/x\"}"),
		POINT("{\"path\":\"/x\",\"device\":1,\"inode\":1,\"size\":1,\"changed\":1,"
		      "\"sites\":[]}"),
		POINT("{\"device\":1,\"inode\":1,\"size\":1,\"changed\":1,\"sites\":[1]}"),
		POINT(MARK "\"n_arguments\":1,\"n_rows\":1,\"arguments\":[],"
			   "\"sites\":[[1,0,0]]}"),
		POINT(MARK "\"n_arguments\":13,\"n_rows\":0,\"arguments\":[],"
			   "\"sites\":[[1,0,0]]}"),
		POINT(MARK "\"n_arguments\":1,\"n_rows\":1,\"arguments\":[[1,3,0,0,0,0,0,0]],"
			   "\"sites\":[[1,0,0]]}"),
		POINT(MARK "\"n_arguments\":1,\"n_rows\":1,\"arguments\":[[1,4,0,0,0,0,0,0]],"
			   "\"sites\":[[1,0,1]]}"),
		POINT(MARK "\"n_arguments\":0,\"n_rows\":0,\"arguments\":[],\"sites\":[[1]]}"),
	};
	struct kt_error err;
	char program[300];
	struct kt_flight *f;
	int dir, fd, got;
	size_t i;

	(void)state;
	skip_where_refused();
	assert_int_equal(start_flight(), 0);
	dir = open(PLACE, O_RDONLY | O_DIRECTORY);
	assert_true(dir >= 0);
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		pin_text(dir, "info", *texts[i] ? texts[i] : "        ");
		expect_refusal(EPROTO);
	}

	/* One event more than its counters have. */
	pin_text(dir, "info",
		 "{\"format\":25,\"uid\":0,\"pid\":1,\"bytes_max\":32,\"began\":1,\"began_1970\":1,"
		 "\"shift\":12,"
		 "\"n_subbufs\":4,\"events\":[{\"system\":\"a\",\"name\":\"b\"},"
		 "{\"system\":\"a\",\"name\":\"c\"},{\"system\":\"a\",\"name\":\"d\"},"
		 "{\"system\":\"a\",\"name\":\"e\"},{\"system\":\"a\",\"name\":\"f\"},"
		 "{\"system\":\"a\",\"name\":\"g\"}]} ");
	expect_refusal(EPROTO);

	/* Larger rings than its own. */
	pin_text(dir, "info",
		 "{\"format\":25,\"uid\":0,\"pid\":1,\"bytes_max\":32,\"began\":1,\"began_1970\":1,"
		 "\"shift\":12,"
		 "\"n_subbufs\":8,\"events\":[{\"system\":\"a\",\"name\":\"b\"}]} ");
	expect_refusal(EPROTO);

	/* Valid, except for an enable word that names a missing buffer set. */
	pin_text(dir, "info",
		 "{\"format\":25,\"uid\":0,\"pid\":1,\"bytes_max\":32,\"began\":1,\"began_1970\":1,"
		 "\"shift\":12,"
		 "\"n_subbufs\":4,\"events\":[{\"system\":\"a\",\"name\":\"b\"}]} ");
	f = try_open_flight(&got);
	assert_int_equal(got, 0);
	assert_in_range(kt_flight_info_clock_change(kt_flight_get_info(f)) / 1000000000,
			seconds_since_1970() - 86400 * 365, seconds_since_1970());
	kt_flight_free(f);
	pin_text(dir, "enable", "\1\1");
	expect_refusal(EPROTO);
	pin_text(dir, "enable", "\377\377\377\377\377\377\377\177");
	expect_refusal(EPROTO);

	/* A program, a link, a map of maps. */
	for (i = 0; i < 3; i++) {
		kt_bpffs_drop(dir, "info", &err);
		snprintf(program, sizeof(program), "%s/syscalls:%s:1", i ? "link" : "program",
			 names[ENTER]);
		fd = kt_bpffs_get(dir, i < 2 ? program : "rings", &err);
		assert_true(fd >= 0);
		assert_int_equal(kt_bpffs_pin(dir, "info", fd, &err), 0);
		close(fd);
		expect_refusal(EPROTO);
	}

	/* Foreign objects are removed with the rest. */
	assert_int_equal(mkdirat(dir, "more", 0700), 0);
	assert_int_equal(mkdirat(dir, "more/and", 0700), 0);
	assert_int_equal(symlinkat("/", dir, "more/root"), 0);
	pin_text(dir, "enable", "no enable word of ours");
	assert_int_equal(remove_flight(), 0);
	assert_int_equal(access(PLACE, F_OK), -1);
	close(dir);
}

/* Names in directories that others can write are not trusted. */
static void others_may_write(void **state)
{
	(void)state;
	skip_where_refused();
	assert_int_equal(start_flight(), 0);
	chmod(KT_BPFFS "/ktrace", 0777);
	expect_refusal(EPERM);
	assert_int_equal(start_flight(), -EPERM);
	assert_int_equal(remove_flight(), -EPERM);
	chmod(KT_BPFFS "/ktrace", 0700);
	assert_int_equal(remove_flight(), 0);
}

static void names_of_flights(void **state)
{
	static const char *const wrong[] = {"", ".", "..", "a/b", "a.b", "a b", "\xc3\xa4"};
	char longest[KT_FLIGHT_NAME_MAX + 2];
	struct kt_error err;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		assert_int_equal(kt_flight_check_name(wrong[i], &err), -EINVAL);
		assert_ptr_equal(err.typed, wrong[i]);
	}
	memset(longest, 'a', sizeof(longest));
	longest[KT_FLIGHT_NAME_MAX + 1] = '\0';
	assert_int_equal(kt_flight_check_name(longest, &err), -EINVAL);
	longest[KT_FLIGHT_NAME_MAX] = '\0';
	assert_int_equal(kt_flight_check_name(longest, &err), 0);
	assert_int_equal(kt_flight_check_name("a-B_9", &err), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(continues),        cmocka_unit_test(statistics),
		cmocka_unit_test(killed),           cmocka_unit_test(at_once),
		cmocka_unit_test(foreign),          cmocka_unit_test(others_may_write),
		cmocka_unit_test(names_of_flights),
	};

	return cmocka_run_group_tests(tests, enter_namespace, NULL);
}
