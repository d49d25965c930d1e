// SPDX-License-Identifier: GPL-2.0-or-later
/* From events to a trace: babeltrace2's output, compared with the numbered calls made. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <cmocka.h>

#include "base/clock.h"
#include "handlers/record_prog.h"
#include "ring/rings.h"
#include "session/enable_word.h"
#include "session/followed_pids.h"
#include "tests/ctf/babeltrace.h"
#include "tests/live/calls.h"
#include "tests/live/missed.h"
#include "tests/live/session.h"
#include "trace/event_counts.h"
#include "trace/recording.h"

#define N_CALLS 100000

static struct kt_recording *create_recording(const struct kt_session *s, struct directory *dir)
{
	struct kt_trace_source source = kt_session_trace_source(s);
	struct kt_recording *r;
	struct kt_error err;

	open_directory(dir);
	r = kt_recording_new(&source, "test", dir->fd, &err);
	if (!r)
		fail_msg("%s", err.text);
	return r;
}

/* What a caller did, according to the trace. */
struct traced {
	uint64_t entered, returned, lost;
	int first, last; /* number at the entry */
};

/* Reads the line of an event. Its caller's numbers rise. */
static void read_line(const char *line, const struct caller *callers, struct traced *traced,
		      size_t n_callers)
{
	uint64_t number, interval;
	unsigned int cpu, tid;
	char event[8];
	size_t k;
	int nr, ret;

	if (sscanf(line,
		   "[%*[^]]] %*s syscalls:sys_%7[a-z]_sched_rr_get_interval: "
		   "{ cpu_id = %u }, { tid = %u }, { __syscall_nr = %d, ",
		   event, &cpu, &tid, &nr) != 4)
		fail_msg("%s", line);
	for (k = 0; k < n_callers && callers[k].tid != tid; k++)
		;
	assert_true(k < n_callers);
	assert_int_equal(cpu, callers[k].cpu);
	assert_int_equal(nr, SYS_sched_rr_get_interval);
	if (sscanf(strstr(line, "_nr"), "_nr = %*d, pid = %lu, interval = 0x%lX }", &number,
		   &interval) == 2) {
		assert_string_equal(event, "enter");
		assert_true(interval > 0 && (int)number > traced[k].last);
		if (!traced[k].entered++)
			traced[k].first = number;
		traced[k].last = number;
	} else if (sscanf(strstr(line, "_nr"), "_nr = %*d, ret = %d }", &ret) == 1) {
		assert_string_equal(event, "exit");
		assert_int_equal(ret, -ESRCH);
		traced[k].returned++;
	} else {
		fail_msg("%s", line);
	}
}

/* babeltrace2's losses count for the first caller. */
static void read_trace(const struct directory *dir, const struct caller *callers,
		       struct traced *traced, size_t n_callers, const char *options)
{
	char *text = babeltrace(dir, options), *line, *next;
	uint64_t lost;

	for (line = text; *line; line = next + 1) {
		next = strchr(line, '\n');
		assert_non_null(next);
		*next = '\0';
		if (sscanf(line, "WARNING: Tracer discarded %lu event", &lost) == 1)
			traced->lost += lost;
		else
			read_line(line, callers, traced, n_callers);
	}
	free(text);
}

/* Every hit is recorded or lost, and no loss has an unknown reason. */
static void assert_outcome(struct kt_outcome o, uint64_t hits, uint64_t records)
{
	assert_int_equal(o.hits, hits);
	assert_int_equal(o.records, records);
	assert_int_equal(kt_outcome_lost(&o), hits - records);
	assert_int_equal(o.lost[KT_LOST_UNWRITTEN], 0);
}

/* Sleeps 2 ms, as slow steps may. */
static void sleep_a_while(void)
{
	uint64_t began = kt_clock_now();

	while (kt_clock_now() - began < 2000000)
		;
}

