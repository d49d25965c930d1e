// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Curated probes' records, compared with the kernel's own records of the same hits: every event is
 * recorded both ways while a child exercises the kernel; for this child, and if it causes none, for
 * the whole machine, including kernel threads and idle CPUs.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "ctypes/btf.h"
#include "events/curated.h"
#include "fetch/curate.h"
#include "fetch/recipes.h"
#include "hook/program.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "tests/live/calls.h"
#include "tests/live/exercise.h"
#include "tests/live/session.h"

enum { MAX = 128, NESTED = 256 };

/* One event recorded both ways: the session's events 2 * i and 2 * i + 1. */
struct pair {
	const char *name;
	const struct kt_event *event, *curated;
	uint64_t n, alone[2]; /* hits of both, and of one way alone */
	uint64_t moved;       /* hits of both with a value that may differ */
	uint64_t by_kernel;   /* by the kernel itself while it ran the other way's program */
};

struct pairs {
	struct pair pair[MAX];
	size_t n;
};

static struct kt_event *read_named_event(const char *name)
{
	int tracefs, system = strcspn(name, ":");
	struct kt_error err;
	struct kt_event *e;
	char copy[128];

	snprintf(copy, sizeof(copy), "%s", name);
	copy[system] = '\0';
	tracefs = kt_tracefs_open(&err);
	e = kt_event_read(tracefs, &(struct kt_event_name){copy, copy + system + 1}, &err);
	if (!e && err.code != ENOENT)
		fail_msg("%s", err.text);
	close(tracefs);
	return e;
}

/*
 * Adds the event if this kernel has it. Reports rows that fit only newer kernels or other machines.
 */
static void add_pair(struct kt_session *s, struct pairs *pairs, const char *name,
		     struct kt_btf *btf)
{
	struct kt_event *usual = read_named_event(name), *curated = read_named_event(name);
	struct kt_error err;

	assert_true(pairs->n < MAX);
	if (!usual || kt_curate(curated, btf, &err) < 0) {
		print_message("# %s: %s\n", name, usual ? err.text : "not in this kernel");
#ifdef __x86_64__
		if (usual && !strstr(err.text, "from Linux"))
			fail_msg("%s: %s", name, err.text);
#endif
		kt_event_free(usual);
		kt_event_free(curated);
		return;
	}
	pairs->pair[pairs->n++] = (struct pair){.name = name, .event = usual, .curated = curated};
	if (kt_session_add(s, usual, &err) < 0 || kt_session_add(s, curated, &err) < 0)
		fail_msg("%s", err.text);
	assert_null(usual->curated);
	if (!curated->curated)
		fail_msg("%s: the verifier refuses it", name);
}

/* Records of one event on one CPU that wait for the other way's record. */
struct waiting {
	const char *at[NESTED];
	size_t n;
};

static size_t record_size(const struct pair *p, const char *record)
{
	return kt_event_record_size(p->event) + kt_event_data_size(p->event, record);
}

static bool is_same(const char *a, const char *b, size_t from, size_t to)
{
	return memcmp(a + from, b + from, to - from) == 0;
}

/* An ended task (0x20) is reaped by its parent on another CPU (0x10). */
static bool is_reaped(uint64_t kernels, uint64_t ours)
{
	return kernels == 0x20 && ours == 0x10;
}

/* Ticks, some of which a virtual machine may have to catch up with. */
static bool is_later(uint64_t kernels, uint64_t ours)
{
	return ours > kernels && ours - kernels <= 100;
}

/* Values that may change between the kernel's record and ours, how, and in how many hits. */
static const struct moving {
	const char *event, *field;
	bool (*is_so)(uint64_t kernels, uint64_t ours);
	unsigned int most, of;
} movings[] = {
	{"sched:sched_switch", "prev_state", is_reaped, 2, 1000},
	{"timer:timer_expire_entry", "now", is_later, 2, 20},
	{"timer:timer_start", "now", is_later, 2, 20},
};

