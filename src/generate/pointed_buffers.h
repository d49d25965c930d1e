/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits the copy of the buffers that an array of structs iovec points to (KT_EXPR_BUFFERS). The
 * structs are the field before, and already in scratch memory.
 *
 *	+--------+--------+---     ---+--------+---     ---+
 *	| structs| length | buffer    | length | buffer    |
 *	+--------+--------+---     ---+--------+---     ---+
 *
 * A length is 4 bytes; it is 0 if its buffer cannot be read. Internal to
 * generate/pointed_data_copy.h.
 */
#ifndef KT_GENERATE_POINTED_BUFFERS_H
#define KT_GENERATE_POINTED_BUFFERS_H

#include <stdint.h>

struct kt_emit_expr;
struct kt_expr;
struct kt_pointed_field;

/* Bytes of the length in front of each buffer. */
enum { KT_POINTED_BUFFER_HEADER = sizeof(uint32_t) };

/* Emits the copy; r0 = bytes of all buffers and lengths. */
void kt_emit_pointed_buffers(struct kt_emit_expr *x, const struct kt_expr *e,
			     const struct kt_pointed_field *field);

#endif
