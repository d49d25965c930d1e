// SPDX-License-Identifier: GPL-2.0-or-later
#include "constants/constants_of.h"

#include <linux/fib_rules.h>
#include <linux/if.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/inet_diag.h>
#include <linux/neighbour.h>
#include <linux/net_namespace.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>

/* clang-format off */

static const struct kt_label netlink_address_of[] = {
	C(IFA_ADDRESS), C(IFA_LOCAL), C(IFA_LABEL), C(IFA_BROADCAST), C(IFA_ANYCAST),
	C(IFA_CACHEINFO), C(IFA_MULTICAST), C(IFA_FLAGS), C(IFA_RT_PRIORITY),
	C(IFA_TARGET_NETNSID), C(IFA_PROTO),
};

static const struct kt_label netlink_address_flags_of[] = {
	C(IFA_F_SECONDARY), C(IFA_F_NODAD), C(IFA_F_OPTIMISTIC), C(IFA_F_DADFAILED),
	C(IFA_F_HOMEADDRESS), C(IFA_F_DEPRECATED), C(IFA_F_TENTATIVE), C(IFA_F_PERMANENT),
	C(IFA_F_MANAGETEMPADDR), C(IFA_F_NOPREFIXROUTE), C(IFA_F_MCAUTOJOIN),
	C(IFA_F_STABLE_PRIVACY),
};

static const struct kt_label netlink_control_of[] = {
	C(NLMSG_NOOP), C(NLMSG_ERROR), C(NLMSG_DONE), C(NLMSG_OVERRUN),
};

static const struct kt_label netlink_diag_of[] = {
	C(SOCK_DIAG_BY_FAMILY), C(SOCK_DESTROY),
};

static const struct kt_label netlink_error_of[] = {
	C(NLMSGERR_ATTR_UNUSED), C(NLMSGERR_ATTR_MSG), C(NLMSGERR_ATTR_OFFS),
	C(NLMSGERR_ATTR_COOKIE), C(NLMSGERR_ATTR_POLICY), C(NLMSGERR_ATTR_MISS_TYPE),
	C(NLMSGERR_ATTR_MISS_NEST),
};

static const struct kt_label netlink_extended_of[] = {
	C(RTEXT_FILTER_VF), C(RTEXT_FILTER_BRVLAN), C(RTEXT_FILTER_BRVLAN_COMPRESSED),
	C(RTEXT_FILTER_SKIP_STATS), C(RTEXT_FILTER_MRP), C(RTEXT_FILTER_CFM_CONFIG),
	C(RTEXT_FILTER_CFM_STATUS), C(RTEXT_FILTER_MST),
};

static const struct kt_label netlink_flag_of[] = {
	C(NLM_F_REQUEST), C(NLM_F_MULTI), C(NLM_F_ACK), C(NLM_F_ECHO), C(NLM_F_DUMP_INTR),
	C(NLM_F_DUMP_FILTERED),
};

static const struct kt_label netlink_flag_ack_of[] = {
	C(NLM_F_CAPPED), C(NLM_F_ACK_TLVS),
};

static const struct kt_label netlink_flag_delete_of[] = {
	C(NLM_F_NONREC), C(NLM_F_BULK),
};

static const struct kt_label netlink_flag_get_of[] = {
	C(NLM_F_DUMP), C(NLM_F_ROOT), C(NLM_F_MATCH), C(NLM_F_ATOMIC),
};

static const struct kt_label netlink_flag_new_of[] = {
	C(NLM_F_REPLACE), C(NLM_F_EXCL), C(NLM_F_CREATE), C(NLM_F_APPEND),
};

