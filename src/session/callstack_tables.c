// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/callstack_tables.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpus.h"
#include "base/error.h"
#include "hook/bpffs.h"
#include "hook/capabilities.h"
#include "hook/map.h"

/* At least as many as one bucket of the kernel's hash table has. */
enum { BATCH = 1024 };

struct kt_callstack_tables {
	unsigned int kinds;
	bool keep;
	struct kt_map scratch;
	int tables[KT_CALLSTACK_KINDS];         /* those that do not keep stacks; -1: none */
	struct kt_map kept[KT_CALLSTACK_KINDS]; /* those that do */
	struct {
		bool is_begun; /* some were taken, and there may be more */
		uint32_t at;   /* where, as the kernel says */
	} progress[KT_CALLSTACK_KINDS];
	uint64_t ids[BATCH];
	void *stacks; /* BATCH of the largest kind */
	struct kt_mm_offsets mm;
};

#define PIN_OF_SCRATCH "stack_scratch"

static const struct {
	const char *name, *pin;
	size_t size, bucket, n_buckets;
} kinds_of[KT_CALLSTACK_KINDS] = {
	[KT_CALLSTACK_KERNEL] = {"kt_kernel_stack", "kernel_stacks", sizeof(struct kt_callstack),
				 sizeof(struct kt_callstack_bucket), KT_CALLSTACK_BUCKETS},
	[KT_CALLSTACK_USER] = {"kt_user_stack", "user_stacks", sizeof(struct kt_user_callstack),
			       sizeof(struct kt_user_callstack_bucket), KT_USER_CALLSTACK_BUCKETS},
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

static int make_kept(struct kt_map *table, enum kt_callstack_kind kind, struct kt_error *err)
{
	return kt_map_make(table, kinds_of[kind].name, kinds_of[kind].bucket,
			   kinds_of[kind].n_buckets, err);
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
		ret = t->keep ? make_kept(&t->kept[kind], kind, err)
			      : make_table(&t->tables[kind], kind, err);
	}
	if (ret < 0 || t->keep)
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

static struct kt_callstack_tables *allocate(struct kt_error *err)
{
	struct kt_callstack_tables *t = calloc(1, sizeof(*t));
	enum kt_callstack_kind kind;

	if (!t)
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	for (kind = 0; t && kind < KT_CALLSTACK_KINDS; kind++)
		t->tables[kind] = -1;
	return t;
}

struct kt_callstack_tables *kt_callstack_tables_new(unsigned int kinds, bool keep,
						    struct kt_btf *btf, struct kt_error *err)
{
	struct kt_callstack_tables *t = allocate(err);

	if (!t)
		return NULL;
	t->kinds = kinds;
	t->keep = keep;
	if (find_offsets(t, btf, err) == 0 && make_maps(t, err) == 0)
		return t;
	kt_callstack_tables_free(t);
	return NULL;
}

/* Returns the table of a kind, or -1. */
static int get_table(const struct kt_callstack_tables *t, enum kt_callstack_kind kind)
{
	return t->kept[kind].memory ? t->kept[kind].fd : t->tables[kind];
}

int kt_callstack_tables_pin(const struct kt_callstack_tables *t, int dir, struct kt_error *err)
{
	int ret = kt_bpffs_pin(dir, PIN_OF_SCRATCH, t->scratch.fd, err);
	enum kt_callstack_kind kind;

	for (kind = 0; kind < KT_CALLSTACK_KINDS && ret == 0; kind++)
		if (t->kinds & KT_CALLSTACK_BIT(kind))
			ret = kt_bpffs_pin(dir, kinds_of[kind].pin, get_table(t, kind), err);
	return ret;
}

/* Opens a pinned map of at least that size. Returns 0 or -errno. */
static int open_map(struct kt_map *m, int dir, const char *pin, size_t size, struct kt_error *err)
{
	int fd = kt_bpffs_get(dir, pin, err);

	if (fd < 0 || kt_map_from(m, fd, err) < 0)
		return -err->code;
	return m->size >= size ? 0 : kt_fail(err, EPROTO, "%s: not written by ktrace", pin);
}

static int open_kept(struct kt_callstack_tables *t, enum kt_callstack_kind kind, int dir,
		     struct kt_error *err)
{
	int ret = open_map(&t->kept[kind], dir, kinds_of[kind].pin,
			   kinds_of[kind].bucket * kinds_of[kind].n_buckets, err);

	if (ret == 0)
		t->kinds |= KT_CALLSTACK_BIT(kind);
	return ret == -ENOENT ? 0 : ret;
}

/* The scratch memory is the last to be found: without it there are no stacks. */
static int open_maps(struct kt_callstack_tables *t, int dir, struct kt_error *err)
{
	enum kt_callstack_kind kind;
	int ret = 0;

	for (kind = 0; kind < KT_CALLSTACK_KINDS && ret == 0; kind++)
		ret = open_kept(t, kind, dir, err);
	return ret < 0 ? ret
		       : open_map(&t->scratch, dir, PIN_OF_SCRATCH,
				  sizeof(struct kt_callstack_scratch), err);
}

struct kt_callstack_tables *kt_callstack_tables_open(int dir, struct kt_btf *btf,
						     struct kt_error *err)
{
	struct kt_callstack_tables *t = allocate(err);

	if (!t)
		return NULL;
	t->keep = true;
	if (open_maps(t, dir, err) == 0 && (!btf || find_offsets(t, btf, err) == 0))
		return t;
	kt_callstack_tables_free(t);
	return NULL;
}

void kt_callstack_tables_free(struct kt_callstack_tables *t)
{
	enum kt_callstack_kind kind;

	if (!t)
		return;
	for (kind = 0; kind < KT_CALLSTACK_KINDS; kind++) {
		if (t->tables[kind] >= 0)
			close(t->tables[kind]);
		if (t->kept[kind].memory)
			kt_map_free(&t->kept[kind]);
	}
	if (t->scratch.memory)
		kt_map_free(&t->scratch);
	free(t->stacks);
	free(t);
}

unsigned int kt_callstack_tables_kinds(const struct kt_callstack_tables *t)
{
	return t->kinds;
}

bool kt_callstack_tables_keep(const struct kt_callstack_tables *t)
{
	return t->keep;
}

struct kt_callstack_maps kt_callstack_tables_maps(const struct kt_callstack_tables *t)
{
	struct kt_callstack_maps maps = {.scratch = t->scratch.fd, .keep = t->keep, .mm = t->mm};
	enum kt_callstack_kind kind;

	for (kind = 0; kind < KT_CALLSTACK_KINDS; kind++)
		maps.tables[kind] = get_table(t, kind);
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

/* Returns the bucket of an id; of the other kind, too, stacks are at the same offset. */
static const struct kt_callstack_bucket *get_bucket(const struct kt_callstack_tables *t,
						    enum kt_callstack_kind kind, uint64_t id)
{
	size_t i = kt_callstack_bucket(id, kinds_of[kind].n_buckets);

	return (const void *)((const char *)t->kept[kind].memory + i * kinds_of[kind].bucket);
}

/* Copies the stack in a place. Returns whether it had that id from begin to end. */
static bool copy_place(const struct kt_callstack_bucket *b, size_t place,
		       enum kt_callstack_kind kind, uint64_t id, union kt_any_callstack *stack)
{
	size_t size = kinds_of[kind].size;

	if (__atomic_load_n(&b->ids[place], __ATOMIC_ACQUIRE) != id)
		return false;
	memcpy(stack, (const char *)b->stacks + place * size, size);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return __atomic_load_n(&b->ids[place], __ATOMIC_RELAXED) == id;
}

/* Returns whether a program is writing to a place. */
static bool is_being_written(const struct kt_callstack_bucket *b)
{
	size_t i;

	for (i = 0; i < KT_CALLSTACK_PLACES; i++)
		if (__atomic_load_n(&b->ids[i], __ATOMIC_ACQUIRE) == KT_CALLSTACK_LOST)
			return true;
	return false;
}

/* The stack may be the one that another program, of another record, is writing. */
bool kt_callstack_tables_find(const struct kt_callstack_tables *t, enum kt_callstack_kind kind,
			      uint64_t id, union kt_any_callstack *stack)
{
	enum { TRIES = 64 };
	const struct kt_callstack_bucket *b;
	bool again = true;
	size_t place;
	int tries;

	if (!t->kept[kind].memory || id < KT_CALLSTACK_FIRST)
		return false;
	b = get_bucket(t, kind, id);
	for (tries = 0; tries < TRIES && again; tries++) {
		if (tries > 0)
			sched_yield();
		again = is_being_written(b);
		for (place = 0; place < KT_CALLSTACK_PLACES; place++)
			if (copy_place(b, place, kind, id, stack))
				return true;
	}
	return false;
}
