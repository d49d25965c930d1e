/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The flight that a control tree is of: the one of its name that is running, if any is.
 *
 *	struct subject s;
 *
 *	if (subject_open(&s, "flight", &err) == 0) {
 *		...
 *		subject_look(&s, &err);		// s.flight and s.tree may be others now
 *		...
 *		subject_close(&s);
 *	}
 */
#ifndef KT_APP_FS_FS_FLIGHT_H
#define KT_APP_FS_FS_FLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/fs/fs_copy.h"

struct kt_error;
struct kt_flight;
struct lines;
struct packets;
struct pipe;
struct tree;

struct subject {
	const char *name;
	int tracefs;
	struct kt_flight *flight; /* NULL: none is running, or it rests */
	struct tree *tree;        /* NULL: it rests */
	uint64_t began;           /* by which one knows it again; 0: none was running */
	uint32_t number;        /* of subjects until now: another one where the flight is another */
	struct kt_flight *held; /* it once more, which nobody else holds meanwhile; or NULL */
	struct lines *taken;    /* out of it, to be read; NULL: nothing is */
	struct packets *packets; /* of it; NULL: nobody ever asked */
	struct copies copies;    /* that somebody reads */
	uint64_t opened_bytes;   /* of what is open, besides these */
	struct pipe **pipes; /* n of them that it is followed by, NULL where nobody ever asked */
	size_t n_pipes;
};

/* For subject_close. The name stays the caller's. -ENOENT: no such flight is running; -errno. */
int subject_open(struct subject *s, const char *name, struct kt_error *err);
void subject_close(struct subject *s);

/*
 * Looks whether the flight is still the one of its name, which costs one system call, and if not,
 * or where it rests, opens that, which takes about 1 ms, or finds that none is running. 0; or
 * -errno, and all is as it was.
 */
int subject_look(struct subject *s, struct kt_error *err);

/* The same, and opens it in any case. */
int subject_renew(struct subject *s, struct kt_error *err);

/* Until it is let go. -EAGAIN: it is to be renewed, as by now another one is running. 0 or -errno.
 */
int subject_hold(struct subject *s, struct kt_error *err);
void subject_let_go(struct subject *s);

/* What is to be read of it now, instead of what was; or nothing, NULL. */
void subject_set_taken(struct subject *s, struct lines *taken);

/* By what it is followed: as text, or by ring, from the second on. */
enum { SUBJECT_TEXT, SUBJECT_RINGS };

/*
 * To read what it holds and what comes, from where somebody has read to: for pipe_leave. It ends
 * where the flight has ended, with what that held then. On error NULL.
 */
struct pipe *subject_join(struct subject *s, size_t pipe, struct kt_error *err);

/* What has come since for one of these. 0, also where nothing can be had just now; or -errno. */
int subject_fetch(struct subject *s, struct pipe *pipe, struct kt_error *err);

/*
 * Has nothing of it open until the next look: what is open of a flight that was stopped keeps its
 * memory.
 */
void subject_rest(struct subject *s);

/*
 * The same where nobody follows it. Who does wants what it holds when it ends: so it is looked at,
 * and will have to be, from time to time. Whether that is so.
 */
bool subject_idle(struct subject *s);

#endif
