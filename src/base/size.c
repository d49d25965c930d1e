// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/size.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const char units[] = "KMGTPE"; /* each 1024 times the one before */

/* Returns the shift for a suffix, or -1 if it is not known. */
static int find_shift(const char *suffix)
{
	static const char typed[] = "KkMmGg";
	const char *unit;

	if (!*suffix)
		return 0;
	unit = strchr(typed, *suffix);
	return unit && !suffix[1] ? 10 * ((unit - typed) / 2 + 1) : -1;
}

int kt_size_parse(const char *text, uint64_t *bytes, struct kt_error *err)
{
	size_t digits = strspn(text, "0123456789");
	int shift = find_shift(text + digits);
	uint64_t n;

	if (!digits)
		return kt_fail_at(err, EINVAL, text, 0, strlen(text),
				  "not a size: expected a number, then K, M, G or nothing");
	if (shift < 0)
		return kt_fail_at(err, EINVAL, text, digits, strlen(text + digits),
				  "unknown unit: expected K, M, G or nothing");
	errno = 0;
	n = strtoull(text, NULL, 10);
	if (errno || n << shift >> shift != n)
		return kt_fail_at(err, EINVAL, text, 0, digits, "size too large");
	*bytes = n << shift;
	return 0;
}

void kt_size_format(uint64_t bytes, char *text, size_t size)
{
	size_t unit = 0;
	int tenths;

	if (bytes < 1024) {
		snprintf(text, size, "%d B", (int)bytes);
		return;
	}
	/* more would be rounded to 1024.0 */
	while (bytes >= 1024 * 1024 - 51) {
		bytes /= 1024;
		unit++;
	}
	tenths = (bytes * 10 + 512) / 1024;
	snprintf(text, size, "%d.%d %ciB", tenths / 10, tenths % 10, units[unit]);
}