/* Each call once: of a thread per CPU while copying, and of one from long before. */
static void every_call_once(void **state)
{
	size_t cpus[CPU_SETSIZE], n = our_cpus(cpus), k;
	struct caller callers[CPU_SETSIZE + 1] = {0};
	struct traced traced[CPU_SETSIZE + 1] = {0};
	uint64_t entered = 0, returned = 0;
	struct kt_recording *r;
	struct kt_session *s;
	struct directory dir;
	struct kt_event_counts *b;
	struct kt_error err;

	(void)state;
	skip_where_refused();
	s = session_of(16, 256); /* room for all */
	add(s, "syscalls", names[ENTER]);
	add(s, "syscalls", names[EXIT]);
	call(1); /* before: not recorded */
	kt_session_start(s);
	callers[n] = (struct caller){.cpu = cpus[0], .first = NO_TASK, .n = 10};
	run_caller(&callers[n]);

	sleep_a_while();
	r = create_recording(s, &dir);
	for (k = 0; k < n; k++) {
		callers[k] = (struct caller){.cpu = cpus[k], .first = NO_TASK + (k << 20)};
		callers[k].n = k == 0 ? N_CALLS : N_CALLS / 10 + k;
		start_caller(&callers[k]);
	}
	while (!are_done(callers, n))
		assert_true(kt_recording_copy(r, &err) >= 0);
	join_callers(callers, n);
	kt_session_stop(s);
	call(1); /* after: not recorded */
	sleep_a_while();
	kt_recording_stop(r, kt_session_ended(s));
	assert_int_equal(kt_recording_end(r, &err), 0);

	read_trace(&dir, callers, traced, n + 1, "");
	assert_int_equal(traced->lost, 0);
	for (k = 0; k <= n; k++) {
		assert_int_equal(traced[k].entered, callers[k].n);
		assert_int_equal(traced[k].returned, callers[k].n);
		assert_int_equal(traced[k].last, callers[k].first + callers[k].n);
		entered += traced[k].entered;
		returned += traced[k].returned;
	}
	b = kt_event_counts_of(r, kt_session_missed_all(s), &err);
	assert_non_null(b);
	assert_true(kt_event_counts_is_complete(b));
	assert_outcome(kt_event_counts_event(b, ENTER), entered, entered);
	assert_outcome(kt_event_counts_event(b, EXIT), returned, returned);
	assert_outcome(kt_event_counts_sum(b), entered + returned, entered + returned);
	kt_event_counts_free(b);
	kt_recording_free(r);
	kt_session_free(s);
	remove_directory(&dir);
}

/* A ring of two pages without a reader: the trace has what fitted, the counters the rest. */
static void lost_records(void **state)
{
	struct caller c = {.first = NO_TASK, .n = N_CALLS / 100};
	struct traced traced = {0};
	size_t cpus[CPU_SETSIZE];
	struct kt_recording *r;
	struct kt_session *s;
	struct directory dir;
	struct kt_error err;
	struct kt_event_counts *b;
	struct kt_outcome o;
	uint64_t lost = 0;
	size_t i;

	(void)state;
	skip_where_refused();
	our_cpus(cpus);
	c.cpu = cpus[0];
	s = session_of(12, 2);
	add(s, "syscalls", names[ENTER]);
	add(s, "syscalls", names[EXIT]);
	kt_session_start(s);
	r = create_recording(s, &dir);
	run_caller(&c);
	kt_session_stop(s);
	kt_recording_stop(r, kt_session_ended(s));
	assert_int_equal(kt_recording_end(r, &err), 0);

	read_trace(&dir, &c, &traced, 1, "2>/dev/null");
	assert_int_equal(traced.lost, 0);
	read_trace(&dir, &c, &traced, 1, ">/dev/null");
	assert_true(traced.entered > 50 && traced.entered < 200);
	b = kt_event_counts_of(r, kt_session_missed_all(s), &err);
	assert_non_null(b);
	assert_false(kt_event_counts_is_complete(b));
	assert_outcome(kt_event_counts_event(b, ENTER), c.n, traced.entered);
	assert_outcome(kt_event_counts_event(b, EXIT), c.n, traced.returned);
	for (i = 0; i < b->n; i++) { /* all on that CPU */
		o = b->rows[i].outcome;
		assert_int_equal(b->rows[i].cpu, c.cpu);
		assert_int_equal(o.lost[KT_LOST_FULL], o.hits - o.records);
		lost += o.lost[KT_LOST_FULL];
	}
	assert_int_equal(b->n, N_EVENTS);
	assert_int_equal(traced.lost, lost);
	kt_event_counts_free(b);
	kt_recording_free(r);
	kt_session_free(s);
	remove_directory(&dir);
}

