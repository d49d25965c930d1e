// SPDX-License-Identifier: GPL-2.0-or-later
#include "constants/constants_of.h"

#include <linux/if_arp.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/vm_sockets.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

/* clang-format off */

static const struct kt_label accept_of[] = {
	C(SOCK_CLOEXEC), C(SOCK_NONBLOCK),
};

static const struct kt_label control_ip_of[] = {
	C(IP_TOS), C(IP_TTL), {3, "SCM_SECURITY"}, C(IP_RECVOPTS), C(IP_RETOPTS), C(IP_PKTINFO),
	C(IP_RECVERR), {20, "IP_ORIGDSTADDR"}, C(IP_CHECKSUM), {25, "IP_RECVFRAGSIZE"},
	{52, "IP_PROTOCOL"},
};

static const struct kt_label control_ipv6_of[] = {
	C(IPV6_2292PKTINFO), C(IPV6_2292HOPOPTS), C(IPV6_2292DSTOPTS), C(IPV6_2292RTHDR),
	C(IPV6_2292HOPLIMIT), {11, "IPV6_FLOWINFO"}, C(IPV6_RECVERR), {50, "IPV6_PKTINFO"},
	{52, "IPV6_HOPLIMIT"}, {54, "IPV6_HOPOPTS"}, C(IPV6_RTHDRDSTOPTS), {57, "IPV6_RTHDR"},
	C(IPV6_DSTOPTS), {62, "IPV6_DONTFRAG"}, C(IPV6_TCLASS), {74, "IPV6_ORIGDSTADDR"},
	{77, "IPV6_RECVFRAGSIZE"},
};

static const struct kt_label control_socket_of[] = {
	C(SCM_RIGHTS), {2, "SCM_CREDENTIALS"}, {3, "SCM_SECURITY"}, {4, "SCM_PIDFD"},
	{29, "SO_TIMESTAMP_OLD"}, {35, "SO_TIMESTAMPNS_OLD"}, {37, "SO_TIMESTAMPING_OLD"},
	{40, "SO_RXQ_OVFL"}, {41, "SO_WIFI_STATUS"}, {54, "SCM_TIMESTAMPING_OPT_STATS"},
	{58, "SCM_TIMESTAMPING_PKTINFO"}, {61, "SCM_TXTIME"}, {63, "SO_TIMESTAMP_NEW"},
	{64, "SO_TIMESTAMPNS_NEW"}, {65, "SO_TIMESTAMPING_NEW"},
};

static const struct kt_label control_udp_of[] = {
	{103, "UDP_SEGMENT"}, {104, "UDP_GRO"},
};

static const struct kt_label ethernet_of[] = {
	C(ETH_P_LOOP), C(ETH_P_PUP), C(ETH_P_IP), C(ETH_P_X25), C(ETH_P_ARP), C(ETH_P_RARP),
	C(ETH_P_8021Q), C(ETH_P_IPX), C(ETH_P_IPV6), C(ETH_P_PAUSE), C(ETH_P_SLOW),
	C(ETH_P_MPLS_UC), C(ETH_P_MPLS_MC), C(ETH_P_PPP_DISC), C(ETH_P_PPP_SES), C(ETH_P_PAE),
	C(ETH_P_AOE), C(ETH_P_8021AD), C(ETH_P_LLDP), C(ETH_P_MACSEC), C(ETH_P_1588),
	C(ETH_P_FCOE), C(ETH_P_FIP), C(ETH_P_802_3), C(ETH_P_AX25), C(ETH_P_ALL),
	C(ETH_P_802_2),
};

static const struct kt_label family_of[] = {
	C(AF_UNSPEC), C(AF_UNIX), C(AF_INET), C(AF_AX25), C(AF_IPX), C(AF_APPLETALK),
	C(AF_NETROM), C(AF_BRIDGE), C(AF_ATMPVC), C(AF_X25), C(AF_INET6), C(AF_ROSE),
	C(AF_NETBEUI), C(AF_SECURITY), C(AF_KEY), C(AF_NETLINK), C(AF_PACKET), C(AF_ASH),
	C(AF_ECONET), C(AF_ATMSVC), C(AF_RDS), C(AF_SNA), C(AF_IRDA), C(AF_PPPOX),
	C(AF_WANPIPE), C(AF_LLC), C(AF_IB), C(AF_MPLS), C(AF_CAN), C(AF_TIPC), C(AF_BLUETOOTH),
	C(AF_IUCV), C(AF_RXRPC), C(AF_ISDN), C(AF_PHONET), C(AF_IEEE802154), C(AF_CAIF),
	C(AF_ALG), C(AF_NFC), C(AF_VSOCK), C(AF_KCM), C(AF_QIPCRTR), C(AF_SMC), C(AF_XDP),
	{45, "AF_MCTP"},
};

