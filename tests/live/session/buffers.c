// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bytes given to and returned by system calls, compared with what the test knows: all lengths, at
 * the end of readable memory, unmapped, and while memory comes and goes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/live/copies.h"

enum {
	MAX = KT_CURATED_POINTED_MAX,
	MADE_MAX = 600,
	ALL = 1 << 20,
	ADDRESS_MAX = sizeof(struct sockaddr_storage),
	OPTION_MAX = 256,
};

/* What the next record must have. */
static struct expected {
	const char *event;
	size_t n;
	char bytes[MAX];
} * expected;

static size_t n_made;

/* Notes a call with these bytes, of which the session records at most max. */
static void expect_call(const char *event, const void *at, size_t n, size_t max)
{
	struct expected *e = &expected[n_made++];

	assert_true(n_made <= MADE_MAX);
	e->event = event;
	e->n = n < max ? n : max;
	if (e->n)
		memcpy(e->bytes, at, e->n);
}

/* Bytes of all values, zeros included. */
static char *all_bytes(void)
{
	static char *all;
	size_t i;

	if (all)
		return all;
	all = malloc(ALL);
	assert_non_null(all);
	for (i = 0; i < ALL; i++)
		all[i] = i * 2654435761u >> 7;
	return all;
}

/* An address, and how many bytes are readable there. */
struct given {
	const char *at;
	size_t readable;
};

enum { N_GIVEN = 6 };

static const struct given *list_given(void)
{
	static struct given all[N_GIVEN];

	if (!all[0].at)
		memcpy(all,
		       (struct given[N_GIVEN]){{all_bytes(), ALL},
					       {NULL, 0},
					       {(char *)0xffff888000000000, 0},
					       {edge(0, false), 0},
					       {edge(40, false), 40},
					       {edge(600, false), 600}},
		       sizeof(all));
	return all;
}

static const size_t lengths[] = {0,   1,       31,  32,      33,     40,        41,      100,
				 511, MAX - 1, MAX, MAX + 1, 100000, INT32_MAX, SIZE_MAX};

enum { N_LENGTHS = sizeof(lengths) / sizeof(*lengths) };

/* The part to be recorded is readable, or nothing is recorded. */
static void expect_given(const char *event, const struct given *g, size_t n, size_t max)
{
	bool can_be_read = (n < max ? n : max) <= g->readable;

	expect_call(event, g->at, can_be_read ? n : 0, max);
}

/* As much as is readable of the part to be recorded. */
static void expect_option(const struct given *g, size_t n)
{
	expect_call("sys_enter_setsockopt", g->at, n < g->readable ? n : g->readable, OPTION_MAX);
}

/* The calls do nothing: their descriptors are not open. */
static void give_all(size_t max, size_t beside_address)
{
	size_t i, j, n;

	for (i = 0; i < N_GIVEN; i++) {
		for (j = 0; j < N_LENGTHS; j++) {
			const struct given *g = &list_given()[i];

			n = lengths[j];
			assert_int_equal(syscall(SYS_write, -1, g->at, n), -1);
			expect_given("sys_enter_write", g, n, max);
			assert_int_equal(syscall(SYS_setsockopt, -1, 1, 1, g->at, n), -1);
			expect_option(g, (int)n < 0 ? 0 : (int)n);
			assert_int_equal(syscall(SYS_sendto, -1, g->at, n, 0, NULL, 0), -1);
			expect_given("sys_enter_sendto", g, n, beside_address);
			assert_int_equal(syscall(SYS_connect, -1, g->at, n), -1);
			expect_given("sys_enter_connect", g, (int)n < 0 ? 0 : (int)n, ADDRESS_MAX);
		}
	}
}

/* A file and two connected sockets. */
static struct sources {
	int file, pair[2];
} sources;

static void open_sources(void)
{
	sources.file = memfd_create("source", 0);
	assert_int_equal(write(sources.file, all_bytes(), 5000), 5000);
	assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM, 0, sources.pair), 0);
}

static void close_sources(void)
{
	close(sources.file);
	close(sources.pair[0]);
	close(sources.pair[1]);
}

/* What was returned, at most as much as the buffer. */
static void expect_returned(const char *event, const char *at, long ret, size_t room, size_t max)
{
	size_t n = ret < 0 ? 0 : ret;

	expect_call(event, at, n < room ? n : room, max);
}

/* A message's length is returned even if the buffer is smaller. */
static void take_message(size_t sent, size_t room, char *to, size_t max)
{
	long ret;

	assert_int_equal(writev(sources.pair[0], &(struct iovec){all_bytes() + 77, sent}, 1), sent);
	ret = syscall(SYS_recvfrom, sources.pair[1], to, room, MSG_TRUNC, NULL, NULL);
	assert_int_equal(ret, sent);
	expect_returned("sys_exit_recvfrom", to, ret, room, max);
}

