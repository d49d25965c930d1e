/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The flight that a control tree shows: the running one of a name, if there is one.
 *
 *	struct fs_flight s;
 *
 *	if (fs_flight_open(&s, "flight", &err) == 0) {
 *		...
 *		fs_flight_check(&s, &err);	// may replace s.flight and s.tree
 *		...
 *		fs_flight_close(&s);
 *	}
 */
#ifndef KT_APP_FS_FS_FLIGHT_H
#define KT_APP_FS_FS_FLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/fs/fs_copy.h"
#include "app/fs/fs_errors.h"

struct kt_btf;
struct kt_error;
struct kt_flight;
struct fs_text;
struct fs_packets;
struct fs_pipe;
struct fs_tree;

struct fs_flight {
	const char *name;
	int tracefs;
	struct kt_btf *btf;
	struct kt_flight *flight; /* NULL: none is running, or it was released */
	struct fs_tree *tree;     /* NULL: released */
	uint64_t began;           /* identifies the flight; 0: none was running */
	uint32_t number; /* counts flights: differs from before if the flight is another one */
	struct kt_flight *held;     /* the flight opened and locked; or NULL */
	struct fs_text *consumed;   /* consumed data that is not read yet; NULL: none */
	struct fs_packets *packets; /* of the flight; NULL: not used yet */
	struct fs_copies copies;    /* copies of the rings with readers */
	uint64_t opened_bytes;      /* bytes of open files, besides copies */
	struct fs_errors errors;    /* of writes, whatever flight was running */
	struct fs_pipe **pipes;     /* n_pipes pipes that follow the flight; NULL: not used yet */
	size_t n_pipes;
};

/*
 * Opens the running flight of that name; the name remains the caller's. Returns 0; -ENOENT if none
 * is running; or -errno.
 */
int fs_flight_open(struct fs_flight *s, const char *name, struct kt_error *err);
void fs_flight_close(struct fs_flight *s);

/*
 * Checks whether the flight still is the running one of its name, by one system call; if not, or
 * after a release, opens that one, which takes about 1 ms. Returns 0; or -errno with nothing
 * changed.
 */
int fs_flight_check(struct fs_flight *s, struct kt_error *err);

/* Does the same, but opens the flight in any case. */
int fs_flight_reopen(struct fs_flight *s, struct kt_error *err);

/*
 * Locks the flight until fs_flight_unlock(). Returns 0 or -errno: -EAGAIN if another flight is
 * running now, and fs_flight_reopen() must be called.
 */
int fs_flight_lock(struct fs_flight *s, struct kt_error *err);
void fs_flight_unlock(struct fs_flight *s);

/* Sets the consumed data that is read next, and frees what was not read yet; NULL: none. */
void fs_flight_set_consumed(struct fs_flight *s, struct fs_text *consumed);

/* Pipes by number: text, or rings from number 1 on. */
enum { FS_FLIGHT_TEXT, FS_FLIGHT_RINGS };

/*
 * Returns a pipe of what the flight holds and records, from where other readers have read to; to be
 * freed by fs_pipe_unref(). The pipe ends with what the flight held when it ended. NULL on error.
 */
struct fs_pipe *fs_flight_join(struct fs_flight *s, size_t pipe, struct kt_error *err);

/* Fetches new data for a pipe. Returns 0, also if there is none just now; or -errno. */
int fs_flight_fetch(struct fs_flight *s, struct fs_pipe *pipe, struct kt_error *err);

/*
 * Closes everything of the flight until the next check: open objects of a stopped flight would keep
 * its memory.
 */
void fs_flight_release(struct fs_flight *s);

/*
 * Does the same unless the flight is followed: followers want what it holds at its end, so it
 * remains open and must be checked from time to time. Returns whether it is followed.
 */
bool fs_flight_idle(struct fs_flight *s);

#endif
