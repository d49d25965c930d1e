// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/netlink/netlink_route.h"

#include <linux/fib_rules.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/net_namespace.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include "values/netlink/netlink_tables.h"

/* clang-format off */

#define COUNTERS(size) \
	COUNTER(size, "rx_packets", 0), COUNTER(size, "tx_packets", 1), \
	COUNTER(size, "rx_bytes", 2), COUNTER(size, "tx_bytes", 3), \
	COUNTER(size, "rx_errors", 4), COUNTER(size, "tx_errors", 5), \
	COUNTER(size, "rx_dropped", 6), COUNTER(size, "tx_dropped", 7), \
	COUNTER(size, "multicast", 8), COUNTER(size, "collisions", 9), \
	COUNTER(size, "rx_length_errors", 10), COUNTER(size, "rx_over_errors", 11), \
	COUNTER(size, "rx_crc_errors", 12), COUNTER(size, "rx_frame_errors", 13), \
	COUNTER(size, "rx_fifo_errors", 14), COUNTER(size, "rx_missed_errors", 15), \
	COUNTER(size, "tx_aborted_errors", 16), COUNTER(size, "tx_carrier_errors", 17), \
	COUNTER(size, "tx_fifo_errors", 18), COUNTER(size, "tx_heartbeat_errors", 19), \
	COUNTER(size, "tx_window_errors", 20), COUNTER(size, "rx_compressed", 21), \
	COUNTER(size, "tx_compressed", 22), COUNTER(size, "rx_nohandler", 23)
#define COUNTER(size, name, i) {name, (size) * (i), size, KT_PART_NUMBER, NULL}

static const struct kt_struct_part counters[] = {COUNTERS(4), {0}};
static const struct kt_struct_part counters64[] = {
	COUNTERS(8), COUNTER(8, "rx_otherhost_dropped", 24), {0}};

static const struct kt_struct_part device_map[] = {
	{"mem_start", 0, 8, KT_PART_HEX, NULL}, {"mem_end", 8, 8, KT_PART_HEX, NULL},
	{"base_addr", 16, 8, KT_PART_HEX, NULL}, {"irq", 24, 2, KT_PART_NUMBER, NULL},
	{"dma", 26, 1, KT_PART_NUMBER, NULL}, {"port", 27, 1, KT_PART_NUMBER, NULL}, {0}};

static const struct kt_struct_part link6_times[] = {
	{"max_reasm_len", 0, 4, KT_PART_NUMBER, NULL}, {"tstamp", 4, 4, KT_PART_NUMBER, NULL},
	{"reachable_time", 8, 4, KT_PART_NUMBER, NULL},
	{"retrans_time", 12, 4, KT_PART_NUMBER, NULL}, {0}};

static const struct kt_struct_part address_times[] = {
	{"ifa_prefered", 0, 4, KT_PART_NUMBER, NULL}, {"ifa_valid", 4, 4, KT_PART_NUMBER, NULL},
	{"cstamp", 8, 4, KT_PART_NUMBER, NULL}, {"tstamp", 12, 4, KT_PART_NUMBER, NULL}, {0}};

static const struct kt_struct_part neighbor_times[] = {
	{"ndm_confirmed", 0, 4, KT_PART_NUMBER, NULL}, {"ndm_used", 4, 4, KT_PART_NUMBER, NULL},
	{"ndm_updated", 8, 4, KT_PART_NUMBER, NULL}, {"ndm_refcnt", 12, 4, KT_PART_NUMBER, NULL},
	{0}};

static const struct kt_struct_part route_times[] = {
	{"rta_clntref", 0, 4, KT_PART_NUMBER, NULL}, {"rta_lastuse", 4, 4, KT_PART_NUMBER, NULL},
	{"rta_expires", 8, 4, KT_PART_NUMBER, NULL}, {"rta_error", 12, 4, KT_PART_NUMBER, NULL},
	{"rta_used", 16, 4, KT_PART_NUMBER, NULL}, {"rta_id", 20, 4, KT_PART_HEX, NULL},
	{"rta_ts", 24, 4, KT_PART_NUMBER, NULL}, {"rta_tsage", 28, 4, KT_PART_NUMBER, NULL}, {0}};

static const struct kt_netlink_attribute link_info_of[] = {
	STRING(IFLA_INFO_KIND), STRING(IFLA_INFO_SLAVE_KIND),
};
TABLE(link_info, "netlink_link_info");

