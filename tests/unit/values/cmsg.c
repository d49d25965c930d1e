// SPDX-License-Identifier: GPL-2.0-or-later
/* Control messages, printed as by strace, without reading beyond their bytes. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "tests/unit/edge.h"
#include "values/cmsg.h"

static char bytes[4096];
static size_t size;

/* Adds a message whose header gives the length. */
static void add(int level, int type, const void *data, size_t n, size_t length)
{
	struct cmsghdr head = {CMSG_LEN(length), level, type};

	memcpy(bytes + size, &head, sizeof(head));
	memcpy(bytes + size + sizeof(head), data, n);
	size += CMSG_SPACE(n);
}

static void put_all(struct kt_text *t, const struct kt_value *v)
{
	kt_cmsg_put(t, v, 0, KT_COPIED_ALL);
}

static void put_part(struct kt_text *t, const struct kt_value *v)
{
	kt_cmsg_put(t, v, 0, KT_COPIED_PART);
}

/* Puts messages that are at an address. */
static void put_at(struct kt_text *t, const struct kt_value *v)
{
	kt_cmsg_put(t, v, 0x1000, KT_COPIED_ALL);
}

/* Puts a list of which two elements are printed. */
static void put_two(struct kt_text *t, const struct kt_value *v)
{
	t->is_limited = true;
	t->limit = 2;
	put_all(t, v);
	t->is_limited = false;
}

/* Asserts the messages added since the last call, in n bytes. */
static void assert_shown(size_t n, const char *text, const char *json)
{
	assert_string_equal(written_by(put_all, bytes, n), text);
	if (json)
		assert_string_equal(made_by(kt_cmsg_object, bytes, n), json);
	size = 0;
	memset(bytes, 0, sizeof(bytes));
}

static void messages_of_sockets(void **state)
{
	int fds[] = {3, -1, 70000}, who[] = {77, -1, 0};

	(void)state;
	add(SOL_SOCKET, 1, fds, 12, 12);
	add(SOL_SOCKET, 2, who, 12, 12);
	assert_shown(size,
		     "[{cmsg_len=28, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS, "
		     "cmsg_data=[3, -1, 70000]}, "
		     "{cmsg_len=28, cmsg_level=SOL_SOCKET, cmsg_type=SCM_CREDENTIALS, "
		     "cmsg_data={pid=77, uid=-1, gid=0}}]",
		     "[{\"cmsg_len\":28,\"cmsg_level\":\"SOL_SOCKET\",\"cmsg_type\":\"SCM_RIGHTS\","
		     "\"cmsg_data\":[3,-1,70000]},"
		     "{\"cmsg_len\":28,\"cmsg_level\":\"SOL_SOCKET\","
		     "\"cmsg_type\":\"SCM_CREDENTIALS\","
		     "\"cmsg_data\":{\"pid\":77,\"uid\":-1,\"gid\":0}}]");
	add(SOL_SOCKET, 3, "a\0b", 3, 3);
	assert_shown(size,
		     "[{cmsg_len=19, cmsg_level=SOL_SOCKET, cmsg_type=SCM_SECURITY, "
		     "cmsg_data=\"a\\0b\"}]",
		     "[{\"cmsg_len\":19,\"cmsg_level\":\"SOL_SOCKET\","
		     "\"cmsg_type\":\"SCM_SECURITY\",\"cmsg_data\":[97,0,98]}]");
}

static void timestamps(void **state)
{
	int64_t stamp[] = {-1, 5, 1, 2, 3, -4};

	(void)state;
	add(SOL_SOCKET, 29, stamp, 16, 16);
	add(SOL_SOCKET, 64, stamp, 16, 16);
	assert_shown(size,
		     "[{cmsg_len=32, cmsg_level=SOL_SOCKET, cmsg_type=SO_TIMESTAMP_OLD, "
		     "cmsg_data={tv_sec=-1, tv_usec=5}}, "
		     "{cmsg_len=32, cmsg_level=SOL_SOCKET, cmsg_type=SO_TIMESTAMPNS_NEW, "
		     "cmsg_data={tv_sec=-1, tv_nsec=5}}]",
		     NULL);
	add(SOL_SOCKET, 37, stamp, 48, 48);
	assert_shown(size,
		     "[{cmsg_len=64, cmsg_level=SOL_SOCKET, cmsg_type=SO_TIMESTAMPING_OLD, "
		     "cmsg_data=[{tv_sec=-1, tv_nsec=5}, {tv_sec=1, tv_nsec=2}, "
		     "{tv_sec=3, tv_nsec=18446744073709551612}]}]",
		     "[{\"cmsg_len\":64,\"cmsg_level\":\"SOL_SOCKET\","
		     "\"cmsg_type\":\"SO_TIMESTAMPING_OLD\","
		     "\"cmsg_data\":[{\"tv_sec\":-1,\"tv_nsec\":5},{\"tv_sec\":1,\"tv_nsec\":2},"
		     "{\"tv_sec\":3,\"tv_nsec\":18446744073709551612}]}]");
}

