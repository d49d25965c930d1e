// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/flight_status.h"

#include <pwd.h>

#include "base/json.h"
#include "base/size.h"
#include "hook/program.h"
#include "session/flight/flight_info.h"
#include "session/flight/flight_stats.h"
#include "trace/event_counts.h"
#include "values/text.h"
#include "view/losses.h"

enum { COLUMN = 12, PIDS_MAX = 8 };

static struct kt_outcome get_event_outcome(const struct kt_flight_stats_event *e)
{
	struct kt_outcome o = kt_outcome_of(e->counters);

	o.hits += e->missed;
	o.lost[KT_LOST_MISSED] = e->missed;
	return o;
}

static struct kt_outcome get_outcome(const struct kt_status *s)
{
	struct kt_flight_stats_event sum = kt_flight_stats_sum(s->stats);

	return get_event_outcome(&sum);
}

static void put_size(struct kt_text *t, uint64_t bytes)
{
	char size[32];

	kt_size_format(bytes, size, sizeof(size));
	kt_text_string(t, size);
}

static void put_disabled(struct kt_text *t, const struct kt_flight_stats *g)
{
	size_t i, n = 0;

	for (i = 0; i < g->n_events; i++)
		n += !g->events[i].is_enabled;
	if (n == 0)
		return;
	kt_text_string(t, ", ");
	kt_text_number(t, n);
	kt_text_string(t, " of them disabled,");
}

static void put_provenance(struct kt_text *t, const struct kt_status *s)
{
	const struct passwd *user = getpwuid(s->info->uid);

	kt_text_string(t, s->name);
	kt_text_string(t, ": ");
	kt_text_counted(t, s->info->n_events, "event");
	put_disabled(t, s->stats);
	kt_text_string(t, " for ");
	kt_text_duration(t, s->stats->age);
	kt_text_string(t, ", since ");
	kt_text_date(t, s->info->began_1970 + s->stats->clock_set);
	if (s->stats->clock_set) {
		kt_text_string(t, "\n  ");
		kt_text_clock_set(t, s->stats->clock_set);
		kt_text_string(t, " since the start");
	}
	kt_text_string(t, "\n  by ");
	if (user)
		kt_text_escaped_string(t, user->pw_name);
	else
		kt_text_number(t, s->info->uid);
	kt_text_string(t, ", process ");
	kt_text_number(t, s->info->pid);
	kt_text_string(t, ": ");
	kt_text_escaped_string(t, s->info->command);
	kt_text_char(t, '\n');
}

static void put_name(struct kt_text *t, const struct kt_flight_info_event *e)
{
	kt_text_escaped_string(t, e->system);
	kt_text_char(t, ':');
	kt_text_escaped_string(t, e->name);
}

void kt_flight_status_put_trigger(struct kt_text *t, uint64_t after)
{
	kt_text_string(t, "freezes ");
	if (after)
		kt_text_duration(t, after);
	kt_text_string(t, after ? " after" : "at");
	kt_text_string(t, " the first hit of a trigger");
}

static void put_armed(struct kt_text *t, const struct kt_status *s)
{
	size_t i = 0, n = s->info->n_events;

	while (i < n && !(s->info->events[i].is_trigger && s->stats->events[i].is_enabled))
		i++;
	if (i < n)
		kt_flight_status_put_trigger(t, s->stats->freezing.after);
	else
		kt_text_string(t, "does not freeze: its triggers are disabled");
}

static void put_hit(struct kt_text *t, const struct kt_status *s)
{
	const struct kt_flight_stats_freezing *f = &s->stats->freezing;

	kt_text_string(t, f->is_frozen ? "frozen " : "freezes in ");
	kt_text_duration(t, f->rest);
	kt_text_string(t, f->is_frozen ? " ago" : "");
	if (f->event < s->info->n_events) {
		kt_text_string(t, ", by ");
		put_name(t, &s->info->events[f->event]);
	}
	if (f->after) {
		kt_text_string(t, ", hit ");
		kt_text_duration(t, f->hit);
		kt_text_string(t, " ago");
	}
}

