// SPDX-License-Identifier: GPL-2.0-or-later
#include "ctypes/btf.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/scan.h"
#include "ctypes/btf_declaration.h"

/* Prefixes of the kernel's names for a tracepoint's types. */
static const char ID[] = "btf_trace_", ITERATOR[] = "__traceiter_";

enum known { TASK, PAGE, SHINFO, CAST, N_KNOWN };

/* A type by its full name; the name is the BTF's. */
struct entry {
	const char *name;
	uint32_t type;
};

struct kt_btf {
	struct btf *btf;
	bool is_read;
	struct kt_error failed; /* why reading failed; code 0: it did not */
	size_t n, room;
	struct entry *entries; /* sorted by name */
	uint32_t globals[KT_BTF_GLOBALS];
	uint32_t known[N_KNOWN];                  /* ids of known types */
	struct kt_btf_index *index, *functions;   /* NULL until the first lookup by name */
	struct kt_btf_declarations *declarations; /* NULL until the first one */
};

struct kt_btf *kt_btf_new(void)
{
	return calloc(1, sizeof(struct kt_btf));
}

void kt_btf_free(struct kt_btf *b)
{
	if (!b)
		return;
	kt_btf_declarations_free(b->declarations);
	kt_btf_index_free(b->index);
	kt_btf_index_free(b->functions);
	btf__free(b->btf);
	free(b->entries);
	free(b);
}

