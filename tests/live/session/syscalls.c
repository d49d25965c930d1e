// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * System calls through the dispatcher: their numbers compared with the C header, and their records
 * with the kernel's own records of the same calls and with the caller.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "bpf/counters.h"
#include "events/curated.h"
#include "events/event_names.h"
#include "fetch/curate.h"
#include "generate/count_hits.h"
#include "hook/probe.h"
#include "hook/syscall_dispatch.h"
#include "hook/syscall_numbers.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/counter_map.h"
#include "tests/live/kernel.h"
#include "tests/live/session.h"

/* Reads an event with the fields of its types. */
static struct kt_event *read_call(const char *event)
{
	struct kt_event *e = read_event("syscalls", event);
	struct kt_error err;

	if (kt_curate(e, kernel.btf, &err) < 0)
		fail_msg("%s: %s", event, err.text);
	return e;
}

/* The header's name of a call if the kernel's function has another one. */
static const char *header_name(const char *call)
{
	static const char *const others[][2] = {
		{"newfstat", "fstat"}, {"newfstatat", "newfstatat"}, {"newlstat", "lstat"},
		{"newstat", "stat"},   {"newuname", "uname"},        {"sendfile64", "sendfile"},
		{"umount", "umount2"},
	};
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (strcmp(call, others[i][0]) == 0)
			return others[i][1];
	return call;
}

enum { HEADER_MAX = 1024 };

struct header {
	char names[HEADER_MAX][64];
	int numbers[HEADER_MAX];
	size_t n;
};

static void read_header(struct header *h)
{
	FILE *out = popen("echo '#include <sys/syscall.h>' | cc -E -dM -", "r");
	char line[256];

	assert_non_null(out);
	while (fgets(line, sizeof(line), out)) {
		assert_true(h->n < HEADER_MAX);
		h->n += sscanf(line, "#define __NR_%63s %d", h->names[h->n], &h->numbers[h->n]) ==
			2;
	}
	assert_int_equal(pclose(out), 0);
}

/* -1 if it has no such name. */
static int header_number(const struct header *h, const char *call)
{
	const char *name = header_name(call);
	size_t i;

	for (i = 0; i < h->n; i++)
		if (strcmp(h->names[i], name) == 0)
			return h->numbers[i];
	return -1;
}

static bool has_number(const struct header *h, int number)
{
	size_t i;

	for (i = 0; i < h->n && h->numbers[i] != number; i++)
		;
	return i < h->n;
}

/* For every event; calls newer than the header have numbers it lacks. */
static void numbers(void **state)
{
	static struct header header;
	struct kt_error err;
	struct kt_event_names *all;
	struct kt_syscall_numbers *found;
	const struct kt_event_name *name;
	struct kt_event *e;
	enum kt_side side;
	const char *call;
	uint32_t number;
	size_t i, known = 0, newer = 0;
	int expected;

	(void)state;
	skip_where_refused();
	read_header(&header);
	all = kt_event_names_read(kernel.tracefs, &err);
	found = kt_syscall_numbers_new(kernel.tracefs, kernel.btf, &err);
	if (!all || !found)
		fail_msg("%s", err.text);
	for (i = 0; i < kt_event_names_count(all); i++) {
		name = kt_event_names_at(all, i);
		call = kt_syscall_of(name->system, name->event, &side);
		if (!call)
			continue;
		e = read_event(name->system, name->event);
		if (kt_syscall_numbers_find(found, e, &number, &err) < 0)
			fail_msg("%s: %s", name->event, err.text);
		kt_event_free(e);
		expected = header_number(&header, call);
		if (expected < 0)
			assert_false(has_number(&header, number));
		else
			assert_int_equal(number, expected);
		known += expected >= 0;
		newer += expected < 0;
	}
	print_message("# %zu events as the header has them, %zu newer\n", known, newer);
	assert_true(known >= 500);
	kt_syscall_numbers_free(found);
	kt_event_names_free(all);
}

/* A counter placed in the dispatch tables. */
struct counter {
	struct kt_counter_map *counters;
	struct kt_probe probe;
};

static int start_counter(struct counter *c, struct kt_syscall_dispatch *calls, const char *event,
			 struct kt_error *err)
{
	struct kt_event *e = read_call(event);
	struct kt_asm *a = kt_asm_new();
	int ret;

	c->counters = kt_counter_map_new(1, err);
	assert_non_null(c->counters);
	kt_emit_count(a, kt_counter_map_fd(c->counters), 0);
	ret = kt_probe_load(&c->probe, e, a, err);
	if (ret == 0)
		ret = kt_probe_place_call(&c->probe, calls, e, 0, err);
	kt_asm_free(a);
	kt_event_free(e);
	return ret;
}

