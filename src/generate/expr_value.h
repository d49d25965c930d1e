/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The instructions that compute an expression (ctypes/recipe_expr.h) from what a tracepoint is
 * called with.
 *
 *	struct kt_emit_expr x = {.a = a, .pointer = BPF_REG_7, .stack = KT_STACK_EXPR};
 *
 *	kt_emit_global(&x, KT_BTF_CURRENT);		// for paths that begin with 'current'
 *	kt_emit_value(&x, expr, BPF_REG_1);		// r1 = its value
 *
 * The program is one of BPF_TRACE_RAW_TP for the tracepoint, in which the kernel lets it load
 * through pointers. Such a load costs what it costs the kernel; where a pointer leads nowhere it
 * gives 0.
 */
#ifndef KT_GENERATE_EXPR_VALUE_H
#define KT_GENERATE_EXPR_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/pointer_loop.h"
#include "ctypes/btf.h"

struct kt_asm;
struct kt_expr;
struct kt_member_path;

/*
 * For a loop over pointers, or what a probe reads, and behind it the globals that differ from hit
 * to hit, 8 bytes each.
 */
enum { KT_EMIT_EXPR_STACK = KT_EMIT_POINTER_LOOP_STACK + 8 * KT_BTF_VMEMMAP };

/* r6 is the context. r1 to r5 are lost. */
struct kt_emit_expr {
	struct kt_asm *a;
	int pointer;      /* a register of r7 to r9, which holds one for the next path */
	int16_t stack;    /* KT_EMIT_EXPR_STACK bytes of it */
	int16_t copied;   /* KT_EXPR_STRUCT_SIZE bytes of it, for members */
	uint64_t vmemmap; /* for paths that begin with it */
	int states;       /* for the global 'entered': a map (generate/task_state.h) */
	const struct kt_member_path
		*base; /* pointer is its last one; NULL: nothing that is known */
};

/* Keeps its value, of any but vmemmap: once, before a path that begins with it. r0 is lost too. */
void kt_emit_global(struct kt_emit_expr *x, enum kt_btf_global global);

/* Where on the stack that is kept. */
int16_t kt_emit_global_at(const struct kt_emit_expr *x, enum kt_btf_global global);

/* x->pointer = the last one of a path that has one */
void kt_emit_base(struct kt_emit_expr *x, const struct kt_member_path *p);

/* dst = what it leads to, of which the highest bits of 64 are as they come, where it is no pointer
 */
void kt_emit_path(struct kt_emit_expr *x, const struct kt_member_path *p, int dst);

/*
 * dst, one of r1 to r5, = the value; those from there on are lost, those before are not, unless it
 * is a probe, a count or a path that has its pointer made.
 */
void kt_emit_value(struct kt_emit_expr *x, const struct kt_expr *e, int dst);

/* r4 = the letters of a JOIN, the first one lowest. r1 to r5 are lost. */
void kt_emit_join(struct kt_emit_expr *x, const struct kt_expr *e);

/* dst = its lowest bytes, so many, as a number of 64 bits */
void kt_emit_widen(struct kt_asm *a, int dst, unsigned int size, bool is_signed);

/* What is done with the value of each branch, and for whom. */
typedef void (*kt_emit_branch)(struct kt_emit_expr *x, const struct kt_expr *e, const void *with);

/* The branch of a choice that is taken. */
void kt_emit_choice(struct kt_emit_expr *x, const struct kt_expr *e, kt_emit_branch emit,
		    const void *with);

/* Goes to the label unless it is so: a comparison, or any value but 0. Pointers are numbers here.
 */
void kt_emit_unless(struct kt_emit_expr *x, const struct kt_expr *e, int label);

#endif
