/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of bytes that a trace's metadata does not describe, for example of an address by its
 * family: a table says where they are and how they are printed.
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
	KT_PART_POINTER, /* in hex, or NULL */
	KT_PART_TICKS,   /* of 10 ms */
	KT_PART_ERROR,   /* an error's number, by name if it has one */
	KT_PART_MASK,    /* at least six digits; two for a byte */
	KT_PART_FLAGS,   /* by several tables, "a b": each gets the bits the one before left */
	KT_PART_PORT,    /* two bytes in network order */
	KT_PART_LONG,    /* four bytes in network order */
	KT_PART_IPV4,    /* bytes, as all below */
	KT_PART_IPV6,    /* the same with a scope name after it */
	KT_PART_TEXT,    /* up to its NUL */
	KT_PART_PATH,    /* a path; or after a NUL an abstract name */
	KT_PART_BYTES,   /* any data */
	KT_PART_FAMILY,  /* an address of any family: the family's name, then bytes */
	KT_PART_MAC,     /* a hardware address, ff:ff:ff; the two bytes before it are its length */
	KT_PART_OCTETS,  /* bytes; the byte before them is their maximum number */
	KT_PART_NAMED,   /* bytes; the labels name the positions */
	KT_PART_HEXES,   /* a list of bytes */
	KT_PART_INTS,    /* a list of signed numbers of four bytes */
	KT_PART_UINTS,   /* a list of unsigned ones */
	KT_PART_ADDRESS, /* a socket address; this and the kinds below have their own printers */
	KT_PART_STAMPS,  /* a list of times */
};

/*
 * A part; size 0: it reaches to the end. `labels` names a table in constants/constants.h; a number
 * without a label there is printed as HEX.
 */
struct kt_struct_part {
	const char *name;
	unsigned int at, size;
	enum kt_struct_part_kind kind;
	const char *labels;
};

/* Gets the part's bytes. Returns false if v does not have all of them, or there are none. */
bool kt_struct_part_find(const struct kt_value *v, const struct kt_struct_part *p,
			 struct kt_value *bytes);

/* Prints NAME=VALUE as strace does. A limited text (values/text.h) cuts lists. */
void kt_struct_part_put(struct kt_text *t, const struct kt_struct_part *p,
			const struct kt_value *bytes);

/* Prints only VALUE. */
void kt_struct_part_put_value(struct kt_text *t, const struct kt_struct_part *p,
			      const struct kt_value *bytes);

/*
 * Prints those of n parts that exist, up to a part without a name, each after a separator; `before`
 * comes before the first one. Returns the separator for the next part.
 */
const char *kt_struct_part_put_all(struct kt_text *t, const char *before,
				   const struct kt_struct_part *parts, size_t n,
				   const struct kt_value *v);

/* Returns the value, with numbers in the order of this machine; NULL without memory. */
struct json_object *kt_struct_part_object(const struct kt_struct_part *p,
					  const struct kt_value *bytes);

/* Adds the values of n parts to an object. Returns false without memory, or if o is NULL. */
bool kt_struct_part_add_all(struct json_object *o, const struct kt_struct_part *parts, size_t n,
			    const struct kt_value *v);

#endif
