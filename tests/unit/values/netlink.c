// SPDX-License-Identifier: GPL-2.0-or-later
/* Netlink messages, without reading beyond their bytes, however long they claim to be. */
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <sys/socket.h>

#include "tests/unit/edge.h"
#include "values/netlink/netlink.h"

static char bytes[512];
static size_t size;
static int protocol;
static bool is_cut;

static void put(struct kt_text *t, const struct kt_value *v)
{
	kt_netlink_put(t, protocol, v, is_cut);
}

static void add(const void *data, size_t n)
{
	memcpy(bytes + size, data, n);
	size = (size + n + 3) & ~(size_t)3;
}

static void add_header(uint32_t length, uint16_t type, uint16_t flags)
{
	struct nlmsghdr header = {length, type, flags, 7, 8};

	add(&header, sizeof(header));
}

static void add_attribute(uint16_t type, const void *data, size_t n)
{
	struct nlattr header = {NLA_HDRLEN + n, type};

	add(&header, sizeof(header));
	add(data, n);
}

/* Asserts what was added since the last call. */
static void assert_shown(const char *text)
{
	assert_string_equal(written_by(put, bytes, size), text);
	size = 0;
	memset(bytes, 0, sizeof(bytes));
}

#define HEAD(length, type, flags)                                         \
	"{nlmsg_len=" #length ", nlmsg_type=" type ", nlmsg_flags=" flags \
	", nlmsg_seq=7, nlmsg_pid=8}"
#define LINK                                                                               \
	"{ifi_family=AF_UNSPEC, ifi_type=ARPHRD_LOOPBACK, ifi_index=5, ifi_flags=IFF_UP, " \
	"ifi_change=0}"

static void add_link(uint32_t length)
{
	struct ifinfomsg link = {.ifi_type = 772, .ifi_index = 5, .ifi_flags = 1};

	add_header(length, RTM_NEWLINK, NLM_F_MULTI);
	add(&link, sizeof(link));
}

static void links(void **state)
{
	(void)state;
	protocol = NETLINK_ROUTE;
	is_cut = false;
	add_link(32);
	assert_shown("[" HEAD(32, "RTM_NEWLINK", "NLM_F_MULTI") ", " LINK "]");
	add_link(40);
	add_attribute(IFLA_IFNAME, "lo", 3);
	assert_shown("[" HEAD(40, "RTM_NEWLINK",
			      "NLM_F_MULTI") ", " LINK
					     ", [{nla_len=7, nla_type=IFLA_IFNAME}, \"lo\"]]");
	add_link(56);
	add_attribute(IFLA_MTU, &(uint32_t){1500}, 4);
	add_attribute(IFLA_ADDRESS, "\2\1\0\0\0\3", 6);
	add_attribute(NLA_F_NESTED | 16000, "", 0);
	assert_shown("[" HEAD(
		56, "RTM_NEWLINK",
		"NLM_F_MULTI") ", " LINK ", [[{nla_len=8, nla_type=IFLA_MTU}, 1500], [{nla_len=10, "
			       "nla_type=IFLA_ADDRESS}, 02:01:00:00:00:03], "
			       "{nla_len=4, nla_type=NLA_F_NESTED|0x3e80 /* IFLA_??? */}]]");
	add_link(39);
	add_attribute(IFLA_MTU, &(uint32_t){1500}, 3);
	assert_shown(
		"[" HEAD(39, "RTM_NEWLINK",
			 "NLM_F_MULTI") ", " LINK
					", [{nla_len=7, nla_type=IFLA_MTU}, \"\\xdc\\x05\\x00\"]]");
}

static void several(void **state)
{
	(void)state;
	protocol = NETLINK_ROUTE;
	is_cut = false;
	add_link(32);
	add_header(20, NLMSG_DONE, 0);
	add(&(int32_t){-5}, 4);
	assert_shown("[[" HEAD(32, "RTM_NEWLINK", "NLM_F_MULTI") ", " LINK "], [" HEAD(
		20, "NLMSG_DONE", "0") ", -5]]");
	add_header(0, 0, 0);
	assert_shown(HEAD(0, "0 /* NLMSG_??? */", "0"));
	add_header(16, RTM_GETLINK, NLM_F_DUMP);
	size = 18;
	assert_shown("[" HEAD(16, "RTM_GETLINK", "NLM_F_DUMP") ", \"\\x00\\x00\"]");
	add("abc", 3);
	size = 3;
	assert_shown("\"\\x61\\x62\\x63\"");
	assert_shown("\"\"");
}

