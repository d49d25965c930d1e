/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How bytes in a trace are to be read: the members of a structure, as its metadata declares them.
 *
 *	struct kt_value values[N];			// of shape->n_members
 *
 *	size = kt_record_layout_read(shape, at, room, values);
 *	for (i = 0; size >= 0 && i < shape->n_members; i++)
 *		if (!shape->members[i].text)
 *			printf("%s=%" PRIu64 "\n", shape->members[i].name,
 *			       kt_value_number(&shape->members[i], &values[i], 0));
 *
 * A sequence stands among the members where its length does in the bytes; the length is no member.
 */
#ifndef KT_TRACE_RECORD_LAYOUT_H
#define KT_TRACE_RECORD_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include "constants/notation.h"

struct kt_member {
	const char *name; /* the caller's, as all names; without the _ of metadata */
	unsigned int
		width; /* of an element: a number of 1 to 8 bytes, the lowest first; or a struct */
	size_t count;  /* of elements; of one that varies, what its value says */
	bool array;    /* elements in brackets, be it one */
	bool varies;
	bool is_signed;
	bool text;
	bool is_added;                     /* by ktrace (events/extra_fields.h) */
	bool clock;                        /* a time, or its low bytes */
	enum kt_notation notation;         /* how people want to see it, or its bytes */
	const struct kt_labels *labels;    /* how values are called (constants/labels.h); or NULL */
	const struct kt_symbols *symbols;  /* what lies at them (constants/symbols.h); or NULL */
	const struct kt_record_layout *of; /* what a struct is, of fixed size; or NULL: a number */
	size_t pointee;  /* of a pointer the member that has a copy of what is there; or 0 */
	size_t path;     /* of a file's descriptor the member that has the path; or 0 */
	bool is_pointee; /* it is such a one, of which there may be nothing */
	bool is_late;    /* likewise, of an exit: text that was not in memory at the entry */
	size_t counted;  /* of a pointer to pointers up to a NULL how many they are; or 0 */
	bool is_count;   /* it is such a number; -1 where no NULL was found */
	bool leads;      /* to copies, from members of its structs */
	size_t in;       /* of such a copy, the member before it that has the struct; or 0 */
	size_t by;       /* and the struct's member that is the pointer */
	bool is_told;    /* how many elements there were, by another member */
	size_t told; /* that one, of the struct, if it is a copy of that kind; or the first of it */
	size_t buffers; /* of structs the member that has what they lead to; or 0 */
	size_t structs; /* of such a one, a pointee too, those structs */
	bool is_lone;   /* a pointee whose pointer, or its struct's, is none: the call gave it */
	size_t ret;     /* of such a one, the member that tells whether it did */
	const struct kt_record_layout
		*variant; /* what it is, by a member's labels (trace/read/metadata_variants.h) */
	size_t tag;       /* that one */
};

/* Where a member's elements lie, in the bytes that were read, and how many they are. */
struct kt_value {
	const char *data;
	size_t n;
};

struct kt_record_layout {
	struct kt_member *members;
	size_t n_members;
	size_t n_values;    /* of all elements that do not vary, as KT_VALUES_MAX counts them */
	unsigned int depth; /* of structs in structs */
	struct kt_piece *pieces; /* what lies behind what */
	size_t n_pieces;
};

/*
 * A shape has at most so many members: finding one by its name takes time in proportion to them. A
 * record has at most so many values, where a struct counts as 16 more than it holds: JSON of a
 * value takes some 80 bytes of memory, and of a struct over 1000.
 */
enum { KT_MEMBERS_MAX = 512, KT_VALUES_MAX = 1 << 20, KT_STRUCT_VALUES = 16 };

/*
 * Adds what follows in the bytes. The name is as metadata has it, with its _; the member's own is
 * made from it. A sequence takes the place of the number that holds its length: -ENOENT where there
 * is none of that name, or it has a sequence. 0, -ENOMEM, or -E2BIG: KT_MEMBERS_MAX.
 */
