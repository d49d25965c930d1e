// SPDX-License-Identifier: GPL-2.0-or-later
/* Text of addresses, devices and wait statuses. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/uuid.h"
#include "constants/notation.h"

static char text[KT_NOTATION_MAX + 1];

static const char *write_as(enum kt_notation notation, const void *bytes, size_t n)
{
	size_t len = kt_notation_write(notation, bytes, n, text);

	assert_in_range(len, 0, KT_NOTATION_MAX);
	text[len] = '\0';
	return text;
}

static void fill(uint8_t *bytes, size_t n)
{
	while (n)
		bytes[--n] = rand() % 3 ? rand() : 0;
}

/* The C library must parse the text to the same bytes. */
static void read_back(void **state)
{
	unsigned int mac[6], port;
	uint8_t bytes[16], read[16];
	struct sockaddr_in6 a = {.sin6_family = AF_INET6};
	int i, k, end;

	(void)state;
	srand(1);
	for (i = 0; i < 2000; i++) {
		fill(bytes, sizeof(bytes));
		assert_int_equal(inet_pton(AF_INET, write_as(KT_IPV4, bytes, 4), read), 1);
		assert_memory_equal(read, bytes, 4);
		assert_int_equal(inet_pton(AF_INET6, write_as(KT_IPV6, bytes, 16), read), 1);
		assert_memory_equal(read, bytes, 16);
		assert_true(kt_uuid_parse(write_as(KT_UUID, bytes, 16), read));
		assert_memory_equal(read, bytes, 16);

		assert_int_equal(sscanf(write_as(KT_MAC, bytes, 6), "%2x:%2x:%2x:%2x:%2x:%2x%n",
					&mac[0], &mac[1], &mac[2], &mac[3], &mac[4], &mac[5], &end),
				 6);
		assert_int_equal(end, 17);
		assert_int_equal(strlen(text), 17);
		for (k = 0; k < 6; k++)
			assert_int_equal(mac[k], bytes[k]);

		memcpy(&a.sin6_addr, bytes, 16);
		a.sin6_port = htons(i * 32);
		write_as(KT_SOCKADDR, &a, sizeof(a));
		assert_int_equal(text[0], '[');
		assert_int_equal(sscanf(strchr(text, ']'), "]:%u%n", &port, &end), 1);
		assert_int_equal(port, i * 32);
		strchr(text, ']')[0] = '\0';
		assert_int_equal(inet_pton(AF_INET6, text + 1, read), 1);
		assert_memory_equal(read, bytes, 16);
	}
}

static void expected_text(void **state)
{
	static const uint8_t mapped[16] = {[10] = 255, 255, 127, 0, 0, 1}, zero[28];
	static const uint8_t longest[28] = {AF_INET6, 0,    0xff, 0xff, 0,    0,    0,    0,
					    0x11,     0x11, 0x22, 0x22, 0x33, 0x33, 0x44, 0x44,
					    0x55,     0x55, 0x66, 0x66, 0x77, 0x77, 0x88, 0x88};
	static const uint8_t v4[28] = {AF_INET, 0, 0x1f, 0x90, 192, 168, 0, 255};
	static const uint8_t mac[6] = {0, 1, 2, 0xab, 0xcd, 0xff};

	(void)state;
	assert_string_equal(write_as(KT_IPV4, "\xff\0\x0a\x64", 4), "255.0.10.100");
	assert_string_equal(write_as(KT_IPV6, mapped, 16), "::ffff:127.0.0.1");
	assert_string_equal(write_as(KT_IPV6, zero, 16), "::");
	assert_string_equal(write_as(KT_MAC, mac, 6), "00:01:02:ab:cd:ff");
	assert_string_equal(write_as(KT_UUID, mapped, 16), "00000000-0000-0000-0000-ffff7f000001");
	assert_string_equal(write_as(KT_SOCKADDR, v4, 16), "192.168.0.255:8080");
	assert_string_equal(write_as(KT_SOCKADDR, v4, 28), "192.168.0.255:8080");
	assert_string_equal(write_as(KT_SOCKADDR, longest, 28),
			    "[1111:2222:3333:4444:5555:6666:7777:8888]:65535");

	/* Bytes of another size or notation have no text. */
	assert_string_equal(write_as(KT_IPV4, mapped, 3), "");
	assert_string_equal(write_as(KT_IPV4, mapped, 16), "");
	assert_string_equal(write_as(KT_IPV6, mapped, 15), "");
	assert_string_equal(write_as(KT_MAC, mac, 5), "");
	assert_string_equal(write_as(KT_MAC, zero, 7), "");
	assert_string_equal(write_as(KT_UUID, mapped, 0), "");
	assert_string_equal(write_as(KT_SOCKADDR, zero, 28), "");
	assert_string_equal(write_as(KT_SOCKADDR, v4, 15), "");
	assert_string_equal(write_as(KT_SOCKADDR, longest, 27), "");
	assert_string_equal(write_as(KT_SOCKADDR, v4, 1), "");
	assert_string_equal(write_as(KT_HEX, mapped, 4), "");
	assert_string_equal(write_as(KT_DEVICE, mapped, 4), "");
	assert_string_equal(write_as(KT_POINTER, mapped, 16), "");
}