static uint64_t stop_counter(struct counter *c)
{
	uint64_t hits = kt_counter_map_sum(c->counters, 0).hits;

	kt_probe_close(&c->probe);
	kt_counter_map_free(c->counters);
	return hits;
}

/* Each call runs its own program, from placing it to removing it. */
static void dispatch(void **state)
{
	struct counter enter, exit, other;
	struct kt_syscall_dispatch *calls;
	struct kt_error err;
	int i;

	(void)state;
	skip_where_refused();
	calls = kt_syscall_dispatch_new(kernel.tracefs, kernel.btf, &err);
	call(0);
	assert_int_equal(start_counter(&enter, calls, names[ENTER], &err), 0);
	for (i = 0; i < 3; i++)
		call(0);
	assert_int_equal(start_counter(&exit, calls, names[EXIT], &err), 0);
	for (i = 0; i < 4; i++)
		call(0);
	assert_int_equal(start_counter(&other, calls, names[ENTER], &err), -EEXIST);
	stop_counter(&other);
	kt_probe_detach(&enter.probe);
	for (i = 0; i < 5; i++)
		call(0);
	kt_probe_detach(&exit.probe);
	call(0);
	kt_syscall_dispatch_detach(calls);
	call(0);
	assert_int_equal(stop_counter(&enter), 3 + 4);
	assert_int_equal(stop_counter(&exit), 4 + 5);

	/* And again. */
	assert_int_equal(start_counter(&enter, calls, names[ENTER], &err), 0);
	call(0);
	assert_int_equal(stop_counter(&enter), 1);
	kt_syscall_dispatch_free(calls);
}

/* Calls that do nothing with these arguments: the file or task does not exist. */
static const struct made {
	const char *name;
	long number;
	size_t n; /* number of arguments */
} made[] = {
	{"lseek", SYS_lseek, 3},         {"pread64", SYS_pread64, 4},
	{"fchmod", SYS_fchmod, 2},       {"fchown", SYS_fchown, 3},
	{"sendto", SYS_sendto, 6},       {"epoll_ctl", SYS_epoll_ctl, 4},
	{"fallocate", SYS_fallocate, 4}, {"copy_file_range", SYS_copy_file_range, 6},
	{"newfstat", SYS_fstat, 2},      {"fadvise64", SYS_fadvise64, 4},
	{"openat", SYS_openat, 4},       {"ioctl", SYS_ioctl, 3},
	{"kcmp", SYS_kcmp, 5},           {"getppid", SYS_getppid, 0},
};

enum { N_MADE = sizeof(made) / sizeof(*made), ROUNDS = 50, ARGUMENTS = 6 };

/* The first argument is no descriptor or PID, the others are anything. */
static void choose_arguments(unsigned int round, unsigned long args[ARGUMENTS])
{
	static const unsigned long odd[] = {
		0,
		1,
		-1ul,
		-2ul,
		1ul << 63,
		(1ul << 63) - 1,
		1ul << 31,
		1ul << 32,
		0xfffffffful,
		0xdeadbeeful,
		0x123456789abcdef0,
		0xffff8000,
		0x7fffffff,
		0x18000,
	};
	size_t i;

	args[0] = round % 2 ? -100ul - round : 0x7fff0000ul + round;
	for (i = 1; i < ARGUMENTS; i++)
		args[i] = odd[(round * 7 + i * 3) % (sizeof(odd) / sizeof(*odd))];
}

static void make_all(long results[ROUNDS][N_MADE])
{
	unsigned long a[ARGUMENTS];
	unsigned int round;
	size_t i;
	long ret;

	for (round = 0; round < ROUNDS; round++) {
		choose_arguments(round, a);
		for (i = 0; i < N_MADE; i++) {
			ret = syscall(made[i].number, a[0], a[1], a[2], a[3], a[4], a[5]);
			results[round][i] = ret == -1 ? -errno : ret;
		}
	}
}

/* Each call in both ways: classic and dispatched. Entries first, then returns. */
enum { N_RECORDED = 2 * 2 * N_MADE };

static void add_both(struct kt_session *s)
{
	static const char *const prefixes[KT_SIDES] = {"sys_enter_", "sys_exit_"};
	struct kt_event *usual, *ours;
	struct kt_error err;
	char name[64];
	size_t i;

	for (i = 0; i < KT_SIDES * N_MADE; i++) {
		snprintf(name, sizeof(name), "%s%s", prefixes[i / N_MADE], made[i % N_MADE].name);
		usual = read_call(name);
		ours = read_call(name);
		kt_uncurate(usual);
		if (kt_session_add(s, usual, &err) < 0 || kt_session_add(s, ours, &err) < 0)
			fail_msg("%s", err.text);
		if (!ours->curated)
			fail_msg("%s: goes the usual way", name);
	}
}