static const struct kt_netlink_attribute link_names_of[] = {
	STRING(IFLA_ALT_IFNAME),
};
TABLE(link_names, "netlink_link");

static const struct kt_netlink_attribute link6_of[] = {
	FLAGS(IFLA_INET6_FLAGS, "netlink_link6_flags"),
	STRUCT(IFLA_INET6_CACHEINFO, 16, link6_times), ADDRESS(IFLA_INET6_TOKEN),
	U32(IFLA_INET6_RA_MTU),
};
TABLE(link6, "netlink_link6");

static const struct kt_netlink_attributes link4 = {"netlink_link4", NULL, 0};

static const struct kt_netlink_attribute link_families_of[] = {
	NESTED(AF_INET, &link4), NESTED(AF_INET6, &link6),
};
TABLE(link_families, "family");

static const struct kt_netlink_attribute link_programs_of[] = {
	NUMBER(IFLA_XDP_ATTACHED, 1, KT_PART_NUMBER, "netlink_xdp_attached"),
	FLAGS(IFLA_XDP_FLAGS, "netlink_xdp_flags"), U32(IFLA_XDP_PROG_ID),
	U32(IFLA_XDP_DRV_PROG_ID), U32(IFLA_XDP_SKB_PROG_ID), U32(IFLA_XDP_HW_PROG_ID),
};
TABLE(link_programs, "netlink_xdp");

static const struct kt_netlink_attribute links_of[] = {
	MAC(IFLA_ADDRESS), MAC(IFLA_BROADCAST), STRING(IFLA_IFNAME), U32(IFLA_MTU),
	U32(IFLA_LINK), STRING(IFLA_QDISC), STRUCT(IFLA_STATS, 92, counters), U32(IFLA_MASTER),
	U32(IFLA_TXQLEN), STRUCT(IFLA_MAP, 28, device_map), U32(IFLA_WEIGHT), U8(IFLA_OPERSTATE),
	U8(IFLA_LINKMODE), NESTED(IFLA_LINKINFO, &link_info), S32(IFLA_NET_NS_PID),
	STRING(IFLA_IFALIAS), U32(IFLA_NUM_VF), STRUCT(IFLA_STATS64, 184, counters64),
	NESTED(IFLA_AF_SPEC, &link_families), NESTED(IFLA_XDP, &link_programs),
	U32(IFLA_GROUP), S32(IFLA_NET_NS_FD), FLAGS(IFLA_EXT_MASK, "netlink_extended"),
	U32(IFLA_PROMISCUITY), U32(IFLA_NUM_TX_QUEUES), U32(IFLA_NUM_RX_QUEUES),
	U8(IFLA_CARRIER), U32(IFLA_CARRIER_CHANGES), S32(IFLA_LINK_NETNSID),
	STRING(IFLA_PHYS_PORT_NAME), U8(IFLA_PROTO_DOWN), U32(IFLA_GSO_MAX_SEGS),
	U32(IFLA_GSO_MAX_SIZE), U32(IFLA_EVENT), S32(IFLA_NEW_NETNSID), S32(IFLA_IF_NETNSID),
	U32(IFLA_CARRIER_UP_COUNT), U32(IFLA_CARRIER_DOWN_COUNT), U32(IFLA_NEW_IFINDEX),
	U32(IFLA_MIN_MTU), U32(IFLA_MAX_MTU), NESTED(IFLA_PROP_LIST, &link_names),
	STRING(IFLA_ALT_IFNAME), MAC(IFLA_PERM_ADDRESS), STRING(IFLA_PARENT_DEV_NAME),
	STRING(IFLA_PARENT_DEV_BUS_NAME), U32(IFLA_GRO_MAX_SIZE), U32(IFLA_TSO_MAX_SIZE),
	U32(IFLA_TSO_MAX_SEGS), U32(IFLA_ALLMULTI),
};
TABLE(links, "netlink_link");

static const struct kt_netlink_attribute addresses_of[] = {
	ADDRESS(IFA_ADDRESS), ADDRESS(IFA_LOCAL), STRING(IFA_LABEL), ADDRESS(IFA_BROADCAST),
	ADDRESS(IFA_ANYCAST), STRUCT(IFA_CACHEINFO, 16, address_times), ADDRESS(IFA_MULTICAST),
	FLAGS(IFA_FLAGS, "netlink_address_flags"), U32(IFA_RT_PRIORITY), S32(IFA_TARGET_NETNSID),
};
TABLE(addresses, "netlink_address");

