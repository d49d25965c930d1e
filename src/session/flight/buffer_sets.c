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
	const struct kt_flight_info *about;
	const struct kt_flight_control *switches;
	struct kt_enable_word *gate;
	struct kt_counter_map *ledger;
	struct kt_buffer_state *turns;
	struct kt_rings *rings[KT_BUFFER_SETS]; /* without a spare one is NULL */
};

/* One that is written has rings. */
static int read_each(struct kt_buffer_sets *b, size_t written, struct kt_error *err)
{
	size_t i;

	for (i = 0; i < KT_BUFFER_SETS; i++) {
		kt_rings_free(b->rings[i]);
		b->rings[i] = kt_rings_from(b->dir, i, b->about->geometry, b->about->keeps, err);
		if (!b->rings[i] && (i == written || err->code != ENOENT))
			return -err->code;
	}
	if (written < KT_BUFFER_SETS &&
	    kt_enable_word_row(b->gate) == kt_rings_row(b->rings[written]))
		return 0;
	return kt_fail(err, EPROTO, "its gate leads nowhere");
}

/*
 * Where it is turned meanwhile, what was written may be gone; and a spare goes or comes. What is
 * still unlike that is no doing of ours.
 */
static int read_rings(struct kt_buffer_sets *b, struct kt_error *err)
{
	enum { TRIES = 5 };
	size_t written;
	int tries = 0, ret;

	do {
		written = kt_buffer_sets_written(b);
		ret = read_each(b, written, err);
		tries++;
	} while (written != kt_buffer_sets_written(b) ||
		 (ret < 0 && tries < TRIES && !kt_buffer_sets_are_current(b)));
	return ret;
}

static int read_parts(struct kt_buffer_sets *b, struct kt_error *err)
{
	int fd = kt_bpffs_get(b->dir, "gate", err);

	if (fd >= 0)
		b->gate = kt_enable_word_from(fd, b->about->n_events, err);
	fd = b->gate ? kt_bpffs_get(b->dir, "ledger", err) : -err->code;
	if (fd >= 0)
		b->ledger = kt_counter_map_from(fd, b->about->n_events, err);
	fd = b->ledger ? kt_bpffs_get(b->dir, "turns", err) : -err->code;
	if (fd >= 0)
		b->turns = kt_buffer_state_from(fd, b->about->n_events, err);
	return b->turns ? read_rings(b, err) : -err->code;
}

struct kt_buffer_sets *kt_buffer_sets_from(int dir, const struct kt_flight_info *about,
					   const struct kt_flight_control *switches,
					   struct kt_error *err)
{
	struct kt_buffer_sets *b = calloc(1, sizeof(*b));

	if (!b) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	b->dir = dir;
	b->about = about;
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
	kt_buffer_state_free(b->turns);
	kt_counter_map_free(b->ledger);
	kt_enable_word_free(b->gate);
	free(b);
}

const struct kt_counter_map *kt_buffer_sets_ledger(const struct kt_buffer_sets *b)
{
	return b->ledger;
}

struct kt_probes kt_buffer_sets_probes(const struct kt_buffer_sets *b)
{
	const struct kt_rings *written = b->rings[kt_buffer_sets_written(b)];

	return (struct kt_probes){
		.geometry = b->about->geometry,
		.bytes_max = b->about->bytes_max,
		.enable = kt_enable_word_fd(b->gate),
		.counters = kt_counter_map_fd(b->ledger),
		.rings = kt_rings_fd(written, KT_MAIN),
		.rare_rings = kt_rings_fd(written, KT_RARE),
		.followed = -1,
		.pid_filter = kt_flight_control_focus_fd(b->switches),
		.nested = -1,
		.wakeup = -1,
		.overwrite = true,
		.freezing = kt_enable_word_freezing(b->gate),
	};
}

size_t kt_buffer_sets_written(const struct kt_buffer_sets *b)
{
	return kt_enable_word_row(b->gate) / kt_counter_map_cpus(b->ledger);
}

size_t kt_buffer_sets_resting(const struct kt_buffer_sets *b)
{
	return !kt_buffer_sets_written(b);
}

const struct kt_rings *kt_buffer_sets_rings(const struct kt_buffer_sets *b, size_t bank)
{
	return b->rings[bank];
}

bool kt_buffer_sets_is_taken(const struct kt_buffer_sets *b)
{
	return kt_buffer_state_taken(b->turns) == kt_buffer_sets_resting(b);
}

uint64_t kt_buffer_sets_began(const struct kt_buffer_sets *b, size_t bank)
{
	return kt_buffer_state_began(b->turns, bank);
}

struct kt_freezing kt_buffer_sets_freezing(const struct kt_buffer_sets *b)
{
	return kt_enable_word_freezing(b->gate);
}

struct kt_trigger_hit kt_buffer_sets_hit(const struct kt_buffer_sets *b, size_t bank)
{
	return kt_enable_word_hit(b->gate, bank);
}

