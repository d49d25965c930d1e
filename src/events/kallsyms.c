// SPDX-License-Identifier: GPL-2.0-or-later
#include "events/kallsyms.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "constants/symbols.h"

enum { REACH_MAX = 64 << 10 };

/* The start of a symbol, and its name with its module: "nft_do_chain [nf_tables]". */
struct mark {
	uint64_t at;
	char *name; /* NULL: no symbol */
};

/* The symbols next to an address, among those between its neighbours in the list. */
struct place {
	struct mark below, above; /* below is at the address or below it */
};

/* Returns the index of the first address that is not below `at`. */
static size_t lower_bound(const uint64_t *addresses, size_t n, uint64_t at)
{
	size_t low = 0, high = n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (addresses[middle] < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int set_mark(struct mark *mark, uint64_t at, const char *name)
{
	char *copy = strdup(name);

	if (!copy)
		return -ENOMEM;
	free(mark->name);
	*mark = (struct mark){at, copy};
	return 0;
}

static int note_mark(struct place *places, const uint64_t *addresses, size_t n, uint64_t at,
		     const char *name)
{
	size_t i = lower_bound(addresses, n, at);
	struct mark *below = i < n ? &places[i].below : NULL;
	struct mark *above = i > 0 ? &places[i - 1].above : NULL;
	int ret = 0;

	if (below && (!below->name || at > below->at))
		ret = set_mark(below, at, name);
	if (above && (!above->name || at < above->at) && ret == 0)
		ret = set_mark(above, at, name);
	return ret;
}

bool kt_kallsyms_parse(char *line, uint64_t *at, char *type, char **name)
{
	char *c;

	*at = strtoull(line, &c, 16);
	if (c == line || c[0] != ' ' || !c[1] || c[2] != ' ')
		return false;
	*type = c[1];
	*name = c + 3;
	line[strcspn(line, "\n")] = '\0';
	c = strchr(*name, '\t');
	if (c)
		*c = ' ';
	return **name;
}

/* Skips absolute symbols: they are offsets of per-CPU variables, not addresses. */
static int read_marks(FILE *f, struct place *places, const uint64_t *addresses, size_t n,
		      struct kt_error *err)
{
	bool any = false;
	char *line = NULL, *name, type;
	size_t size = 0;
	uint64_t at;
	int ret = 0;

	while (ret == 0 && getline(&line, &size, f) > 0) {
		if (!kt_kallsyms_parse(line, &at, &type, &name) || !at || strchr("aA", type))
			continue;
		any = true;
		ret = note_mark(places, addresses, n, at, name);
	}
	if (ret == 0 && ferror(f))
		ret = -EIO;
	free(line);
	if (ret < 0)
		return kt_fail(err, -ret, "%s", strerror(-ret));
	return any ? 0
		   : kt_fail(err, EPERM,
			     "the kernel hides its addresses (kernel.kptr_restrict, CAP_SYSLOG)");
}

static bool is_other_module(const struct mark *a, const struct mark *b)
{
	return strcmp(strchrnul(a->name, ' '), strchrnul(b->name, ' '));
}

/* Returns the last address that belongs to `below`. */
static uint64_t find_last_address(const struct mark *below, const struct mark *above)
{
	uint64_t reach = below->at + REACH_MAX - 1;

	if (reach < below->at)
		reach = UINT64_MAX;
	if (!above->name)
		return reach;
	return is_other_module(below, above) && reach < above->at ? reach : above->at - 1;
}

/* Adds one symbol per address; addresses without a symbol of their own share the previous one's. */
static int add_symbols(struct place *places, const uint64_t *addresses, size_t n,
		       struct kt_symbols *symbols)
{
	const struct mark *below;
	size_t i, next;
	uint64_t last;
	int ret = 0;

	for (i = 0; i < n && ret == 0; i = next) {
		below = &places[i].below;
		for (next = i + 1; next < n && !places[next].below.name; next++)
			;
		if (!below->name)
			continue;
		last = find_last_address(below, &places[next - 1].above);
		if (addresses[i] <= last)
			ret = kt_symbols_add(symbols, below->at, last, below->name);
	}
	return ret;
}

static int find_symbols(FILE *f, const uint64_t *addresses, size_t n, struct kt_symbols *symbols,
			struct kt_error *err)
{
	struct place *places = calloc(n, sizeof(*places));
	size_t i;
	int ret;

	if (!places)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	ret = read_marks(f, places, addresses, n, err);
	if (ret == 0) {
		ret = add_symbols(places, addresses, n, symbols);
		if (ret < 0)
			kt_fail(err, -ret, "%s", strerror(-ret));
	}
	for (i = 0; i < n; i++) {
		free(places[i].below.name);
		free(places[i].above.name);
	}
	free(places);
	return ret;
}

int kt_kallsyms_find(const char *path, const uint64_t *addresses, size_t n,
		     struct kt_symbols *symbols, struct kt_error *err)
{
	FILE *f = fopen(path, "re");
	int ret;

	if (!f)
		return kt_fail(err, errno, "%s: %s", path, strerror(errno));
	ret = find_symbols(f, addresses, n, symbols, err);
	fclose(f);
	return ret < 0 ? kt_fail_because(err, "%s", path) : 0;
}
