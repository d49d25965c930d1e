/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The layout of a structure in a trace: how its bytes become the values of its members.
 *
 *	struct kt_value values[N];			// of layout->n_members
 *
 *	size = kt_record_layout_read(layout, at, room, values);
 *	for (i = 0; size >= 0 && i < layout->n_members; i++)
 *		if (!layout->members[i].text)
 *			printf("%s=%" PRIu64 "\n", layout->members[i].name,
 *			       kt_value_number(&layout->members[i], &values[i], 0));
 *
 * A sequence stands among the members where its length stands in the bytes; the length is no
 * member.
 */
#ifndef KT_TRACE_RECORD_LAYOUT_H
#define KT_TRACE_RECORD_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include "constants/notation.h"
#include "fetch/count_arguments.h"
#include "trace/print_forms.h"

struct kt_member {
	const char *name; /* the caller's, as all names; without the '_' of metadata */
	unsigned int
		width; /* of an element: a number of 1 to 8 bytes, little endian; or a struct */
	size_t count;  /* of elements; if it varies, the value has it */
	bool array;    /* it is an array, even of one element */
	bool varies;
	bool is_signed;
	bool text;
	bool is_added;                     /* added by ktrace (events/extra_fields.h) */
	bool clock;                        /* a time, or its low bytes */
	bool pads, gives, returns;         /* by its name (ctypes/struct_layout.h) */
	bool is_no_argument;               /* a call's number, and what no call uses: pos_h */
	bool is_optional;                  /* in a struct: printed only with certain values */
	enum kt_number_form form;          /* by its name: how strace prints it */
	enum kt_notation notation;         /* how a value or its bytes are printed */
	const struct kt_labels *labels;    /* names of values (constants/labels.h); or NULL */
	const struct kt_symbols *symbols;  /* symbols of addresses (constants/symbols.h); or NULL */
	const struct kt_record_layout *of; /* layout of a struct of fixed size; NULL: a number */
	size_t pointed;  /* for a pointer: the member with a copy of its data; or 0 */
	size_t path;     /* for a descriptor: the member with its path; or 0 */
	bool is_string;  /* a text that is no path: strace's -s limits it */
	bool is_pointed; /* the member is pointed-to data, which may be missing */
	bool is_late;    /* the member is a late text, in a return */
	size_t counted;  /* for an array of pointers: the member with their number; or 0 */
	bool is_aside;   /* it describes another member: a number of pointers; -1: unknown */
	size_t socket;   /* for data: the member that says which kind of socket it went through */
	bool leads;      /* pointers within its structs have copies */
	size_t in;       /* for such a copy: the earlier member with the struct; or 0 */
	size_t by;       /* and the struct's member that is the pointer */
	bool has_full_length;    /* another member says how many elements there were */
	size_t full_length;      /* that member; in the struct for such a copy, or its first one */
	enum kt_count_unit unit; /* what that member counts */
	size_t buffers;          /* for structs: the member with their buffers; or 0 */
	size_t structs;          /* for buffers: the member with the structs */
	bool is_lone; /* pointed-to data without a pointer among the members: the call wrote it */
	size_t ret;   /* for such data: the member that says whether the call succeeded */
	const struct kt_record_layout *variant; /* its variants, by another member's labels
						   (trace/read/metadata_variants.h) */
	size_t tag;                             /* that other member */
};

/* Where a member's elements are in the bytes that were read, and their number. */
struct kt_value {
	const char *data;
	size_t n;
};

struct kt_record_layout {
	struct kt_member *members;
	size_t n_members;
	enum kt_struct_form form; /* of a struct (kt_struct_form_find) */
	uint16_t *order; /* of a struct: the n_all members that are printed, then the n_brief
			    that are if it is cut, 0: it is not */
	size_t n_all, n_brief;
	size_t n_values;         /* of all elements of fixed number, as KT_VALUES_MAX counts */
	unsigned int depth;      /* nesting of structs */
	struct kt_piece *pieces; /* the pieces in order */
	size_t n_pieces;
};

/*
 * Limits. Finding a member by name takes linear time. A struct counts as KT_STRUCT_VALUES more
 * values than it holds: JSON of a value takes about 80 bytes of memory, that of a struct over 1000.
 */
enum { KT_MEMBERS_MAX = 512, KT_VALUES_MAX = 1 << 20, KT_STRUCT_VALUES = 16 };

/*
 * Append a member. Its name is as in metadata, with '_'. A sequence replaces the number that holds
 * its length: -ENOENT if there is none of that name, or it has a sequence already. Return 0,
 * -ENOMEM, or -E2BIG beyond KT_MEMBERS_MAX.
 */
