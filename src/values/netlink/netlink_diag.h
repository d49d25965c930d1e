/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages about sockets (NETLINK_SOCK_DIAG), by their family.
 */
#ifndef KT_VALUES_NETLINK_NETLINK_DIAG_H
#define KT_VALUES_NETLINK_NETLINK_DIAG_H

#include <stdbool.h>

#include "values/netlink/netlink_messages.h"

/* Returns what a request or an answer about sockets of that family is; NULL if it is unknown. */
const struct kt_netlink_message *kt_netlink_diag_message(unsigned int type, unsigned int family,
							 bool is_request);

#endif
