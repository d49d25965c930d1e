// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/netlink/netlink_diag.h"

#include <linux/inet_diag.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <sys/socket.h>

#include "values/netlink/netlink_tables.h"

/* clang-format off */

static const struct kt_struct_part memory[] = {
	{"idiag_rmem", 0, 4, KT_PART_NUMBER, NULL}, {"idiag_wmem", 4, 4, KT_PART_NUMBER, NULL},
	{"idiag_fmem", 8, 4, KT_PART_NUMBER, NULL}, {"idiag_tmem", 12, 4, KT_PART_NUMBER, NULL},
	{0}};

static const struct kt_netlink_attribute inet_of[] = {
	STRUCT(INET_DIAG_MEMINFO, 16, memory), STRING(INET_DIAG_CONG), HEX8(INET_DIAG_TOS),
	HEX8(INET_DIAG_TCLASS), U8(INET_DIAG_SHUTDOWN), U8(INET_DIAG_PROTOCOL),
	U8(INET_DIAG_SKV6ONLY), U32(INET_DIAG_MARK), U32(INET_DIAG_CLASS_ID),
	U64(INET_DIAG_CGROUP_ID),
};
TABLE(inet, "netlink_inet");

static const struct kt_struct_part inode[] = {
	{"udiag_vfs_ino", 0, 4, KT_PART_NUMBER, NULL}, {"udiag_vfs_dev", 4, 4, KT_PART_HEX, NULL},
	{0}};

static const struct kt_struct_part queue[] = {
	{"udiag_rqueue", 0, 4, KT_PART_NUMBER, NULL}, {"udiag_wqueue", 4, 4, KT_PART_NUMBER, NULL},
	{0}};

static const struct kt_netlink_attribute local_of[] = {
	STRING(UNIX_DIAG_NAME), STRUCT(UNIX_DIAG_VFS, 8, inode), U32(UNIX_DIAG_PEER),
	STRUCT(UNIX_DIAG_RQLEN, 8, queue), U8(UNIX_DIAG_SHUTDOWN), U32(UNIX_DIAG_UID),
};
TABLE(local, "netlink_unix");

/* The ends of a connection, which stand in a struct of their own, "id". */
#define ENDS(at, kind, size) \
	{"idiag_sport", at, 2, KT_PART_PORT, NULL}, {"idiag_dport", (at) + 2, 2, KT_PART_PORT, NULL}, \
	{"idiag_src", (at) + 4, size, kind, NULL}, {"idiag_dst", (at) + 20, size, kind, NULL}, \
	{"idiag_if", (at) + 36, 4, KT_PART_NUMBER, NULL}, \
	{"idiag_cookie", (at) + 40, 8, KT_PART_UINTS, NULL}
#define ENDS4(at) ENDS(at, KT_PART_IPV4, 4)
#define ENDS6(at) ENDS(at, KT_PART_IPV6, 16)

#define REQUEST(ends) \
	{56, \
	 {{"sdiag_family", 0, 1, KT_PART_NUMBER, "family"}, \
	  {"sdiag_protocol", 1, 1, KT_PART_NUMBER, "protocol"}, \
	  {"idiag_ext", 2, 1, KT_PART_FLAGS, "netlink_inet_wanted"}, \
	  {"idiag_states", 4, 4, KT_PART_FLAGS, "netlink_states"}, ends}, \
	 NULL, {4, 6, "id"}}

#define ANSWER(ends) \
	{72, \
	 {{"idiag_family", 0, 1, KT_PART_NUMBER, "family"}, \
	  {"idiag_state", 1, 1, KT_PART_NUMBER, "netlink_state"}, \
	  {"idiag_timer", 2, 1, KT_PART_NUMBER, NULL}, \
	  {"idiag_retrans", 3, 1, KT_PART_NUMBER, NULL}, ends, \
	  {"idiag_expires", 52, 4, KT_PART_NUMBER, NULL}, \
	  {"idiag_rqueue", 56, 4, KT_PART_NUMBER, NULL}, \
	  {"idiag_wqueue", 60, 4, KT_PART_NUMBER, NULL}, \
	  {"idiag_uid", 64, 4, KT_PART_NUMBER, NULL}, \
	  {"idiag_inode", 68, 4, KT_PART_NUMBER, NULL}}, \
	 &inet, {4, 6, "id"}}

static const struct kt_netlink_message request4 = REQUEST(ENDS4(8)), request6 = REQUEST(ENDS6(8)),
	answer4 = ANSWER(ENDS4(4)), answer6 = ANSWER(ENDS6(4));

static const struct kt_netlink_message local_request = {
	24,
	{{"sdiag_family", 0, 1, KT_PART_NUMBER, "family"},
	 {"sdiag_protocol", 1, 1, KT_PART_NUMBER, NULL},
	 {"udiag_states", 4, 4, KT_PART_FLAGS, "netlink_states"},
	 {"udiag_ino", 8, 4, KT_PART_NUMBER, NULL},
	 {"udiag_show", 12, 4, KT_PART_FLAGS, "netlink_unix_show"},
	 {"udiag_cookie", 16, 8, KT_PART_UINTS, NULL}},
	NULL, {0}};

static const struct kt_netlink_message local_answer = {
	16,
	{{"udiag_family", 0, 1, KT_PART_NUMBER, "family"},
	 {"udiag_type", 1, 1, KT_PART_NUMBER, "socket_type"},
	 {"udiag_state", 2, 1, KT_PART_NUMBER, "netlink_state"},
	 {"udiag_ino", 4, 4, KT_PART_NUMBER, NULL},
	 {"udiag_cookie", 8, 8, KT_PART_UINTS, NULL}},
	&local, {0}};

/* clang-format on */

const struct kt_netlink_message *kt_netlink_diag_message(unsigned int type, unsigned int family,
							 bool is_request)
{
	if (type != SOCK_DIAG_BY_FAMILY && type != SOCK_DESTROY)
		return NULL;
	if (family == AF_INET)
		return is_request ? &request4 : &answer4;
	if (family == AF_INET6)
		return is_request ? &request6 : &answer6;
	if (family == AF_UNIX)
		return is_request ? &local_request : &local_answer;
	return NULL;
}
