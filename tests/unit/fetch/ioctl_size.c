// SPDX-License-Identifier: GPL-2.0-or-later
/* The recipe that copies the data of ioctl requests: each request it knows must be found. */
#include <asm/ioctls.h>
#include <linux/fs.h>
#include <linux/sockios.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fetch/ioctl_size.h"

static char *text;

static void write_side(enum kt_side side)
{
	size_t size;
	FILE *f;

	free(text);
	text = NULL;
	f = open_memstream(&text, &size);
	assert_non_null(f);
	kt_ioctl_size_write(f, side, "R", "A");
	assert_int_equal(fclose(f), 0);
}

/* Returns the end of a branch: another comparison, or a copy. */
static const char *find_end(const char *at)
{
	const char *branch = strstr(at, " ? "), *colon = strstr(at, " : ");

	if (!branch || (colon && colon < branch))
		return colon ? colon : at + strlen(at);
	return find_end(find_end(branch + 3) + 3);
}

/* Returns whether the comparison holds for the request. */
static bool holds(const char *at, uint32_t request)
{
	char *end;
	unsigned long n;

	if (strncmp(at, "(int)R == ", 10) == 0)
		return (int32_t)strtol(at + 10, NULL, 10) == (int32_t)request;
	if (strncmp(at, "R >> ", 5) == 0) {
		n = strtoul(at + 5, &end, 10);
		return request >> n & strtoul(end + 3, NULL, 10);
	}
	n = strtoul(at, &end, 10);
	if (strncmp(end, " > (int)R", 9) == 0)
		return (int64_t)n > (int32_t)request;
	assert_memory_equal(end, " > (R >> 16 & 16383)", 20);
	return n > (request >> 16 & 16383);
}

/* Returns what the recipe copies for that request. */
static const char *copy_for(uint32_t request)
{
	static char found[64];
	const char *at = text, *branch, *end;

	while ((branch = strstr(at, " ? ")) && branch < find_end(at)) {
		end = find_end(branch + 3);
		at = holds(at, request) ? branch + 3 : end + 3;
	}
	snprintf(found, sizeof(found), "%.*s", (int)(find_end(at) - at), at);
	return found;
}

static void sizes_at_the_entry(void **state)
{
	(void)state;
	write_side(KT_ENTER);
	assert_string_equal(copy_for(FIBMAP), "bytes(A, 4)");
	assert_string_equal(copy_for(BLKROSET), "bytes(A, 4)");
	assert_string_equal(copy_for(BLKDISCARD), "bytes(A, 16)");
	assert_string_equal(copy_for(TCSETS), "bytes(A, 36)");
	assert_string_equal(copy_for(TIOCSTI), "bytes(A, 1)");
	assert_string_equal(copy_for(TIOCSWINSZ), "bytes(A, 8)");
	assert_string_equal(copy_for(FIOASYNC), "bytes(A, 4)");
	assert_string_equal(copy_for(SIOCSPGRP), "bytes(A, 4)");
	assert_string_equal(copy_for(FIONREAD), "bytes(0, 0)");
	assert_string_equal(copy_for(0), "bytes(0, 0)");
	assert_string_equal(copy_for(0x3fffffff), "bytes(0, 0)");
}

static void sizes_at_the_return(void **state)
{
	(void)state;
	write_side(KT_EXIT);
	assert_string_equal(copy_for(FIBMAP), "bytes(A, 4)");
	assert_string_equal(copy_for(FIGETBSZ), "bytes(A, 4)");
	assert_string_equal(copy_for(BLKGETSIZE), "bytes(A, 8)");
	assert_string_equal(copy_for(BLKROTATIONAL), "bytes(A, 2)");
	assert_string_equal(copy_for(TCGETS), "bytes(A, 36)");
	assert_string_equal(copy_for(TIOCGWINSZ), "bytes(A, 8)");
	assert_string_equal(copy_for(FIONREAD), "bytes(A, 4)");
	assert_string_equal(copy_for(FIOQSIZE), "bytes(A, 8)");
	assert_string_equal(copy_for(SIOCGSTAMPNS_OLD), "bytes(A, 16)");
	assert_string_equal(copy_for(FIONBIO), "bytes(0, 0)");
	assert_string_equal(copy_for(SIOCGSTAMPNS_OLD + 1), "bytes(0, 0)");
}

/* Sizes encoded in the request. */
static void encoded_sizes(void **state)
{
	static const char many[] = "upto(256, A, R >> 16 & 16383)";

	(void)state;
	write_side(KT_ENTER);
	assert_string_equal(copy_for(_IOW('x', 1, int)), many);
	assert_string_equal(copy_for(_IOWR('x', 1, char[256])), many);
	assert_string_equal(copy_for(_IOWR('x', 1, char[257])), "bytes(0, 0)");
	assert_string_equal(copy_for(_IOR('x', 1, int)), "bytes(0, 0)");
	assert_string_equal(copy_for(_IO('x', 1)), "bytes(0, 0)");
	write_side(KT_EXIT);
	assert_string_equal(copy_for(_IOR('x', 1, int)), many);
	assert_string_equal(copy_for(_IOWR('x', 1, char[256])), many);
	assert_string_equal(copy_for(_IOR('x', 1, char[16383])), "bytes(0, 0)");
	assert_string_equal(copy_for(_IOW('x', 1, int)), "bytes(0, 0)");
}

/* The kernel's own mistakes: an int, where the number says long. */
static void wrong_sizes(void **state)
{
	(void)state;
	write_side(KT_ENTER);
	assert_string_equal(copy_for(FS_IOC_SETFLAGS), "bytes(A, 4)");
	assert_string_equal(copy_for(FS_IOC_SETVERSION), "bytes(A, 4)");
	assert_string_equal(copy_for(FS_IOC_GETFLAGS), "bytes(0, 0)");
	write_side(KT_EXIT);
	assert_string_equal(copy_for(FS_IOC_GETFLAGS), "bytes(A, 4)");
	assert_string_equal(copy_for(FS_IOC_GETVERSION), "bytes(A, 4)");
	assert_string_equal(copy_for(FS_IOC_SETFLAGS), "bytes(0, 0)");
}

/* Each comparison splits the requests into halves, except for the first three. */
static void balanced_comparisons(void **state)
{
	static const char equals[] = "(int)R == ";
	enum kt_side side;
	const char *at;
	long last, n;

	(void)state;
	for (side = KT_ENTER; side < KT_SIDES; side++) {
		write_side(side);
		for (at = text, n = 0; n < 3; n++)
			at = strstr(at + 1, equals);
		for (last = -1; (at = strstr(at + 1, equals)); last = n) {
			n = strtol(at + strlen(equals), NULL, 10);
			assert_true(n > last);
		}
		assert_true(last > 0);
	}
}

static int free_text(void **state)
{
	(void)state;
	free(text);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_at_the_entry),   cmocka_unit_test(sizes_at_the_return),
		cmocka_unit_test(encoded_sizes),        cmocka_unit_test(wrong_sizes),
		cmocka_unit_test(balanced_comparisons),
	};

	return cmocka_run_group_tests(tests, NULL, free_text);
}