static const struct kt_label netlink_inet_of[] = {
	C(INET_DIAG_NONE), C(INET_DIAG_MEMINFO), C(INET_DIAG_INFO), C(INET_DIAG_VEGASINFO),
	C(INET_DIAG_CONG), C(INET_DIAG_TOS), C(INET_DIAG_TCLASS), C(INET_DIAG_SKMEMINFO),
	C(INET_DIAG_SHUTDOWN), C(INET_DIAG_DCTCPINFO), C(INET_DIAG_PROTOCOL),
	C(INET_DIAG_SKV6ONLY), C(INET_DIAG_LOCALS), C(INET_DIAG_PEERS), C(INET_DIAG_PAD),
	C(INET_DIAG_MARK), C(INET_DIAG_BBRINFO), C(INET_DIAG_CLASS_ID), C(INET_DIAG_MD5SIG),
	C(INET_DIAG_ULP_INFO), C(INET_DIAG_SK_BPF_STORAGES), C(INET_DIAG_CGROUP_ID),
	C(INET_DIAG_SOCKOPT),
};

static const struct kt_label netlink_link_of[] = {
	C(IFLA_ADDRESS), C(IFLA_BROADCAST), C(IFLA_IFNAME), C(IFLA_MTU), C(IFLA_LINK),
	C(IFLA_QDISC), C(IFLA_STATS), C(IFLA_COST), C(IFLA_PRIORITY), C(IFLA_MASTER),
	C(IFLA_WIRELESS), C(IFLA_PROTINFO), C(IFLA_TXQLEN), C(IFLA_MAP), C(IFLA_WEIGHT),
	C(IFLA_OPERSTATE), C(IFLA_LINKMODE), C(IFLA_LINKINFO), C(IFLA_NET_NS_PID),
	C(IFLA_IFALIAS), C(IFLA_NUM_VF), C(IFLA_VFINFO_LIST), C(IFLA_STATS64), C(IFLA_VF_PORTS),
	C(IFLA_PORT_SELF), C(IFLA_AF_SPEC), C(IFLA_GROUP), C(IFLA_NET_NS_FD), C(IFLA_EXT_MASK),
	C(IFLA_PROMISCUITY), C(IFLA_NUM_TX_QUEUES), C(IFLA_NUM_RX_QUEUES), C(IFLA_CARRIER),
	C(IFLA_PHYS_PORT_ID), C(IFLA_CARRIER_CHANGES), C(IFLA_PHYS_SWITCH_ID),
	C(IFLA_LINK_NETNSID), C(IFLA_PHYS_PORT_NAME), C(IFLA_PROTO_DOWN), C(IFLA_GSO_MAX_SEGS),
	C(IFLA_GSO_MAX_SIZE), C(IFLA_PAD), C(IFLA_XDP), C(IFLA_EVENT), C(IFLA_NEW_NETNSID),
	C(IFLA_IF_NETNSID), C(IFLA_CARRIER_UP_COUNT), C(IFLA_CARRIER_DOWN_COUNT),
	C(IFLA_NEW_IFINDEX), C(IFLA_MIN_MTU), C(IFLA_MAX_MTU), C(IFLA_PROP_LIST),
	C(IFLA_ALT_IFNAME), C(IFLA_PERM_ADDRESS), C(IFLA_PROTO_DOWN_REASON),
	C(IFLA_PARENT_DEV_NAME), C(IFLA_PARENT_DEV_BUS_NAME), C(IFLA_GRO_MAX_SIZE),
	C(IFLA_TSO_MAX_SIZE), C(IFLA_TSO_MAX_SEGS), C(IFLA_ALLMULTI),
};

static const struct kt_label netlink_link_flags_of[] = {
	C(IFF_UP), C(IFF_BROADCAST), C(IFF_DEBUG), C(IFF_LOOPBACK), C(IFF_POINTOPOINT),
	C(IFF_NOTRAILERS), C(IFF_RUNNING), C(IFF_NOARP), C(IFF_PROMISC), C(IFF_ALLMULTI),
	C(IFF_MASTER), C(IFF_SLAVE), C(IFF_MULTICAST), C(IFF_PORTSEL), C(IFF_AUTOMEDIA),
	C(IFF_DYNAMIC), C(IFF_LOWER_UP), C(IFF_DORMANT), C(IFF_ECHO),
};

