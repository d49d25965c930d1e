// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/function_ways.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "events/curated.h"
#include "events/event.h"
#include "events/point.h"
#include "fetch/point_fields.h"
#include "hook/ask/preemption.h"
#include "hook/kernel_function.h"
#include "hook/kprobe_multi.h"

/* Before Linux 6.14 the kernel has less room for calls under way than a kretprobe. */
static bool may_be_multi(const struct kt_event *e)
{
	bool is_return = e->point->is_return;

	return kt_kprobe_multi_is_supported(kt_kernel_function_multi_type(is_return)) &&
	       (!is_return || (e->curated->timing.cookie && e->curated->timing.has_room));
}

bool kt_function_way_is_multi(const struct kt_event *e)
{
	return may_be_multi(e) && kt_point_is_in_registers(e);
}

/* Returns whether programs that get the arguments are not wanted, and says why. */
static bool should_use_registers(const struct kt_event *e, bool nested, bool has_multi,
				 struct kt_error *why)
{
	if (e->point->by_registers || nested)
		return true;
	if (!has_multi || !kt_point_is_in_registers(e) || !kt_kernel_preempts())
		return false;
	kt_fail(why, EOPNOTSUPP, "no %s: this kernel would preempt it, and miss hits meanwhile",
		e->point->is_return ? "fexit" : "fentry");
	return true;
}

size_t kt_function_ways(const struct kt_event *e, bool nested,
			enum kt_function_way ways[KT_FUNCTION_WAYS], struct kt_error *why)
{
	bool has_multi = may_be_multi(e);
	size_t n = 0;

	why->code = 0;
	if (!should_use_registers(e, nested, has_multi, why))
		ways[n++] = KT_FUNCTION_BY_ARGUMENTS;
	if (has_multi)
		ways[n++] = KT_FUNCTION_BY_MULTI;
	ways[n++] = KT_FUNCTION_BY_KPROBE;
	return n;
}

int kt_function_way_take(struct kt_event *e, enum kt_function_way way, const struct kt_error *why,
			 struct kt_error *err)
{
	if (way != KT_FUNCTION_BY_ARGUMENTS && !e->point->by_registers)
		kt_point_use_registers(e);
	e->point->by_multi = way == KT_FUNCTION_BY_MULTI;
	if (!kt_event_tests_missing(e))
		return 0;
	return kt_fail(err, EOPNOTSUPP,
		       "its filter needs an argument that is not in a register%s%s",
		       why->code ? ": " : "", why->code ? why->text : "");
}

int kt_function_way_fail(struct kt_error *why, const char *kind, const struct kt_error *failed)
{
	const struct kt_error before = *why;

	if (!before.code)
		return kt_fail(why, failed->code, "no %s: %s", kind, failed->text);
	if (strstr(before.text, failed->text))
		return kt_fail(why, failed->code, "%s", before.text);
	return kt_fail(why, failed->code, "%s; no %s: %s", before.text, kind, failed->text);
}
