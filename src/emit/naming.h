/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs that tell of each task that gets a name: where one begins, and where one changes it.
 *
 *	struct kt_emit_naming n = {
 *		.queue = queue.fd, .lost = lost.fd, .followed = -1, .all = true,
 *	};
 *
 *	kt_emit_naming(a, &n, event);
 *
 * The event has four fields, curated (catalog/curated.h), which are paths: the number of the task,
 * that of its process, that of the process with which it is followed or is not, and its name, which
 * may be longer than a task can keep.
 */
#ifndef KT_EMIT_NAMING_H
#define KT_EMIT_NAMING_H

#include <stdbool.h>
#include <stdint.h>

struct kt_asm;
struct kt_event;

/* From time on the task tid has this name. */
struct kt_naming {
	uint64_t time;     /* ns of CLOCK_MONOTONIC */
	uint64_t lost;     /* for how many before it there was no room */
	uint64_t followed; /* 1: its process is */
	uint32_t tid, pid; /* as the kernel counts them: of the task, and of its process */
	char comm[16];     /* with a 0 behind it */
};

_Static_assert(sizeof(struct kt_naming) == 48, "layout shared with generated programs");

struct kt_emit_naming {
	int queue;         /* BPF ring buffer (hook/queue.h), to which a naming is written */
	int lost;          /* array map of a u64: how many it had no room for */
	int followed;      /* map of the processes that are (emit/follow.h); -1: nobody is */
	bool all;          /* tells of those, too, that are not; or else */
	uint32_t recorder; /* of the process's own that begins the first followed one */
};

void kt_emit_naming(struct kt_asm *a, const struct kt_emit_naming *n, const struct kt_event *event);

#endif