uint64_t kt_buffer_sets_ended(const struct kt_buffer_sets *b, size_t bank, uint64_t time)
{
	struct kt_trigger_hit hit = kt_buffer_sets_hit(b, bank);

	return hit.at && hit.frozen < time ? hit.frozen : time;
}

uint64_t kt_buffer_sets_since(const struct kt_buffer_sets *b)
{
	return kt_buffer_state_since(b->turns);
}

struct kt_counters kt_buffer_sets_tally_then(const struct kt_buffer_sets *b, size_t event)
{
	return kt_buffer_state_tally_then(b->turns, event);
}

uint64_t kt_buffer_sets_overwritten_then(const struct kt_buffer_sets *b)
{
	return kt_buffer_state_overwritten_then(b->turns);
}

/*
 * Of an event that is broken less may be known by now than was then
 * (session/flight/flight_control.h).
 */
static uint64_t missed_since(uint64_t then, uint64_t now)
{
	return now > then ? now - then : 0;
}

uint64_t kt_buffer_sets_missed(const struct kt_buffer_sets *b, size_t event)
{
	return missed_since(kt_buffer_state_missed_then(b->turns, event),
			    kt_flight_control_missed(b->switches, event));
}

uint64_t kt_buffer_sets_missed_in(const struct kt_buffer_sets *b, size_t bank, size_t event)
{
	uint64_t until = bank == kt_buffer_sets_written(b)
				 ? kt_flight_control_missed(b->switches, event)
				 : kt_buffer_state_noted(b->turns, !bank, event).missed;

	return missed_since(kt_buffer_state_noted(b->turns, bank, event).missed, until);
}

struct kt_time_span kt_buffer_sets_complete_in(const struct kt_buffer_sets *b, size_t bank,
					       size_t event)
{
	return bank == kt_buffer_sets_written(b)
		       ? kt_flight_control_complete(b->switches, event)
		       : kt_buffer_state_noted(b->turns, !bank, event).complete;
}

uint16_t kt_buffer_sets_about_in(const struct kt_buffer_sets *b, size_t bank)
{
	return bank == kt_buffer_sets_written(b) ? kt_flight_control_opened(b->switches).about
						 : kt_buffer_state_noted_about(b->turns, !bank);
}

uint64_t kt_buffer_sets_gone(const struct kt_buffer_sets *b, size_t bank)
{
	return kt_buffer_state_gone(b->turns, bank, b->rings[bank]);
}

bool kt_buffer_sets_are_current(const struct kt_buffer_sets *b)
{
	size_t i;

	for (i = 0; i < KT_BUFFER_SETS; i++)
		if (!kt_rings_are_pinned(b->rings[i], b->dir, i))
			return false;
	return true;
}

bool kt_buffer_sets_were_current(const struct kt_buffer_sets *b, size_t bank)
{
	return b->rings[bank] && kt_rings_are_placed(b->rings[bank]);
}

/* Killed on the way it has changed nothing, or all. */
static void turn_to(struct kt_buffer_sets *b, size_t bank)
{
	uint64_t now;
	size_t i;

	for (i = 0; i < b->about->n_events; i++)
		kt_buffer_state_note(b->turns, bank, i,
				     (struct kt_turn){
					     .missed = kt_flight_control_missed(b->switches, i),
					     .complete = kt_flight_control_complete(b->switches, i),
				     });
	kt_buffer_state_note_about(b->turns, bank, kt_flight_control_opened(b->switches).about);
	kt_rings_clear(b->rings[bank]);
	kt_counter_map_clear_bank(b->ledger, bank);
	now = kt_clock_now();
	kt_buffer_state_begin(b->turns, bank, now);
	kt_enable_word_turn(b->gate, kt_rings_row(b->rings[bank]), now);
}

void kt_buffer_sets_turn(struct kt_buffer_sets *b)
{
	const struct kt_rings *left;

	if (kt_buffer_sets_is_taken(b))
		turn_to(b, kt_buffer_sets_resting(b));
	left = b->rings[kt_buffer_sets_resting(b)];
	kt_rings_settle(left);
	kt_enable_word_settle(b->gate, kt_buffer_sets_began(b, kt_buffer_sets_written(b)));
	kt_rings_flush(left);
}

void kt_buffer_sets_take(struct kt_buffer_sets *b)
{
	kt_buffer_state_take(b->turns, kt_buffer_sets_resting(b));
}

bool kt_buffer_sets_wants_spare(const struct kt_buffer_sets *b)
{
	return kt_buffer_state_wants_spare(b->turns);
}

/* Of all rings of a bank, what read says of each. */
static uint64_t sum_of(const struct kt_rings *rings, uint64_t read(const struct kt_ring *ring))
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

