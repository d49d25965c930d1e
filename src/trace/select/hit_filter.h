/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A filter in the language of filter/filter_parser.h on hits of a trace. It tests an event, or a
 * system call, of which it knows both sides.
 *
 *	struct kt_hit_filter *f = kt_hit_filter_of_call(kind, "ret < 0 || duration > 1ms", &err);
 *
 *	if (kt_hit_filter_test(f, call.entry, &hit) == KT_TRUE)
 *		print_call(&call, &hit);
 *	kt_hit_filter_free(f);
 */
#ifndef KT_TRACE_SELECT_HIT_FILTER_H
#define KT_TRACE_SELECT_HIT_FILTER_H

struct kt_call_kind;
struct kt_error;
struct kt_event_class;
struct kt_hit;
struct kt_hit_filter;

/*
 * Parse a filter on an event, or on a call, which must outlive it. Return NULL on error, as
 * kt_filter_parse() does.
 */
struct kt_hit_filter *kt_hit_filter_of_event(const struct kt_event_class *event, const char *text,
					     struct kt_error *err);
struct kt_hit_filter *kt_hit_filter_of_call(const struct kt_call_kind *call, const char *text,
					    struct kt_error *err);
void kt_hit_filter_free(struct kt_hit_filter *f);

/* Whether a filter is true. What lies between false and true is unknown. */
enum kt_truth { KT_FALSE, KT_UNKNOWN, KT_TRUE };

/*
 * Evaluates the filter. An event is the entry; one side of a call may be NULL. A test of a value
 * that is missing is unknown, and so is its negation: with the other side it may be known.
 */
enum kt_truth kt_hit_filter_test(const struct kt_hit_filter *f, const struct kt_hit *entry,
				 const struct kt_hit *exit);

#endif