/* Prints "frozen 3.2 s ago by sched:sched_switch, until a snapshot or a reset" */
static void put_freezing(struct kt_text *t, const struct kt_status *s)
{
	if (!s->stats->freezing.can)
		return;
	kt_text_string(t, "  ");
	if (s->stats->freezing.is_hit)
		put_hit(t, s);
	else
		put_armed(t, s);
	if (s->stats->freezing.is_frozen)
		kt_text_string(t, ", until a snapshot or a reset");
	kt_text_char(t, '\n');
}

static void put_pause(struct kt_text *t, const struct kt_flight_stats_pause *p)
{
	if (!p->is_paused)
		return;
	kt_text_string(t, "  paused ");
	kt_text_duration(t, p->since);
	kt_text_string(t, " ago, until 'ktrace resume'\n");
}

/* Prints the PID filter. */
static void put_pid_filter(struct kt_text *t, const struct kt_flight_stats *g)
{
	size_t i, shown = g->n_pids > PIDS_MAX ? PIDS_MAX - 1 : g->n_pids;

	if (!g->n_pids)
		return;
	kt_text_string(t, g->n_pids == 1 ? "  only task " : "  only tasks ");
	for (i = 0; i < shown; i++) {
		if (i)
			kt_text_string(t, i + 1 < g->n_pids ? ", " : " and ");
		kt_text_number(t, g->pids[i]);
	}
	if (shown < g->n_pids) {
		kt_text_string(t, " and ");
		kt_text_number(t, g->n_pids - shown);
		kt_text_string(t, " more");
	}
	kt_text_char(t, '\n');
}

static size_t count_broken(const struct kt_flight_stats *g)
{
	size_t i, n = 0;

	for (i = 0; i < g->n_events; i++)
		n += g->events[i].is_broken;
	return n;
}

static void put_broken(struct kt_text *t, const struct kt_flight_stats *g)
{
	size_t n = count_broken(g);

	if (!n)
		return;
	kt_text_string(t, "  ");
	kt_text_counted(t, n, "event");
	kt_text_string(t, " broken, as pins were removed: disable and enable ");
	kt_text_string(t, n == 1 ? "it again\n" : "them again\n");
}

static bool is_inactive(const struct kt_flight_stats *g)
{
	return g->freezing.is_frozen || g->pause.is_paused;
}

/* Prints the counts of hits, losses and filtered hits. */
static void put_hits(struct kt_text *t, const struct kt_status *s)
{
	struct kt_event_counts notes = {.missed_unknown = !kt_program_counts_missed()};
	struct kt_outcome sum = get_outcome(s);

	kt_text_string(t, "  ");
	kt_text_counted(t, sum.hits, "hit");
	if (s->stats->is_reset) {
		kt_text_string(t, " since the reset ");
		kt_text_duration(t, s->stats->counted);
		kt_text_string(t, " ago");
	}
	kt_text_string(t, ", ");
	kt_text_tenths(t, s->stats->per_second, 0);
	kt_text_string(t, is_inactive(s->stats) ? "/s before that; " : "/s recently; ");
	if (kt_outcome_lost(&sum))
		kt_losses_put(t, &sum);
	else
		kt_text_string(t, notes.missed_unknown ? "none known to be lost" : "none lost");
	if (sum.filtered) {
		kt_text_string(t, "; ");
		kt_text_number(t, sum.filtered);
		kt_text_string(t, " filtered");
	}
	kt_text_char(t, '\n');
	kt_losses_put_notes(t, &notes, "  ");
}

/* Prints since when a channel's rings have all records. */
static void put_span(struct kt_text *t, const struct kt_flight_stats *g,
		     const struct kt_flight_stats_channel *c)
{
	if (!c->is_whole) {
		kt_text_string(t, "at least the last ");
		kt_text_duration(t, c->span);
		kt_text_string(t, " of each CPU");
		kt_text_string(t, is_inactive(g) ? " before that\n" : "\n");
	} else if (g->is_first) {
		kt_text_string(t, g->is_reset ? "all since the reset\n" : "all since the start\n");
	} else {
		kt_text_string(t, "all since the snapshot ");
		kt_text_duration(t, g->since);
		kt_text_string(t, " ago\n");
	}
}