static const struct kt_label netlink_link4_of[] = {
	C(IFLA_INET_UNSPEC), C(IFLA_INET_CONF),
};

static const struct kt_label netlink_link6_of[] = {
	C(IFLA_INET6_UNSPEC), C(IFLA_INET6_FLAGS), C(IFLA_INET6_CONF), C(IFLA_INET6_STATS),
	C(IFLA_INET6_MCAST), C(IFLA_INET6_CACHEINFO), C(IFLA_INET6_ICMP6STATS),
	C(IFLA_INET6_TOKEN), C(IFLA_INET6_ADDR_GEN_MODE), C(IFLA_INET6_RA_MTU),
};

/* No header for programs has these. */
static const struct kt_label netlink_link6_flags_of[] = {
	{0x10, "IF_RS_SENT"}, {0x20, "IF_RA_RCVD"}, {0x40, "IF_RA_MANAGED"},
	{0x80, "IF_RA_OTHERCONF"}, {0x80000000, "IF_READY"},
};

static const struct kt_label netlink_link_info_of[] = {
	C(IFLA_INFO_UNSPEC), C(IFLA_INFO_KIND), C(IFLA_INFO_DATA), C(IFLA_INFO_XSTATS),
	C(IFLA_INFO_SLAVE_KIND), C(IFLA_INFO_SLAVE_DATA),
};

static const struct kt_label netlink_metric_of[] = {
	C(RTAX_UNSPEC), C(RTAX_LOCK), C(RTAX_MTU), C(RTAX_WINDOW), C(RTAX_RTT), C(RTAX_RTTVAR),
	C(RTAX_SSTHRESH), C(RTAX_CWND), C(RTAX_ADVMSS), C(RTAX_REORDERING), C(RTAX_HOPLIMIT),
	C(RTAX_INITCWND), C(RTAX_FEATURES), C(RTAX_RTO_MIN), C(RTAX_INITRWND), C(RTAX_QUICKACK),
	C(RTAX_CC_ALGO), C(RTAX_FASTOPEN_NO_COOKIE),
};

static const struct kt_label netlink_neighbor_of[] = {
	C(NDA_DST), C(NDA_LLADDR), C(NDA_CACHEINFO), C(NDA_PROBES), C(NDA_VLAN), C(NDA_PORT),
	C(NDA_VNI), C(NDA_IFINDEX), C(NDA_MASTER), C(NDA_LINK_NETNSID), C(NDA_SRC_VNI),
	C(NDA_PROTOCOL), C(NDA_NH_ID), C(NDA_FDB_EXT_ATTRS), C(NDA_FLAGS_EXT),
	C(NDA_NDM_STATE_MASK), C(NDA_NDM_FLAGS_MASK),
};

static const struct kt_label netlink_neighbor_flags_of[] = {
	C(NTF_USE), C(NTF_SELF), C(NTF_MASTER), C(NTF_PROXY), C(NTF_EXT_LEARNED),
	C(NTF_OFFLOADED), C(NTF_STICKY), C(NTF_ROUTER),
};

static const struct kt_label netlink_neighbor_state_of[] = {
	C(NUD_INCOMPLETE), C(NUD_REACHABLE), C(NUD_STALE), C(NUD_DELAY), C(NUD_PROBE),
	C(NUD_FAILED), C(NUD_NOARP), C(NUD_PERMANENT),
};

static const struct kt_label netlink_origin_of[] = {
	C(RTPROT_UNSPEC), C(RTPROT_REDIRECT), C(RTPROT_KERNEL), C(RTPROT_BOOT), C(RTPROT_STATIC),
	C(RTPROT_GATED), C(RTPROT_RA), C(RTPROT_MRT), C(RTPROT_ZEBRA), C(RTPROT_BIRD),
	C(RTPROT_DNROUTED), C(RTPROT_XORP), C(RTPROT_NTK), C(RTPROT_DHCP), C(RTPROT_MROUTED),
	C(RTPROT_KEEPALIVED), C(RTPROT_BABEL), C(RTPROT_OPENR), C(RTPROT_BGP), C(RTPROT_ISIS),
	C(RTPROT_OSPF), C(RTPROT_RIP), C(RTPROT_EIGRP),
};

