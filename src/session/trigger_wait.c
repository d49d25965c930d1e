// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/trigger_wait.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "events/event.h"
#include "hook/probe.h"
#include "hook/program.h"
#include "hook/syscall_dispatch.h"
#include "hook/wakeup.h"
#include "session/probes.h"

/* An event and its probe. */
struct watched {
	struct kt_event *event;
	struct kt_probe probe;
};

struct kt_trigger_wait {
	struct kt_enable_word *enable; /* one buffer set is used, which freezes at the hit */
	struct kt_wakeup *wakeup;
	struct kt_probes make;
	bool armed;      /* since the first arming */
	uint64_t missed; /* missed hits before that */
	size_t max, n;
	struct watched *events;
};

struct kt_trigger_wait *kt_trigger_wait_new(size_t max, struct kt_error *err)
{
	static const struct kt_freezing at_once = {.can = true};
	struct kt_trigger_wait *w = calloc(1, sizeof(*w));

	if (w)
		w->events = calloc(max, sizeof(*w->events));
	if (!w || !w->events) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		goto fail;
	}
	w->max = max;
	w->enable = kt_enable_word_new(max, err);
	if (!w->enable)
		goto fail;
	kt_enable_word_set_freezing(w->enable, at_once);
	w->wakeup = kt_wakeup_new(err);
	if (!w->wakeup)
		goto fail;
	w->make = (struct kt_probes){
		.enable = kt_enable_word_fd(w->enable),
		.counters = -1,
		.rings = -1,
		.rare_rings = -1,
		.followed = -1,
		.pid_filter = -1,
		.freezing = at_once,
		.wakeup = kt_wakeup_map(w->wakeup),
	};
	return w;
fail:
	kt_trigger_wait_free(w);
	return NULL;
}

void kt_trigger_wait_free(struct kt_trigger_wait *w)
{
	size_t i;

	if (!w)
		return;
	for (i = 0; i < w->n; i++) {
		kt_probe_detach(&w->events[i].probe);
		kt_probe_close(&w->events[i].probe);
		kt_event_free(w->events[i].event);
	}
	kt_syscall_dispatch_free(w->make.dispatch);
	kt_wakeup_free(w->wakeup);
	kt_enable_word_free(w->enable);
	free(w->events);
	free(w);
}

int kt_trigger_wait_add_dispatch(struct kt_trigger_wait *w, int tracefs, struct kt_btf *btf,
				 struct kt_error *err)
{
	w->make.dispatch = kt_syscall_dispatch_new(tracefs, btf, err);
	return w->make.dispatch ? 0 : -err->code;
}

int kt_trigger_wait_add(struct kt_trigger_wait *w, struct kt_event *event, struct kt_error *err)
{
	struct kt_enable_number as = {.event = w->n};
	struct kt_error refused;

	if (w->n == w->max)
		return kt_fail(err, ENOSPC, "there is room for %zu events", w->max);
	if (kt_probes_attach(&w->make, as, event, &w->events[w->n].probe, &refused, err) < 0)
		return kt_fail_because(err, "cannot watch %s:%s", event->system, event->name);
	w->events[w->n++].event = event;
	return 0;
}

size_t kt_trigger_wait_count(const struct kt_trigger_wait *w)
{
	return w->n;
}

const struct kt_event *kt_trigger_wait_event(const struct kt_trigger_wait *w, size_t event)
{
	return w->events[event].event;
}

static uint64_t count_missed(const struct kt_trigger_wait *w)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < w->n; i++)
		sum += kt_probe_missed(&w->events[i].probe);
	return sum;
}

void kt_trigger_wait_arm(struct kt_trigger_wait *w)
{
	if (!w->armed)
		w->missed = count_missed(w);
	w->armed = true;
	kt_enable_word_arm(w->enable);
	kt_enable_word_open(w->enable);
}

int kt_trigger_wait_fd(const struct kt_trigger_wait *w)
{
	return kt_wakeup_fd(w->wakeup);
}

struct kt_trigger_hit kt_trigger_wait_hit(struct kt_trigger_wait *w)
{
	kt_wakeup_clear(w->wakeup);
	return kt_enable_word_hit(w->enable, 0);
}

uint64_t kt_trigger_wait_missed(const struct kt_trigger_wait *w)
{
	return w->armed ? count_missed(w) - w->missed : 0;
}