struct records {
	char *at;
	size_t n, size;
};

static void keep_record(struct records *r, const char *record, size_t size)
{
	assert_true(!r->n || r->size == size);
	r->size = size;
	r->at = realloc(r->at, (r->n + 1) * size);
	memcpy(r->at + r->n++ * size, record, size);
}

static void read_records(const struct kt_session *s, struct kt_ring *ring, struct records *all)
{
	struct kt_packet p;
	struct kt_error err;
	size_t at, size, event;

	for (; kt_ring_next(ring, &p, &err) > 0; kt_ring_release(ring)) {
		assert_int_equal(p.lost, 0);
		for (at = 0; at < p.size; at += kt_record_size(size)) {
			event = *(uint16_t *)(p.records + at);
			size = kt_event_record_size(kt_session_events(s)[event]);
			keep_record(&all[event], p.records + at, size);
		}
	}
}

/* What these types are to a compiler. */
#define TYPE(name)                                      \
	{                                               \
#name, sizeof(name), (name)-1 < (name)1 \
	}

typedef unsigned short umode_t;

static const struct type {
	const char *name;
	size_t size;
	bool is_signed;
} types[] = {
	TYPE(int),    TYPE(unsigned int), TYPE(long),    TYPE(unsigned long),
	TYPE(size_t), TYPE(off_t),        TYPE(loff_t),  TYPE(pid_t),
	TYPE(uid_t),  TYPE(gid_t),        TYPE(umode_t),
};

/* All other types here are pointers; a descriptor is an int. */
static struct type field_type(const struct kt_field *f)
{
	size_t i;

