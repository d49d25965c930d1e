/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fields of events whose type depends on another field, as variants in the metadata declare: the
 * type for each label of the tag, or none for an empty struct.
 *
 *	variant sys_enter_fcntl_arg <_cmd> {		// the field _arg of events of that name
 *		open_x64 F_SETFL;
 *		struct { } F_GETFL;
 *	};
 *
 * The option `others` is for values without an option; without it, their type is the field's own.
 */
#ifndef KT_TRACE_READ_METADATA_VARIANTS_H
#define KT_TRACE_READ_METADATA_VARIANTS_H

#include <stdbool.h>

#include "trace/record_layout.h"

struct kt_tsdl;
struct kt_metadata_types;
struct kt_metadata_variants;

/*
 * Reads a variant after the word "variant", and adds it to the list. Returns false on error
 * (trace/read/metadata_types.h).
 */
bool kt_metadata_variants_read(struct kt_metadata_variants **list,
			       const struct kt_metadata_types *types, struct kt_tsdl *t);

/* Sets the variants of an event's fields, which are valid until kt_metadata_variants_free(). */
void kt_metadata_variants_find(const struct kt_metadata_variants *list, const char *event,
			       struct kt_record_layout *fields);

void kt_metadata_variants_free(struct kt_metadata_variants *list);

/*
 * Returns the member as which a member must be shown with these values: itself, or another one;
 * NULL if it must not be shown.
 */
const struct kt_member *kt_metadata_variants_member(const struct kt_record_layout *fields,
						    const struct kt_value *values, size_t member);

#endif
