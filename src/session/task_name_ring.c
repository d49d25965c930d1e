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
	return kt_fail(err, EPROTO, "no ring of the names of tasks");
}

void kt_task_name_ring_free(struct kt_task_name_ring *n)
{
	kt_map_free(&n->map);
}

static uint64_t load(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

/* Whether the slot holds that position's, and still did when it had been copied. */
static bool copy(const struct kt_task_name_slot *slot, uint64_t position,
		 struct kt_task_name *naming)
{
	if (load(&slot->state) != kt_task_name_done(position))
		return false;
	*naming = slot->naming;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return load(&slot->state) == kt_task_name_done(position);
}

/* Nobody will write that position any more, if the ring says that one was left out. */
static bool is_stuck(struct kt_task_name_ring *n, const struct kt_task_name_ring_layout *ring)
{
	if (load(&ring->stuck) == n->stuck)
		return false;
	n->stuck++;
	return true;
}

static bool skip(struct kt_task_name_ring *n, uint64_t lost, struct kt_task_name *naming)
{
	n->position += lost;
	*naming = (struct kt_task_name){.lost = lost < UINT32_MAX ? lost : UINT32_MAX};
	return true;
}

/*
 * What is overwritten while it is read is the ring's oldest: it is asked again how much that is. A
 * slot that holds what was there a lap before is about to be written, or was left out.
 */
bool kt_task_name_ring_next(struct kt_task_name_ring *n, struct kt_task_name *naming)
{
	const struct kt_task_name_ring_layout *ring = n->map.memory;
	const struct kt_task_name_slot *slot = &ring->slots[n->position % KT_TASK_NAMES];
	uint64_t behind;

	if (copy(slot, n->position, naming)) {
		n->position++;
		return true;
	}
	behind = load(&ring->next) - n->position;
	if (behind > KT_TASK_NAMES)
		return skip(n, behind - KT_TASK_NAMES, naming);
	if (load(&slot->state) > kt_task_name_done(n->position))
		return skip(n, 1, naming);
	return behind > 0 && is_stuck(n, ring) && skip(n, 1, naming);
}

void kt_task_name_ring_skip(struct kt_task_name_ring *n, struct kt_task_name *naming)
{
	skip(n, 1, naming);
}

uint64_t kt_task_name_ring_written(const struct kt_task_name_ring *n)
{
	const struct kt_task_name_ring_layout *ring = n->map.memory;

	return load(&ring->next);
}
