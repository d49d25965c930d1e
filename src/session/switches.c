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
};

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
	if (fd >= 0)
		s->gate = kt_gate_from(fd, about->n_events, err);
	if (s->gate)
		return s;
	kt_switches_free(s);
	return NULL;
}

void kt_switches_free(struct kt_switches *s)
{
	if (!s)
		return;
	kt_gate_free(s->gate);
	free(s);
}

struct kt_switched kt_switches_at(const struct kt_switches *s, size_t event)
{
	return kt_gate_switched(s->gate, event);
}

int kt_switches_disable(struct kt_switches *s, const bool *which, struct kt_error *err)
{
	uint8_t *numbers = calloc(kt_gate_events(s->gate), sizeof(*numbers));
	size_t i;

	if (!numbers)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	for (i = 0; i < s->about->n_events; i++)
		numbers[i] = which[i] ? 0 : kt_switches_at(s, i).number;
	kt_gate_switch(s->gate, numbers, kt_clock_now());
	free(numbers);
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
