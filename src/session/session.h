/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session: events being recorded, each by its own probe, into one ring per CPU.
 *
 *	struct kt_session *s = kt_session_new(geometry, 1, NULL, &err);
 *
 *	kt_session_add(s, event, &err);			// attached
 *	...
 *	kt_session_start(s);				// recording from here on
 *	...						// read by trace/recording.h
 *	kt_session_stop(s);				// no more records
 *
 *	// now every hit is in the rings, was read from them, or was lost, for each event:
 *	// hits = records + kt_counters_lost(counters)
 *
 * or, to record only this process and everything it forks:
 *
 *	kt_session_follow(s, tracefs, btf, &err);	// before the first event is added
 *	kt_session_follow_self(s, &err);		// after the start
 *
 * All events start and stop at one moment, by the enable word; hits before and after are not
 * counted. An event is identified by its index, in the order of adding.
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
struct kt_callstack_tables;
struct kt_error;
struct kt_event;
struct kt_counter_map;
struct kt_rings;
struct kt_session;
struct kt_task_names;
struct kt_untraced;

/*
 * Creates a session for at most max events, 1 to KT_EVENTS_MAX. If cpus is not NULL, only hits on
 * those CPUs are recorded, which must be online; hits elsewhere count as filtered. Takes the memory
 * of the rings, one per CPU. Returns NULL on error.
 */
struct kt_session *kt_session_new(struct kt_geometry geometry, size_t max, const bool *cpus,
				  struct kt_error *err);

/* Stops, detaches and frees the session and its events; what is pinned continues. */
void kt_session_free(struct kt_session *s);

/*
 * Restricts the session to followed processes: to hits while they run, and to events about their
 * threads (events/event_target.h). Other hits count as filtered. Must be called before the first
 * event is added. session/followed_pids.h says how forks are seen. No process is followed yet.
 * Returns 0 or -errno.
 */
int kt_session_follow(struct kt_session *s, int tracefs, struct kt_btf *btf, struct kt_error *err);

/*
 * Follows the calling process with all its threads, and everything it forks; it may be a child of
 * the one that made the session. Returns 0 or -errno.
 */
int kt_session_follow_self(struct kt_session *s, struct kt_error *err);

/* Follows another process (session/followed_pids.h). Returns 0 or -errno. */
int kt_session_follow_process(struct kt_session *s, pid_t pid, struct kt_error *err);

/*
 * Probes the points of events that are added from here on in n processes only, so that others are
 * not slowed down; not in their children either. 0: in all. The numbers must outlive the adding.
 */
void kt_session_probe_in(struct kt_session *s, const pid_t *pids, size_t n);

/*
 * Logs the names of tasks (session/task_names.h). Must be called after all events are added; if the
 * tasks exist already, kt_task_names_find() must follow before the start. In overwrite mode names
 * are kept for later readers, and ends of tasks are logged, too. Returns 0; or -errno, and there
 * are no names.
 */
int kt_session_log_task_names(struct kt_session *s, struct kt_btf *btf, struct kt_error *err);

/*
 * Records curated system calls by one dispatcher and a program per call (hook/syscall_dispatch.h);
 * tracefs and btf must outlive the session. bytes_max limits the pointed-to data, up to
 * KT_CURATED_POINTED_MAX; texts are not limited. Must be called before the first event is added.
 * Returns 0 or -errno.
 */
int kt_session_add_dispatch(struct kt_session *s, int tracefs, struct kt_btf *btf, size_t bytes_max,
			    struct kt_error *err);

/*
 * Ignores system calls of the calling process, entries and returns. Must be called after
 * kt_session_add_dispatch(), before the first event is added. Costs a comparison per call. Returns
 * 0 or -errno.
 */
int kt_session_exclude_self(struct kt_session *s, struct kt_error *err);

/*
 * Gives events a second program, where that helps, for nested hits (generate/nested_hits.h): fewer
 * hits are missed. Costs a lookup and one more program per hit. Must be called before the first
 * event is added; not for sessions that are pinned or have a second buffer set. Returns 0 or
 * -errno.
 */
int kt_session_catch_nested(struct kt_session *s, struct kt_error *err);

/*
 * Counts calls without an event, of the followed processes or of all: 32-bit calls and, if the
 * entries of all named calls will be added, unnamed ones. Must be called before the first event is
 * added. Returns 0 or -errno.
 */
int kt_session_count_untraced(struct kt_session *s, bool all_are_added, struct kt_error *err);

/* Returns how many such calls were made between start and stop. */
struct kt_untraced kt_session_untraced(const struct kt_session *s);

size_t kt_session_bytes_max(const struct kt_session *s);

/*
 * Returns whether hits may be of any task: no process is followed, or an event is about another
 * task.
 */
bool kt_session_sees_all(const struct kt_session *s);

/* Returns the task names, which remain the session's; NULL if there are none. */
struct kt_task_names *kt_session_task_names(const struct kt_session *s);

/*
 * Events may have stacks of these tables' kinds then. The session frees the tables. Must be called
 * before the first event is added.
 */
void kt_session_set_stacks(struct kt_session *s, struct kt_callstack_tables *stacks);

/*
 * Sets overwrite mode: a full ring keeps the newest records instead of the oldest. A pinned session
 * can then be controlled (session/flight/flight_control.h). Must be called before the first event
 * is added. Returns 0 or -errno.
 */
