// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A million hits of system calls and of interrupts within them, recorded into the same rings: no
 * record is torn, time never runs backwards, and every hit is in the trace or lost. Witnesses:
 * numbered calls, copies of the header in each record, and the kernel's count of program runs.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <cmocka.h>

#include "base/clock.h"
#include "tests/live/calls.h"
#include "tests/live/rings.h"

enum { N_CALLS = 500000, TICK_NS = 50000, TICK_SIGNALS = 10, N_TRIED = 100 };

/* A call's ENTER and EXIT, and events within their programs. */
enum { EXPIRE = N_EVENTS, SIGNAL, EXPIRED, SOFTIRQ, N_PROGRAMS };

static const char *const raw_names[N_PROGRAMS] = {
	[EXPIRE] = "hrtimer_expire_entry",
	[SIGNAL] = "signal_generate",
	[EXPIRED] = "hrtimer_expire_exit",
	[SOFTIRQ] = "softirq_entry",
};

/* A record: its kt_record, and */
enum {
	TID_AT = 12,    /* u32: its TID again */
	NUMBER_AT = 16, /* u64: the call's number, else 0 */
	DONE_AT = 24,   /* u64, ns: when everything before this was written */
	COPIES_AT = 32, /* u64s: inverted copies of the header, to the end */
};

/* EXIT's program writes an EXPIRE: an event that interrupts itself, as kmem's do. */
static size_t event_recorded_by(size_t program)
{
	return program == EXIT ? EXPIRE : program;
}

/* Each event has its own size. */
static size_t record_size(size_t event)
{
	return COPIES_AT + 8 * (event + 1);
}

struct probe {
	int program, link;
};

static struct kt_asm *make_program(const struct session *s, size_t program)
{
	size_t event = event_recorded_by(program);
	struct kt_reserve r = room_for(s, event, record_size(event));
	struct kt_asm *a = kt_asm_new();
	size_t at;

	kt_emit_begin(a, &r);
	kt_emit_enter(a, &r);
	kt_emit_reserve(a, &r);
	kt_asm_load(a, BPF_W, BPF_REG_1, BPF_REG_8, offsetof(struct kt_record, tid));
	kt_asm_store(a, BPF_W, BPF_REG_8, TID_AT, BPF_REG_1);
	kt_asm_move_imm(a, BPF_REG_1, 0);
	if (event == ENTER)
		kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_6, 16);
	kt_asm_store(a, BPF_DW, BPF_REG_8, NUMBER_AT, BPF_REG_1);
	kt_asm_call(a, BPF_FUNC_ktime_get_ns);
	kt_asm_store(a, BPF_DW, BPF_REG_8, DONE_AT, BPF_REG_0);
	kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_8, offsetof(struct kt_record, head));
	kt_asm_alu_imm(a, BPF_XOR, BPF_REG_1, -1);
	for (at = COPIES_AT; at < record_size(event); at += 8)
		kt_asm_store(a, BPF_DW, BPF_REG_8, at, BPF_REG_1);
	kt_emit_commit(a, &r);
	return a;
}

/* A raw probe cannot select one system call. */
static struct probe attach_probe(const struct session *s, size_t program)
{
	const char *raw = raw_names[program];
	struct kt_program_kind kind = {.type = raw ? BPF_PROG_TYPE_RAW_TRACEPOINT
						   : BPF_PROG_TYPE_TRACEPOINT};
	struct kt_asm *a = make_program(s, program);
	struct probe p = {.link = -1};
	struct kt_error err;

	p.program = kt_program_load(kind, raw ? raw : names[program], a, &err);
	if (p.program >= 0)
		p.link = raw ? kt_tracepoint_attach_raw(raw, p.program, &err)
			     : kt_tracepoint_attach(ids[program], p.program, &err);
	if (p.link < 0)
		fail_msg("%s", err.text);
	kt_asm_free(a);
	return p;
}

/* Returns how often the kernel has run it since counting was enabled. */
static uint64_t count_runs(const struct probe *p)
{
	struct bpf_prog_info info = {0};
	uint32_t size = sizeof(info);

	assert_int_equal(bpf_obj_get_info_by_fd(p->program, &info, &size), 0);
	return info.run_cnt;
}

/* What was read of one CPU's records. */
struct stream {
	struct caller *caller;
	struct kt_cursor *cursor; /* NULL: read from the ring */
	uint64_t n[N_PROGRAMS];
	uint64_t time, lost, done; /* of the last record and packet; the latest of any record */
	int last;                  /* number of a call */
	uint64_t n_within;         /* records written within an unfinished older one */
};

static void check_call(struct stream *s, const struct kt_record *r, uint64_t number)
{
	assert_int_equal(r->tid, s->caller->tid);
	if (number <= (uint64_t)s->last || number > (uint64_t)s->caller->first + s->caller->n)
		fail_msg("CPU %zu: call %d, then %lu", s->caller->cpu, s->last, number);
	s->last = number;
}

