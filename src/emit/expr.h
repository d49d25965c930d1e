/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The instructions that compute an expression (catalog/expr.h) from what a tracepoint is called
 * with.
 *
 *	struct kt_emit_expr x = {.a = a, .current = KT_STACK_RESERVE - 8};
 *
 *	kt_emit_current(&x);				// for paths that begin with 'current'
 *	kt_emit_value(&x, expr, BPF_REG_1);		// r1 = its value
 *
 * The program is one of BPF_TRACE_RAW_TP for the tracepoint, in which the kernel lets it load
 * through pointers. Such a load costs what it costs the kernel; where a pointer leads nowhere it
 * gives 0.
 */
#ifndef KT_EMIT_EXPR_H
#define KT_EMIT_EXPR_H

#include <stdint.h>

struct kt_asm;
struct kt_expr;
struct kt_path;

/* r6 is the context. r1 to r5 are lost, and r7, which is a pointer that is used again. */
struct kt_emit_expr {
	struct kt_asm *a;
	int16_t current;            /* where on the stack the running task is kept */
	const struct kt_path *base; /* r7 is its last pointer; NULL: nothing that is known */
};

/* Keeps the running task: once, before a path that begins with it. r0 is lost too. */
void kt_emit_current(struct kt_emit_expr *x);

/* r7 = the last pointer of a path that has one */
void kt_emit_base(struct kt_emit_expr *x, const struct kt_path *p);

/* dst = what it leads to, of which the highest bits of 64 are as they come, where it is no pointer
 */
void kt_emit_path(struct kt_emit_expr *x, const struct kt_path *p, int dst);

/* dst, one of r1 to r5, = the value; those from there on are lost, those before are not. */
void kt_emit_value(struct kt_emit_expr *x, const struct kt_expr *e, int dst);

/* Goes to the label unless it is so: a comparison, or any value but 0. */
void kt_emit_unless(struct kt_emit_expr *x, const struct kt_expr *e, int label);

#endif