static void errors(void **state)
{
	(void)state;
	protocol = NETLINK_ROUTE;
	is_cut = false;
	add_header(36, NLMSG_ERROR, NLM_F_CAPPED);
	add(&(int32_t){-17}, 4);
	add_header(200, RTM_DELLINK, NLM_F_ACK);
	assert_shown("[" HEAD(36, "NLMSG_ERROR", "NLM_F_CAPPED") ", {error=-EEXIST, msg=" HEAD(
		200, "RTM_DELLINK", "NLM_F_ACK") "}]");
	add_header(48, NLMSG_ERROR, NLM_F_CAPPED | NLM_F_ACK_TLVS);
	add(&(int32_t){0}, 4);
	add_header(200, RTM_DELLINK, 0);
	add_attribute(1 /* NLMSGERR_ATTR_MSG */, "no such", 8);
	assert_shown(
		"[" HEAD(48, "NLMSG_ERROR",
			 "NLM_F_CAPPED|NLM_F_ACK_TLVS") ", [{error=0, "
							"msg=" HEAD(200, "RTM_DELLINK",
								    "0") "}, [{nla_len=12, "
									 "nla_type=NLMSGERR_ATTR_"
									 "MSG}, \"no such\"]]]");
	add_header(20, NLMSG_ERROR, 0);
	add(&(int32_t){-1}, 4);
	assert_shown("[" HEAD(20, "NLMSG_ERROR", "0") ", \"\\xff\\xff\\xff\\xff\"]");
}

/* An error that answers an error, and so on, does not take a stack frame each. */
static void errors_of_errors(void **state)
{
	enum { N = 200000, EACH = NLMSG_HDRLEN + 4 };
	char *all = calloc(N, EACH), *at;
	static struct kt_text text;
	size_t i;

	(void)state;
	for (i = 0; i < N; i++) {
		at = all + i * EACH;
		memcpy(at, (uint32_t[]){(N - i) * EACH}, 4);
		memcpy(at + 4, (uint16_t[]){NLMSG_ERROR}, 2);
	}
	protocol = NETLINK_ROUTE;
	is_cut = false;
	text.to = fopen("/dev/null", "w");
	put(&text, &(struct kt_value){all, (size_t)N * EACH});
	kt_text_flush(&text);
	assert_true(ftell(text.to) > 0);
	fclose(text.to);
	free(all);
}

static void other_protocols(void **state)
{
	(void)state;
	protocol = NETLINK_GENERIC;
	is_cut = false;
	add_header(18, 16, NLM_F_REQUEST);
	add("ab", 2);
	size = 18;
	assert_shown("[" HEAD(18, "nlctrl", "NLM_F_REQUEST") ", \"\\x61\\x62\"]");
	protocol = 30;
	add_header(16, 16, 0);
	assert_shown(HEAD(16, "0x10 /* NLMSG_??? */", "0"));
	protocol = NETLINK_SOCK_DIAG;
	add_header(24, SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST);
	add("\2\6\0\0\200\4\0\0", 8);
	assert_shown("[" HEAD(
		24, "SOCK_DIAG_BY_FAMILY",
		"NLM_F_REQUEST") ", "
				 "{sdiag_family=AF_INET, sdiag_protocol=IPPROTO_TCP, idiag_ext=0, "
				 "idiag_states=1<<TCP_CLOSE|1<<TCP_LISTEN}]");
}

/* Only part of the messages is there. */
static void cut(void **state)
{
	(void)state;
	protocol = NETLINK_ROUTE;
	is_cut = true;
	add_link(100);
	add_attribute(IFLA_MTU, &(uint32_t){1500}, 4);
	add_attribute(IFLA_IFNAME, "long name", 10);
	size -= 6;
	assert_shown("[" HEAD(100, "RTM_NEWLINK",
			      "NLM_F_MULTI") ", " LINK
					     ", [[{nla_len=8, nla_type=IFLA_MTU}, 1500], ...]]");
	add_link(32);
	assert_shown("[[" HEAD(32, "RTM_NEWLINK", "NLM_F_MULTI") ", " LINK "], ...]");
	add_header(32, RTM_NEWLINK, 0);
	assert_shown("[" HEAD(32, "RTM_NEWLINK", "0") ", ...]");
	add("ab", 2);
	assert_shown("...");
}

/* Any bytes are printed, up to any place. */
static void odd(void **state)
{
	static const uint16_t lengths[] = {0, 1, 3, 4, 5, 200, 65535};
	uint32_t state_of_random = 1;
	size_t i, k, n;

	(void)state;
	for (i = 0; i < 20000; i++) {
		protocol = i % 3 == 0 ? NETLINK_SOCK_DIAG : NETLINK_ROUTE;
		is_cut = i % 5 == 0;
		for (k = 0; k < 200; k++) {
			state_of_random = state_of_random * 1103515245 + 12345;
			bytes[k] = state_of_random >> 24;
		}
		n = i % 200;
		memcpy(bytes, (uint32_t[]){i % 7 == 0 ? 0xffffffff : 120}, 4);
		memcpy(bytes + 4, (uint16_t[]){i % 11 == 0 ? NLMSG_ERROR : 16 + i % 80}, 2);
		memcpy(bytes + 32, &lengths[i % 7], 2);
		memcpy(bytes + 34, (uint16_t[]){i % 70}, 2);
		bytes[16] = i % 4 == 0 ? AF_INET6 : AF_UNIX + i % 2;
		assert_true(strlen(written_by(put, bytes, n)) > 0);
	}
	memset(bytes, 0, sizeof(bytes));
	size = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links),
		cmocka_unit_test(several),
		cmocka_unit_test(errors),
		cmocka_unit_test(errors_of_errors),
		cmocka_unit_test(other_protocols),
		cmocka_unit_test(cut),
		cmocka_unit_test(odd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