int kt_session_set_overwrite(struct kt_session *s, struct kt_error *err);

/*
 * Freezes the rings a given time after the first hit of a trigger, which events can have
 * (events/event.h): nothing is recorded until the buffer sets are swapped. Must be called before
 * the first event is added.
 */
void kt_session_set_freezing(struct kt_session *s, uint64_t after);

/*
 * Adds rare-event rings, a quarter of the size, for events of that channel (events/event.h). Must
 * be called before the first event is added. Returns 0 or -errno.
 */
int kt_session_add_rare_rings(struct kt_session *s, struct kt_error *err);
bool kt_session_has_rare_rings(const struct kt_session *s);

/*
 * Adds a second buffer set (doc/ring.md), to be written while the first one is read. Must be called
 * before the first event is added. Returns 0 or -errno.
 */
int kt_session_add_second_set(struct kt_session *s, struct kt_error *err);
bool kt_session_has_second_set(const struct kt_session *s);

/*
 * Makes, loads and attaches the event's probe in about 0.5 ms; the first call also puts the rings
 * in place, which takes 10 to 30 ms. The session then owns the event, which gets the next index. If
 * the kernel refuses the program of a curated event, the event is no longer curated. On error the
 * event remains the caller's and the session is unchanged: -EMSGSIZE for records that do not fit in
 * a sub-buffer, -EOPNOTSUPP for system calls with varying fields, which the kernel does not pass to
 * programs.
 */
int kt_session_add(struct kt_session *s, struct kt_event *event, struct kt_error *err);

/*
 * Begins to load the event's program in the background, if it is one that kt_session_add() loads;
 * so that several events are faster to add. Notes functions of the kernel, which then may share one
 * program (session/function_groups.h). The event remains the caller's; it must not be freed before
 * it is added, unless no further event is added.
 */
void kt_session_expect(struct kt_session *s, struct kt_event *event);

/*
 * Tries an event: makes and loads its probe, and closes it. That of a function of the kernel is
 * also attached in between: only then the kernel tells whether it can be. The event remains the
 * caller's. If the kernel refuses the program of a curated event, *refused has the reason;
 * otherwise its code is 0. Returns as kt_session_add().
 */
int kt_session_try(struct kt_session *s, struct kt_event *event, struct kt_error *refused,
		   struct kt_error *err);

/*
 * Starts recording, after all events were added. Takes one store, and a system call per event to
 * read the hits missed so far.
 */
void kt_session_start(struct kt_session *s);

/*
 * Stops recording. On return no probe writes any more, and the rings are flushed: about 10 ms. The
 * probes remain attached.
 */
void kt_session_stop(struct kt_session *s);

/*
 * Detaches every probe of a stopped session: 10 to 75 ms for each one of a perf event (kind
 * "tracepoint", hook/probe.h), since the kernel waits each time; 0.2 ms for the others.
 */
void kt_session_detach(struct kt_session *s);

/*
 * Stores the links of attached probes for which the kernel waits, which remain the session's; there
 * is room for one per event. Returns their number. Another process that has them open (fork(2))
 * waits in place of this one.
 */
size_t kt_session_slow_links(const struct kt_session *s, int *links);

/* Detaches one probe. Returns how many remain. */
size_t kt_session_detach_one(struct kt_session *s);

/*
 * Pins the whole session (hook/bpffs.h, doc/flight.md): it continues when it is freed, and is ended
 * by removing its pins. Returns 0; or -errno, with some pins left, and the session ends when it is
 * freed.
 */
int kt_session_pin(struct kt_session *s, int dir, struct kt_error *err);

/*
 * Returns the event of the entry of a system call, by number, if calls are dispatched; NULL if it
 * is not recorded.
 */
const struct kt_event *kt_session_entry(const struct kt_session *s, uint32_t number);

size_t kt_session_count(const struct kt_session *s);
const struct kt_event *const *kt_session_events(const struct kt_session *s);

/*
 * Return when the session was started and stopped, in ns of CLOCK_MONOTONIC; 0 before. No record is
 * older than the start; records of programs that were running at the stop may be newer than the
 * stop.
 */
uint64_t kt_session_began(const struct kt_session *s);
uint64_t kt_session_ended(const struct kt_session *s);

struct kt_geometry kt_session_geometry(const struct kt_session *s);

/* Returns what a trace of the session is made of, after it is started and all events are added. */
struct kt_trace_source kt_session_trace_source(const struct kt_session *s);

/* Returns the rings, which remain the session's. */
const struct kt_rings *kt_session_rings(const struct kt_session *s);

/* Returns the counters of all events' hits, which remain the session's. */
const struct kt_counter_map *kt_session_counters(const struct kt_session *s);

/*
 * Returns the hits between start and stop that the kernel did not pass to the event's probe, since
 * another BPF program was running on that CPU; they are in no counter. 0 if the kernel does not
 * count them (kt_program_counts_missed). Takes a system call while recording.
 */
uint64_t kt_session_missed(const struct kt_session *s, size_t event);

/* Returns the same for all events, valid until the next call; and missed forks. */
struct kt_missed kt_session_missed_all(const struct kt_session *s);

/*
 * Returns the hits that the kernel had missed before the start, while recording
 * (kt_probe_missed).
 */
uint64_t kt_session_missed_before(const struct kt_session *s, size_t event);

#endif
