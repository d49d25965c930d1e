/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the programs of a call's entry leave for those of its return, by the task.
 *
 *	kt_emit_task_enter(a, map, table);		// the entry of exec r8
 *	kt_emit_task_leave(a, map, table, none);	// the return: r3 = the call, as it was
 * entered kt_emit_task_tid(a, map);			// r0 = the thread's number at the entry
 *
 *	kt_emit_task_set_late(a, map);			// the entry: a text could not be read
 *	kt_emit_task_take_late(a, map);			// the return: r0 = whether that was so
 *
 * A successful execve or execveat returns under the number of execve, and under that of the other
 * word size where the new program has that; and a thread that is not the first of its process
 * returns with the number of the first. So none of what is known at the return says which call it
 * is. What stays the same is the task: the map is a BPF_MAP_TYPE_TASK_STORAGE of struct
 * kt_task_state, which the kernel frees with its task.
 *
 * To leave something costs some 30 ns, to look some 10; most calls do neither.
 */
#ifndef KT_GENERATE_TASK_STATE_H
#define KT_GENERATE_TASK_STATE_H

#include <stdint.h>

struct kt_asm;

/*
 * Tables of programs that a side has, each with a dispatcher of its own (hook/syscall_dispatch.h).
 */
enum { KT_CALL_TABLES = 2 };

/* Where a task has none, all of it is 0. */
struct kt_task_state {
	uint32_t call[KT_CALL_TABLES]; /* the exec that it is in, by the table that has it; or 0 */
	uint32_t tid;                  /* at the entry of its last exec */
	uint32_t late;                 /* not 0: some text of its last call was not in memory */
};

/* r8 = the call's number, which is kept. r0 to r5 and r9 are lost. */
void kt_emit_task_enter(struct kt_asm *a, int map, unsigned int table);

/* r3 = the number, and it is in none from here on; or goes to the label. r0 to r5 are lost. */
void kt_emit_task_leave(struct kt_asm *a, int map, unsigned int table, int none);

/* r0 = its number then, or 0 where that is not known. r1 to r5 are lost. */
void kt_emit_task_tid(struct kt_asm *a, int map);

/* r0 to r5 are lost. */
void kt_emit_task_set_late(struct kt_asm *a, int map);

/* r0 = not 0 where it was set since this was last asked. r1 to r5 are lost. */
void kt_emit_task_take_late(struct kt_asm *a, int map);

#endif
