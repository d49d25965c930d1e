/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What follows the header of a netlink message: a struct, and attributes. The tables are those of
 * the protocols (values/netlink/netlink_route.h, values/netlink/netlink_diag.h).
 */
#ifndef KT_VALUES_NETLINK_NETLINK_MESSAGES_H
#define KT_VALUES_NETLINK_NETLINK_MESSAGES_H

#include "values/netlink/netlink_attributes.h"

enum { KT_NETLINK_PARTS_MAX = 16 };

struct kt_netlink_message {
	unsigned int size; /* of the struct, a multiple of 4: attributes follow */
	struct kt_struct_part parts[KT_NETLINK_PARTS_MAX];
	const struct kt_netlink_attributes *attributes; /* NULL: of no known type */
	struct {
		unsigned int first, n; /* parts that stand in a struct of their own; n is 0: none */
		const char *name;
	} inner;
};

#endif