static const struct kt_netlink_attribute metrics_of[] = {
	U32(RTAX_LOCK), U32(RTAX_MTU), U32(RTAX_WINDOW), U32(RTAX_RTT), U32(RTAX_RTTVAR),
	U32(RTAX_SSTHRESH), U32(RTAX_CWND), U32(RTAX_ADVMSS), U32(RTAX_REORDERING),
	U32(RTAX_HOPLIMIT), U32(RTAX_INITCWND), U32(RTAX_FEATURES), U32(RTAX_RTO_MIN),
	U32(RTAX_INITRWND), U32(RTAX_QUICKACK), STRING(RTAX_CC_ALGO),
	U32(RTAX_FASTOPEN_NO_COOKIE),
};
TABLE(metrics, "netlink_metric");

static const struct kt_netlink_attribute routes_of[] = {
	ADDRESS(RTA_DST), ADDRESS(RTA_SRC), U32(RTA_IIF), U32(RTA_OIF), ADDRESS(RTA_GATEWAY),
	U32(RTA_PRIORITY), ADDRESS(RTA_PREFSRC), NESTED(RTA_METRICS, &metrics), U32(RTA_FLOW),
	STRUCT(RTA_CACHEINFO, 32, route_times), NAMED(RTA_TABLE, "netlink_table"), U32(RTA_MARK),
	U8(RTA_PREF), U16(RTA_ENCAP_TYPE), U32(RTA_EXPIRES), U32(RTA_UID),
	U8(RTA_TTL_PROPAGATE), U8(RTA_IP_PROTO), NUMBER(RTA_SPORT, 2, KT_PART_PORT, NULL),
	NUMBER(RTA_DPORT, 2, KT_PART_PORT, NULL), U32(RTA_NH_ID),
};
TABLE(routes, "netlink_route_attribute");

static const struct kt_netlink_attribute neighbors_of[] = {
	ADDRESS(NDA_DST), MAC(NDA_LLADDR), STRUCT(NDA_CACHEINFO, 16, neighbor_times),
	U32(NDA_PROBES), U16(NDA_VLAN), NUMBER(NDA_PORT, 2, KT_PART_PORT, NULL), U32(NDA_VNI),
	U32(NDA_IFINDEX), U32(NDA_MASTER), S32(NDA_LINK_NETNSID), U32(NDA_SRC_VNI),
	NUMBER(NDA_PROTOCOL, 1, KT_PART_NUMBER, "netlink_origin"), U32(NDA_NH_ID),
};
TABLE(neighbors, "netlink_neighbor");

static const struct kt_netlink_attribute rules_of[] = {
	ADDRESS(FRA_DST), ADDRESS(FRA_SRC), STRING(FRA_IIFNAME), U32(FRA_GOTO),
	U32(FRA_PRIORITY), U32(FRA_FWMARK), U32(FRA_FLOW), U32(FRA_SUPPRESS_IFGROUP),
	U32(FRA_SUPPRESS_PREFIXLEN), NAMED(FRA_TABLE, "netlink_table"), U32(FRA_FWMASK),
	STRING(FRA_OIFNAME), U8(FRA_L3MDEV), NUMBER(FRA_PROTOCOL, 1, KT_PART_NUMBER, "netlink_origin"),
	U8(FRA_IP_PROTO),
};
TABLE(rules, "netlink_rule");

static const struct kt_netlink_attribute queues_of[] = {
	STRING(TCA_KIND), U32(TCA_FCNT), U32(TCA_CHAIN), U8(TCA_HW_OFFLOAD),
	U32(TCA_INGRESS_BLOCK), U32(TCA_EGRESS_BLOCK),
};
TABLE(queues, "netlink_queue");

static const struct kt_netlink_attribute spaces_of[] = {
	S32(NETNSA_NSID), U32(NETNSA_PID), S32(NETNSA_FD), S32(NETNSA_TARGET_NSID),
	S32(NETNSA_CURRENT_NSID),
};
TABLE(spaces, "netlink_space");

