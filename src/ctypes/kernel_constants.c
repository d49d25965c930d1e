// SPDX-License-Identifier: GPL-2.0-or-later
#include "ctypes/kernel_constants.h"

#include <errno.h>
#include <string.h>

#include "base/cpus.h"
#include "base/error.h"
#include "base/scan.h"
#include "ctypes/btf.h"
#include "ctypes/member_path.h"

/* Finds the enumerator whose name comes next. Returns 0 or -ENOENT. */
static int find_enumerator(const struct kt_btf_target *tp, struct kt_scan *scan,
			   struct kt_word *name, int64_t *n)
{
	kt_scan_spaces(scan);
	*name = kt_scan_word(scan);
	return kt_btf_enumerator(tp->btf, name->start, name->len, n);
}

/* Finds an enumerator that must exist and have a value from 0 to most. */
static int require_enumerator(const struct kt_btf_target *tp, struct kt_scan *scan, int64_t most,
			      const char *range, int64_t *n)
{
	struct kt_word name;

	if (find_enumerator(tp, scan, &name, n) < 0)
		kt_scan_fail(scan, ENOENT, name, "the kernel has no such enumerator");
	else if (*n < 0 || *n > most)
		kt_scan_fail(scan, ERANGE, name, "%s", range);
	else
		return 0;
	return -1;
}

static int expect_close(struct kt_scan *scan)
{
	if (kt_scan_next(scan, ")"))
		return 1;
	kt_scan_fail_here(scan, "expected ')' here");
	return -1;
}

/* Parses the rest of 'enum('. */
static int parse_enum(const struct kt_btf_target *tp, struct kt_scan *scan, int32_t *n)
{
	int64_t number;

	if (require_enumerator(tp, scan, INT32_MAX, "not a number from 0 to 2147483647", &number))
		return -1;
	*n = number;
	return expect_close(scan);
}

/* Parses the rest of 'bit('. */
static int parse_bit(const struct kt_btf_target *tp, struct kt_scan *scan, int32_t *n)
{
	int64_t number;

	if (require_enumerator(tp, scan, 30, "not a number from 0 to 30", &number))
		return -1;
	*n = 1 << number;
	return expect_close(scan);
}

/* Parses the rest of 'has(enum('. */
static int parse_has_enum(const struct kt_btf_target *tp, struct kt_scan *scan, int32_t *n)
{
	struct kt_word name;
	int64_t number;

	*n = find_enumerator(tp, scan, &name, &number) == 0;
	return expect_close(scan);
}

/* Parses the rest of 'has('. */
static int parse_has(const struct kt_btf_target *tp, struct kt_scan *scan, int32_t *n)
{
	struct kt_member_path found;
	int ret;

	if (kt_scan_next(scan, "enum("))
		return parse_has_enum(tp, scan, n) < 0 ? -1 : expect_close(scan);
	kt_scan_spaces(scan);
	ret = kt_member_path_find(&found, tp, scan);
	if (ret == -ENOENT)
		scan->at += strcspn(scan->at, ")");
	else if (ret < 0)
		return -1;
	*n = ret == 0;
	return expect_close(scan);
}

int kt_kernel_constant_scan(const struct kt_btf_target *tp, struct kt_scan *scan, int32_t *n)
{
	if (kt_scan_next(scan, "has("))
		return parse_has(tp, scan, n);
	if (kt_scan_next(scan, "enum("))
		return parse_enum(tp, scan, n);
	if (kt_scan_next(scan, "bit("))
		return parse_bit(tp, scan, n);
	if (!kt_scan_next(scan, "NR_CPUS"))
		return 0;
	*n = kt_cpus_max(scan->err);
	return *n < 0 ? -1 : 1;
}