static const struct kt_label netlink_queue_of[] = {
	C(TCA_UNSPEC), C(TCA_KIND), C(TCA_OPTIONS), C(TCA_STATS), C(TCA_XSTATS), C(TCA_RATE),
	C(TCA_FCNT), C(TCA_STATS2), C(TCA_STAB), C(TCA_PAD), C(TCA_DUMP_INVISIBLE), C(TCA_CHAIN),
	C(TCA_HW_OFFLOAD), C(TCA_INGRESS_BLOCK), C(TCA_EGRESS_BLOCK), C(TCA_DUMP_FLAGS),
};

static const struct kt_label netlink_route_of[] = {
	C(RTM_NEWLINK), C(RTM_DELLINK), C(RTM_GETLINK), C(RTM_SETLINK), C(RTM_NEWADDR),
	C(RTM_DELADDR), C(RTM_GETADDR), C(RTM_NEWROUTE), C(RTM_DELROUTE), C(RTM_GETROUTE),
	C(RTM_NEWNEIGH), C(RTM_DELNEIGH), C(RTM_GETNEIGH), C(RTM_NEWRULE), C(RTM_DELRULE),
	C(RTM_GETRULE), C(RTM_NEWQDISC), C(RTM_DELQDISC), C(RTM_GETQDISC), C(RTM_NEWTCLASS),
	C(RTM_DELTCLASS), C(RTM_GETTCLASS), C(RTM_NEWTFILTER), C(RTM_DELTFILTER),
	C(RTM_GETTFILTER), C(RTM_NEWACTION), C(RTM_DELACTION), C(RTM_GETACTION), C(RTM_NEWPREFIX),
	C(RTM_GETMULTICAST), C(RTM_GETANYCAST), C(RTM_NEWNEIGHTBL), C(RTM_GETNEIGHTBL),
	C(RTM_SETNEIGHTBL), C(RTM_NEWNDUSEROPT), C(RTM_NEWADDRLABEL), C(RTM_DELADDRLABEL),
	C(RTM_GETADDRLABEL), C(RTM_GETDCB), C(RTM_SETDCB), C(RTM_NEWNETCONF), C(RTM_DELNETCONF),
	C(RTM_GETNETCONF), C(RTM_NEWMDB), C(RTM_DELMDB), C(RTM_GETMDB), C(RTM_NEWNSID),
	C(RTM_DELNSID), C(RTM_GETNSID), C(RTM_NEWSTATS), C(RTM_GETSTATS), C(RTM_SETSTATS),
	C(RTM_NEWCACHEREPORT), C(RTM_NEWCHAIN), C(RTM_DELCHAIN), C(RTM_GETCHAIN),
	C(RTM_NEWNEXTHOP), C(RTM_DELNEXTHOP), C(RTM_GETNEXTHOP), C(RTM_NEWLINKPROP),
	C(RTM_DELLINKPROP), C(RTM_GETLINKPROP), C(RTM_NEWVLAN), C(RTM_DELVLAN), C(RTM_GETVLAN),
	C(RTM_NEWNEXTHOPBUCKET), C(RTM_DELNEXTHOPBUCKET), C(RTM_GETNEXTHOPBUCKET),
	C(RTM_NEWTUNNEL), C(RTM_DELTUNNEL), C(RTM_GETTUNNEL),
};

