/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of numbered calls: writing them to rings, reading and checking them. */
#ifndef KT_TESTS_NUMBERED_RECORDS_H
#define KT_TESTS_NUMBERED_RECORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <bpf/bpf.h>

#include "tests/live/calls.h"
#include "tests/live/rings.h"

enum { NUMBER_AT = 16, SIZE = 24 }; /* offset of the call's first argument; size of a record */

/* Attaches the program that records the calls. Returns its link. */
static inline int attach_recorder(const struct session *s)
{
	struct kt_reserve r = room_for(s, ENTER, SIZE);
	struct kt_asm *a = kt_asm_new();
	struct kt_error err;
	int link;

	kt_emit_begin(a, &r);
	kt_emit_enter(a, &r);
	kt_emit_reserve(a, &r);
	kt_asm_load(a, BPF_DW, BPF_REG_1, BPF_REG_6, NUMBER_AT);
	kt_asm_store(a, BPF_DW, BPF_REG_8, sizeof(struct kt_record), BPF_REG_1);
	kt_emit_commit(a, &r);
	link = attach(ENTER, a, &err);
	if (link < 0)
		fail_msg("%s", err.text);
	return link;
}

/* Lets all CPUs write to the first one's ring, which no session does. */
static inline void share_ring(const struct session *s, const size_t *cpus, size_t n)
{
	int fd = kt_ring_fd(kt_rings_at(s->rings, cpus[0]));
	uint32_t key;
	size_t k;

	for (k = 1; k < n; k++) {
		key = cpus[k];
		assert_int_equal(
			bpf_map_update_elem(kt_rings_fd(s->rings, KT_MAIN), &key, &fd, BPF_ANY), 0);
	}
}

/* Maps a ring's memory as its programs see it. */
static inline void *map_ring(const struct kt_ring *ring, size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, kt_ring_fd(ring), 0);

	assert_true(memory != MAP_FAILED);
	return memory;
}

/* What has been read of a stream. */
struct stream {
	uint64_t n, lost, time;
	int last[CPU_SETSIZE]; /* each caller's last number */
};

static inline void check_record(struct stream *s, const char *at, const struct kt_packet *p,
				const struct caller *callers, size_t n_callers)
{
	struct kt_record r;
	uint64_t number, time;
	size_t k;

	memcpy(&r, at, sizeof(r));
	memcpy(&number, at + sizeof(r), sizeof(number));
	time = kt_record_time(r.head, p->begin);
	assert_int_equal(r.head & 0xffff, ENTER);
	for (k = 0; k < n_callers && callers[k].tid != r.tid; k++)
		;
	assert_true(k < n_callers);
	if (number <= (uint64_t)s->last[k] || number > (uint64_t)callers[k].first + callers[k].n)
		fail_msg("thread %zu: %d, then %lu", k, s->last[k], number);
	assert_true(time >= s->time && time >= p->begin && time <= p->end);
	s->last[k] = number;
	s->time = time;
	s->n++;
}

/* With a single caller, the missing numbers must be the lost ones. */
static inline void check_packet(struct stream *s, const struct kt_packet *p,
				const struct caller *callers, size_t n_callers)
{
	size_t at;
	int before;

	assert_true(p->size > 0 && p->size % SIZE == 0);
	assert_true(p->begin >= s->time && p->end >= p->begin && p->lost >= s->lost);
	for (at = 0; at < p->size; at += SIZE) {
		before = s->last[0];
		check_record(s, (const char *)p->records + at, p, callers, n_callers);
		if (n_callers == 1)
			assert_int_equal(s->last[0] - before - 1, at == 0 ? p->lost - s->lost : 0);
	}
	s->lost = p->lost;
}

/* Reads all complete packets. */
static inline void read_stream(struct stream *s, struct kt_ring *ring, const struct caller *callers,
			       size_t n_callers)
{
	struct kt_packet p;
	struct kt_error err;
	int ret;

	while ((ret = kt_ring_next(ring, &p, &err)) > 0) {
		check_packet(s, &p, callers, n_callers);
		kt_ring_release(ring);
	}
	assert_int_equal(ret, 0);
}

/* Reads an overwritten ring after its writers have stopped. */
static inline void read_rest(struct stream *stream, struct kt_ring *ring,
			     const struct caller *callers, size_t n)
{
	kt_ring_flush(ring);
	kt_ring_rewind(ring);
	read_stream(stream, ring, callers, n);
}

#endif
