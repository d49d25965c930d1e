// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/flight/buffer_sets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "bpf/ring_layout.h"
#include "hook/bpffs.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/counter_map.h"
#include "session/enable_word.h"
#include "session/flight/buffer_state.h"
#include "session/flight/flight_control.h"
#include "session/flight/flight_info.h"

struct kt_buffer_sets {
	int dir;
	const struct kt_flight_info *info;
	const struct kt_flight_control *switches;
	struct kt_enable_word *enable;
	struct kt_counter_map *counters;
	struct kt_buffer_state *state;
	struct kt_rings *rings[KT_BUFFER_SETS]; /* without a spare one of them is NULL */
};

/* The active set must have rings. */
static int open_rings(struct kt_buffer_sets *b, size_t written, struct kt_error *err)
{
	size_t i;

	for (i = 0; i < KT_BUFFER_SETS; i++) {
		kt_rings_free(b->rings[i]);
		b->rings[i] = kt_rings_from(b->dir, i, b->info->geometry, b->info->has_rare, err);
		if (!b->rings[i] && (i == written || err->code != ENOENT))
			return -err->code;
	}
	if (written < KT_BUFFER_SETS &&
	    kt_enable_word_row(b->enable) == kt_rings_row(b->rings[written]))
		return 0;
	return kt_fail(err, EPROTO, "its enable word points to no buffer set");
}

/*
 * During a swap the active rings may vanish, and a spare may come or go. What differs after that
 * was done by someone else.
 */
static int read_rings(struct kt_buffer_sets *b, struct kt_error *err)
{
	enum { TRIES = 5 };
	size_t written;
	int tries = 0, ret;

	do {
		written = kt_buffer_sets_active(b);
		ret = open_rings(b, written, err);
		tries++;
	} while (written != kt_buffer_sets_active(b) ||
		 (ret < 0 && tries < TRIES && !kt_buffer_sets_are_current(b)));
	return ret;
}

static int read_parts(struct kt_buffer_sets *b, struct kt_error *err)
{
	int fd = kt_bpffs_get(b->dir, "enable", err);

	if (fd >= 0)
		b->enable = kt_enable_word_from(fd, b->info->n_events, err);
	fd = b->enable ? kt_bpffs_get(b->dir, "counters", err) : -err->code;
	if (fd >= 0)
		b->counters = kt_counter_map_from(fd, b->info->n_events, err);
	fd = b->counters ? kt_bpffs_get(b->dir, "buffer_state", err) : -err->code;
	if (fd >= 0)
		b->state = kt_buffer_state_from(fd, b->info->n_events, err);
	return b->state ? read_rings(b, err) : -err->code;
}

struct kt_buffer_sets *kt_buffer_sets_from(int dir, const struct kt_flight_info *info,
					   const struct kt_flight_control *switches,
					   struct kt_error *err)
{
	struct kt_buffer_sets *b = calloc(1, sizeof(*b));

	if (!b) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	b->dir = dir;
	b->info = info;
	b->switches = switches;
	if (read_parts(b, err) == 0)
		return b;
	kt_buffer_sets_free(b);
	return NULL;
}

void kt_buffer_sets_free(struct kt_buffer_sets *b)
{
	size_t i;

	if (!b)
		return;
	for (i = 0; i < KT_BUFFER_SETS; i++)
		kt_rings_free(b->rings[i]);
	kt_buffer_state_free(b->state);
	kt_counter_map_free(b->counters);
	kt_enable_word_free(b->enable);
	free(b);
}

const struct kt_counter_map *kt_buffer_sets_counters(const struct kt_buffer_sets *b)
{
	return b->counters;
}

struct kt_probes kt_buffer_sets_probes(const struct kt_buffer_sets *b)
{
	const struct kt_rings *written = b->rings[kt_buffer_sets_active(b)];

