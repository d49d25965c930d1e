/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program that counts an event's hits, and the part of every larger one that does so.
 *
 *	struct kt_asm *a = kt_asm_new();
 *
 *	kt_emit_count(a, ledger_fd, 0);
 *	program = kt_program_load(BPF_PROG_TYPE_TRACEPOINT, "sched:sched_switch", a, &err);
 *
 * A hit costs what the kernel takes to come here, two inlined lookups and one atomic addition to a
 * cache line that this CPU alone writes to.
 */
#ifndef KT_GENERATE_COUNT_HITS_H
#define KT_GENERATE_COUNT_HITS_H

#include <stddef.h>

struct kt_asm;

/* Adds 1 to hits in the tally of that event on the CPU where it runs. */
void kt_emit_count(struct kt_asm *a, int ledger_fd, size_t event);

/*
 * The same as a part of a program, behind the gate (generate/enable_check.h): r0 is that tally
 * then. Where there is none it goes to the label done.
 */
void kt_emit_hit(struct kt_asm *a, int ledger_fd, size_t event, int done);

/* The same for a hit that is not to be looked at: adds 1 to filtered. */
void kt_emit_filtered(struct kt_asm *a, int ledger_fd, size_t event, int done);

#endif
