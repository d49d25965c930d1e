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

	KT_FILTER_MARK_SET,  /* of[0]; if it is true, marks the call for its return */
	KT_FILTER_MARK_TEST, /* the entry of this call was marked */

	/* Tests. The missing operators are the NOT of another. */
	KT_FILTER_EQUAL,   /* source == number */
	KT_FILTER_LESS,    /* source < number */
	KT_FILTER_AT_MOST, /* source <= number */
	KT_FILTER_BITS,    /* source & number */
	KT_FILTER_IS,      /* source is text */
	KT_FILTER_BEGINS,  /* source begins with text, which is not empty */
	KT_FILTER_LIKE,    /* source matches glob */
};

enum kt_filter_source {
	KT_FILTER_FIELD,
	KT_FILTER_PID,
	KT_FILTER_TID,
	KT_FILTER_CPU,
	KT_FILTER_COMM,
	KT_FILTER_EXPR, /* what an argument of a function of the kernel points to */
};

/* Limits of one filter: tests, tests with patterns, and nesting of parentheses and '!'. */
enum { KT_FILTER_TESTS_MAX = 256, KT_FILTER_GLOBS_MAX = 32, KT_FILTER_DEPTH_MAX = 64 };

/* Maximum bytes of a text without its NUL: in a filter, in an event, in a comm. */
enum { KT_FILTER_TEXT_MAX = 254, KT_FILTER_SEEN_MAX = 255, KT_FILTER_COMM_MAX = 15 };

struct kt_expr;

struct kt_filter {
	enum kt_filter_op op;
	struct kt_filter *of[2]; /* operands; NULL beyond the op's number */
	enum kt_filter_source source;
	size_t field;         /* for FIELD: index of the event's field */
	struct kt_expr *expr; /* for EXPR: a path of the arguments; else NULL */
	uint64_t number;      /* widened by the sign of the source */
	size_t len;           /* bytes of text */
	char *text;           /* for IS and BEGINS, else NULL */
	struct kt_glob *glob; /* for LIKE, else NULL */
	char *written;        /* in the root: the text that the filter was parsed from; else NULL */
};

void kt_filter_free(struct kt_filter *f);

/*
 * Makes a node of a, and of b if op is AND or OR (NULL otherwise). Takes ownership of both. Returns
 * NULL without memory, or if a or b is missing.
 */
struct kt_filter *kt_filter_new(enum kt_filter_op op, struct kt_filter *a, struct kt_filter *b);

/*
 * Makes a || b of two complete filters; takes ownership, on error too. A filter that marks calls,
 * or tests a mark, is evaluated first. Returns NULL without memory.
 */
struct kt_filter *kt_filter_either(struct kt_filter *a, struct kt_filter *b);

/*
 * Makes the filter of a call's entry, which marks the calls it matches. Takes ownership of f.
 * Returns NULL without memory, or if f is NULL.
 */
struct kt_filter *kt_filter_mark_entry(struct kt_filter *f);

/* Makes the filter of a call's return from the text of its entry's. Returns NULL without memory. */
struct kt_filter *kt_filter_mark_return(const char *written);

/*
 * Return whether f, which may be NULL, contains a node of that op; marks calls or tests their mark;
 * tests a field of the event.
 */
bool kt_filter_has(const struct kt_filter *f, enum kt_filter_op op);
bool kt_filter_uses_marks(const struct kt_filter *f);
bool kt_filter_tests_fields(const struct kt_filter *f);

/* Returns whether a test is of a field behind the first n, or of an argument that is nowhere. */
bool kt_filter_tests_behind(const struct kt_filter *f, size_t n);

/*
 * Returns how many tests are patterns; f may be NULL. Stores them in globs, in the order in which
 * they were written, unless globs is NULL.
 */
size_t kt_filter_globs(const struct kt_filter *f, const struct kt_glob **globs);

#endif
