/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events being recorded: each by a probe of its own, into one ring per CPU.
 *
 *	struct kt_session *s = kt_session_new(geometry, 1, NULL, &err);
 *
 *	kt_session_add(s, event, &err);			// attached
 *	...
 *	kt_session_start(s);				// from here on hits are recorded
 *	...						// and read: trace/recording.h
 *	kt_session_stop(s);				// from here on no more
 *
 *	// now, for each event, what was hit is in the rings or was read from them, or was lost:
 *	// hits = records + kt_counters_lost(tally)
 *
 * or, before the first is added, and after the start, the hits of this process and of everything
 * that it forks alone:
 *
 *	kt_session_follow(s, tracefs, btf, &err);
 *	kt_session_follow_self(s, &err);
 *
 * All events start and stop as one, by a gate that every probe looks at; what comes before and
 * after is in no figure. An event is known by its index, in the order of adding.
 */
#ifndef KT_SESSION_SESSION_H
#define KT_SESSION_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/ring_layout.h"
#include "session/trace_source.h"

struct kt_btf;
struct kt_error;
struct kt_event;
struct kt_counter_map;
struct kt_rings;
struct kt_session;
struct kt_task_names;
struct kt_untraced;

/*
 * Room for max events, 1 to KT_EVENTS_MAX. Of hits on other CPUs than those, which are online, it
 * is only counted that they are filtered; NULL: there are no others. Memory: that of the rings, one
 * for each CPU that counts. On error NULL.
 */
struct kt_session *kt_session_new(struct kt_geometry geometry, size_t max, const bool *cpus,
				  struct kt_error *err);

/* Stops and detaches it too, where it is not pinned. Its events are freed. */
void kt_session_free(struct kt_session *s);

/*
 * Makes the session look at followed processes alone: at what happens while they run, and what
 * happens to their threads (events/event_target.h). Other hits are filtered in the tally.
 * Before the first event is added. By which way forks are seen, and what btf is for, says
 * session/followed_pids.h. Here nobody is followed, 0 or -errno.
 */
int kt_session_follow(struct kt_session *s, int tracefs, struct kt_btf *btf, struct kt_error *err);

/*
 * From here on the calling process is, with all its threads, and all that is ever forked by it; it
 * may be a child of that which made the session. 0 or -errno.
 */
int kt_session_follow_self(struct kt_session *s, struct kt_error *err);

/* The same for another process, by its number: session/followed_pids.h says what is to be known. */
int kt_session_follow_process(struct kt_session *s, pid_t pid, struct kt_error *err);

/*
 * From here on there are names for the tasks whose hits it records, as session/task_names.h has
 * them: call it once all events are added, and where there are such tasks already,
 * kt_task_names_find before the session is started. Where the rings keep what is newest they are
 * for who asks later, and tell ends too. 0; or -errno, and there are none.
 */
int kt_session_name_tasks(struct kt_session *s, struct kt_btf *btf, struct kt_error *err);

/*
 * From here on system calls have one probe for all of them (hook/syscall_dispatch.h), where they
 * are curated, and each a program of its own. tracefs and btf must outlive the session. Of what
 * their arguments point to so many bytes are copied, up to KT_CURATED_POINTED_MAX; texts are in
 * full. Before the first event is added. 0 or -errno.
 */
int kt_session_dispatch_calls(struct kt_session *s, int tracefs, struct kt_btf *btf,
			      size_t bytes_max, struct kt_error *err);

/*
 * From here on events have a second program where that helps, for hits that come while their own
 * one runs on that CPU (generate/nested_hits.h): of those fewer are missed. Costs a lookup a hit,
 * and the kernel's way to one more program. Before the first event is added; not where the session
 * is pinned, or has a spare bank. 0 or -errno.
 */
int kt_session_catch_nested(struct kt_session *s, struct kt_error *err);

/*
 * From here on calls that no event is of are counted, of the processes that it follows, or all:
 * those made in 32-bit mode and, where the entries of all calls that have a name will be added,
 * those without one. Before the first event is added. 0 or -errno.
 */
int kt_session_count_untraced(struct kt_session *s, bool all_are_added, struct kt_error *err);

/* How many were made between start and stop. */
struct kt_untraced kt_session_untraced(const struct kt_session *s);

size_t kt_session_bytes_max(const struct kt_session *s);

/* Whether hits may be any task's: it follows none, or has an event with a target. */
bool kt_session_sees_all(const struct kt_session *s);

/* They remain the session's. NULL where there are none. */
struct kt_task_names *kt_session_tasks(const struct kt_session *s);

