/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a field of events is where another one decides that, as the variants that metadata declares
 * have it: the type that it has where the tag is called so, and nothing where that is an empty one.
 *
 *	variant sys_enter_fcntl_arg <_cmd> {		// of the field _arg of events of that name
 *		open_x64 F_SETFL;
 *		struct { } F_GETFL;
 *	};
 *
 * The option `others` is that of all other values, and one that is called as none has its own type.
 */
#ifndef KT_TRACE_READ_METADATA_VARIANTS_H
#define KT_TRACE_READ_METADATA_VARIANTS_H

#include <stdbool.h>

#include "trace/record_layout.h"

struct kt_tsdl;
struct kt_metadata_types;
struct kt_metadata_variants;

/*
 * What stands behind the word, into the list. As kt_metadata_types_read
 * (trace/read/metadata_types.h).
 */
bool kt_metadata_variants_read(struct kt_metadata_variants **list,
			       const struct kt_metadata_types *types, struct kt_tsdl *t);

/* Tells the fields of an event of that name of theirs, until these are freed. */
void kt_metadata_variants_find(const struct kt_metadata_variants *list, const char *event,
			       struct kt_record_layout *fields);

void kt_metadata_variants_free(struct kt_metadata_variants *list);

/* As what a member is to be seen with these values: itself or another; NULL: as nothing. */
const struct kt_member *kt_variant_of(const struct kt_record_layout *fields,
				      const struct kt_value *values, size_t member);

#endif
