/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which hits of an event a person means, in ftrace's language:
 *
 *	event->filter = kt_filter_parse(event, "prev_prio < 100 && !(next_pid & 1)", &err);
 *
 *	// AND of LESS than 100 of field 2, and NOT of BITS 1 of field 5
 *
 * Tests 'NAME OP NUMBER' with == != < <= > >= or &, which is so where a bit of the number is set;
 * 'NAME OP "TEXT"' with == or !=, or with ~, to which the text is a pattern (catalog/glob.h);
 * joined, those that bind most first, by '!', '&&' and '||', and by parentheses.
 *
 * Of the two events of a system call the entry alone has its arguments. A filter that tests those
 * chooses calls, and can choose their returns with them:
 *
 *	entry->filter = kt_filter_chooses(kt_filter_parse(entry, "flags & O_CREAT", &err));
 *	exit->filter = kt_filter_chosen("flags & O_CREAT");
 *
 * A NAME is a field of the event that is a number or text. Where it has none of that name, 'pid' is
 * the process that runs at the hit, 'tid' or 'common_pid' its thread, 'comm' the thread's name, and
 * 'cpu' the CPU; 'PID', 'TID', 'COMM' and 'CPU' are that of every event. A NUMBER is as in C; in
 * hexadecimal it may give all bits of a field with a sign. One that has a label may be called so,
 * 'flags & O_CREAT', 'ret == -ENOENT', and several of flags, 'O_WRONLY|O_CREAT'. A TEXT stands in
 * one kind of quotes or the other, without escapes; that of an event ends before its first 0. Of a
 * longer one than fits here, patterns see the beginning.
 */
#ifndef KT_CATALOG_FILTER_H
#define KT_CATALOG_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "catalog/glob.h"

struct kt_error;
struct kt_event;

enum kt_filter_op {
	KT_FILTER_AND, /* of[0] && of[1] */
	KT_FILTER_OR,  /* of[0] || of[1] */
	KT_FILTER_NOT, /* !of[0] */

	KT_FILTER_CHOOSES, /* of[0], and where it is so the call is chosen */
	KT_FILTER_CHOSEN,  /* the call that returns was */

	/* Tests. What is not here is the NOT of another. */
	KT_FILTER_EQUAL,   /* source == number */
	KT_FILTER_LESS,    /* source < number */
	KT_FILTER_AT_MOST, /* source <= number */
	KT_FILTER_BITS,    /* source & number */
	KT_FILTER_IS,      /* source is text */
	KT_FILTER_BEGINS,  /* source begins with text, which is some */
	KT_FILTER_LIKE,    /* source is what glob stands for */
};

enum kt_filter_source {
	KT_FILTER_FIELD,
	KT_FILTER_PID,
	KT_FILTER_TID,
	KT_FILTER_CPU,
	KT_FILTER_COMM,
};

/* The most tests in one, how many of them with patterns, and parentheses and '!' around each. */
enum { KT_FILTER_TESTS_MAX = 256, KT_FILTER_GLOBS_MAX = 32, KT_FILTER_DEPTH_MAX = 64 };

/* Bytes of a text, without a 0 at its end: in a filter, of an event, and of a thread's name. */
enum { KT_FILTER_TEXT_MAX = 254, KT_FILTER_SEEN_MAX = 255, KT_FILTER_COMM_MAX = 15 };

struct kt_filter {
	enum kt_filter_op op;
	struct kt_filter *of[2]; /* as many as op has, else NULL */
	enum kt_filter_source source;
	size_t field;         /* of FIELD: which of the event's */
	uint64_t number;      /* widened by the sign of the source */
	size_t len;           /* of text */
	char *text;           /* of IS and BEGINS, else NULL */
	struct kt_glob *glob; /* of LIKE, else NULL */
	char *written;        /* of one as a whole: the text that it was made from; else NULL */
};

/*
 * The caller frees what is returned. On error NULL, and where in the text: EINVAL for what is no
 * filter of any event, ENOENT for a field or label that this one has not, EOPNOTSUPP for one that
 * is neither number nor text, or not what it is compared with, ERANGE for a number or text that it
 * cannot be. Without an event (NULL) it is only seen whether the text is a filter at all.
 */
struct kt_filter *kt_filter_parse(const struct kt_event *event, const char *text,
				  struct kt_error *err);
void kt_filter_free(struct kt_filter *f);

/*
 * a || b, wholes, which it takes over, also where there is no memory for it: NULL then. What
 * chooses, or was chosen, is looked at first, whichever it is.
 */
struct kt_filter *kt_filter_either(struct kt_filter *a, struct kt_filter *b);

/* For the entry of a call: f, a whole, which it takes over. NULL as above, or where f is. */
struct kt_filter *kt_filter_chooses(struct kt_filter *f);

/* For its return, from the text of the other. On lack of memory NULL. */
struct kt_filter *kt_filter_chosen(const char *written);

/*
 * Whether f, if there is one, or a part of it, is of that op; chooses calls, or is of those that
 * were chosen; tests a field of the event.
 */
bool kt_filter_has(const struct kt_filter *f, enum kt_filter_op op);
bool kt_filter_is_of_calls(const struct kt_filter *f);
bool kt_filter_tests_fields(const struct kt_filter *f);

/*
 * How many tests of it, if there is one, are patterns. Unless globs is NULL they are put there, in
 * the order in which they were written.
 */
size_t kt_filter_globs(const struct kt_filter *f, const struct kt_glob **globs);

#endif