static const struct kt_label netlink_route_attribute_of[] = {
	C(RTA_DST), C(RTA_SRC), C(RTA_IIF), C(RTA_OIF), C(RTA_GATEWAY), C(RTA_PRIORITY),
	C(RTA_PREFSRC), C(RTA_METRICS), C(RTA_MULTIPATH), C(RTA_PROTOINFO), C(RTA_FLOW),
	C(RTA_CACHEINFO), C(RTA_SESSION), C(RTA_MP_ALGO), C(RTA_TABLE), C(RTA_MARK),
	C(RTA_MFC_STATS), C(RTA_VIA), C(RTA_NEWDST), C(RTA_PREF), C(RTA_ENCAP_TYPE), C(RTA_ENCAP),
	C(RTA_EXPIRES), C(RTA_PAD), C(RTA_UID), C(RTA_TTL_PROPAGATE), C(RTA_IP_PROTO),
	C(RTA_SPORT), C(RTA_DPORT), C(RTA_NH_ID),
};

static const struct kt_label netlink_route_flags_of[] = {
	C(RTM_F_NOTIFY), C(RTM_F_CLONED), C(RTM_F_EQUALIZE), C(RTM_F_PREFIX),
	C(RTM_F_LOOKUP_TABLE), C(RTM_F_FIB_MATCH), C(RTM_F_OFFLOAD), C(RTM_F_TRAP),
	C(RTM_F_OFFLOAD_FAILED),
};

static const struct kt_label netlink_route_type_of[] = {
	C(RTN_UNSPEC), C(RTN_UNICAST), C(RTN_LOCAL), C(RTN_BROADCAST), C(RTN_ANYCAST),
	C(RTN_MULTICAST), C(RTN_BLACKHOLE), C(RTN_UNREACHABLE), C(RTN_PROHIBIT), C(RTN_THROW),
	C(RTN_NAT), C(RTN_XRESOLVE),
};

static const struct kt_label netlink_rule_of[] = {
	C(FRA_UNSPEC), C(FRA_DST), C(FRA_SRC), C(FRA_IIFNAME), C(FRA_GOTO), C(FRA_UNUSED2),
	C(FRA_PRIORITY), C(FRA_UNUSED3), C(FRA_UNUSED4), C(FRA_UNUSED5), C(FRA_FWMARK),
	C(FRA_FLOW), C(FRA_TUN_ID), C(FRA_SUPPRESS_IFGROUP), C(FRA_SUPPRESS_PREFIXLEN),
	C(FRA_TABLE), C(FRA_FWMASK), C(FRA_OIFNAME), C(FRA_PAD), C(FRA_L3MDEV), C(FRA_UID_RANGE),
	C(FRA_PROTOCOL), C(FRA_IP_PROTO), C(FRA_SPORT_RANGE), C(FRA_DPORT_RANGE),
};

static const struct kt_label netlink_rule_action_of[] = {
	C(FR_ACT_UNSPEC), C(FR_ACT_TO_TBL), C(FR_ACT_GOTO), C(FR_ACT_NOP), C(FR_ACT_RES3),
	C(FR_ACT_RES4), C(FR_ACT_BLACKHOLE), C(FR_ACT_UNREACHABLE), C(FR_ACT_PROHIBIT),
};

static const struct kt_label netlink_scope_of[] = {
	C(RT_SCOPE_UNIVERSE), C(RT_SCOPE_SITE), C(RT_SCOPE_LINK), C(RT_SCOPE_HOST),
	C(RT_SCOPE_NOWHERE),
};

static const struct kt_label netlink_table_of[] = {
	C(RT_TABLE_UNSPEC), C(RT_TABLE_COMPAT), C(RT_TABLE_DEFAULT), C(RT_TABLE_MAIN),
	C(RT_TABLE_LOCAL),
};

static const struct kt_label netlink_unix_of[] = {
	C(UNIX_DIAG_NAME), C(UNIX_DIAG_VFS), C(UNIX_DIAG_PEER), C(UNIX_DIAG_ICONS),
	C(UNIX_DIAG_RQLEN), C(UNIX_DIAG_MEMINFO), C(UNIX_DIAG_SHUTDOWN), C(UNIX_DIAG_UID),
};

