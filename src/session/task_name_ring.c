// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/task_name_ring.h"

#include <errno.h>
#include <stddef.h>

#include "base/error.h"
#include "handlers/task_name_prog.h"

int kt_task_name_ring_make(struct kt_task_name_ring *n, struct kt_error *err)
{
	*n = (struct kt_task_name_ring){0};
	return kt_map_make(&n->map, "kt_namings", sizeof(struct kt_task_name_ring_layout), 1, err);
}

int kt_task_name_ring_from(struct kt_task_name_ring *n, int fd, struct kt_error *err)
{
	*n = (struct kt_task_name_ring){0};
	if (kt_map_from(&n->map, fd, err) < 0)
		return -err->code;
	if (n->map.size == sizeof(struct kt_task_name_ring_layout))
		return 0;
	kt_task_name_ring_free(n);
	return kt_fail(err, EPROTO, "not a ring of task names");
}

void kt_task_name_ring_free(struct kt_task_name_ring *n)
{
	kt_map_free(&n->map);
}

/* Pairs with the atomic adds and exchanges in programs (handlers/task_name_prog.c). */
static uint64_t load_acquire(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

/*
 * Copies an entry. Returns whether the slot held that position before and after the copy. The fence
 * pairs with the program's stores of the slot's state (handlers/task_name_prog.c).
 */
static bool copy_entry(const struct kt_task_name_slot *slot, uint64_t position,
		       struct kt_task_name *entry)
{
	if (load_acquire(&slot->state) != kt_task_name_done(position))
		return false;
	*entry = slot->entry;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return load_acquire(&slot->state) == kt_task_name_done(position);
}

/* Returns whether the position will never be written, since the ring counted it as skipped. */
static bool is_stuck(struct kt_task_name_ring *n, const struct kt_task_name_ring_layout *ring)
{
	if (load_acquire(&ring->stuck) == n->stuck)
		return false;
	n->stuck++;
	return true;
}

static bool skip_entries(struct kt_task_name_ring *n, uint64_t lost, struct kt_task_name *entry)
{
	n->position += lost;
	*entry = (struct kt_task_name){.lost = lost < UINT32_MAX ? lost : UINT32_MAX};
	return true;
}

/*
 * The entry that is overwritten while it is read is the ring's oldest, so the position is checked
 * again. A slot that still holds the entry of a lap before is about to be written, or was skipped.
 */
bool kt_task_name_ring_next(struct kt_task_name_ring *n, struct kt_task_name *entry)
{
	const struct kt_task_name_ring_layout *ring = n->map.memory;
	const struct kt_task_name_slot *slot = &ring->slots[n->position % KT_TASK_NAMES];
	uint64_t behind;

	if (copy_entry(slot, n->position, entry)) {
		n->position++;
		return true;
	}
	behind = load_acquire(&ring->next) - n->position;
	if (behind > KT_TASK_NAMES)
		return skip_entries(n, behind - KT_TASK_NAMES, entry);
	if (load_acquire(&slot->state) > kt_task_name_done(n->position))
		return skip_entries(n, 1, entry);
	return behind > 0 && is_stuck(n, ring) && skip_entries(n, 1, entry);
}

void kt_task_name_ring_skip(struct kt_task_name_ring *n, struct kt_task_name *entry)
{
	skip_entries(n, 1, entry);
}

uint64_t kt_task_name_ring_written(const struct kt_task_name_ring *n)
{
	const struct kt_task_name_ring_layout *ring = n->map.memory;

	return load_acquire(&ring->next);
}