static const char *write_device(uint32_t device)
{
	text[kt_notation_write_device(device, text)] = '\0';
	return text;
}

static void devices(void **state)
{
	(void)state;
	assert_string_equal(write_device(0), "0,0");
	assert_string_equal(write_device(8 << 20 | 1), "8,1");
	assert_string_equal(write_device(1 << 20), "1,0");
	assert_string_equal(write_device((1 << 20) - 1), "0,1048575");
	assert_string_equal(write_device(UINT32_MAX), "4095,1048575");
}

static const char *write_wait(uint32_t status)
{
	text[kt_notation_write_wait(status, text)] = '\0';
	return text;
}

/*
 * The kernel's encoding: exit code, or signal with 0x80 for a core dump; or 0x7f and the stop
 * signal.
 */
static void wait_statuses(void **state)
{
	(void)state;
	assert_string_equal(write_wait(0), "{WIFEXITED(s) && WEXITSTATUS(s) == 0}");
	assert_string_equal(write_wait(0xff00), "{WIFEXITED(s) && WEXITSTATUS(s) == 255}");
	assert_string_equal(write_wait(9), "{WIFSIGNALED(s) && WTERMSIG(s) == SIGKILL}");
	assert_string_equal(write_wait(0x8b),
			    "{WIFSIGNALED(s) && WTERMSIG(s) == SIGSEGV && WCOREDUMP(s)}");
	assert_string_equal(write_wait(0x90),
			    "{WIFSIGNALED(s) && WTERMSIG(s) == SIGSTKFLT && WCOREDUMP(s)}");
	assert_string_equal(write_wait(34), "{WIFSIGNALED(s) && WTERMSIG(s) == 34}");
	assert_string_equal(write_wait(0x137f), "{WIFSTOPPED(s) && WSTOPSIG(s) == SIGSTOP}");
	assert_string_equal(write_wait(0x857f), "{WIFSTOPPED(s) && WSTOPSIG(s) == 133}");
	assert_string_equal(write_wait(0xffff), "{WIFCONTINUED(s)}");
	assert_string_equal(write_wait(0x1057f), "0x1057f");
	assert_string_equal(write_wait(0xdead0009), "0xdead0009");
	assert_string_equal(write_wait(UINT32_MAX), "0xffffffff");
}

static void type_names(void **state)
{
	size_t i, n = 0;

	(void)state;
	for (i = 0; i < KT_NOTATIONS; i++) {
		if (!kt_notation_type(i))
			continue;
		assert_int_equal(kt_notation_find(kt_notation_type(i)), i);
		n++;
	}
	assert_int_equal(n, KT_NOTATIONS - KT_POINTER);
	assert_int_equal(kt_notation_find("u32"), KT_DECIMAL);
	assert_int_equal(kt_notation_find(""), KT_DECIMAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(read_back),  cmocka_unit_test(expected_text),
		cmocka_unit_test(devices),    cmocka_unit_test(wait_statuses),
		cmocka_unit_test(type_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
