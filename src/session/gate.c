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

	if (kt_map_make(&map, "kt_gate", sizeof(uint64_t), 1, err) < 0)
		return NULL;
	return gate_of(map, err);
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

static void set(struct kt_gate *g, uint64_t open)
{
	__atomic_store_n((uint64_t *)g->map.memory, open, __ATOMIC_SEQ_CST);
}

void kt_gate_open(struct kt_gate *g)
{
	set(g, 1);
}

void kt_gate_shut(struct kt_gate *g)
{
	set(g, 0);
}