int kt_record_layout_add(struct kt_record_layout *s, const char *name,
			 const struct kt_member *member);
int kt_record_layout_add_sequence(struct kt_record_layout *s, const char *name,
				  const struct kt_member *member, const char *length);

/* Returns whether two layouts read the same bytes as the same numbers with the same names. */
bool kt_record_layout_is_same(const struct kt_record_layout *s,
			      const struct kt_record_layout *other);

/* Returns a name that two fields have, lengths included; or NULL. */
const char *kt_record_layout_find_twice(const struct kt_record_layout *s);

void kt_record_layout_clear(struct kt_record_layout *s);

/*
 * Finds all values. Returns the number of bytes read; -EBADMSG if that is more than room, -EMSGSIZE
 * beyond KT_VALUES_MAX.
 */
ssize_t kt_record_layout_read(const struct kt_record_layout *s, const char *at, size_t room,
			      struct kt_value *values);

/* Return the fixed size of the layout, and the fixed offset of a member; -1 if it varies. */
ssize_t kt_record_layout_size(const struct kt_record_layout *s);
ssize_t kt_record_layout_offset(const struct kt_record_layout *s, const struct kt_member *member);

/* Returns the member of that name, of any kind, or NULL. */
const struct kt_member *kt_record_layout_find(const struct kt_record_layout *s, const char *name);

/*
 * Returns whether a member is a single number: not an array, text or struct. A trace may declare
 * anything under any name, so kt_value_number() needs this test for a member that was chosen by
 * name or position.
 */
static inline bool kt_member_is_number(const struct kt_member *m)
{
	return !m->array && !m->text && !m->of;
}

/* Returns the member of that name if it is a single number, or NULL. */
const struct kt_member *kt_record_layout_find_number(const struct kt_record_layout *s,
						     const char *name);

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are read as they lie");

/* Loads a number of that width, in two parts, which may overlap. */
static inline uint64_t kt_load(const char *at, unsigned int width)
{
	uint32_t low, high;
	uint16_t first, last;

	if (width == 1)
		return (unsigned char)*at;
	if (width < 4) {
		memcpy(&first, at, 2);
		memcpy(&last, at + width - 2, 2);
		return first | (uint64_t)last << (8 * width - 16);
	}
	memcpy(&low, at, 4);
	memcpy(&high, at + width - 4, 4);
	return low | (uint64_t)high << (8 * width - 32);
}

/* Returns the i-th element, sign-extended. */
static inline uint64_t kt_value_number(const struct kt_member *member, const struct kt_value *value,
				       size_t i)
{
	uint64_t n = kt_load(value->data + i * member->width, member->width);
	unsigned int unused = 64 - 8 * member->width;

	return member->is_signed ? (uint64_t)((int64_t)(n << unused) >> unused) : n;
}

/*
 * Returns the next of several texts (KT_STRINGS) and its length, starting at *at = 0; NULL at the
 * end.
 */
static inline const char *kt_value_next_string(const struct kt_value *value, size_t *at,
					       size_t *len)
{
	const char *text = value->data + *at;

	if (*at >= value->n)
		return NULL;
	*len = strnlen(text, value->n - *at);
	*at += *len + 1;
	return text;
}

/* What a trace has of pointed-to data. */
enum kt_copied {
	KT_COPIED_ABSENT, /* there was nothing to copy: the call failed */
	KT_COPIED_UNREAD, /* nothing: it could not be read */
	KT_COPIED_PART,   /* its beginning */
	KT_COPIED_ALL,
};

enum kt_copied kt_record_layout_copied(const struct kt_record_layout *s,
				       const struct kt_value *values, size_t pointed);

/* Returns a number of a struct whose bytes start at `at`. */
uint64_t kt_record_layout_number(const struct kt_record_layout *s, const char *at, size_t member);

/* Iterates over the buffers that the structs of a member point to. */
struct kt_buffers {
	const struct kt_record_layout *of; /* layout of a struct: a pointer, and the length */
	const struct kt_value *structs, *data;
	size_t i, at;
	bool is_limited; /* the call returned how many bytes it wrote to them: */
	uint64_t left;
};

struct kt_buffers kt_buffers_of(const struct kt_record_layout *s, const struct kt_value *values,
				size_t structs);

/* A buffer: all of it was copied, a part, or nothing (UNREAD). Empty buffers are skipped. */
struct kt_buffer {
	enum kt_copied copied;
	struct kt_value value;
};

/* Returns whether there is another buffer. */
bool kt_buffers_next(struct kt_buffers *b, struct kt_buffer *next);

/* Returns whether the member's value has data. */
static inline bool kt_is_copied(enum kt_copied copied)
{
	return copied >= KT_COPIED_PART;
}

#endif
