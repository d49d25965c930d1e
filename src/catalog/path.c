// SPDX-License-Identifier: GPL-2.0-or-later
#include "catalog/path.h"

#include <bpf/btf.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/scan.h"
#include "catalog/btf.h"

struct finder {
	const struct btf *btf;
	struct kt_scan *scan;
	uint32_t type; /* of what the path so far leads to, qualifiers and typedefs removed */
};

static bool is(const struct btf *btf, uint32_t name, struct kt_word w)
{
	return kt_word_is(w, btf__name_by_offset(btf, name));
}

/* The type behind its qualifiers and typedefs. */
static uint32_t bare(const struct btf *btf, uint32_t type)
{
	const struct btf_type *t = btf__type_by_id(btf, type);

	while (btf_is_mod(t) || btf_is_typedef(t)) {
		type = t->type;
		t = btf__type_by_id(btf, type);
	}
	return type;
}

static int next_word(struct finder *f, struct kt_word *w)
{
	*w = kt_scan_word(f->scan);
	return w->len ? 0 : kt_scan_fail_here(f->scan, "a name is missing here");
}

/* What has a name of its own everywhere; KT_BTF_GLOBALS: nothing. */
static int find_global(struct kt_word w, const struct kt_btf_tracepoint *tp)
{
	static const char *const names[] = {
		[KT_BTF_CURRENT] = "current",
		[KT_BTF_JIFFIES] = "jiffies",
		[KT_BTF_VMEMMAP] = "vmemmap",
	};
	int i;

	for (i = 0; i < KT_BTF_GLOBALS; i++)
		if (tp->globals[i] && kt_word_is(w, names[i]))
			break;
	return i;
}

static int find_arg(struct finder *f, struct kt_path *path, const struct kt_btf_tracepoint *tp)
{
	const struct btf_type *t = btf__type_by_id(f->btf, tp->proto);
	const struct btf_param *params = btf_params(t);
	struct kt_word w;
	int i;

	if (next_word(f, &w) < 0)
		return -f->scan->err->code;
	for (i = 1; i < btf_vlen(t); i++)
		if (is(f->btf, params[i].name_off, w)) {
			path->arg = i - 1;
			f->type = bare(f->btf, params[i].type);
			return 0;
		}
	i = find_global(w, tp);
	if (i < KT_BTF_GLOBALS) {
		path->arg = KT_PATH_GLOBALS + i;
		f->type = tp->globals[i];
		return 0;
	}
	return kt_scan_fail(f->scan, ENOENT, w, "the tracepoint has no such argument");
}

/* Where a struct or union has it, in its anonymous members too, is added to *bits: or NULL. */
static const struct btf_member *find_member(const struct btf *btf, uint32_t type, struct kt_word w,
					    unsigned int *bits, bool *is_bitfield)
{
	const struct btf_type *t = btf__type_by_id(btf, type);
	const struct btf_member *m = btf_members(t), *found = NULL;
	unsigned int inner;
	int i;

	for (i = 0; i < btf_vlen(t) && !found; i++, m++) {
		inner = btf_member_bit_offset(t, i);
		if (is(btf, m->name_off, w)) {
			found = m;
			*is_bitfield = btf_member_bitfield_size(t, i);
		} else if (!*btf__name_by_offset(btf, m->name_off) &&
			   btf_is_composite(btf__type_by_id(btf, bare(btf, m->type)))) {
			found = find_member(btf, bare(btf, m->type), w, &inner, is_bitfield);
		}
		if (found)
			*bits += inner;
	}
	return found;
}

static int follow_pointer(struct finder *f, struct kt_path *path, struct kt_word op)
{
	const struct btf_type *t = btf__type_by_id(f->btf, f->type);

	if (!btf_is_ptr(t))
		return kt_scan_fail(f->scan, EINVAL, op, "there is no pointer to follow");
	if (path->n == KT_PATH_MAX)
		return kt_scan_fail(f->scan, ERANGE, op, "too many pointers to follow");
	path->offsets[path->n++] = 0;
	f->type = bare(f->btf, t->type);
	return 0;
}