static void put_use(struct kt_text *t, const struct kt_flight_stats_channel *c)
{
	uint64_t size = c->n_rings * c->ring_size;

	kt_text_string(t, "  ");
	kt_text_number(t, size ? (unsigned __int128)c->bytes * 100 / size : 0);
	kt_text_string(t, " % of ");
	kt_text_counted(t, c->n_rings, "ring");
	kt_text_string(t, " of ");
	put_size(t, c->ring_size);
	kt_text_string(t, " used");
	if (c->n_spare) {
		kt_text_string(t, ", ");
		kt_text_number(t, c->n_spare);
		kt_text_string(t, " spare");
	}
}

/* Prints the rare-event channel. */
static void put_rare(struct kt_text *t, const struct kt_flight_stats *g)
{
	const struct kt_flight_stats_channel *rare = &g->channels[KT_RARE];

	if (!rare->n_rings)
		return;
	kt_text_string(t, "  ");
	kt_text_number(t, rare->held);
	kt_text_string(t, " of them rare: ");
	put_span(t, g, rare);
	put_use(t, rare);
	kt_text_char(t, '\n');
}

static void put_held(struct kt_text *t, const struct kt_flight_stats *g)
{
	kt_text_string(t, "  ");
	kt_text_number(t, kt_flight_stats_held(g));
	kt_text_string(t, " held, ");
	kt_text_number(t, g->overwritten);
	kt_text_string(t, " overwritten");
	if (g->consumed) {
		kt_text_string(t, ", ");
		kt_text_number(t, g->consumed);
		kt_text_string(t, " in snapshots");
	}
	if (g->inactive) {
		kt_text_string(t, ", ");
		kt_text_number(t, g->inactive);
		kt_text_string(t, " of an interrupted snapshot");
	}
	kt_text_string(t, ": ");
	put_span(t, g, &g->channels[KT_MAIN]);
	put_use(t, &g->channels[KT_MAIN]);
	kt_text_string(t, "; ");
	put_size(t, g->memory);
	kt_text_string(t, " of memory\n");
	put_rare(t, g);
}

static void put_event(struct kt_text *t, const struct kt_flight_info_event *e,
		      const struct kt_flight_stats_event *g)
{
	struct kt_outcome o = get_event_outcome(g);

	kt_text_padded(t, o.hits, COLUMN, ' ');
	kt_text_padded(t, kt_outcome_lost(&o), COLUMN, ' ');
	kt_text_string(t, "  ");
	put_name(t, e);
	if (e->filter) {
		kt_text_string(t, " where ");
		kt_text_escaped_string(t, e->filter);
	}
	if (e->channel == KT_RARE)
		kt_text_string(t, ", rare");
	if (e->is_trigger)
		kt_text_string(t, ", freezes");
	if (e->trigger) {
		kt_text_string(t, " where ");
		kt_text_escaped_string(t, e->trigger);
	}
	if (g->switched) {
		kt_text_string(t, g->is_enabled ? ", enabled " : ", disabled ");
		kt_text_duration(t, g->switched);
		kt_text_string(t, " ago");
	}
	if (g->is_broken)
		kt_text_string(t, ", broken");
	kt_text_char(t, '\n');
}

/* Events of which there are many are only printed if there is something to say of them. */
static bool is_shown(const struct kt_status *s, size_t i)
{
	enum { FEW = 24 };
	const struct kt_flight_info_event *e = &s->info->events[i];
	const struct kt_flight_stats_event *g = &s->stats->events[i];
	struct kt_outcome o = get_event_outcome(g);

	return s->info->n_events <= FEW || o.hits || kt_outcome_lost(&o) || g->switched ||
	       g->is_broken || e->is_trigger || e->trigger;
}

/* Returns the shown event with the most hits that is not printed yet, or n_events. */
static size_t find_next(const struct kt_status *s, const bool *printed)
{
	size_t i, found = s->info->n_events;
	uint64_t hits, most = 0;

	for (i = 0; i < s->info->n_events; i++) {
		if (printed[i] || !is_shown(s, i))
			continue;
		hits = get_event_outcome(&s->stats->events[i]).hits;
		if (found < s->info->n_events && hits <= most)
			continue;
		most = hits;
		found = i;
	}
	return found;
}

