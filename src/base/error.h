/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why something did not work, told by each layer in turn and printed by the program alone.
 *
 *	struct kt_error err;
 *
 *	fd = open(path, O_RDONLY);
 *	if (fd < 0)
 *		return kt_fail(&err, errno, "%s: %s", path, strerror(errno));
 *
 *	if (read_names(fd, &err) < 0)			// one layer up
 *		return kt_fail_because(&err, "cannot list the events");
 *
 *	// cannot list the events: /x/available_events: Permission denied
 *
 * Where the error lies in something that a person typed, it says in which part:
 *
 *	return kt_fail_at(&err, ENOENT, "shced:*", 0, 5, "no system is called 'shced'");
 */
#ifndef KT_BASE_ERROR_H
#define KT_BASE_ERROR_H

#include <stddef.h>

struct kt_error {
	int code;          /* as in errno.h, positive */
	char text[512];    /* what a terminal shows of one line, in UTF-8; cut where longer */
	const char *typed; /* the caller's text that the error lies in, or NULL */
	size_t at, len;    /* which bytes of it */
};

/* Each returns -code, for the caller to return in turn. */
int kt_fail(struct kt_error *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int kt_fail_at(struct kt_error *err, int code, const char *typed, size_t at, size_t len,
	       const char *fmt, ...) __attribute__((format(printf, 6, 7)));

/* Put what could not be done before its cause, which err already holds. */
int kt_fail_because(struct kt_error *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