	return (struct kt_probes){
		.geometry = b->info->geometry,
		.bytes_max = b->info->bytes_max,
		.enable = kt_enable_word_fd(b->enable),
		.counters = kt_counter_map_fd(b->counters),
		.rings = kt_rings_fd(written, KT_MAIN),
		.rare_rings = kt_rings_fd(written, KT_RARE),
		.followed = -1,
		.pid_filter = kt_flight_control_pid_filter_fd(b->switches),
		.nested = -1,
		.wakeup = -1,
		.overwrite = true,
		.freezing = kt_enable_word_freezing(b->enable),
	};
}

size_t kt_buffer_sets_active(const struct kt_buffer_sets *b)
{
	return kt_enable_word_row(b->enable) / kt_counter_map_cpus(b->counters);
}

size_t kt_buffer_sets_inactive(const struct kt_buffer_sets *b)
{
	return !kt_buffer_sets_active(b);
}

const struct kt_rings *kt_buffer_sets_rings(const struct kt_buffer_sets *b, size_t set)
{
	return b->rings[set];
}

bool kt_buffer_sets_is_consumed(const struct kt_buffer_sets *b)
{
	return kt_buffer_state_consumed(b->state) == kt_buffer_sets_inactive(b);
}

uint64_t kt_buffer_sets_began(const struct kt_buffer_sets *b, size_t set)
{
	return kt_buffer_state_began(b->state, set);
}

struct kt_freezing kt_buffer_sets_freezing(const struct kt_buffer_sets *b)
{
	return kt_enable_word_freezing(b->enable);
}

struct kt_trigger_hit kt_buffer_sets_hit(const struct kt_buffer_sets *b, size_t set)
{
	return kt_enable_word_hit(b->enable, set);
}

uint64_t kt_buffer_sets_ended(const struct kt_buffer_sets *b, size_t set, uint64_t time)
{
	struct kt_trigger_hit hit = kt_buffer_sets_hit(b, set);

	return hit.at && hit.frozen < time ? hit.frozen : time;
}

uint64_t kt_buffer_sets_since(const struct kt_buffer_sets *b)
{
	return kt_buffer_state_since(b->state);
}

struct kt_counters kt_buffer_sets_counters_before(const struct kt_buffer_sets *b, size_t event)
{
	return kt_buffer_state_counters_before(b->state, event);
}

uint64_t kt_buffer_sets_overwritten_before(const struct kt_buffer_sets *b)
{
	return kt_buffer_state_overwritten_before(b->state);
}

/* For a broken event less may be known now than then (session/flight/flight_control.h). */
static uint64_t subtract_missed(uint64_t then, uint64_t now)
{
	return now > then ? now - then : 0;
}

uint64_t kt_buffer_sets_missed(const struct kt_buffer_sets *b, size_t event)
{
	return subtract_missed(kt_buffer_state_missed_before(b->state, event),
			       kt_flight_control_missed(b->switches, event));
}

uint64_t kt_buffer_sets_missed_in(const struct kt_buffer_sets *b, size_t set, size_t event)
{
	uint64_t until = set == kt_buffer_sets_active(b)
				 ? kt_flight_control_missed(b->switches, event)
				 : kt_buffer_state_noted(b->state, !set, event).missed;

	return subtract_missed(kt_buffer_state_noted(b->state, set, event).missed, until);
}

struct kt_time_span kt_buffer_sets_complete_in(const struct kt_buffer_sets *b, size_t set,
					       size_t event)
{
	return set == kt_buffer_sets_active(b)
		       ? kt_flight_control_complete(b->switches, event)
		       : kt_buffer_state_noted(b->state, !set, event).complete;
}

uint16_t kt_buffer_sets_info_in(const struct kt_buffer_sets *b, size_t set)
{
	return set == kt_buffer_sets_active(b) ? kt_flight_control_state(b->switches).info
					       : kt_buffer_state_noted_info(b->state, !set);
}

