/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file of the control tree that somebody has open, and its text.
 *
 *	struct opened *o = opened_new(&err);
 *
 *	opened_make(o, &subject, place, false, &err);
 *	n = opened_read(o, &subject, from, size, &bytes, &err);
 *	opened_free(o);
 */
#ifndef KT_APP_FS_FS_HANDLE_H
#define KT_APP_FS_FS_HANDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct kt_error;
struct opened;
struct place;
struct subject;

/* Nothing is to be read, as yet. On error NULL. */
struct opened *opened_new(struct kt_error *err);
void opened_free(struct opened *o);

/*
 * Makes the file's text of this moment, if it has one. Texts and copies of rings stay in memory
 * until they are closed; when they take OPENED_MIN bytes and four times what the flight's rings
 * have, whoever is limited gets -ENFILE. 0; or -errno, as of the file's row.
 */
enum { OPENED_MIN = 64 << 20, OPENED_RINGS = 4 };

int opened_make(struct opened *o, struct subject *s, const struct place *p, bool is_limited,
		struct kt_error *err);

/* Whether it is others' as well, and read once. */
bool opened_is_shared(const struct opened *o);

/* Whether there can be nothing to be read as yet: all others always have something, or an end. */
bool opened_can_wait(const struct opened *o);

/*
 * Whether there is something, or an end, or what is wrong: of what was there when the flight was
 * last looked at, or it is looked at now.
 */
bool opened_is_ready(const struct opened *o, struct subject *s, bool looks);

/*
 * What is there from that byte on, up to that size, and good until the next call; where it is
 * shared what comes next. How many bytes, 0 at the end; or -errno: of these -EAGAIN where there is
 * nothing as yet.
 */
ssize_t opened_read(struct opened *o, struct subject *s, off_t from, size_t size,
		    const char **bytes, struct kt_error *err);

/*
 * The same of who would wait, and the flight is looked at only if it is to be. Who has read
 * something is at the end then where nothing is recorded.
 */
ssize_t opened_wait(struct opened *o, struct subject *s, bool looks, size_t size,
		    const char **bytes, struct kt_error *err);

#endif
