// SPDX-License-Identifier: GPL-2.0-or-later
#include "events/glob.h"

#include <string.h>

/* The unread part of a pattern. */
struct rest {
	const char *at, *end;
};

/* Reads a byte that stands for itself; a '\' at the end stands for itself, too. */
static unsigned char read_literal(struct rest *r)
{
	if (*r->at == '\\' && r->at + 1 < r->end)
		r->at++;
	return *r->at++;
}

/*
 * Reads a set after its '[': the bytes, and whether it is negated. A ']' in first place belongs to
 * the set. Reads nothing and returns false if the closing ']' is missing.
 */
static bool read_set(struct rest *r, bool bytes[256], bool *negated)
{
	struct rest at = *r;
	unsigned int from, to;
	const char *first;

	*negated = at.at < at.end && (*at.at == '!' || *at.at == '^');
	at.at += *negated;
	for (first = at.at; at.at < at.end;) {
		if (*at.at == ']' && at.at != first) {
			r->at = at.at + 1;
			return true;
		}
		from = to = read_literal(&at);
		if (at.end - at.at > 1 && at.at[0] == '-' && at.at[1] != ']') {
			at.at++;
			to = read_literal(&at);
		}
		for (; from <= to; from++)
			bytes[from] = true;
	}
	return false;
}

static void read_element(struct kt_glob *g, struct rest *r)
{
	struct rest set = {r->at + 1, r->end};
	bool bytes[256] = {}, negated = true;
	unsigned int i;

	if (*r->at == '?') {
		r->at++;
	} else if (*r->at == '[' && read_set(&set, bytes, &negated)) {
		*r = set;
	} else {
		memset(bytes, 0, sizeof(bytes));
		negated = false;
		bytes[read_literal(r)] = true;
	}
	for (i = 0; i < 256; i++)
		g->takes[i] |= (uint64_t)(bytes[i] != negated) << g->n;
	g->n++;
}

bool kt_glob_parse(struct kt_glob *g, const char *pattern, size_t len)
{
	struct rest r = {pattern, pattern + len};

	memset(g, 0, sizeof(*g));
	while (r.at < r.end) {
		if (*r.at == '*') {
			g->stars |= 1ull << g->n;
			r.at++;
		} else if (g->n == KT_GLOB_MAX) {
			return false;
		} else {
			read_element(g, &r);
		}
	}
	return true;
}

const char *kt_glob_unclosed(const char *pattern, size_t len)
{
	struct rest r = {pattern, pattern + len}, set;
	bool ignored[256], negated;

	while (r.at < r.end) {
		set = (struct rest){r.at + 1, r.end};
		if (*r.at != '[')
			read_literal(&r);
		else if (read_set(&set, ignored, &negated))
			r = set;
		else
			return r.at;
	}
	return NULL;
}
