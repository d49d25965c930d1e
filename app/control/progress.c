// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/control/progress.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/resolved_path.h"
#include "base/size.h"
#include "events/event.h"
#include "handlers/syscall_dispatch_prog.h"
#include "session/session.h"
#include "session/trace_source.h"
#include "trace/event_counts.h"
#include "trace/recording.h"
#include "values/text.h"
#include "view/losses.h"

static struct kt_text reported;

/* Prints "70 events in 3.0 s, 3.4 KiB". */
static void put_events(struct kt_text *t, uint64_t n, uint64_t ns, uint64_t bytes)
{
	char size[32];

	kt_size_format(bytes, size, sizeof(size));
	kt_text_counted(t, n, "event");
	kt_text_string(t, " in ");
	kt_text_duration(t, ns);
	kt_text_string(t, ", ");
	kt_text_string(t, size);
}

/* Records that are not yet in the trace are still in the rings. */
void print_progress(const struct kt_session *session, const struct kt_recording *recording)
{
	struct kt_error err;
	struct kt_event_counts *b =
		kt_event_counts_of(recording, kt_session_missed_all(session), &err);
	struct kt_outcome sum;
	uint64_t lost;

	if (!b)
		return;
	sum = kt_event_counts_sum(b);
	lost = kt_outcome_lost(&sum) - sum.lost[KT_LOST_UNWRITTEN];
	kt_event_counts_free(b);
	reported.to = stderr;
	kt_text_string(&reported, "\r  ");
	put_events(&reported, sum.hits - lost, kt_clock_now() - kt_session_began(session),
		   kt_recording_size(recording));
	if (lost) {
		kt_text_string(&reported, ", ");
		kt_text_number(&reported, lost);
		kt_text_string(&reported, " lost");
	}
	kt_text_string(&reported, "\033[K");
	kt_text_flush(&reported);
}

void print_detaching(const char *command, size_t left, uint64_t ns, bool terminal)
{
	if (terminal)
		fputs("\r  ", stderr);
	else
		fprintf(stderr, "ktrace %s: ", command);
	fprintf(stderr, "detaching %zu more probe%s takes the kernel about %" PRIu64 " s%s", left,
		left == 1 ? "" : "s", ns / 1000000000 + 1, terminal ? "\033[K" : "\n");
}

static void put_event(struct kt_text *t, const struct kt_event *e)
{
	kt_text_string(t, e->system);
	kt_text_char(t, ':');
	kt_text_string(t, e->name);
}

/* Prints losses by cause, then each event that lost any. */
static void put_losses(struct kt_text *t, const char *command, const struct kt_trace_source *source,
		       const struct kt_event_counts *b)
{
	char prefix[32];
	struct kt_outcome o = kt_event_counts_sum(b);
	size_t i;

	snprintf(prefix, sizeof(prefix), "ktrace %s: ", command);
	kt_losses_put_notes(t, b, prefix);
	if (kt_outcome_lost(&o)) {
		kt_text_string(t, prefix);
		kt_losses_put(t, &o);
		kt_text_char(t, '\n');
	}
	for (i = 0; i < source->n_events; i++) {
		o = kt_event_counts_event(b, i);
		if (!kt_outcome_lost(&o))
			continue;
		kt_text_string(t, "  ");
		put_event(t, source->events[i]);
		kt_text_string(t, ": ");
		kt_losses_put(t, &o);
		kt_text_char(t, '\n');
	}
}

void print_outcome(const char *command, const struct kt_recording *recording,
		   const struct kt_event_counts *counts, uint64_t ns,
		   const struct kt_resolved_path *place, const char *filtered_by)
{
	struct kt_outcome sum = kt_event_counts_sum(counts);

	reported.to = stderr;
	kt_text_string(&reported, "ktrace ");
	kt_text_string(&reported, command);
	kt_text_string(&reported, ": ");
	put_events(&reported, sum.records, ns, kt_recording_size(recording));
	kt_text_string(&reported, " in ");
	kt_text_string(&reported, place->typed);
	if (place->is_led) {
		kt_text_string(&reported, " -> ");
		kt_text_escaped_string(&reported, place->path);
	}
	if (sum.overwritten) {
		kt_text_string(&reported, "; ");
		kt_text_number(&reported, sum.overwritten);
		kt_text_string(&reported, " overwritten");
	}
	if (filtered_by) {
		kt_text_string(&reported, "; ");
		kt_text_number(&reported, sum.filtered);
		kt_text_string(&reported, " filtered (");
		kt_text_string(&reported, filtered_by);
		kt_text_char(&reported, ')');
	}
	kt_text_char(&reported, '\n');
	put_losses(&reported, command, kt_recording_source(recording), counts);
	kt_text_flush(&reported);
}

void print_losses(const char *command, const struct kt_recording *recording,
		  const struct kt_event_counts *counts)
{
	reported.to = stderr;
	put_losses(&reported, command, kt_recording_source(recording), counts);
	kt_text_flush(&reported);
}

static void put_untraced(struct kt_text *t, const char *command, uint64_t n, const char *which)
{
	if (n == 0)
		return;
	kt_text_string(t, "ktrace ");
	kt_text_string(t, command);
	kt_text_string(t, ": ");
	kt_text_counted(t, n, "call");
	kt_text_string(t, which);
	kt_text_string(t, n == 1 ? " was not traced\n" : " were not traced\n");
}

void print_untraced(const char *command, const struct kt_session *session)
{
	struct kt_untraced u = kt_session_untraced(session);

	reported.to = stderr;
	put_untraced(&reported, command, u.compat, " in 32-bit mode");
	put_untraced(&reported, command, u.unnamed, " without a name in the kernel");
	kt_text_flush(&reported);
}
