// SPDX-License-Identifier: GPL-2.0-or-later
#include "ctypes/btf_index.h"

#include <bpf/btf.h>
#include <search.h>
#include <stdbool.h>
#include <stdlib.h>

struct kt_btf_index {
	struct hsearch_data kinds[KT_BTF_INDEX_KINDS];
	bool made[KT_BTF_INDEX_KINDS];
};

/* Returns the kind of a type; KT_BTF_INDEX_KINDS if it is not indexed. */
static enum kt_btf_index_kind classify_type(const struct btf_type *t)
{
	if (!t->name_off)
		return KT_BTF_INDEX_KINDS;
	if (btf_is_typedef(t))
		return KT_BTF_INDEX_TYPEDEF;
	if (btf_is_composite(t))
		return KT_BTF_INDEX_STRUCT;
	return btf_is_any_enum(t) ? KT_BTF_INDEX_ENUM : KT_BTF_INDEX_KINDS;
}

static bool allocate_tables(struct kt_btf_index *index, const struct btf *btf)
{
	size_t n[KT_BTF_INDEX_KINDS + 1] = {0};
	uint32_t i, n_types = btf__type_cnt(btf);
	int k;

	for (i = 1; i < n_types; i++)
		n[classify_type(btf__type_by_id(btf, i))]++;
	for (k = 0; k < KT_BTF_INDEX_KINDS; k++) {
		index->made[k] = hcreate_r(n[k] + n[k] / 2 + 1, &index->kinds[k]);
		if (!index->made[k])
			return false;
	}
	return true;
}

struct kt_btf_index *kt_btf_index_new(const struct btf *btf)
{
	struct kt_btf_index *index = calloc(1, sizeof(*index));
	uint32_t i, n_types = btf__type_cnt(btf);
	const struct btf_type *t;
	enum kt_btf_index_kind kind;
	ENTRY entry, *entered;

	if (!index || !allocate_tables(index, btf)) {
		kt_btf_index_free(index);
		return NULL;
	}
	for (i = 1; i < n_types; i++) {
		t = btf__type_by_id(btf, i);
		kind = classify_type(t);
		if (kind == KT_BTF_INDEX_KINDS)
			continue;
		entry.key = (char *)btf__name_by_offset(btf, t->name_off);
		entry.data = (void *)(uintptr_t)i;
		hsearch_r(entry, ENTER, &entered, &index->kinds[kind]);
	}
	return index;
}

void kt_btf_index_free(struct kt_btf_index *index)
{
	int k;

	if (!index)
		return;
	for (k = 0; k < KT_BTF_INDEX_KINDS; k++)
		if (index->made[k])
			hdestroy_r(&index->kinds[k]);
	free(index);
}

uint32_t kt_btf_index_find(const struct kt_btf_index *index, enum kt_btf_index_kind kind,
			   const char *name)
{
	ENTRY key = {.key = (char *)name}, *found;

	/* FIND does not modify the table */
	if (!hsearch_r(key, FIND, &found, (struct hsearch_data *)&index->kinds[kind]))
		return 0;
	return (uintptr_t)found->data;
}
