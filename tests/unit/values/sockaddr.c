// SPDX-License-Identifier: GPL-2.0-or-later
/* Socket addresses, printed as by strace, without reading beyond their bytes. */
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/un.h>

#include "tests/unit/edge.h"
#include "values/sockaddr.h"

static const char *text_of(const void *bytes, size_t n)
{
	return written_by(kt_sockaddr_put, bytes, n);
}

static const char *json_of(const void *bytes, size_t n)
{
	return made_by(kt_sockaddr_object, bytes, n);
}

static void internet_addresses(void **state)
{
	struct sockaddr_in a = {AF_INET, htons(8080), {htonl(INADDR_LOOPBACK)}, {}};
	struct sockaddr_in6 b = {AF_INET6, htons(80), htonl(7), IN6ADDR_LOOPBACK_INIT, 3};

	(void)state;
	assert_string_equal(text_of(&a, sizeof(a)), "{sa_family=AF_INET, sin_port=htons(8080), "
						    "sin_addr=inet_addr(\"127.0.0.1\")}");
	assert_string_equal(
		json_of(&a, sizeof(a)),
		"{\"sa_family\":\"AF_INET\",\"sin_port\":8080,\"sin_addr\":\"127.0.0.1\"}");
	assert_string_equal(text_of(&b, sizeof(b)),
			    "{sa_family=AF_INET6, sin6_port=htons(80), sin6_flowinfo=htonl(7), "
			    "inet_pton(AF_INET6, \"::1\", &sin6_addr), sin6_scope_id=3}");
	assert_string_equal(json_of(&b, sizeof(b)),
			    "{\"sa_family\":\"AF_INET6\",\"sin6_port\":80,\"sin6_flowinfo\":7,"
			    "\"sin6_addr\":\"::1\",\"sin6_scope_id\":3}");
}

/* Old ones without a scope, and cut ones. */
static void short_addresses(void **state)
{
	struct sockaddr_in a = {AF_INET, htons(8080), {htonl(INADDR_LOOPBACK)}, {}};
	struct sockaddr_in6 b = {AF_INET6, htons(80), htonl(7), IN6ADDR_LOOPBACK_INIT, 3};

	(void)state;
	assert_string_equal(text_of(&b, 24),
			    "{sa_family=AF_INET6, sin6_port=htons(80), sin6_flowinfo=htonl(7), "
			    "inet_pton(AF_INET6, \"::1\", &sin6_addr)}");
	assert_string_equal(text_of(&b, 27), text_of(&b, 24));
	assert_string_equal(text_of(&b, 9),
			    "{sa_family=AF_INET6, sa_data=\"\\0P\\0\\0\\0\\7\\0\"}");
	assert_string_equal(text_of(&a, 5), "{sa_family=AF_INET, sa_data=\"\\37\\220\\177\"}");
	assert_string_equal(json_of(&a, 5), "{\"sa_family\":\"AF_INET\",\"sa_data\":[31,144,127]}");
	assert_string_equal(text_of(&a, 2), "{sa_family=AF_INET}");
	assert_string_equal(json_of(&a, 2), "{\"sa_family\":\"AF_INET\"}");
}

/* Paths and abstract names; only paths end at a NUL. */
static void unix_addresses(void **state)
{
	struct sockaddr_un a = {AF_UNIX, "/run/\"log\""}, b = {AF_UNIX, "\0a\0b"};

	(void)state;
	assert_string_equal(text_of(&a, sizeof(a)),
			    "{sa_family=AF_UNIX, sun_path=\"/run/\\\"log\\\"\"}");
	assert_string_equal(text_of(&a, 4), "{sa_family=AF_UNIX, sun_path=\"/r\"}");
	assert_string_equal(json_of(&a, sizeof(a)),
			    "{\"sa_family\":\"AF_UNIX\",\"sun_path\":\"\\/run\\/\\\"log\\\"\"}");
	assert_string_equal(text_of(&a, 2), "{sa_family=AF_UNIX}");
	assert_string_equal(text_of(&b, 6), "{sa_family=AF_UNIX, sun_path=@\"a\\0b\"}");
	assert_string_equal(text_of(&b, 3), "{sa_family=AF_UNIX, sun_path=@\"\"}");
	assert_string_equal(json_of(&b, 6),
			    "{\"sa_family\":\"AF_UNIX\",\"sun_path\":\"\\u0000a\\u0000b\"}");
}