/* A record may then be lost for either of two reasons. */
static void lost_and_unwritten(const struct kt_session *s, uint64_t hits)
{
	struct kt_recording *r;
	struct directory dir;
	struct kt_event_counts *b;
	struct kt_error err;
	struct kt_outcome o;

	r = create_recording(s, &dir);
	limit_files(0);
	kt_recording_stop(r, kt_session_ended(s));
	assert_int_equal(kt_recording_end(r, &err), -EFBIG);
	limit_files(RLIM_INFINITY);
	b = kt_event_counts_of(r, kt_session_missed_all(s), &err);
	assert_non_null(b);
	o = kt_event_counts_sum(b);
	assert_int_equal(o.hits, hits);
	assert_int_equal(o.lost[KT_LOST_UNWRITTEN], hits);
	kt_event_counts_free(b);
	kt_recording_free(r);
	remove_directory(&dir);
}

/* Reads the begin of a CPU's stream, which must have records. */
static uint64_t stream_begin(const struct directory *dir, size_t cpu)
{
	char name[16];
	uint64_t head[8];
	int fd;

	snprintf(name, sizeof(name), "cpu%zu", cpu);
	fd = openat(dir->fd, name, O_RDONLY);
	assert_int_equal(read(fd, head, sizeof(head)), sizeof(head));
	close(fd);
	assert_true(head[5] > 8 * sizeof(head));
	return head[3];
}

/* Two sub-buffers with the newest records: their trace is complete, and nothing warns. */
static void overwritten_records(void **state)
{
	struct caller c = {.first = NO_TASK, .n = N_CALLS / 100};
	struct traced traced = {0};
	size_t cpus[CPU_SETSIZE];
	struct kt_recording *r;
	struct kt_session *s;
	struct directory dir;
	struct kt_error err;
	struct kt_event_counts *b;
	struct kt_outcome o;
	size_t i;

	(void)state;
	skip_where_refused();
	our_cpus(cpus);
	c.cpu = cpus[0];
	s = session_of(12, 2);
	assert_int_equal(kt_session_set_overwrite(s, &err), 0);
	add(s, "syscalls", names[ENTER]);
	add(s, "syscalls", names[EXIT]);
	kt_session_start(s);
	run_caller(&c);
	kt_session_stop(s);
	kt_rings_rewind(kt_session_rings(s));
	r = create_recording(s, &dir);
	kt_recording_stop(r, kt_session_ended(s));
	assert_int_equal(kt_recording_end(r, &err), 0);

	assert_true(stream_begin(&dir, c.cpu) > kt_session_began(s));
	read_trace(&dir, &c, &traced, 1, "2>&1");
	assert_int_equal(traced.lost, 0);
	assert_true(traced.entered > 50 && traced.entered < 200);
	assert_int_equal(traced.first, NO_TASK + c.n - traced.entered + 1);
	assert_int_equal(traced.last, NO_TASK + c.n);
	b = kt_event_counts_of(r, kt_session_missed_all(s), &err);
	assert_non_null(b);
	assert_true(kt_event_counts_is_complete(b));
	for (i = 0; i < N_EVENTS; i++) {
		o = kt_event_counts_event(b, i);
		assert_int_equal(o.hits, c.n);
		assert_int_equal(o.records, i == ENTER ? traced.entered : traced.returned);
		assert_int_equal(o.overwritten, c.n - o.records);
	}
	kt_event_counts_free(b);
	kt_recording_free(r);
	remove_directory(&dir);
	kt_rings_rewind(kt_session_rings(s));
	lost_and_unwritten(s, N_EVENTS * c.n);
	kt_session_free(s);
}

static void call_on(size_t cpu, uint64_t first, uint64_t n)
{
	struct caller c = {.cpu = cpu, .first = first, .n = n};

	run_caller(&c);
}