/* Behind the "[", which is op. */
static int take_element(struct finder *f, struct kt_path *path, struct kt_word op)
{
	unsigned long long at;
	char *end;

	if (follow_pointer(f, path, op) < 0)
		return -f->scan->err->code;
	path->is_guarded = true;
	if (!isdigit((unsigned char)*f->scan->at))
		return kt_scan_fail_here(f->scan, "a number is missing here");
	at = strtoull(f->scan->at, &end, 0);
	op.len = end - op.start;
	if (at > INT16_MAX || at * btf__resolve_size(f->btf, f->type) > INT16_MAX)
		return kt_scan_fail(f->scan, ERANGE, op, "it lies more than 32767 bytes off");
	path->offsets[path->n - 1] = at * btf__resolve_size(f->btf, f->type);
	f->scan->at = end;
	return kt_scan_next(f->scan, "]") ? 0 : kt_scan_fail_here(f->scan, "expected ']' here");
}

static bool is_step(const char *at)
{
	return strncmp(at, "->", 2) == 0 || *at == '.' || *at == '[';
}

/* "->" or ".", and the name of a member; or "[", a number and "]". */
static int step(struct finder *f, struct kt_path *path)
{
	struct kt_word op = {f->scan->at, *f->scan->at == '-' ? 2 : 1}, w;
	const struct btf_member *m;
	unsigned int bits = 0;
	bool is_bitfield = false;

	f->scan->at += op.len;
	if (*op.start == '[')
		return take_element(f, path, op);
	if (op.len == 2 && follow_pointer(f, path, op) < 0)
		return -f->scan->err->code;
	if (path->n == 0 || !btf_is_composite(btf__type_by_id(f->btf, f->type)))
		return kt_scan_fail(f->scan, EINVAL, op, "what stands before this is no structure");
	if (next_word(f, &w) < 0)
		return -f->scan->err->code;
	m = find_member(f->btf, f->type, w, &bits, &is_bitfield);
	if (!m)
		return kt_scan_fail(f->scan, ENOENT, w, "the structure has no such member");
	if (is_bitfield || bits % 8)
		return kt_scan_fail(f->scan, EOPNOTSUPP, w, "it is a bit field");
	path->offsets[path->n - 1] += bits / 8;
	if (path->offsets[path->n - 1] > INT16_MAX)
		return kt_scan_fail(f->scan, ERANGE, w, "it lies more than 32767 bytes off");
	f->type = bare(f->btf, m->type);
	return 0;
}

/* Whether these are elements of one byte. */
static bool is_text(const struct btf *btf, const struct btf_type *t)
{
	uint32_t of = btf_is_array(t) ? btf_array(t)->type : btf_is_ptr(t) ? t->type : 0;
	const struct btf_type *element = btf__type_by_id(btf, bare(btf, of));

	return btf_is_int(element) && element->size == 1;
}

/* What it points to, where that is one; or 0. */
static uint32_t struct_behind(const struct btf *btf, const struct btf_type *t)
{
	uint32_t to = btf_is_ptr(t) ? bare(btf, t->type) : 0;

	return btf_is_composite(btf__type_by_id(btf, to)) ? to : 0;
}

/* Size and sign of what was found. */
static int measure(struct finder *f, struct kt_path *path, struct kt_word all)
{
	const struct btf_type *t = btf__type_by_id(f->btf, f->type);
	long long size = btf__resolve_size(f->btf, f->type);

	if ((!btf_is_int(t) && !btf_is_any_enum(t) && !btf_is_ptr(t) && !btf_is_array(t)) ||
	    size <= 0)
		return kt_scan_fail(f->scan, EOPNOTSUPP, all, "it is no number, pointer or array");
	path->size = size;
	path->is_signed = btf_is_int(t) ? btf_int_encoding(t) & BTF_INT_SIGNED
					: btf_is_any_enum(t) && btf_kflag(t);
	path->is_array = btf_is_array(t);
	path->is_pointer = btf_is_ptr(t);
	path->is_text = is_text(f->btf, t);
	path->to = struct_behind(f->btf, t);
	return 0;
}

int kt_path_find(struct kt_path *path, const struct kt_btf_tracepoint *tp, struct kt_scan *scan)
{
	struct finder f = {.btf = tp->btf, .scan = scan};
	const char *start = scan->at;
	bool goes_further = kt_scan_next(scan, "*");
	int ret;

	*path = (struct kt_path){.is_guarded = goes_further};
	ret = find_arg(&f, path, tp);
	while (ret == 0 && is_step(scan->at))
		ret = step(&f, path);
	if (ret == 0 && goes_further)
		ret = follow_pointer(&f, path, kt_scan_since(scan, start));
	if (ret == 0)
		ret = measure(&f, path, kt_scan_since(scan, start));
	return ret;
}
