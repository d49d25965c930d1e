// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A hit while the event's own program runs is recorded by its second program. The first program, at
 * a system call, sends a signal before it ends, and also runs at signals. The kernel's count of
 * missed runs is the witness.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <cmocka.h>

#include "base/error.h"
#include "bpf/asm.h"
#include "hook/program.h"
#include "hook/tracepoint.h"
#include "session/nested_hits_map.h"
#include "tests/live/kernel.h"
#include "tests/live/rings.h"

enum { N_CALLS = 1000, CALL = SYS_sched_get_priority_min };

/* A record: its kt_record, and a u64: the program that wrote it. */
enum { MARK_AT = 16, SIZE = 24 };

static int load_code(struct kt_asm *a)
{
	struct kt_program_kind kind = {.type = BPF_PROG_TYPE_RAW_TRACEPOINT};
	struct kt_error err;
	int program = kt_program_load(kind, "recursion", a, &err);

	if (program < 0)
		fail_msg("%s", err.text);
	kt_asm_free(a);
	return program;
}

static int attach_raw(const char *tracepoint, int program)
{
	struct kt_error err;
	int link = kt_tracepoint_attach_raw(tracepoint, program, &err);

	if (link < 0)
		fail_msg("%s", err.text);
	return link;
}

static void send_signal(struct kt_asm *a)
{
	kt_asm_move_imm(a, BPF_REG_1, SIGURG);
	kt_asm_call(a, BPF_FUNC_send_signal);
}

/* The first program reserves a record for the call, sends a signal, and commits. */
static int load_program(const struct session *s, int map, enum kt_nested_hits_role role)
{
	struct kt_reserve r = room_for(s, 0, SIZE);
	struct kt_asm *a = kt_asm_new();

	r.nested = (struct kt_nested_hits){.role = role, .map = map};
	kt_emit_begin(a, &r);
	kt_asm_load(a, BPF_DW, BPF_REG_6, BPF_REG_10, KT_STACK_CONTEXT);
	kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_6, 8);
	if (role == KT_NESTED_FIRST)
		kt_asm_jump_imm(a, BPF_JNE, BPF_REG_1, CALL, r.done);
	kt_emit_enter(a, &r);
	kt_emit_reserve(a, &r);
	kt_asm_store_imm(a, BPF_DW, BPF_REG_8, MARK_AT, role);
	if (role == KT_NESTED_FIRST)
		send_signal(a);
	kt_emit_commit(a, &r);
	return load_code(a);
}

static uint64_t count_missed(int program)
{
	struct bpf_prog_info info = {0};
	uint32_t size = sizeof(info);

	assert_int_equal(bpf_obj_get_info_by_fd(program, &info, &size), 0);
	return info.recursion_misses;
}

/* Counts this thread's records by program. */
static void count_by_program(const struct session *s, uint64_t n[3])
{
	size_t cpu, at;
	struct kt_packet p;
	struct kt_record r;
	struct kt_error err;
	uint64_t mark;

	for (cpu = 0; cpu < kt_rings_count(s->rings); cpu++) {
		struct kt_ring *ring = kt_rings_at(s->rings, cpu);

		while (ring && kt_ring_next(ring, &p, &err) > 0) {
			for (at = 0; at < p.size; at += SIZE) {
				memcpy(&r, (const char *)p.records + at, sizeof(r));
				memcpy(&mark, (const char *)p.records + at + MARK_AT, sizeof(mark));
				assert_in_range(mark, KT_NESTED_FIRST, KT_NESTED_SECOND);
				n[mark] += r.tid == (uint32_t)gettid();
			}
			kt_ring_release(ring);
		}
	}
}

static void nested_signal(void **state)
{
	struct session s = start_rings(16, 16, 1);
	struct kt_nested_hits_map map = {0};
	struct kt_error err;
	uint64_t n[3] = {0};
	int first, second, links[3], i;

	(void)state;
	assert_int_equal(kt_nested_hits_map_make(&map, 1, &err), 0);
	first = load_program(&s, map.map.fd, KT_NESTED_FIRST);
	second = load_program(&s, map.map.fd, KT_NESTED_SECOND);
	links[0] = attach_raw("signal_generate", first);
	links[1] = attach_raw("signal_generate", second);
	links[2] = attach_raw("sys_enter", first);
	for (i = 0; i < N_CALLS; i++) {
		syscall(CALL, 0);
		kill(getpid(), SIGURG); /* ignored by both programs */
	}
	for (i = 2; i >= 0; i--)
		close(links[i]);
	kt_rings_settle(s.rings);
	kt_rings_flush(s.rings);
	count_by_program(&s, n);
	assert_int_equal(n[KT_NESTED_FIRST], N_CALLS);
	assert_int_equal(n[KT_NESTED_SECOND], N_CALLS);
	assert_true(kt_nested_hits_map_caught(&map, 0) >= N_CALLS);
	if (count_missed(first) > 0) /* the kernel counts them */
		assert_true(count_missed(first) >= kt_nested_hits_map_caught(&map, 0));
	close(second);
	close(first);
	kt_nested_hits_map_free(&map);
	stop_rings(&s);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {cmocka_unit_test(nested_signal)};

	return cmocka_run_group_tests_name("recursion", tests, NULL, NULL);
}
