/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The types that a metadata text declares, and the structures it makes of them.
 *
 *	struct kt_labels *labels = NULL;
 *	struct kt_symbols symbols = {};
 *	struct kt_structs *structs = NULL;
 *	struct kt_metadata_types types = {.labels = &labels, .symbols = &symbols, .structs =
 *&structs};
 *
 *	kt_metadata_types_read(&types, &tsdl);			// typealias integer { … } := u8;
 *							// or struct stat { … };
 *	kt_metadata_types_struct(&types, &tsdl, &shape, &alignment);	// struct { u8 a; … }
 *align(64)
 *
 * Labels of enumerations and structs that have a name are put into those lists, and symbols there;
 * who owns them frees them after the structures. Each returns whether it went well; if not, the
 * tsdl's err says why. Both leave the reader behind the last sign that is shown.
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
 * Bounds of what is read, far above what ktrace writes, so that a trace's size bounds the time and
 * memory that reading it takes: types, and again so many structs; structs in structs; the labels
 * of flags.
 */
enum { KT_METADATA_TYPES_MAX = 512, KT_NESTING_MAX = 32, KT_FLAGS_MAX = 1024 };

struct kt_metadata_types {
	struct {
		const char *name; /* among the tsdl's */
		struct kt_member member;
	} of[KT_METADATA_TYPES_MAX];
	size_t n;
	const char *clock; /* its name; NULL: it is not known yet */
	struct kt_labels **labels;
	struct kt_symbols *symbols;
	struct kt_structs **structs;
	size_t n_structs;
};

bool kt_metadata_types_read(struct kt_metadata_types *types, struct kt_tsdl *t);

/* That of a number, by its name or as an integer. */
bool kt_metadata_types_number(const struct kt_metadata_types *types, struct kt_tsdl *t,
			      struct kt_member *m);

/* What it reads of its members is theirs until then. */
void kt_structs_free(struct kt_structs *structs);

/*
 * Into a shape that is empty. The alignment is in bytes. A struct that is a member in it has a
 * fixed size.
 */
bool kt_metadata_types_struct(const struct kt_metadata_types *types, struct kt_tsdl *t,
			      struct kt_record_layout *shape, size_t *alignment);

#endif