static void take_all(size_t max)
{
	static char to[ALL];
	size_t i, n;
	long ret;

	for (i = 0; i < N_LENGTHS && lengths[i] < ALL; i++) {
		n = lengths[i];
		ret = syscall(SYS_pread64, sources.file, to, n, 7 * i);
		assert_int_equal(ret, n < 5000 - 7 * i ? n : 5000 - 7 * i);
		expect_returned("sys_exit_pread64", to, ret, n, max);
		take_message(1 + i, n, to, max);
		take_message(300 + i, n, to, max);
		ret = syscall(SYS_readlink, "/proc/self/exe", to, (int)n);
		assert_true(n ? ret > 0 : ret == -1);
		expect_returned("sys_exit_readlink", to, ret, n, max);
	}
	assert_int_equal(syscall(SYS_pread64, sources.file, to, 10, 6000), 0);
	expect_returned("sys_exit_pread64", to, 0, 10, max);
	assert_int_equal(syscall(SYS_pread64, -1, to, 10, 0), -1);
	expect_returned("sys_exit_pread64", to, -1, 10, max);
	assert_int_equal(syscall(SYS_pread64, sources.file, edge(0, false), 10, 0), -1);
	expect_returned("sys_exit_pread64", to, -1, 10, max);
	assert_int_equal(syscall(SYS_readlink, "/proc/self/exe", to, -1), -1);
	expect_returned("sys_exit_readlink", to, -1, 10, max);
}

static void check_one(const struct kt_event *e, const char *record, void *with)
{
	size_t *at = with;
	const struct expected *x = &expected[*at];
	struct copy copy[KT_EVENT_ADDED_MAX];

	assert_true((*at)++ < n_made);
	assert_string_equal(e->name, x->event);
	find_copies(e, record, copy);
	assert_int_equal(copy[0].n, x->n);
	assert_memory_equal(copy[0].data, x->bytes, x->n);
}

/* Records are in the order of the calls. */
static void record_all(struct kt_geometry geometry, size_t max)
{
	static const char *const events[] = {
		"sys_enter_write",   "sys_enter_setsockopt", "sys_enter_sendto", "sys_exit_pread64",
		"sys_exit_recvfrom", "sys_exit_readlink",    "sys_enter_connect"};
	size_t i, hits = 0, seen = 0, room = kt_record_call_data_max(geometry) - 1;
	struct kt_session *s;
	struct kt_counters counters;

	skip_where_refused();
	s = session_for(geometry, max);
	expected = calloc(MADE_MAX, sizeof(*expected));
	n_made = 0;
	list_given();
	open_sources();
	for (i = 0; i < sizeof(events) / sizeof(*events); i++)
		add_call(s, events[i], NULL);
	start(s);
	give_all(max < room ? max : room, max < room - ADDRESS_MAX ? max : room - ADDRESS_MAX);
	take_all(max < room ? max : room);
	stop(s);
	for_each(s, check_one, &seen);
	assert_int_equal(seen, n_made);
	for (i = 0; i < sizeof(events) / sizeof(*events); i++) {
		counters = kt_counter_map_sum(kt_session_counters(s), i);
		assert_int_equal(kt_counters_lost(counters), 0);
		hits += counters.hits;
	}
	assert_int_equal(hits, n_made);
	kt_session_free(s);
	close_sources();
	free(expected);
}

static const struct kt_geometry large = {16, 64};

static void no_bytes(void **state)
{
	(void)state;
	record_all(large, 0);
}

static void default_bytes(void **state)
{
	(void)state;
	record_all(large, 32);
}

static void maximum_bytes(void **state)
{
	(void)state;
	record_all(large, MAX);
}

/* Fewer bytes are recorded if a sub-buffer has no more room. */
static void small_rings(void **state)
{
	(void)state;
	record_all((struct kt_geometry){12, 512}, MAX);
}

/* Together with the call's paths. */
static void check_both(const struct kt_event *e, const char *record, void *with)
{
	struct copy copies[KT_EVENT_ADDED_MAX];
	size_t *n = with;

	find_copies(e, record, copies);
	assert_int_equal(e->curated->n_pointed, 3);
	assert_int_equal(copies[0].n, sizeof("/there-is-none"));
	assert_string_equal(copies[0].data, "/there-is-none");
	assert_int_equal(copies[1].n, sizeof("user.some"));
	assert_string_equal(copies[1].data, "user.some");
	assert_int_equal(copies[2].n, *n < 64 ? *n : 64);
	assert_memory_equal(copies[2].data, all_bytes(), copies[2].n);
	++*n;
}

static void with_strings(void **state)
{
	struct kt_session *s;
	size_t n, seen = 0;

	(void)state;
	skip_where_refused();
	s = session_for(large, 64);
	add_call(s, "sys_enter_setxattr", NULL);
	all_bytes();
	start(s);
	for (n = 0; n < 100; n++)
		syscall(SYS_setxattr, "/there-is-none", "user.some", all_bytes(), n, 0);
	stop(s);
	for_each(s, check_both, &seen);
	assert_int_equal(seen, 100);
	kt_session_free(s);
}

