// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/progress.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/size.h"
#include "catalog/event.h"
#include "session/session.h"
#include "trace/balance.h"
#include "trace/recording.h"
#include "view/losses.h"
#include "view/text.h"

#define PREFIX "ktrace record: "

/* 70 events in 3.0 s */
static void say_events(const struct kt_session *s, uint64_t n)
{
	uint64_t ended = kt_session_ended(s);
	uint64_t ns = (ended ? ended : kt_clock_now()) - kt_session_began(s);
	uint64_t tenths = ns / 100000000;

	fprintf(stderr, "%" PRIu64 " event%s in %" PRIu64 ".%" PRIu64 " s", n, n == 1 ? "" : "s",
		tenths / 10, tenths % 10);
}

/* What is not yet in the trace is still in the rings. */
void say_progress(const struct kt_session *session, const struct kt_recording *recording)
{
	struct kt_error err;
	struct kt_balance *b = kt_balance_of(recording, kt_session_missed_all(session), &err);
	struct kt_outcome sum;
	uint64_t lost;
	char size[32];

	if (!b)
		return;
	sum = kt_balance_sum(b);
	lost = kt_outcome_lost(&sum) - sum.lost[KT_LOST_UNWRITTEN];
	kt_balance_free(b);
	kt_size_format(kt_recording_size(recording), size, sizeof(size));
	fputs("\r  ", stderr);
	say_events(session, sum.hits - lost);
	fprintf(stderr, ", %s", size);
	if (lost)
		fprintf(stderr, ", %" PRIu64 " lost", lost);
	fputs("\033[K", stderr);
}

void say_detaching(size_t left, uint64_t ns, bool terminal)
{
	fprintf(stderr, "%sdetaching %zu more probe%s takes the kernel about %" PRIu64 " s%s",
		terminal ? "\r  " : PREFIX, left, left == 1 ? "" : "s", ns / 1000000000 + 1,
		terminal ? "\033[K" : "\n");
}

/* How many, by cause, and then of each event that lost any. */
static void say_losses(const struct kt_session *s, const struct kt_balance *b)
{
	const struct kt_event *const *events = kt_session_events(s);
	struct kt_outcome o = kt_balance_sum(b);
	static struct kt_text text;
	size_t i;

	text.to = stderr;
	kt_losses_put_notes(&text, b, PREFIX);
	if (kt_outcome_lost(&o)) {
		kt_text_string(&text, PREFIX);
		kt_losses_put(&text, &o);
		kt_text_char(&text, '\n');
	}
	for (i = 0; i < kt_session_count(s); i++) {
		o = kt_balance_event(b, i);
		if (!kt_outcome_lost(&o))
			continue;
		kt_text_string(&text, "  ");
		kt_text_string(&text, events[i]->system);
		kt_text_char(&text, ':');
		kt_text_string(&text, events[i]->name);
		kt_text_string(&text, ": ");
		kt_losses_put(&text, &o);
		kt_text_char(&text, '\n');
	}
	kt_text_flush(&text);
}

void say_outcome(const struct kt_session *session, const struct kt_recording *recording,
		 const struct kt_balance *balance, const char *dir, const char *left_out)
{
	struct kt_outcome sum = kt_balance_sum(balance);
	char size[32];

	kt_size_format(kt_recording_size(recording), size, sizeof(size));
	fputs(PREFIX, stderr);
	say_events(session, sum.records);
	fprintf(stderr, ", %s in %s", size, dir);
	if (left_out)
		fprintf(stderr, "; %" PRIu64 " left out (%s)", sum.filtered, left_out);
	fputc('\n', stderr);
	say_losses(session, balance);
}
