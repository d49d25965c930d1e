// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/duration.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Returns the ns of one unit, or 0 if there is no unit of that name. */
static uint64_t find_unit(const char *name)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{"ns", 1},
		{"us", 1000},
		{"ms", 1000000},
		{"s", 1000000000},
		{"min", 60 * UINT64_C(1000000000)},
		{"h", 3600 * UINT64_C(1000000000)},
	};
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (strcmp(name, units[i].name) == 0)
			return units[i].ns;
	return 0;
}

int kt_duration_parse(const char *text, uint64_t *ns, struct kt_error *err)
{
	size_t digits = strspn(text, "0123456789");
	uint64_t unit = find_unit(text + digits), n;

	if (!digits)
		return kt_fail_at(err, EINVAL, text, 0, strlen(text),
				  "not a time: expected a number with ns, us, ms, s, min or h");
	errno = 0;
	n = strtoull(text, NULL, 10);
	if (n == 0 && !text[digits])
		unit = 1;
	if (!unit)
		return kt_fail_at(err, EINVAL, text, digits, strlen(text + digits),
				  "unknown unit: expected ns, us, ms, s, min or h");
	if (errno || __builtin_mul_overflow(n, unit, &n))
		return kt_fail_at(err, EINVAL, text, 0, digits, "time too long");
	*ns = n;
	return 0;
}
