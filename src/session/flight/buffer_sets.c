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

struct kt_banks {
	int dir;
	const struct kt_about *about;
	const struct kt_switches *switches;
	struct kt_gate *gate;
	struct kt_ledger *ledger;
	struct kt_turns *turns;
	struct kt_rings *rings[KT_BANKS]; /* without a spare one is NULL */
};

/* One that is written has rings. */
static int read_each(struct kt_banks *b, size_t written, struct kt_error *err)
{
	size_t i;

	for (i = 0; i < KT_BANKS; i++) {
		kt_rings_free(b->rings[i]);
		b->rings[i] = kt_rings_from(b->dir, i, b->about->geometry, b->about->keeps, err);
		if (!b->rings[i] && (i == written || err->code != ENOENT))
			return -err->code;
	}
	if (written < KT_BANKS && kt_gate_row(b->gate) == kt_rings_row(b->rings[written]))
		return 0;
	return kt_fail(err, EPROTO, "its gate leads nowhere");
}

/*
 * Where it is turned meanwhile, what was written may be gone; and a spare goes or comes. What is
 * still unlike that is no doing of ours.
 */
static int read_rings(struct kt_banks *b, struct kt_error *err)
{
	enum { TRIES = 5 };
	size_t written;
	int tries = 0, ret;

	do {
		written = kt_banks_written(b);
		ret = read_each(b, written, err);
		tries++;
	} while (written != kt_banks_written(b) ||
		 (ret < 0 && tries < TRIES && !kt_banks_are_current(b)));
	return ret;
}

static int read_parts(struct kt_banks *b, struct kt_error *err)
{
	int fd = kt_bpffs_get(b->dir, "gate", err);

	if (fd >= 0)
		b->gate = kt_gate_from(fd, b->about->n_events, err);
	fd = b->gate ? kt_bpffs_get(b->dir, "ledger", err) : -err->code;
	if (fd >= 0)
		b->ledger = kt_ledger_from(fd, b->about->n_events, err);
	fd = b->ledger ? kt_bpffs_get(b->dir, "turns", err) : -err->code;
	if (fd >= 0)
		b->turns = kt_turns_from(fd, b->about->n_events, err);
	return b->turns ? read_rings(b, err) : -err->code;
}

struct kt_banks *kt_banks_from(int dir, const struct kt_about *about,
			       const struct kt_switches *switches, struct kt_error *err)
{
	struct kt_banks *b = calloc(1, sizeof(*b));

	if (!b) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	b->dir = dir;
	b->about = about;
	b->switches = switches;
	if (read_parts(b, err) == 0)
		return b;
	kt_banks_free(b);
	return NULL;
}

void kt_banks_free(struct kt_banks *b)
{
	size_t i;

	if (!b)
		return;
	for (i = 0; i < KT_BANKS; i++)
		kt_rings_free(b->rings[i]);
	kt_turns_free(b->turns);
	kt_ledger_free(b->ledger);
	kt_gate_free(b->gate);
	free(b);
}

const struct kt_ledger *kt_banks_ledger(const struct kt_banks *b)
{
	return b->ledger;
}

struct kt_probes kt_banks_probes(const struct kt_banks *b)
{
	const struct kt_rings *written = b->rings[kt_banks_written(b)];

	return (struct kt_probes){
		.geometry = b->about->geometry,
		.bytes_max = b->about->bytes_max,
		.gate = kt_gate_fd(b->gate),
		.ledger = kt_ledger_fd(b->ledger),
		.rings = kt_rings_fd(written, KT_MAIN),
		.kept = kt_rings_fd(written, KT_KEPT),
		.followed = -1,
		.focus = kt_switches_focus_fd(b->switches),
		.nested = -1,
		.wakeup = -1,
		.overwrite = true,
		.freezing = kt_gate_freezing(b->gate),
	};
}

size_t kt_banks_written(const struct kt_banks *b)
{
	return kt_gate_row(b->gate) / kt_ledger_cpus(b->ledger);
}

size_t kt_banks_resting(const struct kt_banks *b)
{
	return !kt_banks_written(b);
}

const struct kt_rings *kt_banks_rings(const struct kt_banks *b, size_t bank)
{
	return b->rings[bank];
}

bool kt_banks_is_taken(const struct kt_banks *b)
{
	return kt_turns_taken(b->turns) == kt_banks_resting(b);
}

