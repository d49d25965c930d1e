/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The types of the running kernel, as far as they tell what its tracepoints are called with.
 *
 *	struct kt_btf *btf = kt_btf_new();
 *	struct kt_btf_tracepoint tp;
 *
 *	kt_btf_tracepoint(btf, "sched_waking", &tp, &err);
 *	expr = kt_expr_parse(&tp, "p->comm", &err);
 *
 * The first question reads /sys/kernel/btf/vmlinux, which takes about 10 ms and 10 MB.
 */
#ifndef KT_CTYPES_BTF_H
#define KT_CTYPES_BTF_H

#include <stddef.h>
#include <stdint.h>

#include "base/scan.h"
#include "ctypes/btf_index.h"

struct btf;
struct btf_member;
struct kt_btf;
struct kt_error;

/*
 * What the kernel can ask anywhere: the task that runs, and its clock of ticks; at the return of an
 * exec the number that the thread had at its entry, and of any call whether a text was late
 * (generate/task_state.h); and where its array of struct
 * pages begins, which remains there until the machine is booted again. Of that it is known on
 * x86-64 alone how it is to be found (hook/vmemmap.h).
 */
enum kt_btf_global {
	KT_BTF_CURRENT,
	KT_BTF_JIFFIES,
	KT_BTF_ENTERED,
	KT_BTF_LATE,
	KT_BTF_VMEMMAP,
	KT_BTF_GLOBALS,
};

struct kt_btf_tracepoint {
	const struct btf *btf;
	uint32_t id;    /* btf_trace_NAME, which a program is loaded for */
	uint32_t proto; /* of __traceiter_NAME, which has the names of the arguments */
	uint32_t globals[KT_BTF_GLOBALS]; /* their types; 0 where the kernel's types have none */
	uint32_t shinfo, cast;            /* struct skb_shared_info and bpf_rdonly_cast(); or 0 */
};

/* Nothing is read yet. On lack of memory NULL. */
struct kt_btf *kt_btf_new(void);
void kt_btf_free(struct kt_btf *btf);

/*
 * 0, or -ENOENT where the kernel has no such tracepoint, or another error for a kernel that does
 * not tell its types. What is found is as long as btf.
 */
int kt_btf_tracepoint(struct kt_btf *btf, const char *name, struct kt_btf_tracepoint *found,
		      struct kt_error *err);

/* Of what a global that is a pointer points to, in bytes. */
size_t kt_btf_size(const struct kt_btf_tracepoint *tp, enum kt_btf_global global);

/*
 * The type that the kernel's source calls so (ctypes/btf_index.h). The first question takes some
 * ms. 0; or -ENOENT, or as kt_btf_tracepoint.
 */
int kt_btf_find(struct kt_btf *btf, enum kt_btf_index_kind kind, const char *name, uint32_t *type,
		struct kt_error *err);

/* All of them, once something was found. They remain btf's. */
const struct btf *kt_btf_types(const struct kt_btf *btf);

/* The type behind its qualifiers and typedefs. */
uint32_t kt_btf_bare(const struct btf *btf, uint32_t type);

/*
 * Where a struct or union has it, in its anonymous members too, is added to *bits: or NULL. *size
 * is that of a bit field, else 0.
 */
const struct btf_member *kt_btf_member(const struct btf *btf, uint32_t type, struct kt_word name,
				       unsigned int *bits, unsigned int *size);

/* Where a member of a struct begins, in bytes, also of an anonymous one. As kt_btf_find. */
int kt_btf_offset(struct kt_btf *btf, const char *of, const char *member, unsigned int *offset,
		  struct kt_error *err);

/* A name that need not end behind its len bytes, and its value. */
struct kt_enumerator {
	const char *name;
	size_t len;
	bool is_known;
	int64_t value;
};

/*
 * Finds the values of enumerators by their names; of several the first one's. Takes some ms. 0, or
 * as kt_btf_tracepoint, and is_known is as it was.
 */
int kt_btf_enumerators(struct kt_btf *btf, struct kt_enumerator *of, size_t n,
		       struct kt_error *err);

/* The same of one, in types that are read. 0 or -ENOENT. */
int kt_btf_enumerator(const struct btf *btf, const char *name, size_t len, int64_t *value);

#endif