/* In the order of their first types; the types in between are of the same kind. */
static const struct range {
	unsigned int first, last;
	struct kt_netlink_message message;
} ranges[] = {
	{RTM_NEWLINK, RTM_SETLINK,
	 {16,
	  {{"ifi_family", 0, 1, KT_PART_NUMBER, "family"},
	   {"ifi_type", 2, 2, KT_PART_NUMBER, "hardware"},
	   {"ifi_index", 4, 4, KT_PART_SIGNED, NULL},
	   {"ifi_flags", 8, 4, KT_PART_FLAGS, "netlink_link_flags"},
	   {"ifi_change", 12, 4, KT_PART_HEX, NULL}},
	  &links, {0}}},
	{RTM_NEWADDR, RTM_GETADDR,
	 {8,
	  {{"ifa_family", 0, 1, KT_PART_NUMBER, "family"},
	   {"ifa_prefixlen", 1, 1, KT_PART_NUMBER, NULL},
	   {"ifa_flags", 2, 1, KT_PART_FLAGS, "netlink_address_flags"},
	   {"ifa_scope", 3, 1, KT_PART_NUMBER, "netlink_scope"},
	   {"ifa_index", 4, 4, KT_PART_NUMBER, NULL}},
	  &addresses, {0}}},
	{RTM_NEWROUTE, RTM_GETROUTE,
	 {12,
	  {{"rtm_family", 0, 1, KT_PART_NUMBER, "family"},
	   {"rtm_dst_len", 1, 1, KT_PART_NUMBER, NULL},
	   {"rtm_src_len", 2, 1, KT_PART_NUMBER, NULL},
	   {"rtm_tos", 3, 1, KT_PART_NUMBER, "netlink_tos"},
	   {"rtm_table", 4, 1, KT_PART_NUMBER, "netlink_table"},
	   {"rtm_protocol", 5, 1, KT_PART_NUMBER, "netlink_origin"},
	   {"rtm_scope", 6, 1, KT_PART_NUMBER, "netlink_scope"},
	   {"rtm_type", 7, 1, KT_PART_NUMBER, "netlink_route_type"},
	   {"rtm_flags", 8, 4, KT_PART_FLAGS, "netlink_route_flags"}},
	  &routes, {0}}},
	{RTM_NEWNEIGH, RTM_GETNEIGH,
	 {12,
	  {{"ndm_family", 0, 1, KT_PART_NUMBER, "family"},
	   {"ndm_ifindex", 4, 4, KT_PART_SIGNED, NULL},
	   {"ndm_state", 8, 2, KT_PART_FLAGS, "netlink_neighbor_state"},
	   {"ndm_flags", 10, 1, KT_PART_FLAGS, "netlink_neighbor_flags"},
	   {"ndm_type", 11, 1, KT_PART_NUMBER, "netlink_route_type"}},
	  &neighbors, {0}}},
	{RTM_NEWRULE, RTM_GETRULE,
	 {12,
	  {{"family", 0, 1, KT_PART_NUMBER, "family"},
	   {"dst_len", 1, 1, KT_PART_NUMBER, NULL},
	   {"src_len", 2, 1, KT_PART_NUMBER, NULL},
	   {"tos", 3, 1, KT_PART_NUMBER, "netlink_tos"},
	   {"table", 4, 1, KT_PART_NUMBER, "netlink_table"},
	   {"action", 7, 1, KT_PART_NUMBER, "netlink_rule_action"},
	   {"flags", 8, 4, KT_PART_HEX, NULL}},
	  &rules, {0}}},
	{RTM_NEWQDISC, RTM_GETTFILTER,
	 {20,
	  {{"tcm_family", 0, 1, KT_PART_NUMBER, "family"},
	   {"tcm_ifindex", 4, 4, KT_PART_SIGNED, NULL},
	   {"tcm_handle", 8, 4, KT_PART_NUMBER, NULL},
	   {"tcm_parent", 12, 4, KT_PART_NUMBER, NULL},
	   {"tcm_info", 16, 4, KT_PART_NUMBER, NULL}},
	  &queues, {0}}},
	{RTM_NEWNSID, RTM_GETNSID,
	 {4, {{"rtgen_family", 0, 1, KT_PART_NUMBER, "family"}}, &spaces, {0}}},
};

/* clang-format on */

const struct kt_netlink_message *kt_netlink_route_message(unsigned int type)
{
	const struct range *r, *end = ranges + sizeof(ranges) / sizeof(*ranges);

	for (r = ranges; r < end; r++)
		if (type >= r->first && type <= r->last)
			return &r->message;
	return NULL;
}

const char *kt_netlink_route_flags(unsigned int type)
{
	static const char *const flags[] = {"netlink_flag netlink_flag_new",
					    "netlink_flag netlink_flag_delete",
					    "netlink_flag netlink_flag_get", "netlink_flag"};

	return flags[type == RTM_DELACTION ? 2 : type & 3];
}
