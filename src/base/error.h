/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why an operation failed. Each layer adds one cause; only the program prints.
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
 * An error in text that a user typed points at the place:
 *
 *	return kt_fail_at(&err, ENOENT, "shced:*", 0, 5, "no system is called 'shced'");
 */
#ifndef KT_BASE_ERROR_H
#define KT_BASE_ERROR_H

#include <stddef.h>

struct kt_error {
	int code;          /* a positive errno value */
	char text[512];    /* one line for a terminal, in UTF-8; cut if longer */
	const char *typed; /* the text that contains the error, the caller's; or NULL */
	size_t at, len;    /* the offending bytes of typed */
};

/* Each sets *err and returns -code, so that the caller can return it. */
int kt_fail(struct kt_error *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int kt_fail_at(struct kt_error *err, int code, const char *typed, size_t at, size_t len,
	       const char *fmt, ...) __attribute__((format(printf, 6, 7)));

/* Puts what could not be done in front of the cause that err already holds. */
int kt_fail_because(struct kt_error *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
