// SPDX-License-Identifier: GPL-2.0-or-later
#include "ctypes/btf_index.h"

#include <bpf/btf.h>
#include <stdlib.h>
#include <string.h>

/*
 * A hash table with open addressing, of the kinds together. (hsearch_r() hashes the first 8
 * letters, which are "bpf_prog" and the like in many names.)
 */
struct kt_btf_index {
	const struct btf *btf;
	size_t mask;
	uint32_t types[]; /* 0: free */
};

/* Set in `types` if functions of that name have different types. */
static const uint32_t AMBIGUOUS = 1u << 31;

/* Returns the kind of a type; KT_BTF_INDEX_KINDS if it is not indexed. */
static enum kt_btf_index_kind classify_type(const struct btf_type *t)
{
	if (!t->name_off)
		return KT_BTF_INDEX_KINDS;
	if (btf_is_typedef(t))
		return KT_BTF_INDEX_TYPEDEF;
	if (btf_is_func(t))
		return KT_BTF_INDEX_FUNCTION;
	if (btf_is_composite(t))
		return KT_BTF_INDEX_STRUCT;
	return btf_is_any_enum(t) ? KT_BTF_INDEX_ENUM : KT_BTF_INDEX_KINDS;
}

static bool is_indexed(const struct btf_type *t, bool of_functions)
{
	enum kt_btf_index_kind kind = classify_type(t);

	return kind != KT_BTF_INDEX_KINDS && (kind == KT_BTF_INDEX_FUNCTION) == of_functions;
}

/* FNV-1a */
static uint32_t hash_name(enum kt_btf_index_kind kind, const char *name)
{
	uint32_t hash = 2166136261 ^ kind;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619;
	return hash;
}

static const char *get_name(const struct btf *btf, const struct btf_type *t)
{
	return btf__name_by_offset(btf, t->name_off);
}

/* Returns the slot of the type of that name, or a free one. */
static size_t find_slot(const struct kt_btf_index *index, enum kt_btf_index_kind kind,
			const char *name)
{
	size_t slot = hash_name(kind, name) & index->mask;
	const struct btf_type *t;

	for (; index->types[slot]; slot = (slot + 1) & index->mask) {
		t = btf__type_by_id(index->btf, index->types[slot] & ~AMBIGUOUS);
		if (classify_type(t) == kind && strcmp(get_name(index->btf, t), name) == 0)
			break;
	}
	return slot;
}

/* Adds a type, unless one of its name and kind is there. */
static void add_type(struct kt_btf_index *index, uint32_t type)
{
	const struct btf_type *t = btf__type_by_id(index->btf, type);
	size_t slot = find_slot(index, classify_type(t), get_name(index->btf, t));

	if (!index->types[slot])
		index->types[slot] = type;
	else if (btf_is_func(t) &&
		 btf__type_by_id(index->btf, index->types[slot] & ~AMBIGUOUS)->type != t->type)
		index->types[slot] |= AMBIGUOUS;
}

struct kt_btf_index *kt_btf_index_new(const struct btf *btf, bool of_functions)
{
	uint32_t i, n_types = btf__type_cnt(btf);
	struct kt_btf_index *index;
	size_t size = 1, n = 0;

	for (i = 1; i < n_types; i++)
		n += is_indexed(btf__type_by_id(btf, i), of_functions);
	while (size <= 2 * n)
		size *= 2;
	index = calloc(1, sizeof(*index) + size * sizeof(*index->types));
	if (!index)
		return NULL;
	index->btf = btf;
	index->mask = size - 1;
	for (i = 1; i < n_types; i++) {
		if (is_indexed(btf__type_by_id(btf, i), of_functions))
			add_type(index, i);
	}
	return index;
}

void kt_btf_index_free(struct kt_btf_index *index)
{
	free(index);
}

uint32_t kt_btf_index_find(const struct kt_btf_index *index, enum kt_btf_index_kind kind,
			   const char *name)
{
	uint32_t type = index->types[find_slot(index, kind, name)];

	return type & AMBIGUOUS ? 0 : type;
}
