/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pattern for a text, as a machine that reads it byte by byte:
 *
 *	struct kt_glob g;
 *	uint64_t state = 1;
 *
 *	kt_glob_parse(&g, "*.[ch]", 6);
 *	for (; *text; text++)
 *		state = kt_glob_step(&g, state, *text);
 *	if (state >> g.n & 1)
 *		puts("the pattern stands for it");
 *
 * In it '*' stands for any bytes, '?' for one, '[a-z]' for one of these and '[!a-z]' or '[^a-z]'
 * for another one; any else for itself, as one behind '\' does.
 *
 * Bit i of the state: what has been read is what the first i of its elements stand for; a '*' is
 * none. So a step costs the same whatever the pattern, and nothing is ever read twice.
 */
#ifndef KT_EVENTS_GLOB_H
#define KT_EVENTS_GLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most elements in one. */
enum { KT_GLOB_MAX = 63 };

struct kt_glob {
	unsigned int n;      /* its elements */
	uint64_t stars;      /* bit i: a '*' stands behind the first i */
	uint64_t takes[256]; /* for each byte, bit i: element i can be that */
};

/* Whether it is not too long for one. */
bool kt_glob_parse(struct kt_glob *g, const char *pattern, size_t len);

static inline uint64_t kt_glob_step(const struct kt_glob *g, uint64_t state, unsigned char byte)
{
	return (state & g->takes[byte]) << 1 | (state & g->stars);
}

#endif