/* Returns the record's size. */
static size_t check_record(struct stream *s, const char *at, const struct kt_packet *p)
{
	uint64_t number, done, copy, time;
	struct kt_record r;
	uint32_t tid;
	size_t event, i;

	memcpy(&r, at, sizeof(r));
	memcpy(&tid, at + TID_AT, sizeof(tid));
	memcpy(&number, at + NUMBER_AT, sizeof(number));
	memcpy(&done, at + DONE_AT, sizeof(done));
	event = r.head & 0xffff;
	if (event >= N_PROGRAMS || event == EXIT || tid != r.tid)
		fail_msg("CPU %zu: torn: event %zu, thread %u, %u", s->caller->cpu, event, r.tid,
			 tid);
	for (i = COPIES_AT; i < record_size(event); i += 8) {
		memcpy(&copy, at + i, sizeof(copy));
		if (copy != ~r.head)
			fail_msg("CPU %zu: torn: event %zu, %lx at %zu", s->caller->cpu, event,
				 copy, i);
	}
	time = kt_record_time(r.head, p->begin);
	if (time < s->time || time < p->begin || time > p->end || time > done)
		fail_msg("CPU %zu: event %zu at %lu, after %lu", s->caller->cpu, event, time,
			 s->time);
	s->time = time;
	s->n[event]++;
	s->n_within += time < s->done;
	s->done = done > s->done ? done : s->done;
	if (event == ENTER)
		check_call(s, &r, number);
	else
		assert_int_equal(number, 0);
	return record_size(event);
}

static void read_stream(struct stream *s, struct kt_ring *ring)
{
	struct kt_packet p;
	struct kt_error err;
	size_t at;
	int ret;

	while ((ret = s->cursor ? kt_cursor_next(s->cursor, &p, &err)
				: kt_ring_next(ring, &p, &err)) > 0) {
		assert_true(p.begin >= s->time && p.lost >= s->lost);
		for (at = 0; at < p.size;)
			at += check_record(s, (const char *)p.records + at, &p);
		assert_int_equal(at, p.size);
		s->lost = p.lost;
		if (!s->cursor)
			kt_ring_release(ring);
	}
	assert_true(ret == 0 || (s->cursor && ret == -EAGAIN));
}

static void ignore_signal(int signal)
{
	(void)signal;
}

/* The interval of signals: long enough that a thread has most of its time for calls. */
static long signal_interval(void)
{
	uint64_t began = kt_clock_now(), each;
	int i;

	for (i = 0; i < N_TRIED; i++)
		raise(SIGUSR1);
	each = (kt_clock_now() - began) / N_TRIED;
	return each * TICK_SIGNALS > TICK_NS ? each * TICK_SIGNALS : TICK_NS;
}

/* Signals come at any moment, from a timer's interrupt. */
static void *call_interrupted(void *arg)
{
	long tick = signal_interval();
	struct itimerspec often = {{.tv_nsec = tick}, {.tv_nsec = tick}};
	struct sigevent to_here = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
	struct caller *c = arg;
	timer_t timer;

	pin(c->cpu);
	to_here._sigev_un._tid = gettid();
	assert_int_equal(timer_create(CLOCK_MONOTONIC, &to_here, &timer), 0);
	assert_int_equal(timer_settime(timer, 0, &often, NULL), 0);
	call_there(c);
	timer_delete(timer);
	return NULL;
}

static void assert_counts(const struct session *s, const struct stream *stream)
{
	size_t cpu = stream->caller->cpu, i;
	const struct kt_ring *ring = kt_rings_at(s->rings, cpu);
	uint64_t dropped = 0, missing = 0, full = 0;
	struct kt_counters t;

	for (i = 0; i < N_PROGRAMS; i++) {
		t = kt_counter_map_read(s->counters, i, cpu);
		if (!s->overwrite)
			assert_int_equal(t.hits, stream->n[i] + t.full + t.contended);
		missing += t.hits - stream->n[i];
		dropped += t.full + t.contended;
		full += t.full;
	}
	/* To overtake another writer, an interrupt would have to fill all that room. */
	if (s->overwrite && s->geometry.n_subbufs > 2)
		assert_int_equal(full, 0);
	assert_int_equal(dropped, kt_ring_lost(ring));
	assert_int_equal(missing, dropped + (stream->cursor ? kt_cursor_mark(stream->cursor).missed
							    : kt_ring_overwritten(ring)));
	assert_int_equal(kt_counter_map_read(s->counters, ENTER, cpu).hits, stream->caller->n);
}

