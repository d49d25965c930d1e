/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The types of the running kernel (BTF), as far as they describe arguments of tracepoints and
 * functions.
 *
 *	struct kt_btf *btf = kt_btf_new();
 *	struct kt_btf_target tp;
 *
 *	kt_btf_tracepoint(btf, "sched_waking", &tp, &err);
 *	expr = kt_expr_parse(&tp, "p->comm", &err);
 *
 * The first lookup reads /sys/kernel/btf/vmlinux, which takes about 10 ms and 10 MB.
 */
#ifndef KT_CTYPES_BTF_H
#define KT_CTYPES_BTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/scan.h"
#include "ctypes/btf_index.h"

struct btf;
struct btf_member;
struct kt_btf;
struct kt_error;

/*
 * Values that a program can get at any tracepoint:
 *
 * - the current task, and jiffies;
 * - at the return of an exec, the thread's number at its entry; at the return of any call, whether
 *   a text was late (generate/task_state.h);
 * - the registers at a system call, where the argument itself cannot be followed;
 * - at the return of a function, the ns since its entry (handlers/call_duration.h);
 * - the address of the kernel's array of struct pages, constant until reboot. Only on x86-64 is it
 *   known how to find it (hook/ask/vmemmap.h).
 */
enum kt_btf_global {
	KT_BTF_CURRENT,
	KT_BTF_JIFFIES,
	KT_BTF_ENTERED,
	KT_BTF_LATE,
	KT_BTF_REGS,
	KT_BTF_DURATION,
	KT_BTF_VMEMMAP,
	KT_BTF_GLOBALS,
};

/* A number can be followed as a pointer to type `to` after a call of kernel function `by`. */
struct kt_btf_cast {
	uint32_t to, by;
};

/* What a program is loaded for: a tracepoint, or a function of the kernel. */
struct kt_btf_target {
	const struct btf *btf;
	uint32_t id;    /* btf_trace_NAME, or the function; 0: any */
	uint32_t proto; /* the type of __traceiter_NAME, or of the function: names the arguments */
	bool is_function; /* else a tracepoint: its first parameter is no argument */
	bool is_return;   /* of a function: what it returns is an argument, too, called 'ret' */
	uint32_t globals[KT_BTF_GLOBALS]; /* types of the globals; 0 if the kernel has none */
	uint32_t shinfo, cast;   /* ids of struct skb_shared_info and bpf_rdonly_cast(); or 0 */
	struct kt_btf_cast regs; /* of the global */
};

/* Returns an object that has read nothing yet; NULL without memory. */
struct kt_btf *kt_btf_new(void);
void kt_btf_free(struct kt_btf *btf);

/*
 * Finds a tracepoint's types; they are valid as long as btf. Returns 0; -ENOENT if there is no such
 * tracepoint; or another -errno if the kernel has no readable BTF.
 */
int kt_btf_tracepoint(struct kt_btf *btf, const char *name, struct kt_btf_target *found,
		      struct kt_error *err);

/*
 * Finds a function of the kernel itself in the same way, for programs at its entry or its return.
 * The first call takes some 10 ms.
 */
int kt_btf_function(struct kt_btf *btf, const char *name, bool is_return,
		    struct kt_btf_target *found, struct kt_error *err);

/*
 * Makes the first argument `regs` a global for programs that are loaded for no tracepoint, which
 * takes the verifier half a millisecond less: it looks for the tracepoint among all types. Returns
 * false, and has done nothing, if there is no such argument or the kernel is older than 6.2.
 */
bool kt_btf_tracepoint_cast_regs(struct kt_btf_target *tp);

/* Returns the size of what a pointer global points to, in bytes. */
size_t kt_btf_size(const struct kt_btf_target *tp, enum kt_btf_global global);

/*
 * Finds a type by its name in the kernel's source (ctypes/btf_index.h). The first call takes some
 * ms. Returns 0, -ENOENT, or an error of reading BTF.
 */
int kt_btf_find(struct kt_btf *btf, enum kt_btf_index_kind kind, const char *name, uint32_t *type,
		struct kt_error *err);

/* Returns all types after a successful lookup. They remain btf's. */
const struct btf *kt_btf_types(const struct kt_btf *btf);

/*
 * Returns the declaration of a variable, "struct file *file", which the caller frees; or NULL
 * without memory.
 */
char *kt_btf_declare(struct kt_btf *btf, uint32_t type, const char *name);

/* Returns the type without qualifiers and typedefs. */
uint32_t kt_btf_bare(const struct btf *btf, uint32_t type);

/*
 * Finds a member of a struct or union, in anonymous members too. Adds its offset to *bits and sets
 * *size to the width of a bit field, else 0. Returns NULL if there is no such member.
 */
const struct btf_member *kt_btf_member(const struct btf *btf, uint32_t type, struct kt_word name,
				       unsigned int *bits, unsigned int *size);

/* Finds the offset of a struct's member in bytes. Returns 0 or -errno, as kt_btf_find(). */
int kt_btf_offset(struct kt_btf *btf, const char *of, const char *member, unsigned int *offset,
		  struct kt_error *err);

/* An enumerator to find. The name has len bytes and need not end there. */
struct kt_enumerator {
	const char *name;
	size_t len;
	bool is_known;
	int64_t value;
};

/*
 * Finds the values of n enumerators; if several share a name, the first. Takes some ms. Returns 0,
 * or an error of reading BTF, with is_known unchanged.
 */
int kt_btf_enumerators(struct kt_btf *btf, struct kt_enumerator *of, size_t n,
		       struct kt_error *err);

/* Finds one enumerator in types that were read already. Returns 0 or -ENOENT. */
int kt_btf_enumerator(const struct btf *btf, const char *name, size_t len, int64_t *value);

#endif