uint64_t kt_buffer_sets_freed_overwritten(const struct kt_buffer_sets *b, size_t set)
{
	return kt_buffer_state_freed(b->state, set, b->rings[set]);
}

bool kt_buffer_sets_are_current(const struct kt_buffer_sets *b)
{
	size_t i;

	for (i = 0; i < KT_BUFFER_SETS; i++)
		if (!kt_rings_are_pinned(b->rings[i], b->dir, i))
			return false;
	return true;
}

bool kt_buffer_sets_were_current(const struct kt_buffer_sets *b, size_t set)
{
	return b->rings[set] && kt_rings_are_placed(b->rings[set]);
}

/* If the process is killed meanwhile, everything has changed or nothing. */
static void swap_to(struct kt_buffer_sets *b, size_t set)
{
	uint64_t now;
	size_t i;

	for (i = 0; i < b->info->n_events; i++)
		kt_buffer_state_note(b->state, set, i,
				     (struct kt_swap_state){
					     .missed = kt_flight_control_missed(b->switches, i),
					     .complete = kt_flight_control_complete(b->switches, i),
				     });
	kt_buffer_state_note_info(b->state, set, kt_flight_control_state(b->switches).info);
	kt_rings_clear(b->rings[set]);
	kt_counter_map_clear_set(b->counters, set);
	now = kt_clock_now();
	kt_buffer_state_begin(b->state, set, now);
	kt_enable_word_swap(b->enable, kt_rings_row(b->rings[set]), now);
}

void kt_buffer_sets_swap(struct kt_buffer_sets *b)
{
	const struct kt_rings *left;

	if (kt_buffer_sets_is_consumed(b))
		swap_to(b, kt_buffer_sets_inactive(b));
	left = b->rings[kt_buffer_sets_inactive(b)];
	kt_rings_settle(left);
	kt_enable_word_settle_swap(b->enable, kt_buffer_sets_began(b, kt_buffer_sets_active(b)));
	kt_rings_flush(left);
}

void kt_buffer_sets_consume(struct kt_buffer_sets *b)
{
	kt_buffer_state_consume(b->state, kt_buffer_sets_inactive(b));
}

bool kt_buffer_sets_wants_spare(const struct kt_buffer_sets *b)
{
	return kt_buffer_state_wants_spare(b->state);
}

/* Returns the sum over all rings of a set. */
static uint64_t sum_rings(const struct kt_rings *rings, uint64_t read(const struct kt_ring *ring))
{
	const struct kt_ring *ring;
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < kt_rings_count(rings); i++) {
		ring = kt_rings_at(rings, i);
		if (ring)
			sum += read(ring);
	}
	return sum;
}

/* Returns what rings have overwritten, also before they were last cleared. */
static uint64_t count_overwritten(const struct kt_rings *rings)
{
	return sum_rings(rings, kt_ring_overwritten) + sum_rings(rings, kt_ring_overwritten_before);
}

/* What freed rings had overwritten is noted while the set has no rings. */
int kt_buffer_sets_make_spare(struct kt_buffer_sets *b, struct kt_error *err)
{
	const struct kt_rings *written = b->rings[kt_buffer_sets_active(b)];
	size_t set = kt_buffer_sets_inactive(b);
	struct kt_rings *spare;
	struct kt_error ignored;

	if (b->rings[set])
		return 0;
	if (kt_rings_mark_pending(b->dir, err) < 0)
		return -err->code;
	kt_buffer_state_note_freed(b->state, set, true,
				   kt_buffer_state_freed(b->state, set, false));
	spare = kt_rings_new_spare(written, err);
	if (spare && kt_rings_place(spare, NULL, err) == 0 &&
	    kt_rings_pin(spare, b->dir, err) == 0) {
		b->rings[set] = spare;
		return 0;
	}
	kt_rings_free(spare);
	kt_buffer_sets_remove_leftovers(b, &ignored);
	return -err->code;
}

