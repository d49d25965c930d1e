// SPDX-License-Identifier: GPL-2.0-or-later
/* Values of socket options and ioctl requests, without reading beyond their bytes. */
#include <arpa/inet.h>
#include <asm/termbits.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "tests/unit/edge.h"
#include "tests/unit/metadata.h"
#include "tests/unit/parsed.h"
#include "trace/read/stream_reader.h"
#include "values/record/field_text.h"
#include "values/sockopt.h"

#define TYPES                                  \
	ALIAS(INTEGER(64, false), "pointer64") \
	ALIAS(INTEGER(32, true), "s32")        \
	ALIAS(INTEGER(8, false), "option")     \
	ALIAS(INTEGER(8, false), "sockaddr")

#define VALUE "s64 _ret; u8 _k; option ___optval_val[_k]; "

#define NAME "enum : u64 { \"SO_LINGER\" = 5 } _optname"

/* A return; similar events; and entries, the second of which has labels for options. */
#define EVENTS                                                                       \
	EVENT(0, "syscalls:sys_exit_a", VALUE "u8 _l; s32 ___optlen_val[_l];")       \
	EVENT(1, "syscalls:sys_exit_a1", VALUE "u8 _l; sockaddr ___optlen_val[_l];") \
	EVENT(2, "syscalls:sys_exit_a2", VALUE "u8 _l; s32 _optlen[_l];")            \
	EVENT(3, "syscalls:sys_exit_a3", VALUE)                                      \
	EVENT(4, "syscalls:sys_enter_a4",                                            \
	      "pointer64 _optval; s64 _optlen; u8 _k; "                              \
	      "option ___optval_val[_k];")                                           \
	EVENT(5, "syscalls:sys_enter_a5", NAME "; pointer64 _optval;")               \
	EVENT(6, "syscalls:sys_enter_a6", NAME "[1]; pointer64 _optval;")

static int open_parsed(void **state)
{
	static const char text[] = HEAD ENV("") STREAM TYPES EVENTS;

	(void)state;
	return parse(text);
}

/* The option, and how much of it is printed. */
static const char *name;
static enum kt_copied copied = KT_COPIED_ALL;

static void put(struct kt_text *t, const struct kt_value *v)
{
	kt_sockopt_put(t, name, v, copied);
}

/* Puts a text of which two bytes are printed. */
static void put_two(struct kt_text *t, const struct kt_value *v)
{
	t->is_limited = true;
	t->limit = 2;
	put(t, v);
	t->is_limited = false;
}

static struct json_object *make(const struct kt_value *v)
{
	return kt_sockopt_object(name, v, copied);
}

static void assert_shown(const char *option, const void *bytes, size_t n, const char *text,
			 const char *json)
{
	name = option;
	assert_string_equal(written_by(put, bytes, n), text);
	assert_string_equal(made_by(make, bytes, n), json);
}

static void numbers(void **state)
{
	int32_t n = -7, refused = ECONNREFUSED, zero = 0, odd = 9999, less = -1;

	(void)state;
	assert_shown("SO_RCVBUF", &n, 4, "[-7]", "-7");
	assert_shown(NULL, &n, 4, "[-7]", "-7");
	assert_shown("no option", &n, 3, "\"\\371\\377\\377\"", "[249,255,255]");
	assert_shown("SO_RCVBUF", "ab", 2, "\"\\x61\\x62\"", "\"ab\"");
	assert_shown("SO_RCVBUF", "abcde", 5, "[1684234849]", "1684234849");
	assert_shown("NETLINK_EXT_ACK", "\1\0\0\0\5", 5, "[1]", "1");
	assert_shown("SO_PEERSEC", "abcde", 5, "\"abcde\"", "\"abcde\"");
	assert_shown("SO_RCVBUF", "", 0, "\"\"", "\"\"");
	assert_shown("SO_ERROR", &refused, 4, "[ECONNREFUSED]", "111");
	assert_shown("SO_ERROR", &zero, 4, "[0]", "0");
	assert_shown("SO_ERROR", &odd, 4, "[9999]", "9999");
	assert_shown("SO_ERROR", &less, 4, "[-1]", "-1");
}

