/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A filter as a tree: which hits of an event to record. filter/filter_parser.h makes one from text.
 *
 *	"prev_prio < 100 && !(next_pid & 1)"	// AND of LESS than 100 of field 2,
 *						// and NOT of BITS 1 of field 5
 */
#ifndef KT_EVENTS_FILTER_H
#define KT_EVENTS_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events/glob.h"

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

void kt_filter_free(struct kt_filter *f);

/*
 * A node of that op with a, and with b where op is AND or OR (NULL with any other); takes both
 * over. On lack of memory, and where a or b is missing, NULL.
 */
struct kt_filter *kt_filter_new(enum kt_filter_op op, struct kt_filter *a, struct kt_filter *b);

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
