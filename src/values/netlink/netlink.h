/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints data of a netlink socket: one message, or several.
 *
 *	kt_netlink_put(t, NETLINK_ROUTE, &value, false);
 *		// {nlmsg_len=16, nlmsg_type=RTM_GETLINK, nlmsg_flags=NLM_F_REQUEST, …}
 *
 * Messages of other protocols have their header decoded.
 */
#ifndef KT_VALUES_NETLINK_NETLINK_H
#define KT_VALUES_NETLINK_NETLINK_H

#include <stdbool.h>
#include <stddef.h>

struct kt_hit;
struct kt_text;
struct kt_value;

/*
 * Returns the protocol of the netlink socket that a hit's data (trace/record_layout.h, socket) was
 * sent or received through; -1 if it is no netlink socket, or its data are no messages.
 */
int kt_netlink_protocol(const struct kt_hit *hit, size_t data);

/* Prints messages; dots follow if they were cut. */
void kt_netlink_put(struct kt_text *t, int protocol, const struct kt_value *v, bool is_cut);

#endif
