/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages about interfaces, addresses, routes, neighbors, rules and queues (NETLINK_ROUTE).
 */
#ifndef KT_VALUES_NETLINK_NETLINK_ROUTE_H
#define KT_VALUES_NETLINK_NETLINK_ROUTE_H

#include "values/netlink/netlink_messages.h"

/* Returns what a type of message is; NULL if it is unknown. */
const struct kt_netlink_message *kt_netlink_route_message(unsigned int type);

/* Returns the names of the tables of its flags: new, delete, get. */
const char *kt_netlink_route_flags(unsigned int type);

#endif
