// SPDX-License-Identifier: GPL-2.0-or-later
#include "filter/point_pattern.h"

#include <string.h>

#include "events/point.h"
#include "filter/func_pattern.h"
#include "filter/uprobe_pattern.h"
#include "filter/usdt_pattern.h"

static bool is_of(const char *pattern, const char *system)
{
	size_t n = strlen(system);

	return strncmp(pattern, system, n) == 0 && pattern[n] == ':';
}

bool kt_point_pattern_is(const char *pattern)
{
	return is_of(pattern, KT_FUNC_SYSTEM) || is_of(pattern, KT_UPROBE_SYSTEM) ||
	       is_of(pattern, KT_USDT_SYSTEM);
}

int kt_point_pattern_add(const char *pattern, const char *root, struct kt_event_names *names,
			 struct kt_point_matches *matches, struct kt_error *err)
{
	if (is_of(pattern, KT_FUNC_SYSTEM))
		return kt_func_pattern_add(pattern, names, matches, err);
	return (is_of(pattern, KT_USDT_SYSTEM) ? kt_usdt_pattern_add : kt_uprobe_pattern_add)(
		pattern, root, names, matches, err);
}