/* A caller per CPU, all at once, read meanwhile if possible. */
static void run_callers(const struct session *s, struct stream *streams, size_t n)
{
	bool all_done = s->overwrite && !streams->cursor;
	size_t k;

	for (k = 0; k < n; k++)
		assert_int_equal(pthread_create(&streams[k].caller->thread, NULL, call_interrupted,
						streams[k].caller),
				 0);
	while (!all_done) {
		all_done = true;
		for (k = 0; k < n; k++) {
			all_done &= streams[k].caller->done;
			read_stream(&streams[k], kt_rings_at(s->rings, streams[k].caller->cpu));
		}
	}
	for (k = 0; k < n; k++)
		pthread_join(streams[k].caller->thread, NULL);
}

/* Reads the rest after the writers have stopped. */
static void read_rest(const struct session *s, struct stream *streams, size_t n)
{
	struct kt_ring *ring;
	size_t k;

	for (k = 0; k < n; k++) {
		ring = kt_rings_at(s->rings, streams[k].caller->cpu);
		if (!streams[k].cursor)
			kt_ring_flush(ring);
		if (s->overwrite && !streams[k].cursor)
			kt_ring_rewind(ring);
		read_stream(&streams[k], ring);
		assert_counts(s, &streams[k]);
	}
}

/* Counts records written within others. */
static uint64_t count_within(const struct stream *streams, size_t n)
{
	uint64_t n_within = 0, recorded = 0;
	size_t k, i;

	for (k = 0; k < n; k++) {
		for (i = 0; i < N_PROGRAMS; i++)
			recorded += streams[k].n[i];
		n_within += streams[k].n_within;
	}
	print_message("# %lu read, %lu of them while another was being written\n", recorded,
		      n_within);
	return n_within;
}

enum kind { DISCARD, OVERWRITE, OVERWRITE_READ };

static void interrupt_calls(unsigned int shift, unsigned int n_subbufs, enum kind kind)
{
	struct sigaction old, ignoring = {.sa_handler = ignore_signal, .sa_flags = SA_RESTART};
	size_t cpus[CPU_SETSIZE], n = our_cpus(cpus), k, i;
	struct caller *callers = calloc(n, sizeof(*callers));
	struct stream *streams = calloc(n, sizeof(*streams));
	struct session s = start_rings(shift, n_subbufs, N_PROGRAMS);
	int counting = bpf_enable_stats(BPF_STATS_RUN_TIME);
	struct probe probes[N_PROGRAMS];
	uint64_t n_within, runs[N_PROGRAMS] = {0};

	s.overwrite = kind != DISCARD;
	assert_true(counting >= 0);
	sigaction(SIGUSR1, &ignoring, &old);
	for (k = 0; k < n; k++) {
		callers[k] =
			(struct caller){.cpu = cpus[k], .first = k << 24, .n = N_CALLS / n + k};
		streams[k] = (struct stream){.caller = &callers[k], .last = k << 24};
		if (kind == OVERWRITE_READ)
			streams[k].cursor = open_cursor(kt_rings_at(s.rings, cpus[k]));
	}
	for (i = 0; i < N_PROGRAMS; i++)
		probes[i] = attach_probe(&s, i);
	run_callers(&s, streams, n);
	for (i = 0; i < N_PROGRAMS; i++)
		close(probes[i].link);
	kt_rings_settle(s.rings);
	read_rest(&s, streams, n);
	n_within = count_within(streams, n);

	for (i = 0; i < N_PROGRAMS; i++) {
		runs[event_recorded_by(i)] += count_runs(&probes[i]);
		close(probes[i].program);
	}
	for (i = 0; i < N_PROGRAMS; i++)
		assert_int_equal(kt_counter_map_sum(s.counters, i).hits, runs[i]);
	for (k = 0; k < n; k++)
		kt_cursor_free(streams[k].cursor);
	close(counting);
	sigaction(SIGUSR1, &old, NULL);
	stop_rings(&s);
	free(streams);
	free(callers);
	if (!n_within) {
		print_message("# no interrupt came at the right moment\n");
		skip();
	}
}

static void small_subbufs(void **state)
{
	(void)state;
	skip_where_refused();
	interrupt_calls(12, 1024, DISCARD);
}

static void room_for_few(void **state)
{
	(void)state;
	skip_where_refused();
	interrupt_calls(12, 2, DISCARD);
}

static void overwritten(void **state)
{
	(void)state;
	skip_where_refused();
	interrupt_calls(12, 512, OVERWRITE);
}

static void overwritten_and_read(void **state)
{
	(void)state;
	skip_where_refused();
	interrupt_calls(12, 2, OVERWRITE_READ);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_subbufs),
		cmocka_unit_test(room_for_few),
		cmocka_unit_test(overwritten),
		cmocka_unit_test(overwritten_and_read),
	};

	return cmocka_run_group_tests_name("nested_hits", tests, read_ids, NULL);
}
