/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Flight recorders: sessions that continue without a process (doc/flight.md).
 *
 *	struct kt_flight *f = kt_flight_new("flight", &err);	// reserves the name
 *
 *	kt_flight_start(f, session, "0.1.0", "ktrace start", &err);
 *	kt_flight_free(f);
 *	kt_session_free(session);				// it continues
 *
 * later, in another process:
 *
 *	f = kt_flight_open("flight", &err);
 *	hits = kt_counter_map_sum(kt_buffer_sets_counters(kt_flight_buffer_sets(f)), 0).hits;
 *	kt_flight_free(f);
 *
 * or, to read what it holds, while it continues:
 *
 *	f = kt_flight_lock("flight", &err);			// locked against others
 *	kt_buffer_sets_swap(kt_flight_buffer_sets(f));		// session/flight/buffer_sets.h
 *	...							// read
 *	kt_buffer_sets_consume(kt_flight_buffer_sets(f));
 *	kt_flight_free(f);
 *
 *	kt_flight_remove("flight", &err);			// ends it
 *
 * all flights:
 *
 *	names = kt_flight_names(&err);
 *	for (name = names; *name; name += strlen(name) + 1)
 *		puts(name);
 *	free(names);
 *
 * A name has 1 to KT_FLIGHT_NAME_MAX letters, digits, '-' and '_'.
 */
#ifndef KT_SESSION_FLIGHT_FLIGHT_H
#define KT_SESSION_FLIGHT_FLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/flight/flight_info.h"

struct kt_buffer_sets;
struct kt_btf;
struct kt_callstack_tables;
struct kt_syscall_dispatch;
struct kt_error;
struct kt_flight;
struct kt_session;
struct kt_flight_control;
struct kt_task_names;

enum { KT_FLIGHT_NAME_MAX = 64 };

/* Checks a name. Returns 0, or -EINVAL with the place in the name. */
int kt_flight_check_name(const char *name, struct kt_error *err);

/*
 * Reserves a name until the result is freed; mounts bpffs if necessary, and removes what a killed
 * process left there. Returns NULL on error: EEXIST if there is such a flight; EBUSY if another
 * process has held the lock for seconds.
 */
struct kt_flight *kt_flight_new(const char *name, struct kt_error *err);

/*
 * Pins the session and starts it, after all events were added. Returns 0; or -errno with nothing
 * pinned.
 */
int kt_flight_start(struct kt_flight *f, struct kt_session *s, const char *version,
		    const char *command, struct kt_error *err);

/*
 * Returns the names of all flights, sorted, each with a NUL, and an empty one at the end; the
 * caller frees them. Includes leftovers of killed processes, and directories that are not flights.
 * Returns NULL on error.
 */
char *kt_flight_names(struct kt_error *err);

/*
 * Opens a flight for reading, whatever happens to it meanwhile. Returns NULL on error: ENOENT if
 * there is none; ESTALE if it is a killed process's leftover, or just being made or removed.
 */
struct kt_flight *kt_flight_open(const char *name, struct kt_error *err);

/*
 * Opens a flight without reading anything: only kt_flight_check() may be called. Returns NULL on
 * error: ENOENT, ESTALE.
 */
struct kt_flight *kt_flight_find(const char *name, struct kt_error *err);

/*
 * Opens a flight with its lock: no other process locks, removes or makes it meanwhile. Returns NULL
 * on error: ENOENT, ESTALE; EBUSY if another process has held the lock for seconds.
 */
struct kt_flight *kt_flight_lock(const char *name, struct kt_error *err);

/* Closes a flight, which continues. A reserved name without a session is released. */
void kt_flight_free(struct kt_flight *f);

/* Returns the name, which remains the flight's. */
const char *kt_flight_name(const struct kt_flight *f);

/*
 * Return the parts of an open flight, which remain its own. The info is as it was when the flight
 * was opened; it is outdated if filters were changed since (kt_flight_control_is_current).
 */
const struct kt_flight_info *kt_flight_get_info(const struct kt_flight *f);
struct kt_buffer_sets *kt_flight_buffer_sets(const struct kt_flight *f);
struct kt_flight_control *kt_flight_get_control(const struct kt_flight *f);

/*
 * Returns the info as it was when a set was last active, which it may still be. Without the lock
 * its filters are those of kt_flight_get_info() in any case.
 */
const struct kt_flight_info *kt_flight_get_info_in(const struct kt_flight *f, size_t set);

/*
 * Opens the names that tasks have had since a time when the flight was running
 * (kt_task_names_from); the caller frees them. Returns NULL on error: ENOENT if names are not
 * logged.
 */
struct kt_task_names *kt_flight_open_task_names(const struct kt_flight *f, uint64_t since,
						struct kt_error *err);

/*
 * Opens the dispatch of system calls (hook/syscall_dispatch.h), which the caller frees before the
 * flight. Returns NULL on error.
 */
struct kt_syscall_dispatch *kt_flight_open_dispatch(const struct kt_flight *f, int tracefs,
						    struct kt_btf *btf, struct kt_error *err);

/*
 * Opens the tables of stacks, which the caller frees (kt_callstack_tables_open). Returns NULL on
 * error: ENOENT if no event has stacks.
 */
struct kt_callstack_tables *kt_flight_open_stacks(const struct kt_flight *f, struct kt_btf *btf,
						  struct kt_error *err);

/* Returns the memory of everything pinned in bytes, as the kernel accounts it. */
uint64_t kt_flight_memory(const struct kt_flight *f);

/*
 * Returns 0, or the error that kt_flight_open() would report. A flight that was started since by
 * the same name is another one.
 */
int kt_flight_check(const struct kt_flight *f, struct kt_error *err);

/*
 * Ends a flight and removes everything of it. Returns 0; -ENOENT if there is none; -EBUSY, or
 * another -errno.
 */
int kt_flight_remove(const char *name, struct kt_error *err);

#endif
