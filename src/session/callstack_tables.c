// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/callstack_tables.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpus.h"
#include "base/error.h"
#include "hook/capabilities.h"
#include "hook/map.h"

/* At least as many as one bucket of the kernel's hash table has. */
enum { BATCH = 1024 };

struct kt_callstack_tables {
	unsigned int kinds;
	struct kt_map scratch;
	int tables[KT_CALLSTACK_KINDS]; /* -1: none */
	struct {
		bool is_begun; /* some were taken, and there may be more */
		uint32_t at;   /* where, as the kernel says */
	} progress[KT_CALLSTACK_KINDS];
	uint64_t ids[BATCH];
	struct kt_callstack stacks[BATCH];
};

static int make_scratch(struct kt_callstack_tables *t, struct kt_error *err)
{
	int n = kt_cpus_possible(err);

	return n < 0 ? n
		     : kt_map_make(&t->scratch, "kt_stacks", sizeof(struct kt_callstack_scratch), n,
				   err);
}

static int make_table(int *table, enum kt_callstack_kind kind, struct kt_error *err)
{
	static const char *const names[KT_CALLSTACK_KINDS] = {
		[KT_CALLSTACK_KERNEL] = "kt_kernel_stack",
	};
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_NO_PREALLOC);

	*table = bpf_map_create(BPF_MAP_TYPE_HASH, names[kind], sizeof(uint64_t),
				sizeof(struct kt_callstack), KT_CALLSTACKS_MAX, &opts);
	return *table < 0 ? kt_capabilities_fail(err, errno, "cannot make a BPF map") : 0;
}

static int make_maps(struct kt_callstack_tables *t, struct kt_error *err)
{
	enum kt_callstack_kind kind;
	int ret = make_scratch(t, err);

	for (kind = 0; kind < KT_CALLSTACK_KINDS && ret == 0; kind++)
		if (t->kinds & KT_CALLSTACK_BIT(kind))
			ret = make_table(&t->tables[kind], kind, err);
	return ret;
}

struct kt_callstack_tables *kt_callstack_tables_new(unsigned int kinds, struct kt_error *err)
{
	struct kt_callstack_tables *t = calloc(1, sizeof(*t));
	enum kt_callstack_kind kind;

	if (!t) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	t->kinds = kinds;
	for (kind = 0; kind < KT_CALLSTACK_KINDS; kind++)
		t->tables[kind] = -1;
	if (make_maps(t, err) == 0)
		return t;
	kt_callstack_tables_free(t);
	return NULL;
}

void kt_callstack_tables_free(struct kt_callstack_tables *t)
{
	enum kt_callstack_kind kind;

	if (!t)
		return;
	for (kind = 0; kind < KT_CALLSTACK_KINDS; kind++)
		if (t->tables[kind] >= 0)
			close(t->tables[kind]);
	if (t->scratch.memory)
		kt_map_free(&t->scratch);
	free(t);
}

unsigned int kt_callstack_tables_kinds(const struct kt_callstack_tables *t)
{
	return t->kinds;
}

struct kt_callstack_maps kt_callstack_tables_maps(const struct kt_callstack_tables *t)
{
	struct kt_callstack_maps maps = {.scratch = t->scratch.fd};

	memcpy(maps.tables, t->tables, sizeof(maps.tables));
	return maps;
}

/* With the last ones the kernel says ENOENT. */
int kt_callstack_tables_take(struct kt_callstack_tables *t, enum kt_callstack_kind kind,
			     struct kt_callstack_batch *batch, struct kt_error *err)
{
	bool *is_begun = &t->progress[kind].is_begun;
	uint32_t *at = &t->progress[kind].at, n = BATCH;
	int ret;

	*batch = (struct kt_callstack_batch){.is_last = true};
	if (!(t->kinds & KT_CALLSTACK_BIT(kind)))
		return 0;
	ret = bpf_map_lookup_and_delete_batch(t->tables[kind], *is_begun ? at : NULL, at, t->ids,
					      t->stacks, &n, NULL);
	*is_begun = ret == 0;
	if (ret < 0 && errno != ENOENT)
		return kt_fail(err, errno, "cannot read stacks: %s", strerror(errno));
	*batch = (struct kt_callstack_batch){n, t->ids, t->stacks, ret < 0};
	return 0;
}