static const struct kt_label hardware_of[] = {
	C(ARPHRD_NETROM), C(ARPHRD_ETHER), C(ARPHRD_AX25), C(ARPHRD_IEEE802), C(ARPHRD_ATM),
	C(ARPHRD_IEEE1394), C(ARPHRD_INFINIBAND), C(ARPHRD_SLIP), C(ARPHRD_X25), C(ARPHRD_CAN),
	C(ARPHRD_PPP), C(ARPHRD_HDLC), C(ARPHRD_RAWIP), C(ARPHRD_TUNNEL), C(ARPHRD_TUNNEL6),
	C(ARPHRD_LOOPBACK), C(ARPHRD_SIT), C(ARPHRD_IPGRE), C(ARPHRD_IEEE80211),
	C(ARPHRD_IEEE80211_PRISM), C(ARPHRD_IEEE80211_RADIOTAP), C(ARPHRD_IEEE802154),
	C(ARPHRD_IP6GRE), C(ARPHRD_NETLINK), C(ARPHRD_6LOWPAN), C(ARPHRD_VOID), C(ARPHRD_NONE),
};

static const struct kt_label level_of[] = {
	C(SOL_IP), C(SOL_SOCKET), C(SOL_TCP), {17, "SOL_UDP"}, {40, "AF_VSOCK"}, C(SOL_IPV6),
	C(SOL_ICMPV6), {100, "SOL_CAN_BASE"}, {101, "SOL_CAN_RAW"}, {132, "SOL_SCTP"},
	{136, "SOL_UDPLITE"}, C(SOL_RAW), {256, "SOL_IPX"}, {257, "SOL_AX25"},
	{258, "SOL_ATALK"}, {259, "SOL_NETROM"}, {260, "SOL_ROSE"}, C(SOL_DECNET), C(SOL_X25),
	C(SOL_PACKET), C(SOL_ATM), C(SOL_AAL), C(SOL_IRDA), C(SOL_NETBEUI), C(SOL_LLC),
	C(SOL_DCCP), C(SOL_NETLINK), C(SOL_TIPC), C(SOL_RXRPC), C(SOL_PPPOL2TP),
	C(SOL_BLUETOOTH), C(SOL_PNPIPE), C(SOL_RDS), C(SOL_IUCV), C(SOL_CAIF), C(SOL_ALG),
	C(SOL_NFC), C(SOL_KCM), C(SOL_TLS), C(SOL_XDP), {284, "SOL_MPTCP"}, {285, "SOL_MCTP"},
	{286, "SOL_SMC"}, {287, "SOL_VSOCK"},
};

static const struct kt_label msg_of[] = {
	C(MSG_OOB), C(MSG_PEEK), C(MSG_DONTROUTE), C(MSG_CTRUNC), {0x10, "MSG_PROBE"},
	C(MSG_TRUNC), C(MSG_DONTWAIT), C(MSG_EOR), C(MSG_WAITALL), C(MSG_FIN), C(MSG_SYN),
	C(MSG_CONFIRM), C(MSG_RST), C(MSG_ERRQUEUE), C(MSG_NOSIGNAL), C(MSG_MORE),
	C(MSG_WAITFORONE), C(MSG_BATCH), C(MSG_ZEROCOPY), C(MSG_FASTOPEN), C(MSG_CMSG_CLOEXEC),
	{0x80000000, "MSG_CMSG_COMPAT"},
};

static const struct kt_label netlink_of[] = {
	C(NETLINK_ROUTE), C(NETLINK_USERSOCK), C(NETLINK_FIREWALL), C(NETLINK_SOCK_DIAG),
	C(NETLINK_NFLOG), C(NETLINK_XFRM), C(NETLINK_SELINUX), C(NETLINK_ISCSI),
	C(NETLINK_AUDIT), C(NETLINK_FIB_LOOKUP), C(NETLINK_CONNECTOR), C(NETLINK_NETFILTER),
	C(NETLINK_IP6_FW), C(NETLINK_DNRTMSG), C(NETLINK_KOBJECT_UEVENT), C(NETLINK_GENERIC),
	C(NETLINK_SCSITRANSPORT), C(NETLINK_ECRYPTFS), C(NETLINK_RDMA), C(NETLINK_CRYPTO),
	C(NETLINK_SMC),
};