static const struct moving *find_moving(const char *event)
{
	const struct moving *m = movings;

	while (m < movings + sizeof(movings) / sizeof(*m) && strcmp(m->event, event) != 0)
		m++;
	return m < movings + sizeof(movings) / sizeof(*m) ? m : NULL;
}

/* Whether nothing else differs. */
static bool has_moved(const struct pair *p, const char *a, const char *b, size_t from, size_t to)
{
	const struct moving *m = find_moving(p->name);
	const struct kt_field *f = p->event->fields;
	size_t at = sizeof(struct kt_record);
	uint64_t values[2];

	if (!m)
		return false;
	for (; strcmp(f->name, m->field) != 0; f++)
		at += kt_field_record_size(f);
	assert_int_equal(f->size, sizeof(*values));
	memcpy(&values[0], a + at, f->size);
	memcpy(&values[1], b + at, f->size);
	return m->is_so(values[0], values[1]) && is_same(a, b, from, at) &&
	       is_same(a, b, at + f->size, to);
}

/* After the letters of an operation, the kernel's field has leftovers and ours zeros. */
static void clear_letters(const struct pair *p, char *record)
{
	const struct kt_field *f = p->event->fields;
	size_t at = sizeof(struct kt_record), len;

	for (; f < p->event->fields + p->event->n_fields; at += kt_field_record_size(f++)) {
		if (strcmp(f->name, "rwbs") != 0)
			continue;
		len = strnlen(record + at, f->size);
		memset(record + at + len, 0, f->size - len);
	}
}

/* Equal, except for the time. */
static bool are_equal(struct pair *p, const char *a, const char *b)
{
	size_t from = offsetof(struct kt_record, tid), to = record_size(p, a);

	if (to != record_size(p, b))
		return false;
	if (is_same(a, b, from, to))
		return true;
	if (!has_moved(p, a, b, from, to))
		return false;
	p->moved++;
	return true;
}

/*
 * Events that the kernel causes within a hit, which perf drops for classic tracepoints without
 * counting (doc/probe.md): if an expedited RCU grace period begins while it runs their programs, it
 * raises a softirq at their end and may wake a thread.
 */