static void packet_addresses(void **state)
{
	struct sockaddr_ll a = {AF_PACKET, htons(0x0800), 2, 1, 4, 6, {1, 2, 3, 4, 5, 250}};

	(void)state;
	assert_string_equal(text_of(&a, sizeof(a)),
			    "{sa_family=AF_PACKET, sll_protocol=htons(ETH_P_IP), sll_ifindex=2, "
			    "sll_hatype=ARPHRD_ETHER, sll_pkttype=PACKET_OUTGOING, sll_halen=6, "
			    "sll_addr=[0x1, 0x2, 0x3, 0x4, 0x5, 0xfa]}");
	a = (struct sockaddr_ll){AF_PACKET, htons(0x1234 /* ETH_P_??? */), 0, 999, 77, 0, {1}};
	assert_string_equal(
		text_of(&a, sizeof(a)),
		"{sa_family=AF_PACKET, sll_protocol=htons(0x1234 /* ETH_P_??? */), sll_ifindex=0, "
		"sll_hatype=0x3e7 /* ARPHRD_??? */, sll_pkttype=0x4d /* PACKET_??? */, "
		"sll_halen=0}");
	a.sll_halen = 200; /* as many as there are */
	assert_string_equal(json_of(&a, sizeof(a)),
			    "{\"sa_family\":\"AF_PACKET\",\"sll_protocol\":4660,\"sll_ifindex\":0,"
			    "\"sll_hatype\":999,\"sll_pkttype\":77,\"sll_halen\":200,"
			    "\"sll_addr\":[1,0,0,0,0,0,0,0]}");
}

static void other_families(void **state)
{
	struct sockaddr_nl a = {AF_NETLINK, 0, -1, 0x11};
	struct sockaddr b = {99, "abc"};

	(void)state;
	assert_string_equal(text_of(&a, sizeof(a)),
			    "{sa_family=AF_NETLINK, nl_pid=-1, nl_groups=0x000011}");
	assert_string_equal(json_of(&a, sizeof(a)),
			    "{\"sa_family\":\"AF_NETLINK\",\"nl_pid\":-1,\"nl_groups\":17}");
	a = (struct sockaddr_nl){AF_NETLINK, 0, 4711, 0};
	assert_string_equal(text_of(&a, sizeof(a)),
			    "{sa_family=AF_NETLINK, nl_pid=4711, nl_groups=00000000}");
	assert_string_equal(text_of(&b, 6), "{sa_family=0x63 /* AF_??? */, sa_data=\"abc\\0\"}");
	b.sa_family = AF_UNSPEC;
	assert_string_equal(text_of(&b, 4), "{sa_family=AF_UNSPEC, sa_data=\"ab\"}");
}

/* All families and lengths: nothing is read beyond the end, and both views print something. */
static void any_address(void **state)
{
	struct sockaddr_storage a;
	unsigned char *bytes = (unsigned char *)&a;
	size_t family, n, i;

	(void)state;
	srand(1);
	for (family = 0; family < 50; family++) {
		for (n = sizeof(a.ss_family); n <= sizeof(a); n++) {
			for (i = 0; i < sizeof(a); i++)
				bytes[i] = rand() % 3 ? rand() : 0;
			a.ss_family = family;
			assert_memory_equal(text_of(&a, n), "{sa_family=", 11);
			assert_memory_equal(json_of(&a, n), "{\"sa_family\":", 13);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(internet_addresses), cmocka_unit_test(short_addresses),
		cmocka_unit_test(unix_addresses),     cmocka_unit_test(packet_addresses),
		cmocka_unit_test(other_families),     cmocka_unit_test(any_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
