// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/switches.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "hook/bpffs.h"
#include "hook/probe.h"
#include "session/about.h"

struct kt_switches {
	int dir;
	const struct kt_about *about;
	struct kt_gate *gate;
	struct kt_switched *to; /* what they are to be, by event; of the gate, so maybe more */
};

/* As they stand. */
static int read_gate(struct kt_switches *s, int fd, struct kt_error *err)
{
	size_t i;

	s->gate = kt_gate_from(fd, s->about->n_events, err);
	if (!s->gate)
		return -err->code;
	s->to = calloc(kt_gate_events(s->gate), sizeof(*s->to));
	if (!s->to)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	for (i = 0; i < kt_gate_events(s->gate); i++)
		s->to[i] = kt_gate_switched(s->gate, i);
	return 0;
}

struct kt_switches *kt_switches_from(int dir, const struct kt_about *about, struct kt_error *err)
{
	struct kt_switches *s = calloc(1, sizeof(*s));
	int fd;

	if (!s) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	s->dir = dir;
	s->about = about;
	fd = kt_bpffs_get(dir, "gate", err);
	if (fd >= 0 && read_gate(s, fd, err) == 0)
		return s;
	kt_switches_free(s);
	return NULL;
}

void kt_switches_free(struct kt_switches *s)
{
	if (!s)
		return;
	kt_gate_free(s->gate);
	free(s->to);
	free(s);
}

struct kt_switched kt_switches_at(const struct kt_switches *s, size_t event)
{
	return kt_gate_switched(s->gate, event);
}

static uint64_t missed_by_program(const struct kt_switches *s, size_t event)
{
	const struct kt_about_event *e = &s->about->events[event];

	return kt_probe_missed(e->system, e->name, s->dir);
}

/* A program that was switched off meanwhile may not be there any more. */
uint64_t kt_switches_missed(const struct kt_switches *s, size_t event)
{
	struct kt_switched at;
	uint64_t missed;

	do {
		at = kt_switches_at(s, event);
		missed = at.missed + (at.number ? missed_by_program(s, event) : 0);
	} while (kt_switches_at(s, event).number != at.number);
	return missed;
}

void kt_switches_disable(struct kt_switches *s, size_t event)
{
	s->to[event].number = 0;
}

/* What was kept back until just now: the figure that was noted is of a moment before. */
static void correct_missed(struct kt_switches *s, size_t event)
{
	struct kt_switched before = kt_gate_before(s->gate, event);

	if (before.number && !s->to[event].number)
		kt_gate_note_missed(s->gate, event, before.missed + missed_by_program(s, event));
}

int kt_switches_commit(struct kt_switches *s, struct kt_error *err)
{
	size_t i;

	for (i = 0; i < s->about->n_events; i++)
		if (!s->to[i].number)
			s->to[i].missed = kt_switches_missed(s, i);
	kt_gate_switch(s->gate, s->to, kt_clock_now());
	for (i = 0; i < s->about->n_events; i++)
		correct_missed(s, i);
	return kt_switches_tidy(s, err);
}

int kt_switches_tidy(struct kt_switches *s, struct kt_error *err)
{
	const struct kt_about_event *e = s->about->events;
	size_t i;

	for (i = 0; i < s->about->n_events; i++)
		if (kt_switches_at(s, i).number == 0 &&
		    kt_probe_unpin(e[i].system, e[i].name, s->dir, err) < 0)
			return kt_fail_because(err, "%s:%s remains attached", e[i].system,
					       e[i].name);
	return 0;
}