static const struct kt_label netlink_unix_show_of[] = {
	C(UDIAG_SHOW_NAME), C(UDIAG_SHOW_VFS), C(UDIAG_SHOW_PEER), C(UDIAG_SHOW_ICONS),
	C(UDIAG_SHOW_RQLEN), C(UDIAG_SHOW_MEMINFO), C(UDIAG_SHOW_UID),
};

static const struct kt_label netlink_generic_of[] = {
	{0x10, "nlctrl"},
};

static const struct kt_label netlink_inet_wanted_of[] = {
	{1 << (INET_DIAG_MEMINFO-1), "1<<(INET_DIAG_MEMINFO-1)"}, {1 << (INET_DIAG_INFO-1),
	"1<<(INET_DIAG_INFO-1)"}, {1 << (INET_DIAG_VEGASINFO-1), "1<<(INET_DIAG_VEGASINFO-1)"},
	{1 << (INET_DIAG_CONG-1), "1<<(INET_DIAG_CONG-1)"}, {1 << (INET_DIAG_TOS-1),
	"1<<(INET_DIAG_TOS-1)"}, {1 << (INET_DIAG_TCLASS-1), "1<<(INET_DIAG_TCLASS-1)"}, {1 <<
	(INET_DIAG_SKMEMINFO-1), "1<<(INET_DIAG_SKMEMINFO-1)"}, {1 << (INET_DIAG_SHUTDOWN-1),
	"1<<(INET_DIAG_SHUTDOWN-1)"},
};

static const struct kt_label netlink_state_of[] = {
	{1, "TCP_ESTABLISHED"}, {2, "TCP_SYN_SENT"}, {3, "TCP_SYN_RECV"}, {4, "TCP_FIN_WAIT1"},
	{5, "TCP_FIN_WAIT2"}, {6, "TCP_TIME_WAIT"}, {7, "TCP_CLOSE"}, {8, "TCP_CLOSE_WAIT"}, {9,
	"TCP_LAST_ACK"}, {10, "TCP_LISTEN"}, {11, "TCP_CLOSING"}, {12, "TCP_NEW_SYN_RECV"},
};

static const struct kt_label netlink_states_of[] = {
	{1 << 1, "1<<TCP_ESTABLISHED"}, {1 << 2, "1<<TCP_SYN_SENT"}, {1 << 3,
	"1<<TCP_SYN_RECV"}, {1 << 4, "1<<TCP_FIN_WAIT1"}, {1 << 5, "1<<TCP_FIN_WAIT2"}, {1 << 6,
	"1<<TCP_TIME_WAIT"}, {1 << 7, "1<<TCP_CLOSE"}, {1 << 8, "1<<TCP_CLOSE_WAIT"}, {1 << 9,
	"1<<TCP_LAST_ACK"}, {1 << 10, "1<<TCP_LISTEN"}, {1 << 11, "1<<TCP_CLOSING"}, {1 << 12,
	"1<<TCP_NEW_SYN_RECV"},
};

static const struct kt_label netlink_space_of[] = {
	C(NETNSA_NONE), C(NETNSA_NSID), C(NETNSA_PID), C(NETNSA_FD), C(NETNSA_TARGET_NSID),
	C(NETNSA_CURRENT_NSID),
};

static const struct kt_label netlink_tos_of[] = {
	{0x02, "IPTOS_MINCOST"}, {0x04, "IPTOS_RELIABILITY"}, {0x08, "IPTOS_THROUGHPUT"},
	{0x10, "IPTOS_LOWDELAY"},
};

static const struct kt_label netlink_xdp_of[] = {
	C(IFLA_XDP_UNSPEC), C(IFLA_XDP_FD), C(IFLA_XDP_ATTACHED), C(IFLA_XDP_FLAGS),
	C(IFLA_XDP_PROG_ID), C(IFLA_XDP_DRV_PROG_ID), C(IFLA_XDP_SKB_PROG_ID),
	C(IFLA_XDP_HW_PROG_ID), C(IFLA_XDP_EXPECTED_FD),
};

