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
	void *stacks; /* BATCH of the largest kind */
	struct kt_mm_offsets mm;
};

static const struct {
	const char *name;
	size_t size;
} kinds_of[KT_CALLSTACK_KINDS] = {
	[KT_CALLSTACK_KERNEL] = {"kt_kernel_stack", sizeof(struct kt_callstack)},
	[KT_CALLSTACK_USER] = {"kt_user_stack", sizeof(struct kt_user_callstack)},
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
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_NO_PREALLOC);

	*table = bpf_map_create(BPF_MAP_TYPE_HASH, kinds_of[kind].name, sizeof(uint64_t),
				kinds_of[kind].size, KT_CALLSTACKS_MAX, &opts);
	return *table < 0 ? kt_capabilities_fail(err, errno, "cannot make a BPF map") : 0;
}

static int make_maps(struct kt_callstack_tables *t, struct kt_error *err)
{
	enum kt_callstack_kind kind;
	int ret = make_scratch(t, err);
	size_t largest = 0;

	for (kind = 0; kind < KT_CALLSTACK_KINDS && ret == 0; kind++) {
		if (!(t->kinds & KT_CALLSTACK_BIT(kind)))
			continue;
		largest = kinds_of[kind].size;
		ret = make_table(&t->tables[kind], kind, err);
	}
	if (ret < 0)
		return ret;
	t->stacks = calloc(BATCH, largest);
	return t->stacks ? 0 : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
}

/* Finds what programs need to know about address spaces. */
static int find_offsets(struct kt_callstack_tables *t, struct kt_btf *btf, struct kt_error *err)
{
	if (!(t->kinds & KT_CALLSTACK_BIT(KT_CALLSTACK_USER)) ||
	    kt_mm_offsets_find(btf, &t->mm, err) == 0)
		return 0;
	return kt_fail_because(err, "cannot record stacks in user space");
}

struct kt_callstack_tables *kt_callstack_tables_new(unsigned int kinds, struct kt_btf *btf,
						    struct kt_error *err)
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
	if (find_offsets(t, btf, err) == 0 && make_maps(t, err) == 0)
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
	free(t->stacks);
	free(t);
}

unsigned int kt_callstack_tables_kinds(const struct kt_callstack_tables *t)
{
	return t->kinds;
}

struct kt_callstack_maps kt_callstack_tables_maps(const struct kt_callstack_tables *t)
{
	struct kt_callstack_maps maps = {.scratch = t->scratch.fd, .mm = t->mm};

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
	*batch = (struct kt_callstack_batch){.n = n, .ids = t->ids, .is_last = ret < 0};
	if (kind == KT_CALLSTACK_USER)
		batch->user = t->stacks;
	else
		batch->kernel = t->stacks;
	return 0;
}
