/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs that tell of each task that gets a name or takes its last one along: where one begins,
 * where one changes its name, and where one ends.
 *
 *	struct kt_emit_task_name n = {
 *		.ring = map.fd, .followed = -1, .all = true,
 *	};
 *
 *	kt_emit_task_name(a, &n, event);
 *
 * The event has four fields, curated (events/curated.h), which are paths: the number of the task,
 * that of its process, that of the process with which it is followed or is not, and its name, which
 * may be longer than a task can keep; where it changes its name a fifth, the one before.
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

/* From time on the task tid has this name; or that was its last one, and it has ended. */
struct kt_task_name {
	uint64_t time;     /* ns of CLOCK_MONOTONIC */
	uint32_t tid, pid; /* as the kernel counts them: of the task, and of its process */
	uint32_t lost; /* by who reads: the rest is nothing, so many are missing at this place */
	uint16_t followed; /* 1: its process is */
	uint16_t kind;
	char comm[16]; /* with a 0 behind it */
	char was[16];  /* before it was renamed */
};

/*
 * The map: one element, the ring of them. Each is given the next position of all, and stands in the
 * slot position % KT_TASK_NAMES, in place of the one that stood there. Its slot's state says whose
 * it is: kt_task_name_begun, as long as it is being written, and then kt_task_name_done; both only
 * grow.
 */
enum { KT_TASK_NAMES = 1 << 15 };

struct kt_task_name_slot {
	uint64_t state;
	struct kt_task_name naming;
};

struct kt_task_name_ring_layout {
	uint64_t next;  /* position */
	uint64_t stuck; /* so many positions were left out, as another one was writing there */
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
	int followed; /* map of the processes that are (generate/fork_tracking.h); -1: nobody is */
	bool all;     /* tells of those, too, that are not; or else */
	uint32_t recorder; /* of the process's own that begins the first followed one */
	enum kt_task_name_kind kind;
};

void kt_emit_task_name(struct kt_asm *a, const struct kt_emit_task_name *n,
		       const struct kt_event *event);

#endif