/* Prints events by their number of hits, and how many others there are; without memory, all. */
static void put_events(struct kt_text *t, const struct kt_status *s)
{
	size_t i, n = s->info->n_events, shown = 0;
	bool *printed = calloc(n + 1, sizeof(*printed));

	kt_text_string(t, "\n        hits        lost  event\n");
	for (i = 0; !printed && i < n; i++, shown++)
		put_event(t, &s->info->events[i], &s->stats->events[i]);
	while (printed && (i = find_next(s, printed)) < n) {
		put_event(t, &s->info->events[i], &s->stats->events[i]);
		printed[i] = true;
		shown++;
	}
	free(printed);
	if (shown == n)
		return;
	kt_text_string(t, "  and ");
	kt_text_counted(t, n - shown, "event");
	kt_text_string(t, " without hits\n");
}

void kt_flight_status_print(struct kt_text *t, const struct kt_status *s)
{
	put_provenance(t, s);
	put_freezing(t, s);
	put_pause(t, &s->stats->pause);
	put_pid_filter(t, s->stats);
	put_broken(t, s->stats);
	put_hits(t, s);
	put_held(t, s->stats);
	if (s->each_event)
		put_events(t, s);
	kt_text_flush(t);
}

static bool add_name(struct json_object *o, const struct kt_flight_info_event *e)
{
	return kt_json_add_text(o, "system", e->system) && kt_json_add_text(o, "event", e->name);
}

static bool add_event(struct json_object *o, const struct kt_flight_info_event *e,
		      const struct kt_flight_stats_event *g)
{
	struct kt_outcome outcome = get_event_outcome(g);

	return add_name(o, e) && (!e->filter || kt_json_add_text(o, "filter", e->filter)) &&
	       (!e->is_trigger || kt_json_add(o, "freezes", json_object_new_boolean(true))) &&
	       (!e->trigger || kt_json_add_text(o, "trigger", e->trigger)) &&
	       (e->channel != KT_RARE || kt_json_add(o, "rare", json_object_new_boolean(true))) &&
	       kt_json_add(o, "enabled", json_object_new_boolean(g->is_enabled)) &&
	       (!g->switched || kt_json_add_number(o, "switched", g->switched)) &&
	       (!g->is_broken || kt_json_add(o, "broken", json_object_new_boolean(true))) &&
	       kt_json_add_number(o, "hits", outcome.hits) &&
	       kt_json_add_number(o, "lost", kt_outcome_lost(&outcome)) &&
	       kt_json_add_number(o, "filtered", outcome.filtered);
}

static bool append_losses(struct json_object *array, const struct kt_flight_info_event *e,
			  const struct kt_outcome *outcome)
{
	struct json_object *o;
	size_t i;

	for (i = 0; i < KT_N_LOSSES; i++) {
		if (!outcome->lost[i])
			continue;
		o = json_object_new_object();
		if (!kt_json_append(array, o) || !add_name(o, e) ||
		    !kt_json_add_number(o, "hits", outcome->hits) ||
		    !kt_json_add_number(o, "lost", outcome->lost[i]) ||
		    !kt_json_add_text(o, "cause", kt_loss_name(i)))
			return false;
	}
	return true;
}

static bool add_events(struct json_object *o, const struct kt_status *s)
{
	struct json_object *array = json_object_new_array(), *e;
	size_t i;

	if (!kt_json_add(o, "events", array))
		return false;
	for (i = 0; i < s->info->n_events; i++) {
		e = json_object_new_object();
		if (!kt_json_append(array, e) ||
		    !add_event(e, &s->info->events[i], &s->stats->events[i]))
			return false;
	}
	return true;
}

static bool add_losses(struct json_object *o, const struct kt_status *s)
{
	struct json_object *array = json_object_new_array();
	struct kt_outcome outcome;
	size_t i;

	if (!kt_json_add(o, "losses", array))
		return false;
	for (i = 0; i < s->info->n_events; i++) {
		outcome = get_event_outcome(&s->stats->events[i]);
		if (!append_losses(array, &s->info->events[i], &outcome))
			return false;
	}
	return true;
}