	if (strcmp(f->name, "fd") == 0)
		return types[0];
	for (i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (strcmp(f->type, types[i].name) == 0)
			return types[i];
	assert_non_null(strchr(f->type, '*'));
	return (struct type){f->type, sizeof(void *), false};
}

/* Converts a value as C passes it to an argument of that type. */
static long convert(unsigned long value, struct type to)
{
	unsigned int unused = 64 - 8 * to.size;

	value <<= unused;
	return to.is_signed ? (long)value >> unused : (long)(value >> unused);
}

/* Reads field i. */
static long field_value(const struct kt_event *e, const char *record, size_t i)
{
	size_t at = sizeof(struct kt_record), k;
	const struct kt_field *f = &e->fields[i];
	unsigned long value = 0;

	for (k = 0; k < i; k++)
		at += e->fields[k].size;
	memcpy(&value, record + at, f->size);
	return convert(value, (struct type){f->name, f->size, f->flags & KT_FIELD_SIGNED});
}

/* Counts the numbers that ktrace adds to what the kernel records, besides the data. */
static size_t count_early(const struct kt_event *e)
{
	size_t i, n = 0;

	for (i = 0; i < e->n_fields; i++)
		n += kt_expr_is_early(e->curated->exprs[i]);
	return n;
}

static void check_values(const struct kt_event *e, const struct records *r, size_t i,
			 long results[ROUNDS][N_MADE])
{
	const struct made *m = &made[i % N_MADE];
	bool returns = i >= N_MADE;
	unsigned long a[ARGUMENTS];
	const char *record;
	unsigned int round;
	size_t k, n;

	assert_int_equal(r->n, ROUNDS);
	n = returns ? 2 : 1 + m->n;
	assert_int_equal(e->n_fields, n + count_early(e) + e->curated->n_pointed);
	for (k = 0; k < n; k++)
		assert_int_equal(e->fields[k].size, field_type(&e->fields[k]).size);
	for (round = 0; round < ROUNDS; round++) {
		record = r->at + round * r->size;
		choose_arguments(round, a);
		assert_int_equal(field_value(e, record, 0), m->number);
		if (returns)
			assert_int_equal(field_value(e, record, 1), results[round][i % N_MADE]);
		for (k = 0; k < m->n && !returns; k++)
			assert_int_equal(field_value(e, record, k + 1),
					 convert(a[k], field_type(&e->fields[k + 1])));
	}
}

/*
 * Equal except for event, time, and what only ours has: numbers that are unknown here, -1, and data
 * that is unreadable.
 */
static void compare_records(const struct kt_event *e, const struct records *usual,
			    const struct records *ours)
{
	size_t from = offsetof(struct kt_record, tid), i, k;
	size_t data = usual->size + count_early(e) * sizeof(int);

	assert_int_equal(usual->n, ours->n);
	for (i = 0; i < usual->n; i++) {
		assert_memory_equal(usual->at + i * usual->size + from,
				    ours->at + i * ours->size + from, usual->size - from);
		for (k = usual->size; k < ours->size; k++)
			assert_int_equal(ours->at[i * ours->size + k], k < data ? -1 : 0);
	}
}

static void record_all(struct kt_session *s, long results[ROUNDS][N_MADE])
{
	struct kt_error err;
	size_t cpus[CPU_SETSIZE];

	our_cpus(cpus);
	pin(cpus[0]);
	add_both(s);
	kt_session_start(s);
	assert_int_equal(kt_session_follow_self(s, &err), 0);
	make_all(results);
	kt_session_stop(s);
}

static void arguments(void **state)
{
	static struct records all[N_RECORDED];
	static long results[ROUNDS][N_MADE];
	const struct kt_rings *rings;
	struct kt_session *s;
	struct kt_error err;
	struct kt_counters counters;
	size_t i;

	(void)state;
	skip_where_refused();
	s = kt_session_new((struct kt_geometry){16, 64}, N_RECORDED, NULL, &err);
	if (!s || kt_session_follow(s, kernel.tracefs, kernel.btf, &err) < 0 ||
	    kt_session_add_dispatch(s, kernel.tracefs, kernel.btf, 32, &err) < 0)
		fail_msg("%s", err.text);
	record_all(s, results);
	rings = kt_session_rings(s);
	for (i = 0; i < kt_rings_cpus(rings); i++)
		if (kt_rings_at(rings, i))
			read_records(s, kt_rings_at(rings, i), all);
	for (i = 0; i < N_RECORDED; i += 2) {
		check_values(kt_session_events(s)[i + 1], &all[i + 1], i / 2, results);
		compare_records(kt_session_events(s)[i + 1], &all[i], &all[i + 1]);
		counters = kt_counter_map_sum(kt_session_counters(s), i + 1);
		assert_int_equal(counters.hits, ROUNDS);
		assert_int_equal(kt_counters_lost(counters), 0);
		free(all[i].at);
		free(all[i + 1].at);
	}
	kt_session_free(s);
}

#ifdef __x86_64__
/* Makes a call as 32-bit programs do, here as there, if the kernel allows it. */
static long call_32(long number)
{
	long ret;

	__asm__ volatile("int $0x80"
			 : "=a"(ret)
			 : "a"(number), "b"(-1L), "c"(-1L), "d"(-1L)
			 : "memory", "r8", "r9", "r10", "r11");
	return ret;
}

enum { GETPPID_32 = 64, CALLS_32 = 7 };

static bool has_32bit_calls(void)
{
	int status;
	pid_t child = fork();

	if (child == 0)
		_exit(call_32(GETPPID_32) == getppid() ? 0 : 1);
	waitpid(child, &status, 0);
	return status == 0;
}

/* In 64-bit mode it is the number of semget. */
static void calls_of_32_bits(void **state)
{
	struct kt_session *s;
	struct kt_error err;
	size_t i;

	(void)state;
	skip_where_refused();
	if (!has_32bit_calls()) {
		print_message("# this kernel takes no 32-bit calls\n");
		skip();
	}
	s = session_of(16, 4);
	if (kt_session_follow(s, kernel.tracefs, kernel.btf, &err) < 0 ||
	    kt_session_add_dispatch(s, kernel.tracefs, kernel.btf, 32, &err) < 0 ||
	    kt_session_add(s, read_call("sys_enter_semget"), &err) < 0 ||
	    kt_session_add(s, read_call("sys_exit_semget"), &err) < 0)
		fail_msg("%s", err.text);
	kt_session_start(s);
	assert_int_equal(kt_session_follow_self(s, &err), 0);
	for (i = 0; i < CALLS_32; i++)
		assert_int_equal(call_32(GETPPID_32), getppid());
	syscall(SYS_semget, 0, -1, 0);
	syscall(SYS_semget, 0, -1, 0);
	kt_session_stop(s);
	for (i = 0; i < 2; i++)
		assert_int_equal(kt_counter_map_sum(kt_session_counters(s), i).hits, 2);
	kt_session_free(s);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(dispatch),
		cmocka_unit_test(arguments),
#ifdef __x86_64__
		cmocka_unit_test(calls_of_32_bits),
#endif
	};

	return cmocka_run_group_tests(tests, open_kernel, close_kernel);
}