uint64_t kt_banks_began(const struct kt_banks *b, size_t bank)
{
	return kt_turns_began(b->turns, bank);
}

struct kt_freezing kt_banks_freezing(const struct kt_banks *b)
{
	return kt_gate_freezing(b->gate);
}

struct kt_trigger_hit kt_banks_hit(const struct kt_banks *b, size_t bank)
{
	return kt_gate_hit(b->gate, bank);
}

uint64_t kt_banks_ended(const struct kt_banks *b, size_t bank, uint64_t time)
{
	struct kt_trigger_hit hit = kt_banks_hit(b, bank);

	return hit.at && hit.frozen < time ? hit.frozen : time;
}

uint64_t kt_banks_since(const struct kt_banks *b)
{
	return kt_turns_since(b->turns);
}

struct kt_tally kt_banks_tally_then(const struct kt_banks *b, size_t event)
{
	return kt_turns_tally_then(b->turns, event);
}

uint64_t kt_banks_overwritten_then(const struct kt_banks *b)
{
	return kt_turns_overwritten_then(b->turns);
}

/*
 * Of an event that is broken less may be known by now than was then
 * (session/flight/flight_control.h).
 */
static uint64_t missed_since(uint64_t then, uint64_t now)
{
	return now > then ? now - then : 0;
}

uint64_t kt_banks_missed(const struct kt_banks *b, size_t event)
{
	return missed_since(kt_turns_missed_then(b->turns, event),
			    kt_switches_missed(b->switches, event));
}

uint64_t kt_banks_missed_in(const struct kt_banks *b, size_t bank, size_t event)
{
	uint64_t until = bank == kt_banks_written(b)
				 ? kt_switches_missed(b->switches, event)
				 : kt_turns_noted(b->turns, !bank, event).missed;

	return missed_since(kt_turns_noted(b->turns, bank, event).missed, until);
}

struct kt_span kt_banks_complete_in(const struct kt_banks *b, size_t bank, size_t event)
{
	return bank == kt_banks_written(b) ? kt_switches_complete(b->switches, event)
					   : kt_turns_noted(b->turns, !bank, event).complete;
}

uint16_t kt_banks_about_in(const struct kt_banks *b, size_t bank)
{
	return bank == kt_banks_written(b) ? kt_switches_opened(b->switches).about
					   : kt_turns_noted_about(b->turns, !bank);
}

uint64_t kt_banks_gone(const struct kt_banks *b, size_t bank)
{
	return kt_turns_gone(b->turns, bank, b->rings[bank]);
}

bool kt_banks_are_current(const struct kt_banks *b)
{
	size_t i;

	for (i = 0; i < KT_BANKS; i++)
		if (!kt_rings_are_pinned(b->rings[i], b->dir, i))
			return false;
	return true;
}

bool kt_banks_were_current(const struct kt_banks *b, size_t bank)
{
	return b->rings[bank] && kt_rings_are_placed(b->rings[bank]);
}

/* Killed on the way it has changed nothing, or all. */
static void turn_to(struct kt_banks *b, size_t bank)
{
	uint64_t now;
	size_t i;

	for (i = 0; i < b->about->n_events; i++)
		kt_turns_note(b->turns, bank, i,
			      (struct kt_turn){
				      .missed = kt_switches_missed(b->switches, i),
				      .complete = kt_switches_complete(b->switches, i),
			      });
	kt_turns_note_about(b->turns, bank, kt_switches_opened(b->switches).about);
	kt_rings_clear(b->rings[bank]);
	kt_ledger_clear_bank(b->ledger, bank);
	now = kt_clock_now();
	kt_turns_begin(b->turns, bank, now);
	kt_gate_turn(b->gate, kt_rings_row(b->rings[bank]), now);
}

void kt_banks_turn(struct kt_banks *b)
{
	const struct kt_rings *left;

	if (kt_banks_is_taken(b))
		turn_to(b, kt_banks_resting(b));
	left = b->rings[kt_banks_resting(b)];
	kt_rings_settle(left);
	kt_gate_settle(b->gate, kt_banks_began(b, kt_banks_written(b)));
	kt_rings_flush(left);
}

void kt_banks_take(struct kt_banks *b)
{
	kt_turns_take(b->turns, kt_banks_resting(b));
}