/* Later records that would fit are not written: what they follow is missing. */
static void unwritten_records(void **state)
{
	struct caller c = {.first = NO_TASK};
	struct traced traced = {0};
	size_t cpus[CPU_SETSIZE];
	struct kt_recording *r;
	struct kt_session *s;
	struct directory dir;
	struct kt_error err;
	struct kt_event_counts *b;
	struct kt_outcome o;

	(void)state;
	skip_where_refused();
	our_cpus(cpus);
	s = session_of(12, 16);
	add(s, "syscalls", names[ENTER]);
	kt_session_start(s);
	r = create_recording(s, &dir);
	call_on(cpus[0], c.first, 200);
	assert_true(kt_recording_copy(r, &err) > 0);
	call_on(cpus[0], c.first + 200, 200);
	limit_files(0);
	assert_int_equal(kt_recording_copy(r, &err), -EFBIG);
	limit_files(RLIM_INFINITY);
	assert_int_equal(kt_recording_copy(r, &err), -EFBIG);
	kt_session_stop(s);
	kt_recording_stop(r, kt_session_ended(s));
	assert_int_equal(kt_recording_end(r, &err), -EFBIG);
	assert_non_null(strstr(err.text, ": File too large"));

	b = kt_event_counts_of(r, kt_session_missed_all(s), &err);
	assert_non_null(b);
	o = kt_event_counts_sum(b);
	assert_int_equal(o.hits, 400);
	assert_true(o.records > 0 && o.records < 200);
	assert_int_equal(o.lost[KT_LOST_UNWRITTEN], 400 - o.records);
	kt_event_counts_free(b);
	kt_recording_free(r);
	kt_session_free(s);

	read_trace(&dir, &c, &traced, 0, "2>&1 >/dev/null");
	assert_int_equal(traced.lost, 400 - o.records);
	remove_directory(&dir);
}

/* An event without a hit has nothing else to write. */
static void unwritten_end(void **state)
{
	struct kt_recording *r;
	struct kt_session *s;
	struct directory dir;
	struct kt_error err;

	(void)state;
	skip_where_refused();
	s = session_of(12, 2);
	add(s, "syscalls", names[ENTER]);
	kt_session_start(s);
	r = create_recording(s, &dir);
	kt_session_stop(s);
	limit_files(0);
	kt_recording_stop(r, kt_session_ended(s));
	assert_int_equal(kt_recording_end(r, &err), -EFBIG);
	limit_files(RLIM_INFINITY);
	assert_memory_equal(err.text, "cpu", 3);
	assert_non_null(strstr(err.text, ": File too large"));
	kt_recording_free(r);
	kt_session_free(s);
	remove_directory(&dir);
}

static void refused_events(void **state)
{
	static const struct kt_field fields[] = {{.name = "big", .offset = 8, .size = 4016}};
	static const struct kt_field path = {
		"path", "__data_loc char[]", 24, 4, 1, KT_FIELD_DATA_LOC, KT_DECIMAL, NULL, NULL};
	static const struct kt_event open = {.system = "syscalls",
					     .name = "sys_enter_open",
					     .id = 1,
					     .n_fields = 1,
					     .fields = &path};
	struct kt_event big = {.system = "test",
			       .name = "big",
			       .id = 1,
			       .n_fields = 1,
			       .fields = fields},
			*more;
	struct kt_error not_so, err;
	struct kt_trace_source source;
	struct kt_recording *r;
	struct kt_session *s;
	struct directory dir;
	int i;

	(void)state;
	skip_where_refused();
	assert_null(kt_session_new((struct kt_geometry){12, 2}, 0, NULL, &err));
	assert_string_equal(err.text, "a session of 0 events: it can have 1 to 65536");
	s = session_of(12, 2);
	assert_int_equal(kt_session_add(s, &big, &err), -EMSGSIZE);
	assert_string_equal(err.text,
			    "cannot record test:big: a record of 4032 bytes: a sub-buffer "
			    "of 4096 has room for 4024");
	assert_int_equal(kt_session_add(s, (struct kt_event *)&open, &err), -EOPNOTSUPP);
	assert_string_equal(err.text, "cannot record syscalls:sys_enter_open: the kernel does not "
				      "pass its field 'path' to programs");
	assert_int_equal(kt_session_try(s, (struct kt_event *)&open, &not_so, &err), -EOPNOTSUPP);
	assert_string_equal(err.text, "the kernel does not pass its field 'path' to programs");
	assert_int_equal(not_so.code, 0);
	assert_int_equal(kt_session_count(s), 0);

	for (i = 0; i < MAX_EVENTS; i++)
		add(s, "syscalls", names[ENTER]);
	more = read_event("syscalls", names[EXIT]);
	assert_int_equal(kt_session_add(s, more, &err), -ENOSPC);
	kt_event_free(more);
	assert_int_equal(kt_session_count(s), MAX_EVENTS);

	kt_session_start(s);
	r = create_recording(s, &dir);
	source = kt_session_trace_source(s);
	assert_null(kt_recording_new(&source, "test", dir.fd, &err));
	assert_string_equal(err.text, "metadata: File exists");
	kt_recording_free(r);
	kt_session_free(s);
	remove_directory(&dir);
}

