/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of what is not described by a trace's metadata, as what an address's family or a control
 * message's type makes of its bytes: a table of them says where they lie and how they are shown.
 *
 *	static const struct kt_struct_part port = {"sin_port", 2, 2, KT_PART_PORT, NULL};
 *
 *	if (kt_struct_part_find(&address, &port, &bytes))
 *		kt_struct_part_put(t, &port, &bytes);	// sin_port=htons(80)
 */
#ifndef KT_VALUES_STRUCT_PARTS_H
#define KT_VALUES_STRUCT_PARTS_H

#include <stdbool.h>
#include <stddef.h>

struct json_object;
struct kt_text;
struct kt_value;

enum kt_struct_part_kind {
	KT_PART_NUMBER,
	KT_PART_SIGNED,
	KT_PART_HEX,
	KT_PART_MASK,    /* six digits at least, of a byte two */
	KT_PART_FLAGS,   /* by several labels' names, "a b", each of what the one before left */
	KT_PART_PORT,    /* two bytes as they are sent, */
	KT_PART_LONG,    /* four */
	KT_PART_IPV4,    /* bytes, as all that follow */
	KT_PART_IPV6,    /* with a name behind them */
	KT_PART_TEXT,    /* up to its 0 */
	KT_PART_PATH,    /* text; or, behind a 0, a name that is no file's */
	KT_PART_BYTES,   /* of anything */
	KT_PART_OCTETS,  /* as many as the byte in front says, at most */
	KT_PART_NAMED,   /* bytes, of which the labels are the places' names, */
	KT_PART_HEXES,   /* a list of bytes, */
	KT_PART_INTS,    /* of numbers with a sign, of four bytes, */
	KT_PART_UINTS,   /* without one */
	KT_PART_ADDRESS, /* of a socket; this, and what follows, is shown by those who know how */
	KT_PART_STAMPS,  /* a list of times */
};

/*
 * A part; of size 0 one that reaches to the end. The labels are those of constants/constants, and a
 * number that has none there is shown as HEX is.
 */
struct kt_struct_part {
	const char *name;
	unsigned int at, size;
	enum kt_struct_part_kind kind;
	const char *labels;
};

/* What there is of it in v, if it is all there and not nothing. */
bool kt_struct_part_find(const struct kt_value *v, const struct kt_struct_part *p,
			 struct kt_value *bytes);

/* NAME=VALUE, in strace's words. Of a text that is limited (values/text.h) lists are cut. */
void kt_struct_part_put(struct kt_text *t, const struct kt_struct_part *p,
			const struct kt_value *bytes);

/* VALUE alone. */
void kt_struct_part_put_value(struct kt_text *t, const struct kt_struct_part *p,
			      const struct kt_value *bytes);

/*
 * Those of n that there are, up to one without a name; and what stands before the next one then,
 * where `before` stands before the first.
 */
const char *kt_struct_part_put_all(struct kt_text *t, const char *before,
				   const struct kt_struct_part *parts, size_t n,
				   const struct kt_value *v);

/* The value, with numbers in the order of this machine; NULL where there is no memory. */
struct json_object *kt_struct_part_object(const struct kt_struct_part *p,
					  const struct kt_value *bytes);

/* Adds the same. False where there is no memory, or no object. */
bool kt_struct_part_add_all(struct json_object *o, const struct kt_struct_part *parts, size_t n,
			    const struct kt_value *v);

#endif