/* Names of abstract sockets: their lengths with the family, or none. */
static const size_t name_sizes[] = {2, 7, 20, 110};

enum { N_NAMES = sizeof(name_sizes) / sizeof(*name_sizes) };

static void check_name(const struct kt_event *e, const char *record, void *with)
{
	struct copy copies[KT_EVENT_ADDED_MAX];
	size_t *seen = with;

	find_copies(e, record, copies);
	assert_int_equal(e->curated->n_pointed, 2);
	assert_int_equal(copies[0].n, expected[*seen].n);
	assert_memory_equal(copies[0].data, expected[*seen].bytes, copies[0].n);
	++*seen;
}

/* A failing call returns none. */
static void expect_name(int fd, size_t is)
{
	static char at[256];
	socklen_t n = sizeof(at);

	assert_int_equal(getsockname(fd, (struct sockaddr *)at, &n), 0);
	assert_int_equal(n, is);
	expect_call("sys_exit_getsockname", at, n, ADDRESS_MAX);
	assert_int_equal(getsockname(-1, (struct sockaddr *)at, &n), -1);
	expect_call("sys_exit_getsockname", at, 0, 0);
}

static int open_named(size_t n)
{
	struct sockaddr_un a = {AF_UNIX, {}};
	int pid = getpid(), fd = socket(AF_UNIX, SOCK_DGRAM, 0);

	memcpy(a.sun_path + 1, all_bytes(), sizeof(a.sun_path) - 1);
	memcpy(a.sun_path + 1, &pid, sizeof(pid));
	if (n > sizeof(a.sun_family))
		assert_int_equal(bind(fd, (struct sockaddr *)&a, n), 0);
	return fd;
}

static void names_of_sockets(void **state)
{
	struct kt_session *s;
	size_t i, seen = 0;
	int fds[N_NAMES];

	(void)state;
	skip_where_refused();
	s = session_for(large, 0);
	add_call(s, "sys_exit_getsockname", NULL);
	expected = calloc(MADE_MAX, sizeof(*expected));
	n_made = 0;
	all_bytes();
	start(s);
	for (i = 0; i < N_NAMES; i++) {
		fds[i] = open_named(name_sizes[i]);
		expect_name(fds[i], name_sizes[i]);
	}
	stop(s);
	for_each(s, check_name, &seen);
	assert_int_equal(seen, n_made);
	kt_session_free(s);
	free(expected);
	for (i = 0; i < N_NAMES; i++)
		close(fds[i]);
}

enum { CALLS = 20000, COMES = 3000 };

static char *page;
static bool comes = true;

/* Sometimes readable, sometimes not; of these letters, or of those. */
static void *come_and_go(void *unused)
{
	unsigned int i;

	(void)unused;
	for (i = 0; __atomic_load_n(&comes, __ATOMIC_RELAXED); i++) {
		mprotect(page, COMES, PROT_READ | PROT_WRITE);
		memset(page, 'a' + i % 2, COMES);
		mprotect(page, COMES, PROT_NONE);
	}
	return NULL;
}

static void check_changing(const struct kt_event *e, const char *record, void *with)
{
	struct copy copy[1];
	size_t *n = with, i;

	find_copies(e, record, copy);
	assert_true(copy[0].n == COMES || copy[0].n == 0);
	for (i = 0; i < copy[0].n; i++)
		assert_in_range(copy[0].data[i], 'a', 'b');
	n[copy[0].n == COMES]++;
}

/* The bytes are complete or absent. */
static void changing_memory(void **state)
{
	size_t i, n[2] = {0, 0};
	struct kt_session *s;
	pthread_t thread;

	(void)state;
	skip_where_refused();
	page = mmap(NULL, COMES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(page, MAP_FAILED);
	memset(page, 'a', COMES);
	s = session_for((struct kt_geometry){16, 2048}, MAX);
	add_call(s, "sys_enter_write", NULL);
	assert_int_equal(pthread_create(&thread, NULL, come_and_go, NULL), 0);
	start(s);
	for (i = 0; i < CALLS; i++)
		syscall(SYS_write, -1, page, COMES);
	stop(s);
	__atomic_store_n(&comes, false, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	for_each(s, check_changing, n);
	print_message("# %zu calls, %zu times it could not be read\n", n[0] + n[1], n[0]);
	assert_int_equal(n[0] + n[1], CALLS);
	kt_session_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_bytes),        cmocka_unit_test(default_bytes),
		cmocka_unit_test(maximum_bytes),   cmocka_unit_test(small_rings),
		cmocka_unit_test(with_strings),    cmocka_unit_test(names_of_sockets),
		cmocka_unit_test(changing_memory),
	};

	return cmocka_run_group_tests(tests, open_kernel, close_kernel);
}
