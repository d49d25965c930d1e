/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which exec a thread is in: the dispatcher of entries notes it, that of returns asks.
 *
 *	kt_emit_execs_enter(a, map, table, number);	// the entry of call r8
 *
 *	kt_emit_execs_leave(a, map, table, none);	// the return: r3 = the call, as it was
 *noted kt_emit_execs_tid(a, map);			// r0 = the thread's number at the entry
 *
 * A successful execve or execveat returns under the number of execve, and under that of the other
 * word size where the new program has that; and a thread that is not the first of its process
 * returns with the number of the first. So none of what is known at the return says which call it
 * is. What stays the same is the task: the map is a BPF_MAP_TYPE_TASK_STORAGE of struct kt_exec,
 * which the kernel frees with its task. It costs some 30 ns at each side of an exec, and nothing at
 * other calls.
 */
#ifndef KT_EMIT_EXECS_H
#define KT_EMIT_EXECS_H

#include <stdint.h>

struct kt_asm;

/* Tables of programs that a side has, each with a dispatcher of its own (hook/calls.h). */
enum { KT_CALL_TABLES = 2 };

/* A thread's exec, by the table whose dispatcher noted it; 0 where it is in none. */
struct kt_exec {
	uint32_t call[KT_CALL_TABLES];
	uint32_t tid; /* of the last one, not forgotten when it returns */
	uint32_t pad;
};

/* r8 = the call's number, which is kept. r0 to r5 and r9 are lost. */
void kt_emit_execs_enter(struct kt_asm *a, int map, unsigned int table);

/* r3 = the number, and it is in none from here on; or goes to the label. r0 to r5 are lost. */
void kt_emit_execs_leave(struct kt_asm *a, int map, unsigned int table, int none);

/* r0 = its number then, or 0 where that is not known. r1 to r5 are lost. */
void kt_emit_execs_tid(struct kt_asm *a, int map);

#endif