static int compare_entries(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

static int add_entry(struct kt_btf *b, const char *name, uint32_t type)
{
	struct entry *more;

	if (b->n == b->room) {
		b->room = b->room ? 2 * b->room : 4096;
		more = reallocarray(b->entries, b->room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		b->entries = more;
	}
	b->entries[b->n++] = (struct entry){name, type};
	return 0;
}

#ifdef __x86_64__
static const bool has_vmemmap = true;
#else
static const bool has_vmemmap = false;
#endif

/* Finds the types that point to the known structs. */
static void find_pointer_types(struct kt_btf *b)
{
	uint32_t task = b->known[TASK], page = b->known[PAGE];
	uint32_t i, n = btf__type_cnt(b->btf);
	const struct btf_type *t;

	for (i = 1; i < n; i++) {
		t = btf__type_by_id(b->btf, i);
		if (!btf_is_ptr(t) || !t->type)
			continue;
		if (t->type == task)
			b->globals[KT_BTF_CURRENT] = i;
		else if (t->type == page && has_vmemmap)
			b->globals[KT_BTF_VMEMMAP] = i;
	}
}

/* Returns whether a type is 'unsigned long' or 'long', whose names differ between compilers. */
static bool is_number_type(const struct btf_type *t, size_t size, unsigned int encoding)
{
	return btf_is_int(t) && btf_int_encoding(t) == encoding && t->size == size;
}

/* Remembers three structs and a function by name. */
static void note_known_type(struct kt_btf *b, const struct btf_type *t, const char *name,
			    uint32_t type)
{
	static const char *const names[] = {
		[TASK] = "task_struct",
		[PAGE] = "page",
		[SHINFO] = "skb_shared_info",
		[CAST] = "bpf_rdonly_cast",
	};
	int i;

	for (i = 0; i < N_KNOWN; i++)
		if (strcmp(name, names[i]) == 0 && btf_is_func(t) == (i == CAST))
			b->known[i] = type;
}

/* Collects everything in one pass: each search of libbpf is a pass of its own. */
static int add_entries(struct kt_btf *b)
{
	uint32_t i, n = btf__type_cnt(b->btf);
	const struct btf_type *t;
	const char *name;
	int ret = 0;

	for (i = 1; i < n && ret == 0; i++) {
		t = btf__type_by_id(b->btf, i);
		if (is_number_type(t, sizeof(long), 0))
			b->globals[KT_BTF_JIFFIES] = i;
		else if (is_number_type(t, sizeof(long), BTF_INT_SIGNED) &&
			 !b->globals[KT_BTF_DURATION])
			b->globals[KT_BTF_DURATION] = i;
		else if (is_number_type(t, sizeof(uint32_t), 0))
			b->globals[KT_BTF_ENTERED] = b->globals[KT_BTF_LATE] = i;
		if (!btf_is_typedef(t) && !btf_is_func(t) && !btf_is_struct(t))
			continue;
		name = btf__name_by_offset(b->btf, t->name_off);
		if (btf_is_typedef(t) && strncmp(name, ID, strlen(ID)) == 0)
			ret = add_entry(b, name, i);
		else if (btf_is_func(t) && strncmp(name, ITERATOR, strlen(ITERATOR)) == 0)
			ret = add_entry(b, name, t->type);
		else if (!btf_is_typedef(t))
			note_known_type(b, t, name, i);
	}
	if (ret < 0)
		return ret;
	qsort(b->entries, b->n, sizeof(*b->entries), compare_entries);
	find_pointer_types(b);
	return 0;
}

/* Reads the file directly: libbpf's own search drops the reason why a file could not be read. */
static struct btf *read_vmlinux(void)
{
	struct btf *btf = btf__parse("/sys/kernel/btf/vmlinux", NULL);

	return btf || errno != ENOENT ? btf : btf__load_vmlinux_btf();
}

static void read_once(struct kt_btf *b)
{
	libbpf_print_fn_t print;
	int ret;

	if (b->is_read)
		return;
	b->is_read = true;
	print = libbpf_set_print(NULL); /* libbpf prints to stderr what we return as an error */
	b->btf = read_vmlinux();
	ret = b->btf ? add_entries(b) : -errno;
	libbpf_set_print(print);
	if (ret == -ESRCH)
		kt_fail(&b->failed, ENOENT,
			"this kernel has no types (BTF): it was built without "
			"CONFIG_DEBUG_INFO_BTF");
	else if (ret < 0)
		kt_fail(&b->failed, -ret, "cannot read the kernel's types (BTF): %s",
			strerror(-ret));
}

static int ensure_read(struct kt_btf *b, struct kt_error *err)
{
	read_once(b);
	if (!b->failed.code)
		return 0;
	*err = b->failed;
	return -err->code;
}

/* Returns the type of that name, or 0. */
static uint32_t find_entry(const struct kt_btf *b, const char *prefix, const char *name)
{
	char whole[256];
	struct entry key = {.name = whole}, *e;

	if (strlen(prefix) + strlen(name) >= sizeof(whole) || !b->n)
		return 0;
	strcat(strcpy(whole, prefix), name);
	e = bsearch(&key, b->entries, b->n, sizeof(key), compare_entries);
	return e ? e->type : 0;
}

int kt_btf_tracepoint(struct kt_btf *b, const char *name, struct kt_btf_target *found,
		      struct kt_error *err)
{
	if (ensure_read(b, err) < 0)
		return -err->code;
	*found = (struct kt_btf_target){
		.btf = b->btf,
		.id = find_entry(b, ID, name),
		.proto = find_entry(b, ITERATOR, name),
		.shinfo = b->known[SHINFO],
		.cast = b->known[CAST],
	};
	memcpy(found->globals, b->globals, sizeof(b->globals));
	found->globals[KT_BTF_DURATION] = 0;
	if (found->id && found->proto)
		return 0;
	return kt_fail(err, ENOENT, "the kernel's types (BTF) have no tracepoint '%s'", name);
}

int kt_btf_function(struct kt_btf *b, const char *name, bool is_return, struct kt_btf_target *found,
		    struct kt_error *err)
{
	static const enum kt_btf_global usable[] = {KT_BTF_CURRENT, KT_BTF_JIFFIES, KT_BTF_VMEMMAP};
	uint32_t id;
	size_t i;

	if (kt_btf_find(b, KT_BTF_INDEX_FUNCTION, name, &id, err) < 0)
		return -err->code;
	*found = (struct kt_btf_target){
		.btf = b->btf,
		.is_function = true,
		.is_return = is_return,
		.id = id,
		.proto = btf__type_by_id(b->btf, id)->type,
		.shinfo = b->known[SHINFO],
		.cast = b->known[CAST],
	};
	for (i = 0; i < sizeof(usable) / sizeof(*usable); i++)
		found->globals[usable[i]] = b->globals[usable[i]];
	if (is_return)
		found->globals[KT_BTF_DURATION] = b->globals[KT_BTF_DURATION];
	return 0;
}

char *kt_btf_declare(struct kt_btf *b, uint32_t type, const char *name)
{
	if (!b->declarations)
		b->declarations = kt_btf_declarations_new(b->btf);
	return b->declarations ? kt_btf_declaration(b->declarations, type, name) : NULL;
}

bool kt_btf_tracepoint_cast_regs(struct kt_btf_target *tp)
{
	const struct btf_type *proto = btf__type_by_id(tp->btf, tp->proto), *pointer;
	const struct btf_param *first = btf_params(proto) + 1;

	if (!tp->cast || btf_vlen(proto) < 2 ||
	    strcmp(btf__name_by_offset(tp->btf, first->name_off), "regs") != 0)
		return false;
	pointer = btf__type_by_id(tp->btf, first->type);
	if (!btf_is_ptr(pointer))
		return false;
	tp->regs = (struct kt_btf_cast){.to = pointer->type, .by = tp->cast};
	tp->globals[KT_BTF_REGS] = first->type;
	tp->id = 0;
	return true;
}

size_t kt_btf_size(const struct kt_btf_target *tp, enum kt_btf_global global)
{
	return btf__type_by_id(tp->btf, btf__type_by_id(tp->btf, tp->globals[global])->type)->size;
}

int kt_btf_find(struct kt_btf *b, enum kt_btf_index_kind kind, const char *name, uint32_t *type,
		struct kt_error *err)
{
	bool is_function = kind == KT_BTF_INDEX_FUNCTION;
	struct kt_btf_index **index = is_function ? &b->functions : &b->index;

	if (ensure_read(b, err) < 0)
		return -err->code;
	if (!*index)
		*index = kt_btf_index_new(b->btf, is_function);
	if (!*index)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	*type = kt_btf_index_find(*index, kind, name);
	if (*type)
		return 0;
	if (is_function)
		return kt_fail(err, ENOENT,
			       "the kernel's types (BTF) have no function '%s', or several", name);
	return kt_fail(err, ENOENT, "the kernel's types (BTF) have no type '%s'", name);
}

const struct btf *kt_btf_types(const struct kt_btf *b)
{
	return b->btf;
}

uint32_t kt_btf_bare(const struct btf *btf, uint32_t type)
{
	const struct btf_type *t = btf__type_by_id(btf, type);

	while (btf_is_mod(t) || btf_is_typedef(t)) {
		type = t->type;
		t = btf__type_by_id(btf, type);
	}
	return type;
}

const struct btf_member *kt_btf_member(const struct btf *btf, uint32_t type, struct kt_word name,
				       unsigned int *bits, unsigned int *size)
{
	const struct btf_type *t = btf__type_by_id(btf, type);
	const struct btf_member *m = btf_members(t), *found = NULL;
	unsigned int at;
	uint32_t inner;
	int i;

	for (i = 0; i < btf_vlen(t) && !found; i++, m++) {
		at = btf_member_bit_offset(t, i);
		inner = kt_btf_bare(btf, m->type);
		if (kt_word_is(name, btf__name_by_offset(btf, m->name_off))) {
			found = m;
			*size = btf_member_bitfield_size(t, i);
		} else if (!*btf__name_by_offset(btf, m->name_off) &&
			   btf_is_composite(btf__type_by_id(btf, inner))) {
			found = kt_btf_member(btf, inner, name, &at, size);
		}
		if (found)
			*bits += at;
	}
	return found;
}

int kt_btf_offset(struct kt_btf *b, const char *of, const char *member, unsigned int *offset,
		  struct kt_error *err)
{
	struct kt_word name = {member, strlen(member)};
	unsigned int bits = 0, size = 0;
	uint32_t type;

	if (kt_btf_find(b, KT_BTF_INDEX_STRUCT, of, &type, err) < 0)
		return -err->code;
	if (!kt_btf_member(b->btf, type, name, &bits, &size) || size)
		return kt_fail(err, ENOENT, "the kernel's 'struct %s' has no '%s'", of, member);
	*offset = bits / 8;
	return 0;
}

static bool is_enumerator_name(const char *s, const struct kt_enumerator *of)
{
	return *s == *of->name && strncmp(s, of->name, of->len) == 0 && !s[of->len];
}

/* Returns the value of the i-th enumerator. */
static int64_t get_enumerator_value(const struct btf_type *t, int i)
{
	const struct btf_enum *e = btf_enum(t) + i;

	if (!btf_is_enum(t))
		return btf_enum64_value(btf_enum64(t) + i);
	return btf_kflag(t) ? e->val : (int64_t)(uint32_t)e->val;
}

static const char *get_enumerator_name(const struct btf *btf, const struct btf_type *t, int i)
{
	return btf__name_by_offset(btf, btf_is_enum(t) ? btf_enum(t)[i].name_off
						       : btf_enum64(t)[i].name_off);
}

/* Finds enumerators in one type of any kind. Returns how many it found. */
static size_t find_enumerators(const struct btf *btf, const struct btf_type *t,
			       struct kt_enumerator *of, size_t n)
{
	int i, n_values = btf_is_any_enum(t) ? btf_vlen(t) : 0;
	size_t n_found = 0, k;
	const char *name;

	for (i = 0; i < n_values; i++) {
		name = get_enumerator_name(btf, t, i);
		for (k = 0; k < n; k++) {
			if (of[k].is_known || !is_enumerator_name(name, &of[k]))
				continue;
			of[k].value = get_enumerator_value(t, i);
			of[k].is_known = true;
			n_found++;
		}
	}
	return n_found;
}

static void find_all_enumerators(const struct btf *btf, struct kt_enumerator *of, size_t n)
{
	uint32_t i, n_types = btf__type_cnt(btf);
	size_t missing = n;

	for (i = 1; i < n_types && missing > 0; i++)
		missing -= find_enumerators(btf, btf__type_by_id(btf, i), of, n);
}

int kt_btf_enumerators(struct kt_btf *b, struct kt_enumerator *of, size_t n, struct kt_error *err)
{
	if (ensure_read(b, err) < 0)
		return -err->code;
	find_all_enumerators(b->btf, of, n);
	return 0;
}

int kt_btf_enumerator(const struct btf *btf, const char *name, size_t len, int64_t *value)
{
	struct kt_enumerator e = {.name = name, .len = len};

	find_all_enumerators(btf, &e, 1);
	*value = e.value;
	return e.is_known ? 0 : -ENOENT;
}
