/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ways to probe a function of the kernel, of which a session tries one after the other
 * (doc/points.md).
 *
 *	enum kt_function_way ways[KT_FUNCTION_WAYS];
 *	size_t n = kt_function_ways(event, false, ways, &why), i;
 *
 *	for (i = 0; i < n; i++)
 *		if (kt_function_way_take(event, ways[i], &why) == 0 && ...)
 *			break;
 */
#ifndef KT_SESSION_FUNCTION_WAYS_H
#define KT_SESSION_FUNCTION_WAYS_H

#include <stdbool.h>
#include <stddef.h>

struct kt_error;
struct kt_event;

enum kt_function_way {
	KT_FUNCTION_BY_ARGUMENTS, /* fentry, fexit: all arguments, at the lowest cost */
	KT_FUNCTION_BY_MULTI,     /* kprobe.multi, kprobe.session: not preempted */
	KT_FUNCTION_BY_KPROBE,    /* kprobe, kretprobe */
	KT_FUNCTION_WAYS,
};

/*
 * Stores the ways in the order of trying, and returns their number. Programs that get the arguments
 * come first, unless the kernel preempts them, or nested hits are wanted, too: then they would miss
 * hits. *why says so, or has the code 0.
 */
size_t kt_function_ways(const struct kt_event *event, bool nested,
			enum kt_function_way ways[KT_FUNCTION_WAYS], struct kt_error *why);

/*
 * Returns whether the kernel has a kprobe.multi for the event, or a kprobe.session for a return, by
 * which no field and no hit is lost.
 */
bool kt_function_way_is_multi(const struct kt_event *event);

/*
 * Prepares the event for a way; once it takes registers, it cannot take arguments. Returns 0; or
 * -EOPNOTSUPP if its filter tests a field that is not in a register, after *why.
 */
int kt_function_way_take(struct kt_event *event, enum kt_function_way way,
			 const struct kt_error *why, struct kt_error *err);

/* Adds the reason why the way does not work to those of ways before it. Returns -errno. */
int kt_function_way_fail(struct kt_error *why, const char *kind, const struct kt_error *failed);

#endif
