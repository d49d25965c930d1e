// SPDX-License-Identifier: GPL-2.0-or-later
#include "ctypes/member_path.h"

#include <bpf/btf.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/scan.h"
#include "ctypes/btf.h"

struct finder {
	const struct btf *btf;
	struct kt_scan *scan;
	uint32_t type; /* what the path leads to so far, without qualifiers and typedefs */
};

static bool is_named(const struct btf *btf, uint32_t name, struct kt_word w)
{
	return kt_word_is(w, btf__name_by_offset(btf, name));
}

/* Returns the struct that a pointer type points to; 0 if it is none. */
static uint32_t get_pointed_struct(const struct btf *btf, const struct btf_type *t)
{
	uint32_t to = btf_is_ptr(t) ? kt_btf_bare(btf, t->type) : 0;

	return btf_is_composite(btf__type_by_id(btf, to)) ? to : 0;
}

static int next_word(struct finder *f, struct kt_word *w)
{
	*w = kt_scan_word(f->scan);
	return w->len ? 0 : kt_scan_fail_here(f->scan, "a name is missing here");
}

/* Returns the global of that name, or KT_BTF_GLOBALS. */
static int find_global(struct kt_word w, const struct kt_btf_target *tp)
{
	static const char *const names[] = {
		[KT_BTF_CURRENT] = "current", [KT_BTF_JIFFIES] = "jiffies",
		[KT_BTF_ENTERED] = "entered", [KT_BTF_LATE] = "late",
		[KT_BTF_REGS] = "regs",       [KT_BTF_DURATION] = "duration",
		[KT_BTF_VMEMMAP] = "vmemmap",
	};
	int i;

	for (i = 0; i < KT_BTF_GLOBALS; i++)
		if (tp->globals[i] && kt_word_is(w, names[i]))
			break;
	return i;
}

/* Returns the index of the first argument in the parameters. */
static int get_first(const struct kt_btf_target *tp)
{
	return tp->is_function ? 0 : 1;
}

/* Returns the index of the argument in the parameters that is called so; or their number. */
static int find_parameter(const struct finder *f, const struct kt_btf_target *tp, struct kt_word w)
{
	const struct btf_type *t = btf__type_by_id(f->btf, tp->proto);
	const struct btf_param *params = btf_params(t);
	int first = get_first(tp), i = first, n = btf_vlen(t);
	char number[16];

	while (i < n && !is_named(f->btf, params[i].name_off, w))
		i++;
	if (i < n)
		return i;
	for (i = first; i < n; i++) {
		snprintf(number, sizeof(number), "arg%d", i - first);
		if (kt_word_is(w, number))
			break;
	}
	return i;
}

/*
 * Returns the words of 8 bytes that arguments before the i-th parameter take. Those of a tracepoint
 * take one each.
 */
static unsigned int count_words(const struct finder *f, const struct kt_btf_target *tp, int i)
{
	const struct btf_param *params = btf_params(btf__type_by_id(f->btf, tp->proto));
	unsigned int words = 0;
	long long size;

	if (!tp->is_function)
		return i - get_first(tp);
	while (--i >= 0) {
		size = btf__resolve_size(f->btf, params[i].type);
		words += size > 0 ? (size + 7) / 8 : 1;
	}
	return words;
}

/* What a function returns stands behind its arguments. */
static int find_result(struct finder *f, struct kt_member_path *path,
		       const struct kt_btf_target *tp, struct kt_word w)
{
	const struct btf_type *t = btf__type_by_id(f->btf, tp->proto);

	if (!t->type)
		return kt_scan_fail(f->scan, ENOENT, w, "the function returns nothing");
	path->arg = count_words(f, tp, btf_vlen(t));
	f->type = kt_btf_bare(f->btf, t->type);
	return 0;
}

/* Returns whether a global's name is not an argument's as well, or the global comes first. */
static bool is_global(const struct finder *f, const struct kt_btf_target *tp, int global, int i)
{
	bool is_first = global == KT_BTF_REGS || global == KT_BTF_DURATION;

	return global < KT_BTF_GLOBALS &&
	       (is_first || i == btf_vlen(btf__type_by_id(f->btf, tp->proto)));
}

static int find_arg(struct finder *f, struct kt_member_path *path, const struct kt_btf_target *tp,
		    struct kt_word w)
{
	const struct btf_type *t = btf__type_by_id(f->btf, tp->proto);
	int i = find_parameter(f, tp, w), global = find_global(w, tp);