int kt_record_layout_add(struct kt_record_layout *s, const char *name,
			 const struct kt_member *member);
int kt_record_layout_add_sequence(struct kt_record_layout *s, const char *name,
				  const struct kt_member *member, const char *length);

/* Whether the same bytes are the same numbers, by the same names. */
bool kt_record_layout_is_same(const struct kt_record_layout *s,
			      const struct kt_record_layout *other);

/* Releases what it holds. */
/* Returns a name that two of its fields have, lengths of others among them; or NULL. */
const char *kt_record_layout_find_twice(const struct kt_record_layout *s);

void kt_record_layout_clear(struct kt_record_layout *s);

/*
 * Finds all values, and returns the bytes they take at `at`; -EBADMSG if that is more than room, or
 * -EMSGSIZE if they are more than KT_VALUES_MAX.
 */
ssize_t kt_record_layout_read(const struct kt_record_layout *s, const char *at, size_t room,
			      struct kt_value *values);

/* The bytes it always takes, or those before one of its members; -1 where they differ. */
ssize_t kt_record_layout_size(const struct kt_record_layout *s);
ssize_t kt_record_layout_offset(const struct kt_record_layout *s, const struct kt_member *member);

/* Returns the member of that name, of whatever kind, or NULL. */
const struct kt_member *kt_record_layout_find(const struct kt_record_layout *s, const char *name);

/*
 * Returns whether a member is one number: no array, no text, no struct. A trace may declare
 * anything under any name, so kt_value_number() needs this test first wherever a member is chosen
 * by its name, or by its place beside another one.
 */
static inline bool kt_member_is_number(const struct kt_member *m)
{
	return !m->array && !m->text && !m->of;
}

/* Returns the member of that name if it is one number, or NULL. */
const struct kt_member *kt_record_layout_find_number(const struct kt_record_layout *s,
						     const char *name);

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are read as they lie");

/* A number of that width, from its first and its last bytes, which may be the same. */
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

/* An element, its sign extended. */
static inline uint64_t kt_value_number(const struct kt_member *member, const struct kt_value *value,
				       size_t i)
{
	uint64_t n = kt_load(value->data + i * member->width, member->width);
	unsigned int unused = 64 - 8 * member->width;

	return member->is_signed ? (uint64_t)((int64_t)(n << unused) >> unused) : n;
}

/* The next of several texts (KT_STRINGS), from at = 0 on, and its bytes; NULL behind the last. */
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

/* What a trace has of a pointee. */
enum kt_copied {
	KT_COPIED_ABSENT, /* there was nothing to be copied: the call failed */
	KT_COPIED_UNREAD, /* nothing, as it could not be read */
	KT_COPIED_PART,   /* what it begins with */
	KT_COPIED_ALL,
};

enum kt_copied kt_record_layout_copied(const struct kt_record_layout *s,
				       const struct kt_value *values, size_t pointee);

/* A number of a struct whose bytes begin at `at`. */
uint64_t kt_record_layout_number(const struct kt_record_layout *s, const char *at, size_t member);

/* What the structs of one of its members lead to, from the first one on. */
struct kt_buffers {
	const struct kt_record_layout
		*of; /* of a struct: a pointer, and how many bytes lie there */
	const struct kt_value *structs, *data;
	size_t i, at;
	bool is_limited; /* no more were there than the call, which gave them, returned: */
	uint64_t left;
};

struct kt_buffers kt_buffers_of(const struct kt_record_layout *s, const struct kt_value *values,
				size_t structs);

/* Of one of them, where there was any byte: UNREAD and without one, PART or ALL. */
struct kt_buffer {
	enum kt_copied copied;
	struct kt_value value;
};

/* Whether there is one more. */
bool kt_buffers_next(struct kt_buffers *b, struct kt_buffer *next);

/* The two in which the member's value is what there was. */
static inline bool kt_is_copied(enum kt_copied copied)
{
	return copied >= KT_COPIED_PART;
}

#endif