static bool add_who_and_when(struct json_object *o, const struct kt_status *s)
{
	const struct kt_flight_info *a = s->info;

	return kt_json_add_text(o, "session", s->name) &&
	       kt_json_add_text(o, "version", a->version) &&
	       kt_json_add_text(o, "command", a->command) && kt_json_add_number(o, "uid", a->uid) &&
	       kt_json_add_number(o, "pid", a->pid) &&
	       kt_json_add_number(o, "began_1970", a->began_1970 + s->stats->clock_set) &&
	       kt_json_add(o, "clock_set", json_object_new_int64(s->stats->clock_set)) &&
	       kt_json_add_number(o, "age", s->stats->age) &&
	       kt_json_add_number(o, "counted", s->stats->counted);
}

/* Adds the trigger's hit, if there was one. */
static bool add_hit(struct json_object *o, const struct kt_status *s)
{
	const struct kt_flight_stats_freezing *f = &s->stats->freezing;

	return !f->is_hit ||
	       (kt_json_add_number(o, "hit", f->hit) &&
		kt_json_add_number(o, f->is_frozen ? "frozen" : "freezes_in", f->rest) &&
		(f->event == s->info->n_events || add_name(o, &s->info->events[f->event])));
}

/* Adds the freezing, if there are triggers. */
static bool add_freezing(struct json_object *o, const struct kt_status *s)
{
	struct json_object *freezing;

	if (!s->stats->freezing.can)
		return true;
	freezing = json_object_new_object();
	return kt_json_add(o, "freezing", freezing) &&
	       kt_json_add_number(freezing, "after", s->stats->freezing.after) &&
	       add_hit(freezing, s);
}

/* Adds the pause, if the flight is paused. */
static bool add_pause(struct json_object *o, const struct kt_flight_stats_pause *p)
{
	return !p->is_paused || kt_json_add_number(o, "paused", p->since);
}

/* Adds the PID filter, if there is one. */
static bool add_pid_filter(struct json_object *o, const struct kt_flight_stats *g)
{
	struct json_object *pids;
	bool ok;
	size_t i;

	if (!g->n_pids)
		return true;
	pids = json_object_new_array();
	ok = kt_json_add(o, "pids", pids);
	for (i = 0; i < g->n_pids && ok; i++)
		ok = kt_json_append(pids, json_object_new_int64(g->pids[i]));
	return ok;
}

static bool add_channel(struct json_object *o, const struct kt_flight_stats_channel *c)
{
	return kt_json_add_number(o, "span", c->span) &&
	       kt_json_add_number(o, "rings", c->n_rings) &&
	       kt_json_add_number(o, "spare_rings", c->n_spare) &&
	       kt_json_add_number(o, "ring_size", c->ring_size) &&
	       kt_json_add_number(o, "used", c->bytes);
}

/* Adds the rare-event channel, if there is one. */
static bool add_rare(struct json_object *o, const struct kt_flight_stats_channel *c)
{
	struct json_object *rare;

	if (!c->n_rings)
		return true;
	rare = json_object_new_object();
	return kt_json_add(o, "rare", rare) && kt_json_add_number(rare, "held", c->held) &&
	       add_channel(rare, c);
}

static bool add_figures(struct json_object *o, const struct kt_status *s)
{
	struct kt_outcome sum = get_outcome(s);
	const struct kt_flight_stats *g = s->stats;

	return kt_json_add_number(o, "hits", sum.hits) &&
	       kt_json_add_number(o, "lost", kt_outcome_lost(&sum)) &&
	       kt_json_add_number(o, "filtered", sum.filtered) &&
	       kt_json_add_number(o, "overwritten", g->overwritten) &&
	       kt_json_add_number(o, "held", kt_flight_stats_held(g)) &&
	       kt_json_add_number(o, "resting", g->inactive) &&
	       kt_json_add_number(o, "taken", g->consumed) &&
	       kt_json_add_tenths(o, "per_second", g->per_second) &&
	       add_channel(o, &g->channels[KT_MAIN]) && add_rare(o, &g->channels[KT_RARE]) &&
	       kt_json_add_number(o, "memory", g->memory);
}

int kt_flight_status_print_json(FILE *to, const struct kt_status *s)
{
	struct json_object *o = json_object_new_object();
	bool ok = add_who_and_when(o, s) && add_freezing(o, s) && add_pause(o, &s->stats->pause) &&
		  add_pid_filter(o, s->stats) && add_figures(o, s) && add_events(o, s) &&
		  add_losses(o, s);
	int ret = kt_json_print(ok ? o : NULL, to);

	json_object_put(o);
	return ret;
}
