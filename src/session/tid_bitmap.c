// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/tid_bitmap.h"

#include <errno.h>

#include "base/error.h"
#include "generate/fork_tracking.h"

enum { BITS = 64 };

static uint64_t *get_words(const struct kt_tid_bitmap *t)
{
	return t->map.memory;
}

static uint64_t load_word(const struct kt_tid_bitmap *t, uint32_t tid)
{
	return __atomic_load_n(&get_words(t)[tid / BITS], __ATOMIC_RELAXED);
}

int kt_tid_bitmap_make(struct kt_tid_bitmap *t, const char *name, struct kt_error *err)
{
	return kt_map_make(&t->map, name, sizeof(uint64_t), KT_FOLLOW_WORDS, err);
}

int kt_tid_bitmap_from(struct kt_tid_bitmap *t, int fd, struct kt_error *err)
{
	if (kt_map_from(&t->map, fd, err) < 0)
		return -err->code;
	if (t->map.size == KT_FOLLOW_WORDS * sizeof(uint64_t))
		return 0;
	kt_tid_bitmap_free(t);
	return kt_fail(err, EPROTO, "not a task set of ktrace");
}

void kt_tid_bitmap_free(struct kt_tid_bitmap *t)
{
	kt_map_free(&t->map);
}

void kt_tid_bitmap_add(struct kt_tid_bitmap *t, uint32_t tid)
{
	__atomic_fetch_or(&get_words(t)[tid / BITS], UINT64_C(1) << tid % BITS, __ATOMIC_RELAXED);
}

void kt_tid_bitmap_remove(struct kt_tid_bitmap *t, uint32_t tid)
{
	__atomic_fetch_and(&get_words(t)[tid / BITS], ~(UINT64_C(1) << tid % BITS),
			   __ATOMIC_RELAXED);
}

bool kt_tid_bitmap_has(const struct kt_tid_bitmap *t, uint32_t tid)
{
	return get_words(t) && tid < KT_PIDS_MAX && load_word(t, tid) >> tid % BITS & 1;
}

uint32_t kt_tid_bitmap_next(const struct kt_tid_bitmap *t, uint32_t tid)
{
	uint64_t left;

	while (get_words(t) && tid < KT_PIDS_MAX) {
		left = load_word(t, tid) >> tid % BITS;
		if (left)
			return tid + __builtin_ctzll(left);
		tid += BITS - tid % BITS;
	}
	return KT_PIDS_MAX;
}

void kt_tid_bitmap_add_all(struct kt_tid_bitmap *t, const struct kt_tid_bitmap *other)
{
	size_t i;

	for (i = 0; get_words(other) && i < KT_FOLLOW_WORDS; i++)
		get_words(t)[i] |= get_words(other)[i];
}
