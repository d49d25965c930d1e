/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What makes the probes of a session, all of which write to the same maps.
 *
 *	struct kt_probes probes = {
 *		.geometry = geometry, .gate = kt_enable_word_fd(gate), .ledger =
 *kt_counter_map_fd(ledger), .rings = kt_rings_fd(rings, KT_MAIN), .kept = -1, .followed = -1,
 *.focus = -1, .nested = -1, .wakeup = -1,
 *	};
 *	struct kt_switch as = {.event = 5};
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

struct kt_syscall_dispatch;
struct kt_error;
struct kt_event;
struct kt_probe;

struct kt_probes {
	struct kt_geometry geometry;
	int enable, counters, rings; /* maps, which remain the caller's */
	int rare_rings;              /* likewise, rings of the kept channel; -1: without */
	int followed;                /* likewise; -1: hits of all count (session/followed_pids.h) */
	int pid_filter;              /* likewise; -1: on nobody (session/pid_filter.h) */
	struct kt_syscall_dispatch *dispatch; /* likewise, where system calls' have places
				   (hook/syscall_dispatch.h); NULL: nowhere */
	size_t bytes_max; /* of what their arguments point to (events/curated.h) */
	bool some_cpus;   /* have a ring, as hits elsewhere do not count */
	bool overwrite;   /* in a full ring what is oldest */
	struct kt_freezing freezing;
	int nested; /* map of hits in an event's own program (generate/nested_hits.h); -1: they are
		       lost */
	int wakeup; /* map by which they tell of a trigger, and record nothing
		     * (handlers/trigger_prog.h); or -1
		     */

	uint64_t vmemmap; /* the kernel's, found when a probe takes it first; 0 until then */
};

/*
 * Makes, loads and attaches one: some 0.5 ms. Where the kernel refuses that of a curated event the
 * event is curated no more, and the reason in *refused; else its code is 0. The event remains the
 * caller's. 0; or -errno and nothing to close: -EMSGSIZE for records that no sub-buffer has room
 * for, where it records any, -EOPNOTSUPP for system calls with fields that vary, which the kernel
 * writes for itself but does not pass on.
 */
int kt_probes_attach(struct kt_probes *p, struct kt_switch as, struct kt_event *e,
		     struct kt_probe *probe, struct kt_error *refused, struct kt_error *err);

/*
 * The second one of an event that has one, for hits in the first (generate/nested_hits.h): where a
 * program is guarded by itself alone, and there is a map for it. 0, with KT_NO_PROBE where there is
 * none, or -errno.
 */
int kt_probes_attach_second(struct kt_probes *p, struct kt_switch as, struct kt_event *e,
			    struct kt_probe *probe, struct kt_error *err);

/* The same, but nothing runs it. */
int kt_probes_load(struct kt_probes *p, struct kt_switch as, struct kt_event *e,
		   struct kt_probe *probe, struct kt_error *refused, struct kt_error *err);

#endif
