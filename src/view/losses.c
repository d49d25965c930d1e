// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/losses.h"

#include "values/text.h"

const char *kt_loss_why(enum kt_loss loss)
{
	static const char *const why[KT_N_LOSSES] = {
		[KT_LOST_FULL] = "no room in the ring (-b)",
		[KT_LOST_CONTENDED] = "interrupted while reserving",
		[KT_LOST_NO_RING] = "on a CPU that came online later",
		[KT_LOST_UNFIT] = "too large for a record (-b) or unreadable",
		[KT_LOST_MISSED] = "missed (recursion)",
		[KT_LOST_UNWRITTEN] = "not written to the trace",
	};

	return why[loss];
}

void kt_losses_put(struct kt_text *t, const struct kt_outcome *o)
{
	const char *between = ": ";
	size_t i;

	kt_text_string(t, "lost ");
	kt_text_number(t, kt_outcome_lost(o));
	kt_text_string(t, " of ");
	kt_text_number(t, o->hits);
	for (i = 0; i < KT_N_LOSSES; i++) {
		if (!o->lost[i])
			continue;
		kt_text_string(t, between);
		kt_text_number(t, o->lost[i]);
		kt_text_char(t, ' ');
		kt_text_string(t, kt_loss_why(i));
		between = ", ";
	}
}

static void put_forks(struct kt_text *t, uint64_t missed)
{
	kt_text_number(t, missed);
	kt_text_string(t, missed == 1 ? " fork" : " forks");
	kt_text_string(t, " missed by the kernel: ");
	kt_text_string(t, missed == 1 ? "its process" : "their processes");
	kt_text_string(t, " may not be recorded\n");
}

static void put_functions(struct kt_text *t, uint64_t missed)
{
	kt_text_number(t, missed);
	kt_text_string(t, missed == 1 ? " hit" : " hits");
	kt_text_string(t, " of functions missed by the kernel (recursion), of any process\n");
}

static void put_calls(struct kt_text *t, uint64_t missed)
{
	kt_text_number(t, missed);
	kt_text_string(t, missed == 1 ? " entry or return" : " entries or returns");
	kt_text_string(t, " of system calls missed by the kernel (recursion), of any process\n");
}

static void put_stacks(struct kt_text *t, uint64_t lost)
{
	kt_text_number(t, lost);
	kt_text_string(t, lost == 1 ? " stack" : " stacks");
	kt_text_string(t, " lost: too many different ones at a time\n");
}

void kt_losses_put_notes(struct kt_text *t, const struct kt_event_counts *b, const char *prefix)
{
	uint64_t lost_stacks = kt_event_counts_sum(b).lost_stacks;

	if (lost_stacks) {
		kt_text_string(t, prefix);
		put_stacks(t, lost_stacks);
	}
	if (b->missed_forks) {
		kt_text_string(t, prefix);
		put_forks(t, b->missed_forks);
	}
	if (b->missed_functions) {
		kt_text_string(t, prefix);
		put_functions(t, b->missed_functions);
	}
	if (b->missed_calls) {
		kt_text_string(t, prefix);
		put_calls(t, b->missed_calls);
	}
	if (b->missed_unknown) {
		kt_text_string(t, prefix);
		kt_text_string(t, "missed events are not counted: Linux counts them since 6.7\n");
	}
}