static void messages_of_packets(void **state)
{
	struct in_pktinfo to = {7, {htonl(INADDR_LOOPBACK)}, {htonl(INADDR_ANY)}};
	struct in6_pktinfo to6 = {IN6ADDR_LOOPBACK_INIT, 7};
	struct sockaddr_in a = {AF_INET, htons(80), {htonl(INADDR_LOOPBACK)}, {}};
	char error[32] = {5, 0, 0, 0, 2, 3, 4, 0, 6, 0, 0, 0, 7, 0, 0, 0};
	unsigned int number = -1;

	(void)state;
	add(IPPROTO_IP, IP_TTL, &number, 4, 4);
	add(IPPROTO_IP, IP_TOS, "\x10\0", 2, 2);
	add(IPPROTO_IP, IP_PKTINFO, &to, sizeof(to), sizeof(to));
	assert_shown(size,
		     "[{cmsg_len=20, cmsg_level=SOL_IP, cmsg_type=IP_TTL, cmsg_data=[4294967295]}, "
		     "{cmsg_len=18, cmsg_level=SOL_IP, cmsg_type=IP_TOS, cmsg_data=[0x10, 0]}, "
		     "{cmsg_len=28, cmsg_level=SOL_IP, cmsg_type=IP_PKTINFO, "
		     "cmsg_data={ipi_ifindex=7, ipi_spec_dst=inet_addr(\"127.0.0.1\"), "
		     "ipi_addr=inet_addr(\"0.0.0.0\")}}]",
		     NULL);
	memcpy(error + 16, &a, sizeof(a));
	add(IPPROTO_IP, IP_RECVERR, error, sizeof(error), sizeof(error));
	assert_shown(size,
		     "[{cmsg_len=48, cmsg_level=SOL_IP, cmsg_type=IP_RECVERR, "
		     "cmsg_data={ee_errno=5, ee_origin=2, ee_type=3, ee_code=4, ee_info=6, "
		     "ee_data=7, offender={sa_family=AF_INET, sin_port=htons(80), "
		     "sin_addr=inet_addr(\"127.0.0.1\")}}}]",
		     "[{\"cmsg_len\":48,\"cmsg_level\":\"SOL_IP\",\"cmsg_type\":\"IP_RECVERR\","
		     "\"cmsg_data\":{\"ee_errno\":5,\"ee_origin\":2,\"ee_type\":3,\"ee_code\":4,"
		     "\"ee_info\":6,\"ee_data\":7,\"offender\":{\"sa_family\":\"AF_INET\","
		     "\"sin_port\":80,\"sin_addr\":\"127.0.0.1\"}}}]");
	add(IPPROTO_IP, 20, &a, sizeof(a), sizeof(a));
	add(IPPROTO_IPV6, IPV6_PKTINFO, &to6, sizeof(to6), sizeof(to6));
	add(IPPROTO_IPV6, IPV6_HOPLIMIT, &number, 4, 4);
	assert_shown(size,
		     "[{cmsg_len=32, cmsg_level=SOL_IP, cmsg_type=IP_ORIGDSTADDR, "
		     "cmsg_data={sa_family=AF_INET, sin_port=htons(80), "
		     "sin_addr=inet_addr(\"127.0.0.1\")}}, "
		     "{cmsg_len=36, cmsg_level=SOL_IPV6, cmsg_type=IPV6_PKTINFO, "
		     "cmsg_data={inet_pton(AF_INET6, \"::1\", &ipi6_addr), ipi6_ifindex=7}}, "
		     "{cmsg_len=20, cmsg_level=SOL_IPV6, cmsg_type=IPV6_HOPLIMIT, "
		     "cmsg_data=[-1]}]",
		     NULL);
}

