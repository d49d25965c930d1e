/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program that hands each hit of a tracepoint over to another one, by a number.
 *
 *	kt_emit_dispatch(a, number, table);		// a BPF_MAP_TYPE_PROG_ARRAY
 *
 * is a whole program. Where nothing stands in the table it has cost a look there.
 */
#ifndef KT_EMIT_DISPATCH_H
#define KT_EMIT_DISPATCH_H

struct kt_asm;
struct kt_expr;

/* The number is an expression over what the tracepoint is called with, without globals. */
void kt_emit_dispatch(struct kt_asm *a, const struct kt_expr *number, int table);

#endif