static bool is_by_kernel(const struct pair *p, const char *record)
{
	static const struct {
		const char *event, *field; /* and how its first field begins */
		size_t size;
	} own[] = {
		{"irq:softirq_raise", "\x09\0\0", 4},
		{"sched:sched_waking", "ksoftirqd/", 10},
		{"sched:sched_wakeup", "ksoftirqd/", 10},
	};
	size_t i;

	record += sizeof(struct kt_record);
	for (i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (strcmp(own[i].event, p->name) == 0)
			return memcmp(own[i].field, record, own[i].size) == 0;
	return false;
}

static void print_record(const struct pair *p, const char *who, const char *record)
{
	size_t i;

	print_message("# %s: %s:", p->name, who);
	for (i = offsetof(struct kt_record, tid); i < record_size(p, record); i++)
		print_message(" %02x", (unsigned char)record[i]);
	print_message("\n");
}

/* Drops an older waiting record, which ours missed. */
static bool take_equal(struct pair *p, struct waiting *w, const char *record)
{
	size_t i = w->n;

	while (i && !are_equal(p, w->at[i - 1], record))
		i--;
	if (!i)
		return false;
	p->alone[0] += w->n - i;
	w->n = i - 1;
	return true;
}

/*
 * The kernel's record comes first. An interrupt in between has its own, so the newest waiting one
 * is equal, unless our program had already run when the interrupt came.
 */
static void match_record(struct pair *p, struct waiting *w, const char *record, bool curated)
{
	if (!curated) {
		if (w->n == NESTED) {
			memmove(w->at, w->at + 1, --w->n * sizeof(*w->at));
			p->alone[0]++;
		}
		w->at[w->n++] = record;
	} else if (take_equal(p, w, record)) {
		p->n++;
	} else if (is_by_kernel(p, record)) {
		p->by_kernel++;
	} else {
		if (w->n && !p->alone[1]) {
			print_record(p, "the kernel's", w->at[w->n - 1]);
			print_record(p, "ours", record);
		}
		p->alone[1]++;
	}
}

/*
 * Reads a CPU's records; every waiting one must be matched, except at the begin or end of the
 * recording.
 */
static void read_ring(struct pairs *pairs, const struct kt_session *s, struct kt_ring *ring)
{
	struct waiting waiting[MAX] = {};
	char *copies[1024];
	struct kt_packet p;
	struct kt_error err;
	size_t at, size, event = 1, n = 0, i;
	struct pair *pair;
	bool begun = false;

	kt_ring_flush(ring);
	for (; kt_ring_next(ring, &p, &err) > 0; kt_ring_release(ring)) {
		assert_true(n < sizeof(copies) / sizeof(*copies) && p.lost == 0);
		copies[n] = malloc(p.size);
		memcpy(copies[n], p.records, p.size);
		for (at = 0; at < p.size; at += kt_record_size(size)) {
			event = *(uint16_t *)(copies[n] + at);
			assert_true(event < kt_session_count(s));
			pair = &pairs->pair[event / 2];
			if (event % 2 == 0)
				clear_letters(pair, copies[n] + at);
			if (begun || event % 2 == 0)
				match_record(pair, &waiting[event / 2], copies[n] + at, event % 2);
			begun = true;
			size = kt_event_record_size(event % 2 ? pair->curated : pair->event) +
			       kt_event_data_size(pair->event, copies[n] + at);
		}
		n++;
	}
	if (event % 2 == 0)
		waiting[event / 2].n--;
	for (i = 0; i < pairs->n; i++)
		pairs->pair[i].alone[0] += waiting[i].n;
	while (n)
		free(copies[--n]);
}

/* What only one way has, the kernel must report as missed by the other. */
static void assert_pair(const struct kt_session *s, const struct pairs *pairs, size_t i)
{
	const struct pair *p = &pairs->pair[i];
	const struct moving *m = find_moving(p->name);
	uint64_t missed[2] = {kt_session_missed(s, 2 * i), kt_session_missed(s, 2 * i + 1)};

	if (!kt_program_counts_missed())
		missed[0] = p->n / 20 + 4;
	if (p->alone[0] > missed[1] || p->alone[1] > missed[0])
		fail_msg("%s: %lu records the same, %lu of the kernel's and %lu of ours not, "
			 "%lu and %lu missed back",
			 p->name, p->n, p->alone[0], p->alone[1], missed[0], missed[1]);
	if (p->by_kernel > 2 + p->n / 100)
		fail_msg("%s: %lu of the kernel's own, beside %lu", p->name, p->by_kernel, p->n);
	if (m && p->moved > m->most + p->n / m->of)
		fail_msg("%s: %lu of %lu hits have another %s", p->name, p->moved, p->n, m->field);
}

/*
 * Events of disks and interrupts, of network cards that cannot be created, of CPUs with enough free
 * pages, and of other, idle or waiting CPUs may not occur.
 */
static bool may_have_none(const char *name)
{
	static const char *const groups[] = {
		"block:",
		"csd:",
		"ipi:",
		"irq:irq_",
		"irq_vectors:",
		"kmem:mm_page_pcpu_drain",
		"lock:",
		"net:napi_gro_",
		"net:netif_receive_skb_",
		"power:",
		"timer:tick_stop",
		"timer:timer_base_idle",
	};
	size_t i;

	for (i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		if (strncmp(name, groups[i], strlen(groups[i])) == 0)
			return true;
	return false;
}

static void assert_pairs(struct kt_session *s, struct pairs *pairs)
{
	size_t i;

	kt_session_stop(s);
	for (i = 0; i < kt_rings_cpus(kt_session_rings(s)); i++)
		if (kt_rings_at(kt_session_rings(s), i))
			read_ring(pairs, s, kt_rings_at(kt_session_rings(s), i));
	for (i = 0; i < pairs->n; i++)
		assert_pair(s, pairs, i);
	kt_session_free(s);
}

static struct kt_session *new_session(void)
{
	struct kt_error err;
	struct kt_session *s = kt_session_new((struct kt_geometry){16, 512}, 2 * MAX, NULL, &err);

	if (!s)
		fail_msg("%s", err.text);
	return s;
}

static void record(struct kt_session *s, struct pairs *pairs, bool follows)
{
	struct kt_error err;
	int status;
	pid_t pid;

	kt_session_start(s);
	pid = fork();
	if (pid == 0) {
		if (follows && kt_session_follow_self(s, &err) < 0)
			_exit(1);
		exercise();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	usleep(100000); /* idle time */
	assert_pairs(s, pairs);
}

static void same_as_the_kernel(void **state)
{
	static struct pairs ours, all;
	struct kt_session *s;
	struct kt_btf *btf;
	size_t i;

	(void)state;
	skip_where_refused();
	btf = kt_btf_new();
	s = new_session();
	follow_forks(s, btf);
	for (i = 0; kt_recipe_at(i); i++)
		add_pair(s, &ours, kt_recipe_at(i)->event, btf);
	record(s, &ours, true);
	s = new_session();
	for (i = 0; i < ours.n; i++)
		if (!ours.pair[i].n)
			add_pair(s, &all, ours.pair[i].name, btf);
	record(s, &all, false);
	kt_btf_free(btf);
	for (i = 0; i < all.n; i++)
		if (!all.pair[i].n && may_have_none(all.pair[i].name))
			print_message("# %s: no hits on this machine\n", all.pair[i].name);
		else if (!all.pair[i].n)
			fail_msg("%s: no hits", all.pair[i].name);
}

/* An event curated in a way the verifier refuses. */
static struct kt_event *new_refused(struct kt_btf *btf)
{
	struct kt_event *e = read_event("sched", "sched_waking");
	struct kt_error err;

	if (kt_curate(e, btf, &err) < 0) {
		print_message("# %s\n", err.text);
		skip();
	}
	e->curated->exprs[0]->path.offsets[0] = INT16_MAX - 32; /* no task is that large */
	return e;
}

/* It is recorded the classic way. */
static void refused_events_are_recorded(void **state)
{
	struct kt_session *s;
	struct kt_btf *btf;
	struct kt_event *e;
	struct kt_error err;

	(void)state;
	skip_where_refused();
	btf = kt_btf_new();
	e = new_refused(btf);
	s = session_of(12, 2);
	assert_int_equal(kt_session_add(s, e, &err), 0);
	assert_null(e->curated);
	assert_int_equal(kt_session_count(s), 1);
	kt_session_free(s);
	kt_btf_free(btf);
}

/* 'list --try' reports why, and does nothing else. */
static void refused_events_are_reported(void **state)
{
	static const char why[] = "cannot load the program of sched:sched_waking: verifier: ";
	struct kt_error not_so, err;
	struct kt_session *s;
	struct kt_btf *btf;
	struct kt_event *e;

	(void)state;
	skip_where_refused();
	btf = kt_btf_new();
	e = new_refused(btf);
	s = session_of(12, 2);
	assert_int_equal(kt_session_try(s, e, &not_so, &err), 0);
	assert_int_equal(not_so.code, EACCES);
	assert_memory_equal(not_so.text, why, strlen(why));
	assert_null(e->curated);
	assert_int_equal(kt_session_try(s, e, &not_so, &err), 0);
	assert_int_equal(not_so.code, 0);
	assert_int_equal(kt_curate(e, btf, &err), 0);
	assert_int_equal(kt_session_try(s, e, &not_so, &err), 0);
	assert_int_equal(not_so.code, 0);
	assert_non_null(e->curated);
	assert_int_equal(kt_session_count(s), 0);
	kt_session_free(s);
	kt_event_free(e);
	kt_btf_free(btf);
}

/* A dump has both programs, and the verifier's message between them. */
static void refused_events_are_dumped(void **state)
{
	static const char *const parts[] = {"; sched:sched_waking: tp_btf, ",
					    "\n; the verifier refuses it:\n",
					    "\n\n; sched:sched_waking: tracepoint, "};
	const char *at;
	char *text;
	struct kt_session *s;
	struct kt_event *e;
	struct kt_btf *btf;
	struct kt_error err;
	size_t size, i;
	FILE *out;

	(void)state;
	skip_where_refused();
	btf = kt_btf_new();
	e = new_refused(btf);
	s = session_of(12, 2);
	out = open_memstream(&text, &size);
	assert_non_null(out);
	kt_program_show(out);
	assert_int_equal(kt_session_add(s, e, &err), 0);
	kt_program_show(NULL);
	assert_int_equal(fclose(out), 0);
	for (at = text, i = 0; i < 3; i++) {
		at = strstr(at, parts[i]);
		assert_non_null(at);
	}
	assert_null(strstr(at, "; the verifier refuses it:"));
	free(text);
	kt_session_free(s);
	kt_btf_free(btf);
}

static void assert_not_curated(struct kt_event *e, struct kt_btf *btf, const char *why)
{
	struct kt_error err;

	assert_true(kt_curate(e, btf, &err) < 0);
	assert_null(e->curated);
	assert_string_equal(err.text, why);
	assert_null(err.typed);
}

/* Events whose format differs from their recipe. */
static void reasons_not_curated(void **state)
{
	static const struct kt_field fields[] = {
		{.name = "vec", .size = 4, .width = 4},
		{.name = "more", .size = 4, .width = 4},
		{.name = "vec", .size = 8, .width = 4, .flags = KT_FIELD_ARRAY},
		{.name = "vec", .size = 4, .width = 1, .flags = KT_FIELD_DATA_LOC},
	};
	static const struct kt_field texts[] = {
		{.name = "irq", .size = 4, .width = 4},
		{.name = "name", .type = "short[]", .width = 2, .flags = KT_FIELD_DATA_LOC},
		{.name = "irq", .size = 4, .width = 4},
		{.name = "name", .size = 8, .width = 1, .flags = KT_FIELD_ARRAY},
	};
	static const char other[] = "this kernel's event has other fields";
	struct kt_event e = {
		.system = "irq", .name = "softirq_entry", .id = 1, .n_fields = 0, .fields = fields};
	struct kt_event text = {.system = "irq",
				.name = "irq_handler_entry",
				.id = 1,
				.n_fields = 2,
				.fields = texts};
	struct kt_event unknown = {
		.system = "irq", .name = "softirq", .id = 1, .n_fields = 1, .fields = fields};
	struct kt_btf *btf;
	struct kt_error err;

	(void)state;
	skip_where_refused();
	btf = kt_btf_new();
	assert_not_curated(&unknown, btf, "no recipe for this event");
	assert_not_curated(&e, btf, other);
	e.n_fields = 2;
	assert_not_curated(&e, btf, other);
	e.n_fields = 1;
	e.fields = &fields[1];
	assert_not_curated(&e, btf, other);
	e.fields = &fields[2];
	assert_not_curated(&e, btf, "vec: the kernel's value has another size");
	e.fields = &fields[3];
	assert_not_curated(&e, btf, "vec: the kernel's value is no text");
	assert_not_curated(&text, btf, "name: the kernel's value is no text");
	text.fields = &texts[2];
	assert_not_curated(&text, btf, "name: the kernel's value has another size");
	e.fields = &fields[0];
	assert_int_equal(kt_curate(&e, btf, &err), 0);
	assert_non_null(e.curated);
	assert_int_equal(kt_curate(&e, btf, &err), 0);
	kt_uncurate(&e);
	assert_null(e.curated);
	kt_btf_free(btf);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_as_the_kernel),
		cmocka_unit_test(refused_events_are_recorded),
		cmocka_unit_test(refused_events_are_reported),
		cmocka_unit_test(refused_events_are_dumped),
		cmocka_unit_test(reasons_not_curated),
	};

	return cmocka_run_group_tests_name("curated", tests, read_ids, NULL);
}