/* What they have overwritten, also before they were last cleared. */
static uint64_t overwritten(const struct kt_rings *rings)
{
	return sum_of(rings, kt_ring_overwritten) + sum_of(rings, kt_ring_overwritten_before);
}

/* What was overwritten in rings before them is noted while they are not there. */
int kt_buffer_sets_make_spare(struct kt_buffer_sets *b, struct kt_error *err)
{
	const struct kt_rings *written = b->rings[kt_buffer_sets_written(b)];
	size_t bank = kt_buffer_sets_resting(b);
	struct kt_rings *spare;
	struct kt_error ignored;

	if (b->rings[bank])
		return 0;
	if (kt_rings_mark_pending(b->dir, err) < 0)
		return -err->code;
	kt_buffer_state_note_gone(b->turns, bank, true,
				  kt_buffer_state_gone(b->turns, bank, false));
	spare = kt_rings_new_beside(written, err);
	if (spare && kt_rings_place(spare, NULL, err) == 0 &&
	    kt_rings_pin(spare, b->dir, err) == 0) {
		b->rings[bank] = spare;
		return 0;
	}
	kt_rings_free(spare);
	kt_buffer_sets_tidy(b, &ignored);
	return -err->code;
}

/* And what was in them while they are. */
int kt_buffer_sets_drop_spare(struct kt_buffer_sets *b, struct kt_error *err)
{
	size_t bank = kt_buffer_sets_resting(b);
	struct kt_rings *spare = b->rings[bank];

	if (!spare)
		return 0;
	if (!kt_buffer_sets_is_taken(b))
		return kt_fail(err, EBUSY, "what its other rings hold is still to be taken");
	kt_buffer_state_note_gone(b->turns, bank, false,
				  kt_buffer_state_gone(b->turns, bank, true) + overwritten(spare));
	if (kt_rings_unpin(spare, b->dir, err) < 0)
		return -err->code;
	b->rings[bank] = NULL;
	kt_rings_free(spare);
	return kt_buffer_sets_tidy(b, err);
}

int kt_buffer_sets_want_spare(struct kt_buffer_sets *b, bool want, struct kt_error *err)
{
	bool wanted = kt_buffer_sets_wants_spare(b);
	int ret;

	if (!want)
		kt_buffer_state_want_spare(b->turns, false);
	ret = want ? kt_buffer_sets_make_spare(b, err) : kt_buffer_sets_drop_spare(b, err);
	kt_buffer_state_want_spare(b->turns, ret < 0 ? wanted : want);
	return ret;
}

int kt_buffer_sets_tidy(struct kt_buffer_sets *b, struct kt_error *err)
{
	const struct kt_rings *written = b->rings[kt_buffer_sets_written(b)];

	return kt_rings_remove_leftovers(written, !b->rings[kt_buffer_sets_resting(b)], b->dir,
					 err);
}

/* Of an event, on all CPUs, until the flight was turned to the bank that is written. */
static struct kt_counters tally_until_turn(const struct kt_buffer_sets *b, size_t event)
{
	size_t resting = kt_buffer_sets_resting(b), bank, cpu;
	struct kt_counters sum = {0};

	for (cpu = 0; cpu < kt_counter_map_cpus(b->ledger); cpu++) {
		kt_counters_add(&sum, kt_counter_map_read_bank(b->ledger, resting, event, cpu));
		for (bank = 0; bank < KT_BUFFER_SETS; bank++)
			kt_counters_add(&sum,
					kt_counter_map_read_before(b->ledger, bank, event, cpu));
	}
	return sum;
}

static uint64_t overwritten_until_turn(const struct kt_buffer_sets *b)
{
	size_t written = kt_buffer_sets_written(b), resting = kt_buffer_sets_resting(b);

	return kt_buffer_sets_gone(b, written) + kt_buffer_sets_gone(b, resting) +
	       sum_of(b->rings[written], kt_ring_overwritten_before) +
	       overwritten(b->rings[resting]);
}

int kt_buffer_sets_reset(struct kt_buffer_sets *b, struct kt_error *err)
{
	size_t i;

	if (kt_buffer_sets_make_spare(b, err) < 0)
		return kt_fail_because(err, "nothing is reset, as this takes second rings");
	kt_buffer_sets_take(b);
	kt_buffer_sets_turn(b);
	for (i = 0; i < b->about->n_events; i++)
		kt_buffer_state_note_zero(
			b->turns, i, tally_until_turn(b, i),
			kt_buffer_state_noted(b->turns, kt_buffer_sets_written(b), i).missed);
	kt_buffer_state_reset(b->turns, kt_buffer_sets_resting(b),
			      kt_buffer_sets_began(b, kt_buffer_sets_written(b)),
			      overwritten_until_turn(b));
	kt_enable_word_arm(b->gate);
	if (kt_buffer_sets_wants_spare(b) || kt_buffer_sets_drop_spare(b, err) == 0)
		return 0;
	return kt_fail_because(err, "all is reset, but second rings remain");
}
