/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An index of types by their names in the kernel's source.
 *
 *	struct kt_btf_index *index = kt_btf_index_new(btf, false);
 *	uint32_t type = kt_btf_index_find(index, KT_BTF_INDEX_STRUCT, "trace_event_call");
 *
 *	kt_btf_index_free(index);
 *
 * Building one takes some ms and MB.
 */
#ifndef KT_CTYPES_BTF_INDEX_H
#define KT_CTYPES_BTF_INDEX_H

#include <stdbool.h>
#include <stdint.h>

struct btf;
struct kt_btf_index;

/* Kinds of names: typedefs; structs and unions; enumerations; functions. */
enum kt_btf_index_kind {
	KT_BTF_INDEX_TYPEDEF,
	KT_BTF_INDEX_STRUCT,
	KT_BTF_INDEX_ENUM,
	KT_BTF_INDEX_FUNCTION,
	KT_BTF_INDEX_KINDS
};

/*
 * Indexes all functions of btf, or all other types; btf must outlive the index. Returns NULL
 * without memory.
 */
struct kt_btf_index *kt_btf_index_new(const struct btf *btf, bool of_functions);
void kt_btf_index_free(struct kt_btf_index *index);

/*
 * Returns the first type of that name, or 0. Functions of one name that differ in their types are
 * not found.
 */
uint32_t kt_btf_index_find(const struct kt_btf_index *index, enum kt_btf_index_kind kind,
			   const char *name);

#endif