static const struct kt_label netlink_xdp_attached_of[] = {
	C(XDP_ATTACHED_NONE), C(XDP_ATTACHED_DRV), C(XDP_ATTACHED_SKB), C(XDP_ATTACHED_HW),
	C(XDP_ATTACHED_MULTI),
};

static const struct kt_label netlink_xdp_flags_of[] = {
	C(XDP_FLAGS_UPDATE_IF_NOEXIST), C(XDP_FLAGS_SKB_MODE), C(XDP_FLAGS_DRV_MODE),
	C(XDP_FLAGS_HW_MODE), C(XDP_FLAGS_REPLACE),
};

static const struct kt_labels tables[] = {
	VALUES(netlink_address, "IFA_???"),
	FLAGS(netlink_address_flags, 0, "IFA_F_???"),
	VALUES(netlink_control, "NLMSG_???"),
	VALUES(netlink_diag, "SOCK_DIAG_???"),
	VALUES(netlink_error, "NLMSGERR_ATTR_???"),
	FLAGS(netlink_extended, 0, "RTEXT_FILTER_???"),
	FLAGS(netlink_flag, 0, "NLM_F_???"),
	FLAGS(netlink_flag_ack, 0, NULL),
	FLAGS(netlink_flag_delete, 0, NULL),
	FLAGS(netlink_flag_get, 0, NULL),
	FLAGS(netlink_flag_new, 0, NULL),
	VALUES(netlink_generic, "GENERIC_FAMILY_???"),
	VALUES(netlink_inet, "INET_DIAG_???"),
	FLAGS(netlink_inet_wanted, 0, "1<<INET_DIAG_???"),
	VALUES(netlink_link, "IFLA_???"),
	VALUES(netlink_link4, "IFLA_INET_???"),
	VALUES(netlink_link6, "IFLA_INET6_???"),
	FLAGS(netlink_link6_flags, 0, "IF_???"),
	FLAGS(netlink_link_flags, 0, "IFF_???"),
	VALUES(netlink_link_info, "IFLA_INFO_???"),
	VALUES(netlink_metric, "RTAX_???"),
	VALUES(netlink_neighbor, "NDA_???"),
	FLAGS(netlink_neighbor_flags, 0, "NTF_???"),
	FLAGS(netlink_neighbor_state, 0, "NUD_???"),
	VALUES(netlink_origin, "RTPROT_???"),
	VALUES(netlink_queue, "TCA_???"),
	VALUES(netlink_route, "RTM_???"),
	VALUES(netlink_route_attribute, "RTA_???"),
	FLAGS(netlink_route_flags, 0, "RTM_F_???"),
	VALUES(netlink_route_type, "RTN_???"),
	VALUES(netlink_rule, "FRA_???"),
	VALUES(netlink_rule_action, "FR_ACT_???"),
	VALUES(netlink_scope, "RT_SCOPE_???"),
	VALUES(netlink_state, "TCP_???"),
	FLAGS(netlink_states, 0, "1<<TCP_???"),
	VALUES(netlink_space, "NETNSA_???"),
	VALUES(netlink_table, "RT_TABLE_???"),
	VALUES(netlink_tos, NULL),
	VALUES(netlink_unix, "UNIX_DIAG_???"),
	FLAGS(netlink_unix_show, 0, "UDIAG_SHOW_???"),
	VALUES(netlink_xdp, "IFLA_XDP_???"),
	VALUES(netlink_xdp_attached, "XDP_ATTACHED_???"),
	FLAGS(netlink_xdp_flags, 0, "XDP_FLAGS_???"),
};

/* clang-format on */

const struct kt_constants kt_constants_of_netlink = {tables, sizeof(tables) / sizeof(*tables)};
