/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks of a trace made by a test. */
#ifndef KT_TESTS_STACKS_H
#define KT_TESTS_STACKS_H

#include "bpf/callstacks.h"
#include "tests/ctf/task_names.h"

#define STACKS_NAME   "ktrace/stacks.jsonl"
#define BINARIES_NAME "ktrace/binaries.jsonl"

/* An event has stacks of this kind from here on; the caller writes metadata. */
static inline void put_stacks(struct made *m, size_t event, enum kt_callstack_kind kind)
{
	m->events[event]->stacks = KT_CALLSTACK_BIT(kind);
}

/* A record of an event with such a stack and one number. */
static inline void number_with_stack(struct made *m, size_t event, uint64_t time, uint64_t id,
				     uint64_t n)
{
	uint64_t fields[] = {id, n};

	record(m, event, time, fields, sizeof(fields));
}

static inline void write_stacks(struct made *m, const char *text)
{
	write_beside(m, STACKS_NAME, text);
}

#endif
