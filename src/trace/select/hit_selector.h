/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Selects hits of a trace: by event, filter, task, CPU and time (doc/view.md).
 *
 *	struct kt_selection selection = {.cpus = (uint32_t[]){1}, .n_cpus = 1};
 *	struct kt_hit_selector *s = kt_hit_selector_new(metadata, &selection, &err);
 *	const struct kt_hit *selected[KT_SELECTED_MAX];
 *
 *	while (!kt_hit_selector_is_done(s) && kt_trace_reader_next(r, &hit, &err) > 0)
 *		for (i = 0, n = kt_hit_selector_add(s, &hit, selected); i < n; i++)
 *			print(selected[i]);
 *	kt_hit_selector_free(s);
 *
 * A system call is selected as a whole, by its entry; its return may be later than `until`. If the
 * filter cannot tell before the return, the entry is held, and both are selected at the return:
 * entries then come after hits with later times. Takes some 100 ns per hit, and memory for each
 * task's last call.
 */
#ifndef KT_TRACE_SELECT_HIT_SELECTOR_H
#define KT_TRACE_SELECT_HIT_SELECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "events/glob.h"

struct kt_call_kind;
struct kt_error;
struct kt_hit;
struct kt_hit_selector;
struct kt_metadata;

/* Events, and a filter that applies to them. */
struct kt_event_group {
	const bool *events; /* by id; NULL: all */
	const char *filter; /* events that it does not fit are not selected; NULL: none */
};

/* What is selected: of each kind any of those given, or everything if there are none. */
struct kt_selection {
	const struct kt_event_group *groups;
	size_t n_groups;
	const uint32_t *pids, *tids, *cpus;
	size_t n_pids, n_tids, n_cpus;
	const struct kt_glob *comms;
	size_t n_comms;
	uint64_t since, until; /* ns of CLOCK_MONOTONIC; until 0: no end */
	uint64_t skip;         /* the first ones, which are not selected */
	uint64_t max;          /* 0: no limit */
	bool whole_calls;      /* a call is selected at its return, with its entry */
};

/*
 * Creates a selector. The metadata must outlive it, as must pids, tids, cpus and comms. Returns
 * NULL on error: a filter that fits no event fails as kt_filter_parse() for one of them.
 */
struct kt_hit_selector *kt_hit_selector_new(const struct kt_metadata *metadata,
					    const struct kt_selection *selection,
					    struct kt_error *err);
void kt_hit_selector_free(struct kt_hit_selector *s);

/*
 * Adds the next hit in the order of time. Stores the hits that are selected now, valid until the
 * next hit is added, and returns their number: 0, 1, or 2, an entry that was held and its return.
 * Returns -ENOMEM without memory.
 */
enum { KT_SELECTED_MAX = 2 };
int kt_hit_selector_add(struct kt_hit_selector *s, const struct kt_hit *hit,
			const struct kt_hit *selected[KT_SELECTED_MAX]);

/* Returns whether no later hit can be selected. */
bool kt_hit_selector_is_done(const struct kt_hit_selector *s);

/* Returns how many events and calls were found, of which `skip` are not selected. */
uint64_t kt_hit_selector_found(const struct kt_hit_selector *s);

/*
 * Returns the call of an event, by its index in the metadata, if calls of that kind are selected as
 * a whole; else NULL.
 */
const struct kt_call_kind *kt_hit_selector_call(const struct kt_hit_selector *s, size_t event);

/*
 * Lists the entries of selected calls that have not returned, after the last hit, if calls are
 * selected at their return. Returns their number and an array to be freed; or -ENOMEM.
 */
ssize_t kt_hit_selector_unreturned(struct kt_hit_selector *s, const struct kt_hit ***entries);

/* Returns how many calls are held: the filter cannot tell, as they have not returned. */
uint64_t kt_hit_selector_held(const struct kt_hit_selector *s);

#endif