static const struct kt_label packet_of[] = {
	C(PACKET_HOST), C(PACKET_BROADCAST), C(PACKET_MULTICAST), C(PACKET_OTHERHOST),
	C(PACKET_OUTGOING), C(PACKET_LOOPBACK), C(PACKET_USER), C(PACKET_KERNEL),
};

static const struct kt_label packet_member_of[] = {
	{0, "PACKET_MR_MULTICAST"}, {1, "PACKET_MR_PROMISC"}, {2, "PACKET_MR_ALLMULTI"},
	{3, "PACKET_MR_UNICAST"},
};

static const struct kt_label protocol_of[] = {
	C(IPPROTO_IP), C(IPPROTO_ICMP), C(IPPROTO_IGMP), C(IPPROTO_IPIP), C(IPPROTO_TCP),
	C(IPPROTO_EGP), C(IPPROTO_PUP), C(IPPROTO_UDP), C(IPPROTO_IDP), C(IPPROTO_TP),
	C(IPPROTO_DCCP), C(IPPROTO_IPV6), C(IPPROTO_ROUTING), C(IPPROTO_FRAGMENT),
	C(IPPROTO_RSVP), C(IPPROTO_GRE), C(IPPROTO_ESP), C(IPPROTO_AH), C(IPPROTO_ICMPV6),
	C(IPPROTO_NONE), C(IPPROTO_DSTOPTS), C(IPPROTO_MTP), C(IPPROTO_BEETPH),
	C(IPPROTO_ENCAP), C(IPPROTO_PIM), C(IPPROTO_COMP), {115, "IPPROTO_L2TP"},
	C(IPPROTO_SCTP), C(IPPROTO_MH), C(IPPROTO_UDPLITE), C(IPPROTO_MPLS),
	C(IPPROTO_ETHERNET), C(IPPROTO_RAW), C(IPPROTO_MPTCP),
};

/* Of AFS, by number: strace shows the number, too. */
static const struct kt_label rxrpc_service_of[] = {
	{1, "FS_SERVICE"}, {2500, "YFS_FS_SERVICE"}, {2501, "YFS_CM_SERVICE"},
	{2503, "YFS_VL_SERVICE"}, {52, "VL_SERVICE"},
};

static const struct kt_label shutdown_of[] = {
	C(SHUT_RD), C(SHUT_WR), C(SHUT_RDWR),
};

static const struct kt_label socket_of[] = {
	C(SOCK_STREAM), C(SOCK_DGRAM), C(SOCK_RAW), C(SOCK_RDM), C(SOCK_SEQPACKET),
	C(SOCK_DCCP), C(SOCK_PACKET), C(SOCK_CLOEXEC), C(SOCK_NONBLOCK),
};

static const struct kt_label socket_type_of[] = {
	C(SOCK_STREAM), C(SOCK_DGRAM), C(SOCK_RAW), C(SOCK_RDM), C(SOCK_SEQPACKET),
	C(SOCK_DCCP), C(SOCK_PACKET),
};

/* Of netfilter's hooks: no call has them, filters may. */
static const struct kt_label verdict_of[] = {
	{0, "NF_DROP"}, {1, "NF_ACCEPT"}, {2, "NF_STOLEN"}, {3, "NF_QUEUE"}, {4, "NF_REPEAT"},
	{5, "NF_STOP"},
};

static const struct kt_label vsock_of[] = {
	{0xffffffff, "VMADDR_CID_ANY"}, C(VMADDR_CID_HYPERVISOR), C(VMADDR_CID_LOCAL),
	C(VMADDR_CID_HOST),
};

static const struct kt_labels tables[] = {
	FLAGS(accept, 0, "SOCK_???"), VALUES(control_ip, "IP_???"),
	VALUES(control_ipv6, "IPV6_???"), VALUES(control_socket, "SCM_???"),
	VALUES(control_udp, "UDP_???"), VALUES(ethernet, "ETH_P_???"), VALUES(family, "AF_???"),
	VALUES(hardware, "ARPHRD_???"), VALUES(level, "SOL_???"), FLAGS(msg, 0, "MSG_???"),
	VALUES(netlink, "NETLINK_???"), VALUES(packet, "PACKET_???"),
	VALUES(packet_member, "PACKET_MR_???"),
	VALUES(protocol, "IPPROTO_???"), {N(rxrpc_service, "???_SERVICE"), .form = KT_LABELS_COMMENTS},
	VALUES(shutdown, "SHUT_???"),
	FLAGS(socket, 0xf, "SOCK_???"), VALUES(socket_type, "SOCK_???"), VALUES(verdict, "NF_???"), VALUES(vsock, NULL),
};

/* clang-format on */

const struct kt_constants kt_constants_of_net = {tables, sizeof(tables) / sizeof(*tables)};