/* Known by event only. */
static void assert_missed(const struct kt_event_counts *b, uint64_t missed)
{
	struct kt_row row = b->rows[b->n - 1];

	assert_int_equal(row.cpu, KT_NO_CPU);
	assert_int_equal(row.outcome.lost[KT_LOST_MISSED], missed);
	assert_int_equal(row.outcome.hits, missed);
	assert_true(kt_event_counts_event(b, 0).hits > missed);
}

/*
 * The kernel hides events from BPF programs while it changes a map. Exactly as many must be missed
 * as occur between start and stop, although the probe is attached before and after. Older kernels
 * do not count them, and the event counts say so.
 */
static void missed_events(void **state)
{
	enum { N = 100 };
	struct kt_recording *r;
	struct kt_session *s;
	struct directory dir;
	struct kt_event_counts *b;
	struct kt_error err;
	uint64_t missed;
	int map;

	(void)state;
	skip_where_refused();
	map = create_map(5 * N);
	if (map < 0)
		skip();
	s = session_of(12, 2);
	add(s, "kmem", "kmalloc");
	insert_elements(map, 0, 2 * N);
	kt_session_start(s);
	assert_int_equal(kt_session_missed(s, 0), 0);
	insert_elements(map, 2 * N, N);
	missed = kt_session_missed(s, 0);
	kt_session_stop(s);
	insert_elements(map, 3 * N, 2 * N);
	close(map);
	assert_in_range(kt_session_missed(s, 0), missed, missed + N);
	r = create_recording(s, &dir);
	b = kt_event_counts_of(r, kt_session_missed_all(s), &err);
	assert_non_null(b);
	assert_int_equal(b->missed_unknown, !missed);
	if (missed) {
		assert_true(missed >= N && missed < 2 * N);
		assert_missed(b, kt_session_missed(s, 0));
	}
	kt_event_counts_free(b);
	kt_recording_free(r);
	kt_session_free(s);
	remove_directory(&dir);
}

/*
 * Every event, every other one for followed processes: the verifier accepts its program, which
 * never runs.
 */
static void every_program_loads(void **state)
{
	struct kt_counter_map *counters;
	struct kt_rings *rings;
	struct kt_enable_word *enable;
	struct kt_reserve r = {.followed = -1, .pid_filter = -1, .geometry = {16, 2}};
	struct kt_program_kind kind = {.type = BPF_PROG_TYPE_TRACEPOINT};
	struct kt_followed_pids *followed;
	struct kt_event_names *names_here;
	struct kt_error err;
	struct kt_event *e;
	struct kt_asm *a;
	size_t i;
	int tracefs, program;

	(void)state;
	skip_where_refused();
	tracefs = kt_tracefs_open(&err);
	names_here = kt_event_names_read(tracefs, &err);
	counters = kt_counter_map_new(1, &err);
	rings = kt_rings_new(r.geometry, NULL, &err);
	enable = kt_enable_word_new(1, &err);
	followed = kt_followed_pids_new(tracefs, NULL, &err);
	assert_true(names_here && counters && rings && enable && followed);
	r.counters = kt_counter_map_fd(counters);
	r.rings = kt_rings_fd(rings, KT_MAIN);
	r.enable = kt_enable_word_fd(enable);
	for (i = 0; i < kt_event_names_count(names_here); i++) {
		e = kt_event_read(tracefs, kt_event_names_at(names_here, i), &err);
		assert_non_null(e);
		r.followed = i % 2 ? kt_followed_pids_fd(followed) : -1;
		a = kt_asm_new();
		kt_emit_record(a, r, e);
		program = kt_program_load(kind, e->name, a, &err);
		if (program < 0)
			fail_msg("%s", err.text);
		close(program);
		kt_asm_free(a);
		kt_event_free(e);
	}
	assert_true(i > 500);
	kt_followed_pids_free(followed);
	kt_enable_word_free(enable);
	kt_rings_free(rings);
	kt_counter_map_free(counters);
	kt_event_names_free(names_here);
	close(tracefs);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_call_once),     cmocka_unit_test(lost_records),
		cmocka_unit_test(unwritten_records),   cmocka_unit_test(unwritten_end),
		cmocka_unit_test(refused_events),      cmocka_unit_test(missed_events),
		cmocka_unit_test(every_program_loads), cmocka_unit_test(overwritten_records),
	};

	return cmocka_run_group_tests_name("record", tests, read_ids, NULL);
}
