// SPDX-License-Identifier: GPL-2.0-or-later
#include "catalog/path.h"

#include <bpf/btf.h>
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "catalog/btf.h"

/* A name in the text. */
struct word {
	const char *start;
	size_t len;
};

struct finder {
	const struct btf *btf;
	const char *text; /* all of it */
	const char *at;   /* what is not read yet */
	uint32_t type;    /* of what the path so far leads to, qualifiers and typedefs removed */
	struct kt_error *err;
};

static bool is(const struct btf *btf, uint32_t name, struct word w)
{
	const char *s = btf__name_by_offset(btf, name);

	return strlen(s) == w.len && memcmp(s, w.start, w.len) == 0;
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

static int fail_at(const struct finder *f, int code, struct word w, const char *what)
{
	return kt_fail_at(f->err, code, f->text, w.start - f->text, w.len, "%s", what);
}

static int next_word(struct finder *f, struct word *w)
{
	*w = (struct word){f->at, 0};
	while (isalnum((unsigned char)f->at[w->len]) || f->at[w->len] == '_')
		w->len++;
	f->at += w->len;
	if (w->len)
		return 0;
	w->len = *w->start != '\0';
	return fail_at(f, EINVAL, *w, "a name is missing here");
}

/* What has a name of its own everywhere; KT_BTF_GLOBALS: nothing. */
static int find_global(struct word w, const struct kt_btf_tracepoint *tp)
{
	static const char *const names[] = {
		[KT_BTF_CURRENT] = "current",
		[KT_BTF_JIFFIES] = "jiffies",
	};
	int i;

	for (i = 0; i < KT_BTF_GLOBALS; i++)
		if (tp->globals[i] && strlen(names[i]) == w.len &&
		    memcmp(names[i], w.start, w.len) == 0)
			break;
	return i;
}

static int find_arg(struct finder *f, struct kt_path *path, const struct kt_btf_tracepoint *tp)
{
	const struct btf_type *t = btf__type_by_id(f->btf, tp->proto);
	const struct btf_param *params = btf_params(t);
	struct word w;
	int i;

	if (next_word(f, &w) < 0)
		return -f->err->code;
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
	return fail_at(f, ENOENT, w, "the tracepoint has no such argument");
}

/* Where a struct or union has it, in its anonymous members too, is added to *bits: or NULL. */
static const struct btf_member *find_member(const struct btf *btf, uint32_t type, struct word w,
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

static int follow_pointer(struct finder *f, struct kt_path *path, struct word op)
{
	const struct btf_type *t = btf__type_by_id(f->btf, f->type);

	if (!btf_is_ptr(t))
		return fail_at(f, EINVAL, op, "what stands before this is no pointer");
	if (path->n == KT_PATH_MAX)
		return fail_at(f, ERANGE, op, "too many pointers to follow");
	path->offsets[path->n++] = 0;
	f->type = bare(f->btf, t->type);
	return 0;
}

static bool is_step(const char *at)
{
	return strncmp(at, "->", 2) == 0 || *at == '.';
}

/* "->" or ".", and the name of a member. */
static int step(struct finder *f, struct kt_path *path)
{
	struct word op = {f->at, *f->at == '-' ? 2 : 1}, w;
	const struct btf_member *m;
	unsigned int bits = 0;
	bool is_bitfield = false;

	f->at += op.len;
	if (op.len == 2 && follow_pointer(f, path, op) < 0)
		return -f->err->code;
	if (path->n == 0 || !btf_is_composite(btf__type_by_id(f->btf, f->type)))
		return fail_at(f, EINVAL, op, "what stands before this is no structure");
	if (next_word(f, &w) < 0)
		return -f->err->code;
	m = find_member(f->btf, f->type, w, &bits, &is_bitfield);
	if (!m)
		return fail_at(f, ENOENT, w, "the structure has no such member");
	if (is_bitfield || bits % 8)
		return fail_at(f, EOPNOTSUPP, w, "it is a bit field");
	path->offsets[path->n - 1] += bits / 8;
	if (path->offsets[path->n - 1] > INT16_MAX)
		return fail_at(f, ERANGE, w, "it lies more than 32767 bytes off");
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

/* Size and sign of what was found. */
static int measure(struct finder *f, struct kt_path *path, struct word all)
{
	const struct btf_type *t = btf__type_by_id(f->btf, f->type);
	long long size = btf__resolve_size(f->btf, f->type);

	if ((!btf_is_int(t) && !btf_is_any_enum(t) && !btf_is_ptr(t) && !btf_is_array(t)) ||
	    size <= 0)
		return fail_at(f, EOPNOTSUPP, all, "it is no number, pointer or array");
	path->size = size;
	path->is_signed = btf_is_int(t) ? btf_int_encoding(t) & BTF_INT_SIGNED
					: btf_is_any_enum(t) && btf_kflag(t);
	path->is_array = btf_is_array(t);
	path->is_text = is_text(f->btf, t);
	return 0;
}

int kt_path_find(struct kt_path *path, const struct kt_btf_tracepoint *tp, const char *text,
		 const char **at, struct kt_error *err)
{
	struct finder f = {.btf = tp->btf, .text = text, .at = *at, .err = err};
	const char *start = *at;
	int ret;

	*path = (struct kt_path){};
	ret = find_arg(&f, path, tp);
	while (ret == 0 && is_step(f.at))
		ret = step(&f, path);
	if (ret == 0)
		ret = measure(&f, path, (struct word){start, f.at - start});
	*at = f.at;
	return ret;
}