/*
 * Makes the rings keep what is newest rather than what is oldest, in place of which it comes; and
 * lets the session, once it is pinned, be switched (session/flight/flight_control.h). Before the
 * first event is added. 0 or -errno.
 */
int kt_session_overwrite(struct kt_session *s, struct kt_error *err);

/*
 * So many ns after the first hit of a trigger, which events have that freeze (events/event.h), no
 * record is written any more, until the rings are turned. Before the first event is added.
 */
void kt_session_freeze(struct kt_session *s, uint64_t after);

/*
 * From here on events can be of the kept channel (events/event.h), which has rings of its own: a
 * quarter more. Before the first event is added. 0 or -errno.
 */
int kt_session_keep(struct kt_session *s, struct kt_error *err);
bool kt_session_keeps(const struct kt_session *s);

/*
 * As many rings again, in a bank of their own (doc/ring.md), to be written to while those are read
 * that were written until then. Before the first event is added. 0 or -errno.
 */
int kt_session_spare(struct kt_session *s, struct kt_error *err);
bool kt_session_has_spare(const struct kt_session *s);

/*
 * Makes, loads and attaches the event's probe: some 0.5 ms; with the first the rings are put into
 * their places, which takes 10 to 30. The event is the session's then, and has the next index.
 * Where the kernel refuses the probe of a curated event it is curated no more. On error it remains
 * the caller's, and the session is as it was: -EMSGSIZE for records that no sub-buffer has room
 * for, -EOPNOTSUPP for system calls with fields that vary, which the kernel writes for itself but
 * does not pass on.
 */
int kt_session_add(struct kt_session *s, struct kt_event *event, struct kt_error *err);

/*
 * What is known of that without attaching it: the same, but the probe is gone when it returns and
 * the event is the caller's in any case. Where the kernel refuses the probe of a curated event the
 * reason is in *refused; else its code is 0.
 */
int kt_session_try(struct kt_session *s, struct kt_event *event, struct kt_error *refused,
		   struct kt_error *err);

/* Once all are added. One store, and a system call an event for what was missed until now. */
void kt_session_start(struct kt_session *s);

/*
 * No probe writes any more when it returns, and the rings are flushed: some 10 ms. The probes
 * remain attached.
 */
void kt_session_stop(struct kt_session *s);

/*
 * Detaches every probe, once it is stopped: some 10 to 75 ms for each one of a perf event (class
 * "tracepoint", hook/probe.h), as the kernel waits every time, and 0.2 ms for the others.
 */
void kt_session_detach(struct kt_session *s);

/* The same, of one probe alone; how many remain. */
size_t kt_session_detach_one(struct kt_session *s);

/*
 * Pins all of it there (hook/bpffs.h, doc/flight.md), so that it stays as it is when it is freed:
 * to be shut and removed by its pins. On error some are there, and it stays no more than without. 0
 * or -errno.
 */
int kt_session_pin(struct kt_session *s, int dir, struct kt_error *err);

/*
 * Returns the event that is the entry of the system call of that number, where calls have one probe
 * for all of them; NULL where it is not recorded.
 */
const struct kt_event *kt_session_entry(const struct kt_session *s, uint32_t number);

size_t kt_session_count(const struct kt_session *s);
const struct kt_event *const *kt_session_events(const struct kt_session *s);

/*
 * When it was started and stopped, ns of CLOCK_MONOTONIC; before these moments 0. No record is
 * older than the first. Those of probes that ran when it was stopped may be newer than the second.
 */
uint64_t kt_session_began(const struct kt_session *s);
uint64_t kt_session_ended(const struct kt_session *s);

struct kt_geometry kt_session_geometry(const struct kt_session *s);

/* What a trace of it is made of, once it is started and all events are added. */
struct kt_trace_source kt_session_origin(const struct kt_session *s);

/* They remain the session's. */
const struct kt_rings *kt_session_rings(const struct kt_session *s);

/* What became of each event's hits so far. It remains the session's. */
const struct kt_counter_map *kt_session_ledger(const struct kt_session *s);

/*
 * Hits between start and stop that the kernel did not give to the event's probe, and that are in no
 * tally, because another BPF program ran on that CPU. 0 where the kernel does not count them
 * (kt_program_counts_missed). While it runs one system call.
 */
uint64_t kt_session_missed(const struct kt_session *s, size_t event);

/* The same of all events, until this is called again; and forks, by one more system call. */
struct kt_missed kt_session_missed_all(const struct kt_session *s);

/* While it runs: what the kernel had kept back of it before (kt_program_missed). */
uint64_t kt_session_missed_before(const struct kt_session *s, size_t event);

#endif
