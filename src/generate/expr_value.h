/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits the computation of an expression (ctypes/recipe_expr.h) from the tracepoint's arguments.
 *
 *	struct kt_emit_expr x = {.a = a, .pointer = BPF_REG_7, .stack = KT_STACK_EXPR};
 *
 *	kt_emit_global(&x, KT_BTF_CURRENT);		// for paths that start at 'current'
 *	kt_emit_value(&x, expr, BPF_REG_1);		// r1 = its value
 *
 * If an argument is followed, the program must be a BPF_TRACE_RAW_TP of the tracepoint: there the
 * kernel allows loads through pointers. Such a load costs what it costs the kernel; a bad pointer
 * gives 0.
 */
#ifndef KT_GENERATE_EXPR_VALUE_H
#define KT_GENERATE_EXPR_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/pointer_loop.h"
#include "ctypes/btf.h"

struct kt_asm;
struct kt_expr;
struct kt_member_path;

/* Stack bytes: for a loop or a probe, then 8 for each global that varies from hit to hit. */
enum { KT_EMIT_LOOP_STACK = 24, KT_EMIT_EXPR_STACK = KT_EMIT_LOOP_STACK + 8 * KT_BTF_VMEMMAP };

_Static_assert((int)KT_EMIT_POINTER_LOOP_STACK <= (int)KT_EMIT_LOOP_STACK, "there is room for one");

/* r6 is the context. Clobbers r1 to r5. */
struct kt_emit_expr {
	struct kt_asm *a;
	int pointer;             /* a register of r7 to r9 that holds a pointer for the next path */
	int16_t stack;           /* offset of KT_EMIT_EXPR_STACK bytes */
	int16_t copied;          /* offset of KT_EXPR_STRUCT_SIZE bytes, for members */
	uint64_t vmemmap;        /* for paths that start at vmemmap */
	struct kt_btf_cast regs; /* for the global 'regs' */
	int states;              /* for the global 'entered': a map (generate/task_state.h) */
	int unreadable;          /* label for a KT_EXPR_USER that fails */
	bool probes;             /* pointers are followed by a helper: to the verifier registers are
				    numbers (events/point.h, by_registers) */
	bool sleeps;             /* the program may sleep until memory is read (hook/program.h) */
	const struct kt_member_path
		*base; /* the path whose last pointer is in `pointer`; NULL: none */
};

/*
 * Stores a global other than vmemmap, once, before a path that starts with it. For the registers
 * r1 is the context. Clobbers r0 too.
 */
void kt_emit_global(struct kt_emit_expr *x, enum kt_btf_global global);

/* Returns the stack offset of a stored global. */
int16_t kt_emit_global_at(const struct kt_emit_expr *x, enum kt_btf_global global);

/* Returns the stack offset of a value that was computed before (handlers/computed_values.h). */
int16_t kt_emit_computed_at(const struct kt_emit_expr *x, size_t i);

/* Loads the last pointer of a path into x->pointer. */
void kt_emit_base(struct kt_emit_expr *x, const struct kt_member_path *p);

/* Loads the value of a path. The upper bits are undefined unless it is a pointer. */
void kt_emit_path(struct kt_emit_expr *x, const struct kt_member_path *p, int dst);

/*
 * Computes a value into dst, one of r1 to r5. Clobbers dst and the registers above it; a probe, a
 * count or a path with a made pointer clobbers those below, too.
 */
void kt_emit_value(struct kt_emit_expr *x, const struct kt_expr *e, int dst);

/* Computes the letters of a JOIN into r4, the first one lowest. Clobbers r1 to r5. */
void kt_emit_join(struct kt_emit_expr *x, const struct kt_expr *e);

/* Extends the lowest `size` bytes of dst to 64 bits. */
void kt_emit_widen(struct kt_asm *a, int dst, unsigned int size, bool is_signed);

/* Called for each branch of a choice, with the caller's `with`. */
typedef void (*kt_emit_branch)(struct kt_emit_expr *x, const struct kt_expr *e, const void *with);

/* Emits a choice: calls `emit` for each branch. */
void kt_emit_choice(struct kt_emit_expr *x, const struct kt_expr *e, kt_emit_branch emit,
		    const void *with);

/*
 * Jumps to the label unless the condition is true: a comparison, or a value other than 0. Pointers
 * count as numbers.
 */
void kt_emit_unless(struct kt_emit_expr *x, const struct kt_expr *e, int label);

#endif