/* Each member as far as there are bytes. */
static void structs(void **state)
{
	int32_t linger[] = {1, -5}, who[] = {77, -1, 0}, group[] = {0, 0, 3};
	int64_t limit[] = {-2, 500000, 9};
	char group6[20] = {0xff, 2, [15] = 1, 7};

	(void)state;
	assert_shown("SO_LINGER", linger, 8, "{l_onoff=1, l_linger=-5}",
		     "{\"l_onoff\":1,\"l_linger\":-5}");
	assert_shown("SO_LINGER", linger, 7, "{l_onoff=1, l_linger=\"\\xfb\\xff\\xff\"}",
		     "{\"l_onoff\":1}");
	assert_shown("SO_LINGER", linger, 4, "{l_onoff=1}", "{\"l_onoff\":1}");
	assert_shown("SO_LINGER", linger, 3, "{l_onoff=\"\\x01\\x00\\x00\"}",
		     "\"\\u0001\\u0000\\u0000\"");
	assert_shown("SO_PEERCRED", who, 12, "{pid=77, uid=-1, gid=0}",
		     "{\"pid\":77,\"uid\":-1,\"gid\":0}");
	assert_shown("SO_RCVTIMEO_OLD", limit, 16, "{tv_sec=-2, tv_usec=500000}",
		     "{\"tv_sec\":-2,\"tv_usec\":500000}");
	assert_shown("SO_SNDTIMEO_NEW", limit, 24, "{tv_sec=-2, tv_usec=500000}",
		     "{\"tv_sec\":-2,\"tv_usec\":500000}");
	group[0] = htonl(INADDR_ALLHOSTS_GROUP);
	group[1] = htonl(INADDR_LOOPBACK);
	assert_shown("IP_ADD_MEMBERSHIP", group, 8,
		     "{imr_multiaddr=inet_addr(\"224.0.0.1\"), "
		     "imr_interface=inet_addr(\"127.0.0.1\")}",
		     "{\"imr_multiaddr\":\"224.0.0.1\",\"imr_interface\":\"127.0.0.1\"}");
	assert_shown("IP_DROP_MEMBERSHIP", group, 12,
		     "{imr_multiaddr=inet_addr(\"224.0.0.1\"), "
		     "imr_interface=inet_addr(\"127.0.0.1\"), imr_ifindex=3}",
		     "{\"imr_multiaddr\":\"224.0.0.1\",\"imr_interface\":\"127.0.0.1\","
		     "\"imr_ifindex\":3}");
	assert_shown("IPV6_ADD_MEMBERSHIP", group6, 20,
		     "{inet_pton(AF_INET6, \"ff02::1\", &ipv6mr_multiaddr), ipv6mr_interface=7}",
		     "{\"ipv6mr_multiaddr\":\"ff02::1\",\"ipv6mr_interface\":7}");
}

static void packets(void **state)
{
	struct packet_mreq member = {3, PACKET_MR_PROMISC, 7, {1, 2, 0xff, 0, 0, 0, 6, 9}};
	uint32_t ring[] = {4096, 2, 2048, 4};

	(void)state;
	assert_shown("PACKET_ADD_MEMBERSHIP", &member, 16,
		     "{mr_ifindex=3, mr_type=PACKET_MR_PROMISC, mr_alen=7, "
		     "mr_address=01:02:ff:00:00:00:06}",
		     "{\"mr_ifindex\":3,\"mr_type\":\"PACKET_MR_PROMISC\",\"mr_alen\":7,"
		     "\"mr_address\":\"01:02:ff:00:00:00:06\"}");
	member.mr_alen = 300;
	assert_shown("PACKET_DROP_MEMBERSHIP", &member, 16,
		     "{mr_ifindex=3, mr_type=PACKET_MR_PROMISC, mr_alen=300, "
		     "mr_address=01:02:ff:00:00:00:06:09}",
		     "{\"mr_ifindex\":3,\"mr_type\":\"PACKET_MR_PROMISC\",\"mr_alen\":300,"
		     "\"mr_address\":\"01:02:ff:00:00:00:06:09\"}");
	assert_shown("PACKET_RX_RING", ring, 16,
		     "{tp_block_size=4096, tp_block_nr=2, tp_frame_size=2048, tp_frame_nr=4}",
		     "{\"tp_block_size\":4096,\"tp_block_nr\":2,\"tp_frame_size\":2048,"
		     "\"tp_frame_nr\":4}");
}

static bool is_whole(const char *option, size_t n, enum kt_copied how)
{
	static const char bytes[256];
	struct kt_value v = {bytes, n};

	return kt_sockopt_is_whole(option, &v, how);
}

