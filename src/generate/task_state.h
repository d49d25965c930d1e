/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits access to task state: what the entry of a call leaves for its return.
 *
 *	kt_emit_task_enter(a, map, table);	// entry of exec r8
 *	kt_emit_task_leave(a, map, table, none);	// return: r3 = the call that was entered
 *	kt_emit_task_tid(a, map);		// r0 = the thread's number at the entry
 *
 *	kt_emit_task_set_late(a, map);		// entry: a text was unreadable
 *	kt_emit_task_take_late(a, map);		// return: r0 = whether one was
 *
 * A successful execve or execveat returns under execve's number, in the new program's word size;
 * and a thread that is not its process's first returns with the first thread's number. So nothing
 * known at the return identifies the call. Only the task stays the same: the map is a
 * BPF_MAP_TYPE_TASK_STORAGE of struct kt_task_state, which the kernel frees with the task.
 *
 * Setting state costs about 30 ns, reading it 10; most calls do neither.
 */
#ifndef KT_GENERATE_TASK_STATE_H
#define KT_GENERATE_TASK_STATE_H

#include <stdint.h>

struct kt_asm;

/* Dispatch tables per side (hook/syscall_dispatch.h). */
enum { KT_CALL_TABLES = 2 };

/* State of a task; all 0 if it has none. */
struct kt_task_state {
	uint32_t call[KT_CALL_TABLES]; /* by dispatch table: the exec that the task is in; or 0 */
	uint32_t tid;                  /* its number at the entry of its last exec */
	uint32_t late;                 /* not 0: a text of its last call was unreadable */
};

/*
 * Notes that the task enters the exec whose number is in r8. Preserves r8; clobbers r0 to r5 and
 * r9.
 */
void kt_emit_task_enter(struct kt_asm *a, int map, unsigned int table);

/*
 * Sets r3 = the number of the exec that the task was in, and clears it; jumps to `none` if it was
 * in none. Clobbers r0 to r5.
 */
void kt_emit_task_leave(struct kt_asm *a, int map, unsigned int table, int none);

/* Sets r0 = the task's number at the entry, or 0 if unknown. Clobbers r1 to r5. */
void kt_emit_task_tid(struct kt_asm *a, int map);

/* Notes that a text was unreadable. Clobbers r0 to r5. */
void kt_emit_task_set_late(struct kt_asm *a, int map);

/* Sets r0 to non-zero if that was noted since the last call of this. Clobbers r1 to r5. */
void kt_emit_task_take_late(struct kt_asm *a, int map);

#endif
