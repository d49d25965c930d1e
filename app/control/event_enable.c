// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/control/event_enable.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/filter_option.h"
#include "app/cli/signals.h"
#include "base/error.h"
#include "ctypes/btf.h"
#include "events/curated.h"
#include "events/event.h"
#include "events/event_reader.h"
#include "events/filter.h"
#include "events/tracefs.h"
#include "fetch/curate.h"
#include "hook/syscall_dispatch.h"
#include "session/callstack_tables.h"
#include "session/flight/buffer_sets.h"
#include "session/flight/flight.h"
#include "session/flight/flight_control.h"
#include "session/flight/flight_info.h"
#include "session/probes.h"

/* What new programs are made with. */
struct maker {
	struct kt_flight *flight;
	struct kt_probes probes;
	int tracefs;
	struct kt_event_reader *reader;
	struct kt_btf *btf;
	struct kt_callstack_tables *stacks; /* or NULL */
};

static void close_maker(struct maker *m)
{
	kt_callstack_tables_free(m->stacks);
	kt_syscall_dispatch_free(m->probes.dispatch);
	kt_event_reader_free(m->reader);
	kt_btf_free(m->btf);
	close(m->tracefs);
}

/* Opens the tables of stacks, if there are any. */
static int open_stacks(struct maker *m, struct kt_error *err)
{
	m->stacks = kt_flight_open_stacks(m->flight, m->btf, err);
	if (m->stacks)
		m->probes.stacks = kt_callstack_tables_maps(m->stacks);
	return m->stacks || err->code == ENOENT ? 0 : -err->code;
}

/* Opens what programs are made from; on success close_maker() must follow. Returns 0 or -errno. */
static int open_maker(struct maker *m, struct kt_flight *f, struct kt_error *err)
{
	*m = (struct maker){
		.flight = f,
		.probes = kt_buffer_sets_probes(kt_flight_buffer_sets(f)),
		.tracefs = kt_tracefs_open(err),
	};
	if (m->tracefs < 0)
		return -err->code;
	m->reader = kt_event_reader_new(m->tracefs, err);
	m->btf = kt_btf_new();
	if (!m->reader || !m->btf)
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	else if (open_stacks(m, err) == 0)
		m->probes.dispatch = kt_flight_open_dispatch(f, m->tracefs, m->btf, err);
	if (m->probes.dispatch)
		return 0;
	close_maker(m);
	return -err->code;
}

/* Makes a program, by kt_flight_control_enable() or kt_flight_control_set_filter(). */
static int make_program(struct maker *m, size_t i, struct kt_event *event,
			int by(struct kt_flight_control *s, size_t event, struct kt_probes *probes,
			       struct kt_event *as, struct kt_error *refused, struct kt_error *err),
			struct kt_error *err)
{
	struct kt_error refused;

	if (!event->curated)
		kt_curate(event, m->btf, &refused); /* if this fails, its records cost more */
	return by(kt_flight_get_control(m->flight), i, &m->probes, event, &refused, err);
}

static int enable_one(struct maker *m, size_t i, struct kt_error *err)
{
	struct kt_event *event =
		kt_flight_info_read_event(kt_flight_get_info(m->flight), i, m->reader, m->btf, err);
	int ret = event ? make_program(m, i, event, kt_flight_control_enable, err) : -err->code;

	kt_event_free(event);
	return ret;
}

static int enable_all(struct maker *m, const bool *which, const sigset_t *signals,
		      struct kt_error *err)
{
	const struct kt_flight_control *s = kt_flight_get_control(m->flight);
	int ret = 0;
	size_t i;

	for (i = 0; i < kt_flight_get_info(m->flight)->n_events && ret == 0; i++) {
		if (!which[i] || kt_flight_control_event(s, i).number)
			continue;
		if (signals && is_ended(signals))
			return kt_fail(err, EINTR, "interrupted before any event was enabled");
		ret = enable_one(m, i, err);
	}
	return ret;
}

int enable_events(struct kt_flight *f, const bool *which, const sigset_t *signals,
		  struct kt_error *err)
{
	struct maker m;
	int ret = open_maker(&m, f, err);

	if (ret < 0)
		return ret;
	ret = enable_all(&m, which, signals, err);
	close_maker(&m);
	return ret;
}

/* Replaces the event's filter. */
static int set_filter(struct kt_event *event, const char *filter, struct kt_error *err)
{
	kt_filter_free(event->filter);
	event->filter = filter ? parse_user_filter(event, filter, err) : NULL;
	if (event->filter || !filter)
		return 0;
	err->code = err->code == ENOMEM ? ENOMEM : EINVAL;
	return -err->code;
}

static int filter_one(struct maker *m, size_t i, const char *filter, struct kt_error *err)
{
	struct kt_event *event =
		kt_flight_info_read_event(kt_flight_get_info(m->flight), i, m->reader, m->btf, err);
	int ret = event ? set_filter(event, filter, err) : -err->code;

	if (ret == 0)
		ret = make_program(m, i, event, kt_flight_control_set_filter, err);
	kt_event_free(event);
	return ret;
}

int set_event_filter(struct kt_flight *f, size_t event, const char *filter, struct kt_error *err)
{
	struct maker m;
	int ret = open_maker(&m, f, err);

	if (ret < 0)
		return ret;
	ret = filter_one(&m, event, filter, err);
	close_maker(&m);
	return ret;
}

void disable_events(struct kt_flight *f, const bool *which)
{
	size_t i;

	for (i = 0; i < kt_flight_get_info(f)->n_events; i++)
		if (which[i])
			kt_flight_control_disable(kt_flight_get_control(f), i);
}