/* What a call was given is printed if the kernel would read it. */
static void given_values(void **state)
{
	(void)state;
	assert_true(is_whole("SO_RCVBUF", 4, KT_COPIED_ALL));
	assert_true(is_whole("SO_RCVBUF", 4, KT_COPIED_PART));
	assert_false(is_whole("SO_RCVBUF", 3, KT_COPIED_ALL));
	assert_true(is_whole("SO_LINGER", 8, KT_COPIED_PART));
	assert_false(is_whole("SO_LINGER", 7, KT_COPIED_ALL));
	assert_true(is_whole("SO_RCVTIMEO_OLD", 16, KT_COPIED_PART));
	assert_true(is_whole("SO_RCVTIMEO_OLD", 3, KT_COPIED_ALL));
	assert_false(is_whole("SO_RCVTIMEO_OLD", 4, KT_COPIED_PART));
	assert_true(is_whole("PACKET_RX_RING", 16, KT_COPIED_ALL));
	assert_false(is_whole("PACKET_RX_RING", 17, KT_COPIED_ALL));
	assert_false(is_whole("PACKET_RX_RING", 16, KT_COPIED_PART));
	assert_true(is_whole("TCP_CONGESTION", 3, KT_COPIED_PART));
	assert_true(is_whole(NULL, 3, KT_COPIED_ALL));
	assert_false(is_whole(NULL, 3, KT_COPIED_PART));
	assert_true(is_whole(NULL, 256, KT_COPIED_PART));
}

static void texts(void **state)
{
	(void)state;
	assert_shown("TCP_CONGESTION", "reno", 4, "\"reno\"", "\"reno\"");
	assert_shown("SO_BINDTODEVICE", "lo", 3, "\"lo\\0\"", "\"lo\\u0000\"");
}

/* ioctl requests. */
static void requests(void **state)
{
	uint32_t modem = TIOCM_RTS | TIOCM_DTR, odd = 0x80000008;
	uint64_t range[] = {4096, 1};
	uint16_t window[] = {24, 80, 0, 65535};
	struct termios2 t = {.c_iflag = ICRNL,
			     .c_oflag = TAB1 | ONLCR,
			     .c_cflag = B38400 | B50 << IBSHIFT | CS8,
			     .c_cc = {[VEOF] = 4, [18] = 255},
			     .c_ospeed = 7};
	const char *given;

	(void)state;
	assert_shown("TIOCMGET", &modem, 4, "[TIOCM_DTR|TIOCM_RTS]",
		     "[\"TIOCM_DTR\",\"TIOCM_RTS\"]");
	assert_shown("FS_IOC_SETFLAGS", &odd, 4, "[FS_SYNC_FL|FS_RESERVED_FL]",
		     "[\"FS_SYNC_FL\",\"FS_RESERVED_FL\"]");
	odd = 0x01000000;
	assert_shown("FS_IOC_SETFLAGS", &odd, 4, "[0x1000000 /* FS_???_FL */]", "[16777216]");
	odd = 0;
	assert_shown("FS_IOC_GETFLAGS", &odd, 4, "[0]", "[]");
	assert_shown("FS_IOC_GETFLAGS", &odd, 3, "\"\\0\\0\\0\"", "\"\\u0000\\u0000\\u0000\"");
	assert_shown("BLKDISCARD", range, 16, "[4096, 1]", "[4096,1]");
	assert_shown("BLKGETSIZE64", range, 8, "[4096]", "4096");
	assert_shown("TIOCSWINSZ", window, 8,
		     "{ws_row=24, ws_col=80, ws_xpixel=0, ws_ypixel=65535}",
		     "{\"ws_row\":24,\"ws_col\":80,\"ws_xpixel\":0,\"ws_ypixel\":65535}");
	name = "TCSETS2";
	given = written_by(put, (char *)&t, sizeof(t));
	assert_non_null(strstr(given, "{c_iflag=ICRNL, c_oflag=NL0|CR0|TAB1|BS0|VT0|FF0|ONLCR, "
				      "c_cflag=B38400|B50<<IBSHIFT|CS8, c_lflag=0, c_line=N_TTY, "
				      "c_cc=[[VINTR]=0, "));
	assert_non_null(strstr(given, "[VEOF]=0x4, "));
	assert_non_null(strstr(given, "[17]=0, [18]=0xff], c_ispeed=0, c_ospeed=7}"));
	assert_shown("TCGETS", &t, 4, "{c_iflag=ICRNL}", "{\"c_iflag\":[\"ICRNL\"]}");
}

