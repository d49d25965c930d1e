/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sessions that go on with no process alive: doc/flight.md.
 *
 *	struct kt_flight *f = kt_flight_new("flight", &err);	// the name is ours now
 *
 *	kt_flight_keep(f, session, "0.1.0", "ktrace start", &err);
 *	kt_flight_free(f);
 *	kt_session_free(session);				// and it goes on
 *
 * later, in another process:
 *
 *	f = kt_flight_open("flight", &err);
 *	hits = kt_counter_map_sum(kt_buffer_sets_ledger(kt_flight_banks(f)), 0).hits;
 *	kt_flight_free(f);
 *
 * or what it holds is taken out of it, while it goes on:
 *
 *	f = kt_flight_hold("flight", &err);			// nobody else does so meanwhile
 *	kt_buffer_sets_turn(kt_flight_banks(f));			//
 *session/flight/buffer_sets.h
 *	...							// read, and written
 *	kt_buffer_sets_take(kt_flight_banks(f));
 *	kt_flight_free(f);
 *
 *	kt_flight_remove("flight", &err);			// from here on not any more
 *
 * all there are:
 *
 *	names = kt_flight_names(&err);
 *	for (name = names; *name; name += strlen(name) + 1)
 *		puts(name);
 *	free(names);
 *
 * A name is of 1 to KT_FLIGHT_NAME_MAX letters, digits, - and _.
 */
#ifndef KT_SESSION_FLIGHT_FLIGHT_H
#define KT_SESSION_FLIGHT_FLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/flight/flight_info.h"

struct kt_buffer_sets;
struct kt_btf;
struct kt_syscall_dispatch;
struct kt_error;
struct kt_flight;
struct kt_session;
struct kt_flight_control;
struct kt_task_names;

enum { KT_FLIGHT_NAME_MAX = 64 };

/* 0, or -EINVAL with the place in the name. */
int kt_flight_check_name(const char *name, struct kt_error *err);

/*
 * A place for one of that name, which nobody else gets before it is freed; bpffs is mounted for it
 * where there is none. What a killed process has left there is removed. -EEXIST: there is one;
 * -EBUSY: somebody has been at work there for seconds. On error NULL.
 */
struct kt_flight *kt_flight_new(const char *name, struct kt_error *err);

/*
 * Pins the session and starts it, once all its events are added. 0; or -errno, and nothing is
 * pinned.
 */
int kt_flight_keep(struct kt_flight *f, struct kt_session *s, const char *version,
		   const char *command, struct kt_error *err);

/*
 * What there is, sorted, each with a 0 behind it, and an empty one at the end: also what was left
 * by a killed process, or has another kind of name and is none of ours. For the caller to free; on
 * error NULL.
 */
char *kt_flight_names(struct kt_error *err);

/*
 * One that there is, to be looked at, whatever becomes of it meanwhile. -ENOENT: there is none;
 * -ESTALE: what there is of it was left there by a killed process, or is just being made or
 * removed. On error NULL.
 */
struct kt_flight *kt_flight_open(const char *name, struct kt_error *err);

/*
 * The same, but nothing of it is read, nor kept: only whether it is still there can be asked.
 * -ENOENT, -ESTALE. On error NULL.
 */
struct kt_flight *kt_flight_find(const char *name, struct kt_error *err);

/*
 * One that there is, which nobody else holds, removes or makes meanwhile. -ENOENT and -ESTALE too;
 * -EBUSY: somebody has been at work on it for seconds. On error NULL.
 */
struct kt_flight *kt_flight_hold(const char *name, struct kt_error *err);

/* What is kept of a place without a session is nothing; a flight goes on. */
void kt_flight_free(struct kt_flight *f);

/* It remains the flight's. */
const char *kt_flight_name(const struct kt_flight *f);

/*
 * Of one that was opened. They remain its own. What about says is how it was when that was: it is
 * so no more where filters have been changed since (kt_flight_control_are_current).
 */
const struct kt_flight_info *kt_flight_about(const struct kt_flight *f);
struct kt_buffer_sets *kt_flight_banks(const struct kt_flight *f);
struct kt_flight_control *kt_flight_switches(const struct kt_flight *f);

/*
 * The same as it was when a bank was last written, be it that it still is. Of one that is not held
 * filters are those of kt_flight_about in any case.
 */
const struct kt_flight_info *kt_flight_about_in(const struct kt_flight *f, size_t bank);

/*
 * How tasks have been called since that time, at which it was going on (kt_task_names_from); for
 * the caller to free. -ENOENT: nobody has asked for it. On error NULL.
 */
struct kt_task_names *kt_flight_tasks(const struct kt_flight *f, uint64_t since,
				      struct kt_error *err);

/*
 * What programs of system calls are placed among (hook/syscall_dispatch.h), for the caller to free
 * before it. On error NULL.
 */
struct kt_syscall_dispatch *kt_flight_calls(const struct kt_flight *f, int tracefs,
					    struct kt_btf *btf, struct kt_error *err);

/* The bytes of all that is pinned, as the kernel counts them; as far as it has not been removed. */
uint64_t kt_flight_memory(const struct kt_flight *f);

/*
 * 0, or what kt_flight_open would say: it is not there any more. Another one that was started by
 * the same name since is not this one.
 */
int kt_flight_check(const struct kt_flight *f, struct kt_error *err);

/* Ends and removes what there is of it. 0; -ENOENT: nothing was; -EBUSY, -errno. */
int kt_flight_remove(const char *name, struct kt_error *err);

#endif
