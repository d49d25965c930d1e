/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Short names for rows of the tables of attributes; only for files that are such tables.
 *
 *	static const struct kt_netlink_attribute rules_of[] = {
 *		ADDRESS(FRA_DST), STRING(FRA_IIFNAME), U32(FRA_PRIORITY),
 *	};
 *	TABLE(rules, "netlink_rule");		// of that table of types
 */
#ifndef KT_VALUES_NETLINK_NETLINK_TABLES_H
#define KT_VALUES_NETLINK_NETLINK_TABLES_H

#include "values/netlink/netlink_messages.h"

/* clang-format off */

#define NUMBER(type, size, kind, labels) \
	{type, KT_NETLINK_NUMBER, size, kind, labels, NULL, NULL}
#define U8(type)             NUMBER(type, 1, KT_PART_NUMBER, NULL)
#define U16(type)            NUMBER(type, 2, KT_PART_NUMBER, NULL)
#define U32(type)            NUMBER(type, 4, KT_PART_NUMBER, NULL)
#define U64(type)            NUMBER(type, 8, KT_PART_NUMBER, NULL)
#define S32(type)            NUMBER(type, 4, KT_PART_SIGNED, NULL)
#define HEX8(type)           NUMBER(type, 1, KT_PART_HEX, NULL)
#define NAMED(type, labels)  NUMBER(type, 4, KT_PART_NUMBER, labels)
#define FLAGS(type, labels)  NUMBER(type, 4, KT_PART_FLAGS, labels)
#define STRING(type)         {type, KT_NETLINK_STRING, 0, KT_PART_NUMBER, NULL, NULL, NULL}
#define ADDRESS(type)        {type, KT_NETLINK_ADDRESS, 0, KT_PART_NUMBER, NULL, NULL, NULL}
#define MAC(type)            {type, KT_NETLINK_MAC, 0, KT_PART_NUMBER, NULL, NULL, NULL}
#define STRUCT(type, size, parts) \
	{type, KT_NETLINK_STRUCT, size, KT_PART_NUMBER, NULL, parts, NULL}
#define NESTED(type, table) \
	{type, KT_NETLINK_NESTED, 0, KT_PART_NUMBER, NULL, NULL, table}

#define TABLE(name, types) \
	static const struct kt_netlink_attributes name = {types, name##_of, sizeof(name##_of) / sizeof(*name##_of)}

/* clang-format on */

#endif
