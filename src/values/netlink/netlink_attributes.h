/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of netlink messages and their attributes, and printing attributes by a table.
 *
 *	kt_netlink_attributes_put(t, &kt_netlink_link, &value, false);
 *						// [{nla_len=7, nla_type=IFLA_IFNAME}, "lo"]
 *
 * An attribute is a header of four bytes, its length with the header and its type, and data.
 */
#ifndef KT_VALUES_NETLINK_NETLINK_ATTRIBUTES_H
#define KT_VALUES_NETLINK_NETLINK_ATTRIBUTES_H

#include <stdbool.h>
#include <stddef.h>

#include "values/struct_parts.h"

struct kt_text;
struct kt_value;
struct kt_netlink_attributes;

/* How an attribute's data is printed; data that does not fit is printed as bytes. */
enum kt_netlink_form {
	KT_NETLINK_BYTES,
	KT_NETLINK_NUMBER,  /* the part */
	KT_NETLINK_STRING,  /* up to its NUL */
	KT_NETLINK_ADDRESS, /* of the internet, by its length */
	KT_NETLINK_MAC,
	KT_NETLINK_STRUCT, /* all parts, up to one without a name, in size bytes */
	KT_NETLINK_NESTED,
};

/* An attribute that is not bytes. */
struct kt_netlink_attribute {
	unsigned int type;
	enum kt_netlink_form form;
	unsigned int size; /* of a number or struct, at least */
	enum kt_struct_part_kind kind;
	const char *labels;
	const struct kt_struct_part *parts;
	const struct kt_netlink_attributes *nested;
};

struct kt_netlink_attributes {
	const char *labels;                    /* a table of their types (constants/constants.h) */
	const struct kt_netlink_attribute *of; /* those that are not bytes */
	size_t n;
};

/*
 * Prints attributes as strace does; several are a list. Dots follow if the data was cut, and stand
 * for an attribute of which only a part is there.
 */
void kt_netlink_attributes_put(struct kt_text *t, const struct kt_netlink_attributes *table,
			       const struct kt_value *v, bool is_cut);

#endif