bool kt_banks_wants_spare(const struct kt_banks *b)
{
	return kt_turns_wants_spare(b->turns);
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
int kt_banks_make_spare(struct kt_banks *b, struct kt_error *err)
{
	const struct kt_rings *written = b->rings[kt_banks_written(b)];
	size_t bank = kt_banks_resting(b);
	struct kt_rings *spare;
	struct kt_error ignored;

	if (b->rings[bank])
		return 0;
	if (kt_rings_announce(b->dir, err) < 0)
		return -err->code;
	kt_turns_note_gone(b->turns, bank, true, kt_turns_gone(b->turns, bank, false));
	spare = kt_rings_beside(written, err);
	if (spare && kt_rings_place(spare, NULL, err) == 0 &&
	    kt_rings_pin(spare, b->dir, err) == 0) {
		b->rings[bank] = spare;
		return 0;
	}
	kt_rings_free(spare);
	kt_banks_tidy(b, &ignored);
	return -err->code;
}

/* And what was in them while they are. */
int kt_banks_drop_spare(struct kt_banks *b, struct kt_error *err)
{
	size_t bank = kt_banks_resting(b);
	struct kt_rings *spare = b->rings[bank];

	if (!spare)
		return 0;
	if (!kt_banks_is_taken(b))
		return kt_fail(err, EBUSY, "what its other rings hold is still to be taken");
	kt_turns_note_gone(b->turns, bank, false,
			   kt_turns_gone(b->turns, bank, true) + overwritten(spare));
	if (kt_rings_unpin(spare, b->dir, err) < 0)
		return -err->code;
	b->rings[bank] = NULL;
	kt_rings_free(spare);
	return kt_banks_tidy(b, err);
}

int kt_banks_want_spare(struct kt_banks *b, bool want, struct kt_error *err)
{
	bool wanted = kt_banks_wants_spare(b);
	int ret;

	if (!want)
		kt_turns_want_spare(b->turns, false);
	ret = want ? kt_banks_make_spare(b, err) : kt_banks_drop_spare(b, err);
	kt_turns_want_spare(b->turns, ret < 0 ? wanted : want);
	return ret;
}

int kt_banks_tidy(struct kt_banks *b, struct kt_error *err)
{
	const struct kt_rings *written = b->rings[kt_banks_written(b)];

	return kt_rings_tidy(written, !b->rings[kt_banks_resting(b)], b->dir, err);
}

/* Of an event, on all CPUs, until the flight was turned to the bank that is written. */
static struct kt_tally tally_until_turn(const struct kt_banks *b, size_t event)
{
	size_t resting = kt_banks_resting(b), bank, cpu;
	struct kt_tally sum = {0};

	for (cpu = 0; cpu < kt_ledger_cpus(b->ledger); cpu++) {
		kt_tally_add(&sum, kt_ledger_read_bank(b->ledger, resting, event, cpu));
		for (bank = 0; bank < KT_BANKS; bank++)
			kt_tally_add(&sum, kt_ledger_read_before(b->ledger, bank, event, cpu));
	}
	return sum;
}

static uint64_t overwritten_until_turn(const struct kt_banks *b)
{
	size_t written = kt_banks_written(b), resting = kt_banks_resting(b);

	return kt_banks_gone(b, written) + kt_banks_gone(b, resting) +
	       sum_of(b->rings[written], kt_ring_overwritten_before) +
	       overwritten(b->rings[resting]);
}

int kt_banks_reset(struct kt_banks *b, struct kt_error *err)
{
	size_t i;

	if (kt_banks_make_spare(b, err) < 0)
		return kt_fail_because(err, "nothing is reset, as this takes second rings");
	kt_banks_take(b);
	kt_banks_turn(b);
	for (i = 0; i < b->about->n_events; i++)
		kt_turns_note_zero(b->turns, i, tally_until_turn(b, i),
				   kt_turns_noted(b->turns, kt_banks_written(b), i).missed);
	kt_turns_reset(b->turns, kt_banks_resting(b), kt_banks_began(b, kt_banks_written(b)),
		       overwritten_until_turn(b));
	kt_gate_arm(b->gate);
	if (kt_banks_wants_spare(b) || kt_banks_drop_spare(b, err) == 0)
		return 0;
	return kt_fail_because(err, "all is reset, but second rings remain");
}