static void cut_values(void **state)
{
	int32_t n = 1, linger[] = {1, 5};

	(void)state;
	name = "SO_RCVBUF";
	assert_string_equal(written_by(put_two, &n, 4), "[1]");
	assert_string_equal(written_by(put_two, "abc", 3), "\"\\x61\\x62\\x63\"");
	copied = KT_COPIED_PART;
	assert_shown("SO_RCVBUF", "abc", 3, "\"\\x61\\x62\\x63\"", "\"abc\"");
	assert_shown("SO_RCVBUF", &n, 4, "[1]", "1");
	assert_shown(NULL, &n, 4, "\"\\1\\0\\0\\0\"...", "\"\\u0001\\u0000\\u0000\\u0000\"");
	assert_shown("TCP_ULP", "abc\303", 4, "\"abc\\303\"...", "\"abc\"");
	copied = KT_COPIED_ALL;
	name = "SO_LINGER";
	assert_string_equal(written_by(put_two, linger, 8), "{l_onoff=1, l_linger=5}");
}

/* Returns the member's text, in an event with n bytes of a value, and the length if not NULL. */
static const char *member_text(int event, size_t member, int64_t ret, const char *value,
			       const int32_t *length)
{
	static char text[64], bytes[256];
	static struct kt_value values[8];
	static struct kt_text t;
	struct kt_hit hit = {.event = &parsed->events[event], .values = values};
	char *at = mempcpy(bytes, &ret, 8);

	if (event == 4)
		at = mempcpy(at, length, 8);
	*at++ = (char)strlen(value);
	at = mempcpy(at, value, strlen(value));
	*at++ = length ? 1 : 0;
	if (length)
		memcpy(at, length, 4);
	assert_true(kt_record_layout_read(&hit.event->fields, bytes, sizeof(bytes), values) > 0);
	t.to = fmemopen(text, sizeof(text), "w");
	kt_field_text_copy(&t, &hit, member);
	kt_text_flush(&t);
	fclose(t.to);
	return text;
}

/* Values limited to the length the call reports. */
static void reported_lengths(void **state)
{
	int32_t lengths[][2] = {{4}, {5}, {3}, {-1, -1}, {5}};

	(void)state;
	assert_string_equal(member_text(0, 1, 0, "\1\1\1\1", lengths[0]), "[16843009]");
	assert_string_equal(member_text(0, 1, 0, "abcd", lengths[1]), "\"abcd\"...");
	assert_string_equal(member_text(0, 1, 0, "abcd", lengths[2]), "[1684234849]");
	assert_string_equal(member_text(0, 1, 0, "abcd", NULL), "\"abcd\"...");
	assert_string_equal(member_text(0, 1, 0, "", lengths[0]), "?");
	assert_string_equal(member_text(0, 1, 0, "", NULL), "?");
	assert_string_equal(member_text(0, 1, 0, "abc", lengths[3]), "?");
	assert_string_equal(member_text(0, 1, -1, "", lengths[2]), "?");
	assert_string_equal(member_text(4, 2, 16, "abc", lengths[4]), "\"abc\"...");
	assert_string_equal(member_text(4, 2, 16, "abc", lengths[3]), "?");
}

/* Then there is no reported length. */
static void similar_events(void **state)
{
	int32_t five = 5;

	(void)state;
	assert_string_equal(member_text(1, 1, 0, "abcd", &five), "[1684234849]");
	assert_string_equal(member_text(2, 1, 0, "abcd", &five), "[1684234849]");
	assert_string_equal(member_text(3, 1, 0, "abcd", &five), "[1684234849]");
}

/* The option is the argument before the pointer, if it is a number. */
static const char *name_of(int event, size_t argument)
{
	static const uint64_t bytes[] = {5, 0x1000};
	struct kt_value values[2];
	struct kt_hit hit = {.event = &parsed->events[event], .values = values};

	assert_true(kt_record_layout_read(&hit.event->fields, (const char *)bytes, 16, values) ==
		    16);
	return kt_sockopt_at(&hit, argument);
}

static void option_names(void **state)
{
	(void)state;
	assert_string_equal(name_of(5, 1), "SO_LINGER");
	assert_null(name_of(5, 0));
	assert_null(name_of(6, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),        cmocka_unit_test(structs),
		cmocka_unit_test(packets),        cmocka_unit_test(given_values),
		cmocka_unit_test(texts),          cmocka_unit_test(requests),
		cmocka_unit_test(cut_values),     cmocka_unit_test(reported_lengths),
		cmocka_unit_test(similar_events), cmocka_unit_test(option_names),
	};

	return cmocka_run_group_tests(tests, open_parsed, free_parsed);
}