	if (tp->is_return && kt_word_is(w, "ret"))
		return find_result(f, path, tp, w);
	if (is_global(f, tp, global, i)) {
		path->arg = KT_MEMBER_PATH_GLOBALS + global;
		f->type = tp->globals[global];
		return 0;
	}
	if (i == btf_vlen(t))
		return kt_scan_fail(f->scan, ENOENT, w, "there is no such argument");
	path->arg = count_words(f, tp, i);
	f->type = kt_btf_bare(f->btf, btf_params(t)[i].type);
	return 0;
}

static int follow_pointer(struct finder *f, struct kt_member_path *path, struct kt_word op)
{
	const struct btf_type *t = btf__type_by_id(f->btf, f->type);

	if (!btf_is_ptr(t))
		return kt_scan_fail(f->scan, EINVAL, op, "there is no pointer to follow");
	if (path->n == KT_MEMBER_PATH_MAX)
		return kt_scan_fail(f->scan, ERANGE, op, "too many pointers to follow");
	path->offsets[path->n++] = 0;
	f->type = kt_btf_bare(f->btf, t->type);
	return 0;
}

/* Parses an element's number after the '[' at op. */
static int take_element(struct finder *f, struct kt_member_path *path, struct kt_word op)
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
		return kt_scan_fail(f->scan, ERANGE, op, "the offset is above 32767 bytes");
	path->offsets[path->n - 1] = at * btf__resolve_size(f->btf, f->type);
	f->scan->at = end;
	return kt_scan_next(f->scan, "]") ? 0 : kt_scan_fail_here(f->scan, "expected ']' here");
}

static bool is_step(const char *at)
{
	return strncmp(at, "->", 2) == 0 || *at == '.' || *at == '[';
}

/*
 * Narrows the path to a bit field, in the fewest bytes that one load can read. Returns false if 8
 * bytes do not hold it.
 */
static bool take_bits(struct kt_member_path *path, unsigned int at, unsigned int bits)
{
	unsigned int first;

	path->bits = bits;
	path->size = 1;
	first = at / 8;
	while (at + bits > 8 * (first + path->size)) {
		if (path->size == 8)
			return false;
		path->size *= 2;
		first = at / 8 & -path->size;
	}
	path->offsets[path->n - 1] += first;
	path->bit = at - 8 * first;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	path->bit = 8 * path->size - path->bit - bits;
#endif
	return true;
}

/* Parses the name of a member, and goes to it. */
static int take_member(struct finder *f, struct kt_member_path *path)
{
	const struct btf_member *m;
	unsigned int at = 0, bits = 0;
	struct kt_word w;

	if (next_word(f, &w) < 0)
		return -f->scan->err->code;
	m = kt_btf_member(f->btf, f->type, w, &at, &bits);
	if (!m)
		return kt_scan_fail(f->scan, ENOENT, w, "the structure has no such member");
	if (bits ? !take_bits(path, at, bits) : at % 8)
		return kt_scan_fail(f->scan, EOPNOTSUPP, w,
				    "a bit field that is not in whole bytes");
	if (!bits)
		path->offsets[path->n - 1] += at / 8;
	if (path->offsets[path->n - 1] > INT16_MAX)
		return kt_scan_fail(f->scan, ERANGE, w, "the offset is above 32767 bytes");
	f->type = kt_btf_bare(f->btf, m->type);
	return 0;
}

/* Parses "->" or "." and a member's name, or "[", a number and "]". */
static int parse_step(struct finder *f, struct kt_member_path *path)
{
	struct kt_word op = {f->scan->at, *f->scan->at == '-' ? 2 : 1};

	f->scan->at += op.len;
	if (*op.start == '[')
		return take_element(f, path, op);
	if (op.len == 2 && follow_pointer(f, path, op) < 0)
		return -f->scan->err->code;
	if (path->n == 0 || !btf_is_composite(btf__type_by_id(f->btf, f->type)))
		return kt_scan_fail(f->scan, EINVAL, op, "not a structure before this");
	return take_member(f, path);
}

/* Returns the offset of a packet's member of 4 or 8 bytes, or -1. */
static int find_packet_offset(const struct finder *f, const char *name, uint32_t packet, int size)
{
	struct kt_word w = {name, strlen(name)};
	unsigned int at = 0, bits = 0;
	const struct btf_member *m = kt_btf_member(f->btf, packet, w, &at, &bits);

	return m && !bits && btf__resolve_size(f->btf, m->type) == size ? (int)at / 8 : -1;
}