/* Invalid, unknown and empty messages. */
static void other_messages(void **state)
{
	(void)state;
	add(SOL_SOCKET, 1, "abc", 3, 3);
	add(SOL_SOCKET, 2, "abcdefghijk", 11, 11);
	add(SOL_SOCKET, 77, "", 0, 0);
	add(IPPROTO_TCP, 9, "x", 1, 1);
	add(-1, -1, "", 0, 0);
	assert_shown(size,
		     "[{cmsg_len=19, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS}, "
		     "{cmsg_len=27, cmsg_level=SOL_SOCKET, cmsg_type=SCM_CREDENTIALS}, "
		     "{cmsg_len=16, cmsg_level=SOL_SOCKET, cmsg_type=0x4d /* SCM_??? */}, "
		     "{cmsg_len=17, cmsg_level=SOL_TCP, cmsg_type=0x9, cmsg_data=\"x\"}, "
		     "{cmsg_len=16, cmsg_level=0xffffffff /* SOL_??? */, cmsg_type=0xffffffff}]",
		     NULL);
	add(-1, 5, "x", 1, 1);
	assert_shown(size,
		     "[{cmsg_len=17, cmsg_level=0xffffffff /* SOL_??? */, cmsg_type=0x5, "
		     "cmsg_data=\"x\"}]",
		     "[{\"cmsg_len\":17,\"cmsg_level\":4294967295,\"cmsg_type\":5,"
		     "\"cmsg_data\":[120]}]");
	/* A length below the header's: the last message. */
	add(SOL_SOCKET, 1, "abcd", 4, -1);
	add(SOL_SOCKET, 1, "abcd", 4, 4);
	assert_string_equal(written_by(put_at, bytes, size),
			    "[{cmsg_len=15, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS}, ... /* "
			    "0x1010 */]");
	assert_shown(size, "[{cmsg_len=15, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS}, ...]",
		     NULL);
	add(SOL_SOCKET, 1, "abcd", 4, -17);
	assert_shown(size,
		     "[{cmsg_len=18446744073709551615, cmsg_level=SOL_SOCKET, "
		     "cmsg_type=SCM_RIGHTS, cmsg_data=[1684234849, 0]}]",
		     NULL);
}

/* As many bytes as there were, or the first of more. */
static void cut(void **state)
{
	static const char one[] =
		"[{cmsg_len=20, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS, cmsg_data=[1]}";
	int fds[] = {1, 2, 3};
	char expected[256];

	(void)state;
	add(SOL_SOCKET, 1, fds, 12, 12);
	assert_string_equal(written_by(put_part, bytes, 24),
			    "[{cmsg_len=28, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS, "
			    "cmsg_data=[1, 2]}, ...]");
	assert_string_equal(written_by(put_part, bytes, 16),
			    "[{cmsg_len=28, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS}, ...]");
	assert_string_equal(written_by(put_two, bytes, 28),
			    "[{cmsg_len=28, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS, "
			    "cmsg_data=[1, 2, ...]}]");
	assert_shown(24,
		     "[{cmsg_len=28, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS, "
		     "cmsg_data=[1, 2]}]",
		     NULL);
	add(SOL_SOCKET, 1, fds, 4, 4);
	add(SOL_SOCKET, 1, fds, 4, 4);
	snprintf(expected, sizeof(expected), "%s]", one);
	assert_string_equal(written_by(put_all, bytes, 24), expected);
	assert_string_equal(written_by(put_all, bytes, 20), expected);
	snprintf(expected, sizeof(expected), "%s, ...]", one);
	assert_string_equal(written_by(put_all, bytes, 27), expected);
	snprintf(expected, sizeof(expected), "%s, ... /* 0x1018 */]", one);
	assert_string_equal(written_by(put_at, bytes, 27), expected);
	snprintf(expected, sizeof(expected), "%s, ...]", one);
	assert_string_equal(written_by(put_part, bytes, 24), expected);
	assert_shown(39, expected, NULL);
}

/* All levels, types and lengths: nothing is read beyond the end, and both views print something. */
static void any_message(void **state)
{
	static const int levels[] = {IPPROTO_IP, SOL_SOCKET, IPPROTO_UDP, IPPROTO_IPV6, 999};
	struct cmsghdr head = {0};
	size_t i, n;
	int round;

	(void)state;
	srand(1);
	for (round = 0; round < 40000; round++) {
		n = sizeof(head) + rand() % 80;
		for (i = 0; i < n; i++)
			bytes[i] = rand() % 3 ? rand() : 0;
		head.cmsg_len = rand() % 100;
		head.cmsg_level = levels[rand() % 5];
		head.cmsg_type = rand() % 110;
		memcpy(bytes, &head, sizeof(head));
		assert_memory_equal(written_by(put_all, bytes, n), "[{cmsg_len=", 11);
		assert_memory_equal(made_by(kt_cmsg_object, bytes, n), "[{\"cmsg_len\":", 13);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_of_sockets),
		cmocka_unit_test(timestamps),
		cmocka_unit_test(messages_of_packets),
		cmocka_unit_test(other_messages),
		cmocka_unit_test(cut),
		cmocka_unit_test(any_message),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
