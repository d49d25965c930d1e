/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types by the names that source has for them.
 *
 *	struct kt_btf_index *index = kt_btf_index_new(btf);
 *	uint32_t type = kt_btf_index_find(index, KT_BTF_INDEX_STRUCT, "trace_event_call");
 *
 *	kt_btf_index_free(index);
 *
 * Some ms and MB for a kernel's types.
 */
#ifndef KT_CTYPES_BTF_INDEX_H
#define KT_CTYPES_BTF_INDEX_H

#include <stdint.h>

struct btf;
struct kt_btf_index;

/* Typedefs; structs and unions; enumerations. */
enum kt_btf_index_kind {
	KT_BTF_INDEX_TYPEDEF,
	KT_BTF_INDEX_STRUCT,
	KT_BTF_INDEX_ENUM,
	KT_BTF_INDEX_KINDS
};

/* Of all types of btf, which must outlive it. On lack of memory NULL. */
struct kt_btf_index *kt_btf_index_new(const struct btf *btf);
void kt_btf_index_free(struct kt_btf_index *index);

/* The type, the first one of that name, or 0. */
uint32_t kt_btf_index_find(const struct kt_btf_index *index, enum kt_btf_index_kind kind,
			   const char *name);

#endif
