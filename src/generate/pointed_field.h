/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Internal to generate/pointed_data_copy.h and generate/pointed_buffers.h: one field that is copied
 * to scratch memory, the registers and stack slots of the copy, and its shared instructions.
 *
 * Scratch memory of a hit (KT_SCRATCH_SIZE bytes):
 *
 *	+--------+--------+-------------+----- ... -----+---------------+
 *	| data 0 | data 1 | being added |               | path          |
 *	+--------+--------+-------------+----- ... -----+---------------+
 *	0                 ^ USED                        ^ PATHS
 */
#ifndef KT_GENERATE_POINTED_FIELD_H
#define KT_GENERATE_POINTED_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/asm.h"
#include "events/curated.h"
#include "generate/enable_check.h"
#include "generate/fd_path.h"
#include "generate/pointed_data_copy.h"

struct kt_fdtable_offsets;

/*
 * Registers: USED is the number of bytes in scratch memory; FROM and LENGTH are the arguments of a
 * copy; MOST is a limit of its length.
 */
enum {
	KT_POINTED_FROM = BPF_REG_1,
	KT_POINTED_LENGTH,
	KT_POINTED_MOST,
	KT_POINTED_CONTEXT = BPF_REG_6,
	KT_POINTED_USED = BPF_REG_8,
	KT_POINTED_POINTER,
};

/*
 * Offsets in scratch memory: where paths are made; of u64: bytes of all strings or buffers so far,
 * bytes left for buffers, and the number to forget.
 */
enum {
	KT_POINTED_PATHS = KT_SCRATCH_SIZE - KT_EMIT_FD_PATH_AREA,
	KT_POINTED_SUM = KT_POINTED_PATHS - 8,
	KT_POINTED_LEFT = KT_POINTED_SUM - 8,
	KT_POINTED_FORGOTTEN = KT_POINTED_LEFT - 8,
};

/*
 * Stack offsets: bytes of each data, the loop, USED for the loop's body, lengths of arrays, state
 * of a path, and the copied struct.
 */
enum {
	KT_POINTED_COUNTS = KT_STACK_POINTED + 8,
	KT_POINTED_LOOP = KT_POINTED_COUNTS + 8 * KT_CURATED_POINTED_FIELDS_MAX,
	KT_POINTED_SAVED = KT_POINTED_LOOP + KT_EMIT_POINTER_LOOP_STACK,
	KT_POINTED_LISTED = KT_POINTED_SAVED + 8,
	KT_POINTED_FILES = KT_POINTED_LISTED + 8 * KT_CURATED_POINTED_FIELDS_MAX,
	KT_POINTED_STRUCT = KT_POINTED_FILES + KT_EMIT_FD_PATH_STACK,
};

/* How to copy a field; the same for each branch of a choice. */
struct kt_pointed_field {
	size_t max, strings;  /* limit in bytes; for strings, their maximum number */
	size_t structs, each; /* for buffers: maximum number of structs, and bytes of each buffer */
	bool is_limited;      /* for buffers: of[0] limits all together */
	const struct kt_fdtable_offsets *files; /* for paths */
	int16_t count;   /* stack offset of the number of bytes, valid before the copy, too */
	int16_t before;  /* the same, of the previous field */
	int16_t socket;  /* the same, of the kind of socket; 0: the call is for any descriptor */
	bool notes_late; /* an unreadable text is marked for the return */
	int unfit;       /* label for a hit that does not fit in a record */
	bool is_cut; /* the buffer may end earlier than the data: read up to the end of the page */
};

/* Emits dst = address of the end of the used scratch memory. */
void kt_emit_pointed_end(struct kt_asm *a, int dst);

/* Emits a helper call that reads r2 bytes from r3 to the end of the used scratch memory. */
void kt_emit_pointed_append(struct kt_asm *a, int function);

/* Emits LENGTH = min(LENGTH, limit); the limit is a register. */
void kt_emit_pointed_limit(struct kt_asm *a, int limit);

/* The same; the limit is a number. */
void kt_emit_pointed_limit_to(struct kt_asm *a, size_t limit);

/* Emits dst = bytes wanted of a buffer, by the kind of socket in the frame; clobbers it. */
void kt_emit_pointed_wanted(struct kt_asm *a, int dst, int frame, const struct kt_pointed_field *c);

/*
 * Emits a store and a load of a register, after which the verifier knows only that it is at most
 * max. Without this, the verifier would follow the rest of the program once for each value that a
 * path can give it. Jumps to unfit if it is larger, which it never is. Clobbers another register.
 */
void kt_emit_pointed_forget(struct kt_asm *a, int number, int clobbered, size_t max, int unfit);

#endif
