/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the types that a metadata text declares, and the structures built from them.
 *
 *	struct kt_labels *labels = NULL;
 *	struct kt_symbols symbols = {};
 *	struct kt_structs *structs = NULL;
 *	struct kt_metadata_types types = {
 *		.labels = &labels, .symbols = &symbols, .structs = &structs,
 *	};
 *
 *	// typealias integer { … } := u8; or struct stat { … };
 *	kt_metadata_types_read(&types, &tsdl);
 *	// struct { u8 a; … } align(64)
 *	kt_metadata_types_struct(&types, &tsdl, &layout, &alignment);
 *
 * Labels, symbols and named structs are added to the caller's lists, which the caller frees after
 * the layouts. Each function returns false on error, which the tsdl's err describes. Both leave the
 * lexer after the last character shown.
 */
#ifndef KT_TRACE_READ_METADATA_TYPES_H
#define KT_TRACE_READ_METADATA_TYPES_H

#include <stdbool.h>
#include <stddef.h>

#include "constants/labels.h"
#include "constants/symbols.h"
#include "trace/record_layout.h"

struct kt_structs;
struct kt_tsdl;

/*
 * Limits, far above what ktrace writes, so that a trace's size bounds the time and memory to read
 * it: number of types, and of structs; nesting of structs; labels of flags.
 */
enum { KT_METADATA_TYPES_MAX = 512, KT_NESTING_MAX = 32, KT_FLAGS_MAX = 1024 };

struct kt_metadata_types {
	struct {
		const char *name; /* owned by the tsdl */
		struct kt_member member;
	} of[KT_METADATA_TYPES_MAX];
	size_t n;
	const char *clock; /* its name; NULL: not known yet */
	struct kt_labels **labels;
	struct kt_symbols *symbols;
	struct kt_structs **structs;
	size_t n_structs;
};

bool kt_metadata_types_read(struct kt_metadata_types *types, struct kt_tsdl *t);

/* Reads a number's type: a name or an integer. */
bool kt_metadata_types_number(const struct kt_metadata_types *types, struct kt_tsdl *t,
			      struct kt_member *m);

/* Frees structs, whose members must not be used any more. */
void kt_structs_free(struct kt_structs *structs);

/*
 * Reads a struct into an empty layout. The alignment is in bytes. A struct as a member has a fixed
 * size.
 */
bool kt_metadata_types_struct(const struct kt_metadata_types *types, struct kt_tsdl *t,
			      struct kt_record_layout *layout, size_t *alignment);

#endif
