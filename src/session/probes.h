/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the probes of a session, which share their maps.
 *
 *	struct kt_probes probes = {
 *		.geometry = geometry, .enable = kt_enable_word_fd(enable),
 *		.counters = kt_counter_map_fd(counters), .rings = kt_rings_fd(rings, KT_MAIN),
 *		.rare_rings = -1, .followed = -1, .pid_filter = -1, .nested = -1, .wakeup = -1,
 *	};
 *	struct kt_enable_number as = {.event = 5};
 *
 *	kt_probes_attach(&probes, as, event, &probe, &refused, &err);
 *	...
 *	kt_probe_close(&probe);
 */
#ifndef KT_SESSION_PROBES_H
#define KT_SESSION_PROBES_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/ring_layout.h"
#include "generate/enable_check.h"
#include "generate/reserve.h"
#include "hook/probe.h"

struct kt_syscall_dispatch;
struct kt_error;
struct kt_event;

struct kt_probes {
	struct kt_geometry geometry;
	int enable, counters, rings; /* maps, the caller's */
	int rare_rings;              /* map of rare-event rings, the caller's; -1: none */
	int followed;   /* map, the caller's (session/followed_pids.h); -1: all processes */
	int pid_filter; /* map, the caller's (session/pid_filter.h); -1: none */
	struct kt_probed_processes processes; /* the caller's; where points are probed */
	struct kt_syscall_dispatch
		*dispatch; /* the caller's; NULL: system calls are not dispatched */
	size_t n_events;   /* maximum number of the session's events */
	size_t bytes_max;  /* of pointed-to data (events/curated.h) */
	bool some_cpus;    /* only some CPUs have a ring; hits elsewhere do not count */
	bool overwrite;    /* when a ring is full, the oldest records are overwritten */
	struct kt_freezing freezing;
	struct kt_callstack_maps stacks; /* the caller's (session/callstack_tables.h) */
	int nested; /* map of nested hits (generate/nested_hits.h); -1: they are lost */
	int wakeup; /* map by which a trigger wakes us, without recording (handlers/trigger_prog.h);
		       or -1 */

	bool no_fentry;   /* the kernel refuses such programs */
	uint64_t vmemmap; /* address of vmemmap, found when a probe first needs it; 0 until then */
};

/*
 * Makes, loads and attaches a probe, in about 0.5 ms. If the kernel refuses the program of a
 * curated event of a tracepoint, the event is no longer curated; if that of a function of the
 * kernel, its fields come from the registers, and some may be gone. *refused then has the reason;
 * otherwise its code is 0. The event remains the caller's. Returns 0; or -errno with nothing to
 * close: -EMSGSIZE for records that do not fit in a sub-buffer; -EOPNOTSUPP for system calls with
 * varying fields, which the kernel does not pass to programs.
 */
int kt_probes_attach(struct kt_probes *p, struct kt_enable_number as, struct kt_event *e,
		     struct kt_probe *probe, struct kt_error *refused, struct kt_error *err);

/*
 * Attaches the second probe of an event, for nested hits (generate/nested_hits.h), if the event's
 * program has a guard of its own, and there is a map. Returns 0, with KT_NO_PROBE if there is no
 * second probe; or -errno.
 */
int kt_probes_attach_second(struct kt_probes *p, struct kt_enable_number as, struct kt_event *e,
			    struct kt_probe *probe, struct kt_error *err);

/*
 * Begins to load the program of a system call's event in the background, if events can share it, so
 * that kt_probes_attach() and kt_probes_load() find it. The event remains the caller's.
 */
void kt_probes_expect(struct kt_probes *p, struct kt_enable_number as, const struct kt_event *e);

/* Returns what programs of all events of a channel share (generate/reserve.h). */
struct kt_reserve kt_probes_reserve(const struct kt_probes *p, enum kt_channel channel);

/* Makes and loads a probe without attaching it. */
int kt_probes_load(struct kt_probes *p, struct kt_enable_number as, struct kt_event *e,
		   struct kt_probe *probe, struct kt_error *refused, struct kt_error *err);

#endif