/* Parses the rest of 'skb_shinfo(': the kernel's function of that name, and a member. */
static int parse_shinfo(struct finder *f, struct kt_member_path *path,
			const struct kt_btf_target *tp)
{
	struct kt_word w;
	uint32_t packet;
	int head, end;

	if (next_word(f, &w) < 0 || find_arg(f, path, tp, w) < 0)
		return -f->scan->err->code;
	packet = get_pointed_struct(f->btf, btf__type_by_id(f->btf, f->type));
	head = packet ? find_packet_offset(f, "head", packet, 8) : -1;
	end = packet ? find_packet_offset(f, "end", packet, 4) : -1;
	if (head < 0 || end < 0)
		return kt_scan_fail(f->scan, EINVAL, w, "not a packet");
	if (!tp->shinfo || !tp->cast)
		return kt_scan_fail(f->scan, EOPNOTSUPP, w,
				    "the kernel has no bpf_rdonly_cast() to get there");
	if (!kt_scan_next(f->scan, ")"))
		return kt_scan_fail_here(f->scan, "expected ')' here");
	if (!kt_scan_next(f->scan, "->"))
		return kt_scan_fail_here(f->scan, "expected '->' here");
	path->offsets[0] = head;
	path->plus = end;
	path->as = tp->shinfo;
	path->by = tp->cast;
	path->n = 2;
	f->type = tp->shinfo;
	return take_member(f, path);
}

static int find_start(struct finder *f, struct kt_member_path *path, const struct kt_btf_target *tp)
{
	struct kt_word w;

	if (next_word(f, &w) < 0)
		return -f->scan->err->code;
	if (kt_word_is(w, "skb_shinfo") && kt_scan_next(f->scan, "("))
		return parse_shinfo(f, path, tp);
	return find_arg(f, path, tp, w);
}

/* Returns whether an array or pointer has elements of one byte. */
static bool is_byte_array(const struct btf *btf, const struct btf_type *t)
{
	uint32_t of = btf_is_array(t) ? btf_array(t)->type : btf_is_ptr(t) ? t->type : 0;
	const struct btf_type *element = btf__type_by_id(btf, kt_btf_bare(btf, of));

	return btf_is_int(element) && element->size == 1;
}

static bool is_scalar(const struct btf_type *t)
{
	return btf_is_int(t) || btf_is_any_enum(t) || btf_is_ptr(t);
}

/* Returns whether the value is an argument that is a struct, passed like a number. */
static bool is_small_struct(const struct btf_type *t, const struct kt_member_path *path)
{
	return btf_is_composite(t) && path->n == 0 && t->size <= 8 && !(t->size & (t->size - 1));
}

/* Sets the size and sign of the value. */
static int set_size(struct finder *f, struct kt_member_path *path, struct kt_word all)
{
	const struct btf_type *t = btf__type_by_id(f->btf, f->type);
	long long size = btf__resolve_size(f->btf, f->type);

	if ((!is_scalar(t) && !btf_is_array(t) && !is_small_struct(t, path)) || size <= 0)
		return kt_scan_fail(f->scan, EOPNOTSUPP, all, "not a number, pointer or array");
	if (!path->bits)
		path->size = size;
	path->is_signed = btf_is_int(t) ? btf_int_encoding(t) & BTF_INT_SIGNED
					: btf_is_any_enum(t) && btf_kflag(t);
	path->is_array = btf_is_array(t);
	path->is_pointer = btf_is_ptr(t);
	path->is_text = is_byte_array(f->btf, t);
	path->to = btf_is_ptr(t) ? kt_btf_bare(f->btf, t->type) : 0;
	return 0;
}

int kt_member_path_find(struct kt_member_path *path, const struct kt_btf_target *tp,
			struct kt_scan *scan)
{
	struct finder f = {.btf = tp->btf, .scan = scan};
	const char *start = scan->at;
	bool goes_further = kt_scan_next(scan, "*");
	int ret;

	*path = (struct kt_member_path){.is_guarded = goes_further};
	ret = find_start(&f, path, tp);
	while (ret == 0 && is_step(scan->at))
		ret = parse_step(&f, path);
	if (ret == 0 && goes_further)
		ret = follow_pointer(&f, path, kt_scan_since(scan, start));
	if (ret == 0)
		ret = set_size(&f, path, kt_scan_since(scan, start));
	return ret;
}
