/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits the programs that log task names: at a task's start, at its renaming, and at its end.
 *
 *	struct kt_emit_task_name n = {
 *		.ring = map.fd, .followed = -1, .all = true,
 *	};
 *
 *	kt_emit_task_name(a, &n, event);
 *
 * The event is curated (events/curated.h) and has four fields, all paths: the number of the task,
 * of its process, of the process that decides whether it is followed, and the name, which may be
 * longer than a task can keep; at a renaming a fifth, the name before.
 */
#ifndef KT_HANDLERS_TASK_NAME_PROG_H
#define KT_HANDLERS_TASK_NAME_PROG_H

#include <stdbool.h>
#include <stdint.h>

struct kt_asm;
struct kt_event;

enum kt_task_name_kind {
	KT_TASK_NAME_BEGUN,
	KT_TASK_NAME_RENAMED,
	KT_TASK_NAME_ENDED,
};

/*
 * A log entry: the task tid has this name from then on; or this was its last name, and it has
 * ended.
 */
struct kt_task_name {
	uint64_t time;     /* ns of CLOCK_MONOTONIC */
	uint32_t tid, pid; /* the kernel's numbers of the task and its process */
	uint32_t lost;     /* set by the reader: this many entries are missing here, and the rest is
			      unset */
	uint16_t followed; /* 1: its process is followed */
	uint16_t kind;
	char comm[16]; /* with a NUL */
	char was[16];  /* the name before the renaming */
};

/*
 * The log's ring: the only element of a map. Each entry gets the next position, and overwrites the
 * slot position % KT_TASK_NAMES. The slot's state is kt_task_name_begun(position) while it is
 * written, then kt_task_name_done(position); it only grows.
 */
enum { KT_TASK_NAMES = 1 << 15 };

struct kt_task_name_slot {
	uint64_t state;
	struct kt_task_name entry;
};

struct kt_task_name_ring_layout {
	uint64_t next;  /* next position */
	uint64_t stuck; /* positions skipped because another program was still writing the slot */
	struct kt_task_name_slot slots[KT_TASK_NAMES];
};

_Static_assert(sizeof(struct kt_task_name) == 56, "layout shared with generated programs");
_Static_assert(sizeof(struct kt_task_name_slot) == 64, "layout shared with generated programs");

static inline uint64_t kt_task_name_begun(uint64_t position)
{
	return 2 * position + 1;
}

static inline uint64_t kt_task_name_done(uint64_t position)
{
	return 2 * position + 2;
}

struct kt_emit_task_name {
	int ring;     /* the map */
	int followed; /* map of the followed processes (generate/fork_tracking.h); -1: none is */
	bool all;     /* logs tasks that are not followed, too; otherwise */
	uint32_t recorder; /* number of our own process that starts the first followed one */
	enum kt_task_name_kind kind;
};

void kt_emit_task_name(struct kt_asm *a, const struct kt_emit_task_name *n,
		       const struct kt_event *event);

#endif
