/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A glob pattern, compiled to an automaton that reads a text byte by byte.
 *
 *	struct kt_glob g;
 *	uint64_t state = 1;
 *
 *	kt_glob_parse(&g, "*.[ch]", 6);
 *	for (; *text; text++)
 *		state = kt_glob_step(&g, state, *text);
 *	if (state >> g.n & 1)
 *		puts("match");
 *
 * '*' matches any bytes, '?' one byte, '[a-z]' one of a set, '[!a-z]' or '[^a-z]' one outside it;
 * '\' quotes the next byte; all other bytes match themselves.
 *
 * Bit i of the state: the text so far matches the first i elements. A '*' is not an element. A step
 * costs the same whatever the pattern, and no byte is read twice.
 */
#ifndef KT_EVENTS_GLOB_H
#define KT_EVENTS_GLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The maximum number of elements. */
enum { KT_GLOB_MAX = 63 };

struct kt_glob {
	unsigned int n;      /* number of elements */
	uint64_t stars;      /* bit i: a '*' follows the first i elements */
	uint64_t takes[256]; /* by byte, bit i: element i matches the byte */
};

/* Compiles a pattern. Returns false if it has too many elements. */
bool kt_glob_parse(struct kt_glob *g, const char *pattern, size_t len);

/* Returns the first '[' that no ']' closes, which would match itself; or NULL. */
const char *kt_glob_unclosed(const char *pattern, size_t len);

static inline uint64_t kt_glob_step(const struct kt_glob *g, uint64_t state, unsigned char byte)
{
	return (state & g->takes[byte]) << 1 | (state & g->stars);
}

/* Returns whether the whole text matches. */
static inline bool kt_glob_matches(const struct kt_glob *g, const char *text, size_t len)
{
	uint64_t state = 1;

	for (; len > 0; text++, len--)
		state = kt_glob_step(g, state, (unsigned char)*text);
	return state >> g->n & 1;
}

#endif