/* What these rings have overwritten is noted while they exist. */
int kt_buffer_sets_drop_spare(struct kt_buffer_sets *b, struct kt_error *err)
{
	size_t set = kt_buffer_sets_inactive(b);
	struct kt_rings *spare = b->rings[set];

	if (!spare)
		return 0;
	if (!kt_buffer_sets_is_consumed(b))
		return kt_fail(err, EBUSY,
			       "the inactive buffer set holds events of an interrupted snapshot");
	kt_buffer_state_note_freed(b->state, set, false,
				   kt_buffer_state_freed(b->state, set, true) +
					   count_overwritten(spare));
	if (kt_rings_unpin(spare, b->dir, err) < 0)
		return -err->code;
	b->rings[set] = NULL;
	kt_rings_free(spare);
	return kt_buffer_sets_remove_leftovers(b, err);
}

int kt_buffer_sets_want_spare(struct kt_buffer_sets *b, bool want, struct kt_error *err)
{
	bool wanted = kt_buffer_sets_wants_spare(b);
	int ret;

	if (!want)
		kt_buffer_state_want_spare(b->state, false);
	ret = want ? kt_buffer_sets_make_spare(b, err) : kt_buffer_sets_drop_spare(b, err);
	kt_buffer_state_want_spare(b->state, ret < 0 ? wanted : want);
	return ret;
}

int kt_buffer_sets_remove_leftovers(struct kt_buffer_sets *b, struct kt_error *err)
{
	const struct kt_rings *written = b->rings[kt_buffer_sets_active(b)];

	return kt_rings_remove_leftovers(written, !b->rings[kt_buffer_sets_inactive(b)], b->dir,
					 err);
}

/* Returns an event's counters on all CPUs at the last swap. */
static struct kt_counters get_counters_at_swap(const struct kt_buffer_sets *b, size_t event)
{
	size_t inactive = kt_buffer_sets_inactive(b), set, cpu;
	struct kt_counters sum = {0};

	for (cpu = 0; cpu < kt_counter_map_cpus(b->counters); cpu++) {
		kt_counters_add(&sum, kt_counter_map_read_set(b->counters, inactive, event, cpu));
		for (set = 0; set < KT_BUFFER_SETS; set++)
			kt_counters_add(&sum,
					kt_counter_map_read_before(b->counters, set, event, cpu));
	}
	return sum;
}

static uint64_t get_overwritten_at_swap(const struct kt_buffer_sets *b)
{
	size_t written = kt_buffer_sets_active(b), inactive = kt_buffer_sets_inactive(b);

	return kt_buffer_sets_freed_overwritten(b, written) +
	       kt_buffer_sets_freed_overwritten(b, inactive) +
	       sum_rings(b->rings[written], kt_ring_overwritten_before) +
	       count_overwritten(b->rings[inactive]);
}

int kt_buffer_sets_reset(struct kt_buffer_sets *b, struct kt_error *err)
{
	size_t i;

	if (kt_buffer_sets_make_spare(b, err) < 0)
		return kt_fail_because(err,
				       "nothing was cleared: no memory for a second buffer set");
	kt_buffer_sets_consume(b);
	kt_buffer_sets_swap(b);
	for (i = 0; i < b->info->n_events; i++)
		kt_buffer_state_note_zero(
			b->state, i, get_counters_at_swap(b, i),
			kt_buffer_state_noted(b->state, kt_buffer_sets_active(b), i).missed);
	kt_buffer_state_reset(b->state, kt_buffer_sets_inactive(b),
			      kt_buffer_sets_began(b, kt_buffer_sets_active(b)),
			      get_overwritten_at_swap(b));
	kt_enable_word_arm(b->enable);
	if (kt_buffer_sets_wants_spare(b) || kt_buffer_sets_drop_spare(b, err) == 0)
		return 0;
	return kt_fail_because(err, "everything was cleared, but the second buffer set remains");
}
