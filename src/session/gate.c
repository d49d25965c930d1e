// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/gate.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "hook/map.h"

struct kt_gate {
	struct kt_map map;
};

/* In the word, which is below 0 then. */
#define SHUT (UINT64_C(1) << 63)

static uint64_t *word(const struct kt_gate *g)
{
	return g->map.memory;
}

static struct kt_gate *gate_of(struct kt_map map, struct kt_error *err)
{
	struct kt_gate *g = calloc(1, sizeof(*g));

	if (!g) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		kt_map_free(&map);
		return NULL;
	}
	g->map = map;
	return g;
}

struct kt_gate *kt_gate_new(struct kt_error *err)
{
	struct kt_map map;
	struct kt_gate *g;

	if (kt_map_make(&map, "kt_gate", sizeof(uint64_t), 1, err) < 0)
		return NULL;
	g = gate_of(map, err);
	if (g)
		kt_gate_shut(g);
	return g;
}

struct kt_gate *kt_gate_from(int fd, struct kt_error *err)
{
	struct kt_map map;

	return kt_map_from(&map, fd, err) < 0 ? NULL : gate_of(map, err);
}

void kt_gate_free(struct kt_gate *g)
{
	if (!g)
		return;
	kt_map_free(&g->map);
	free(g);
}

int kt_gate_fd(const struct kt_gate *g)
{
	return g->map.fd;
}

void kt_gate_open(struct kt_gate *g)
{
	__atomic_fetch_and(word(g), ~SHUT, __ATOMIC_SEQ_CST);
}

void kt_gate_shut(struct kt_gate *g)
{
	__atomic_fetch_or(word(g), SHUT, __ATOMIC_SEQ_CST);
}

void kt_gate_turn(struct kt_gate *g, uint32_t row)
{
	__atomic_store_n(word(g), row, __ATOMIC_SEQ_CST);
}

uint32_t kt_gate_row(const struct kt_gate *g)
{
	return __atomic_load_n(word(g), __ATOMIC_SEQ_CST) & ~SHUT;
}
