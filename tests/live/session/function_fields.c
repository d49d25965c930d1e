// SPDX-License-Identifier: GPL-2.0-or-later
/* Fields of functions of the running kernel, by its types. Needs no rights. */
#include <bpf/btf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "ctypes/btf.h"
#include "events/curated.h"
#include "events/event.h"
#include "events/point.h"
#include "fetch/curate.h"
#include "fetch/point_fields.h"

static struct kt_btf *btf;

static int read_btf(void **state)
{
	(void)state;
	btf = kt_btf_new();
	return btf ? 0 : -1;
}

static int free_btf(void **state)
{
	(void)state;
	kt_btf_free(btf);
	return 0;
}

static void skip_without_btf(void)
{
	struct kt_error err;
	uint32_t type;

	if (kt_btf_find(btf, KT_BTF_INDEX_FUNCTION, "vfs_read", &type, &err) < 0) {
		print_message("%s\n", err.text);
		skip();
	}
}

/* Returns the curated event of a function; -errno of curating in *ret. */
static struct kt_event *make_event(const char *function, bool is_return, int *ret)
{
	struct kt_point_site site = {};
	const struct kt_point point = {
		.is_return = is_return,
		.function = (char *)function,
		.n = 1,
		.sites = &site,
	};
	const struct kt_event_name name = {KT_FUNC_SYSTEM, function};
	struct kt_error err;
	struct kt_event *event = kt_point_event(&name, &point, btf, &err);

	if (!event)
		fail_msg("%s: %s", function, err.text);
	*ret = kt_curate(event, btf, &err);
	if (!event->curated)
		fail_msg("%s: %s", function, err.text);
	return event;
}

static void assert_field(const struct kt_event *e, size_t i, const char *declared)
{
	char text[256];

	assert_true(i < e->n_fields);
	kt_field_declare(&e->fields[i], text, sizeof(text));
	assert_string_equal(text, declared);
}

static void typed(void **state)
{
	struct kt_event *e;
	int ret;

	(void)state;
	skip_without_btf();
	e = make_event("vfs_read", false, &ret);
	assert_int_equal(ret, 0);
	assert_string_equal(e->name, "vfs_read");
	assert_int_equal(e->n_fields, 4);
	assert_field(e, 0, "struct file *file");
	assert_field(e, 2, "size_t count");
	assert_true(e->curated->btf_id);
	assert_false(e->point->by_registers);
	kt_event_free(e);
}

/* The fields that remain are those in registers. */
static void by_registers(void **state)
{
	struct kt_event *e;
	int ret;

	(void)state;
	skip_without_btf();
	e = make_event("vfs_read", false, &ret);
	kt_point_use_registers(e);
	assert_int_equal(e->n_fields, 4);
	assert_int_equal(e->curated->n, 4);
	assert_int_equal(e->curated->btf_id, 0);
#if defined(__x86_64__)
	assert_int_equal(e->curated->exprs[0]->path.arg, 14); /* rdi */
	assert_int_equal(e->curated->exprs[3]->path.arg, 11); /* rcx */
#endif
	kt_event_free(e);
}

static void untyped(void **state)
{
	struct kt_event *e;
	int ret;

	(void)state;
	skip_without_btf();
	e = make_event("no_such_function", false, &ret);
	assert_int_equal(ret, -ENOENT);
	assert_true(e->point->by_registers);
	assert_int_equal(e->n_fields, KT_POINT_REGISTERS);
	assert_field(e, 0, "long arg0");
	kt_event_free(e);
}

static void returned(void **state)
{
	struct kt_event *e;
	int ret;

	(void)state;
	skip_without_btf();
	e = make_event("vfs_read", true, &ret);
	assert_int_equal(ret, 0);
	assert_int_equal(e->n_fields, 2);
	assert_field(e, 0, "ssize_t ret");
	assert_string_equal(e->fields[1].name, "duration");
	assert_true(e->fields[1].flags & KT_FIELD_SIGNED);
	kt_point_use_registers(e);
	assert_int_equal(e->n_fields, 2);
#if defined(__x86_64__)
	assert_int_equal(e->curated->exprs[0]->path.arg, 10); /* rax */
#endif
	kt_event_free(e);
	e = make_event("no_such_function", true, &ret);
	assert_int_equal(ret, -ENOENT);
	assert_int_equal(e->n_fields, 2);
	assert_field(e, 0, "long ret");
	assert_field(e, 1, "long duration");
	assert_true(e->curated->takes[KT_BTF_DURATION]);
	kt_event_free(e);
}

static bool fits(long long size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* Returns how many parameters fit in a word, by BTF itself. */
static size_t count_words(const struct btf *types, const struct btf_type *proto, bool *all)
{
	const struct btf_param *p = btf_params(proto);
	long long size;
	size_t n = 0;
	int i;

	for (i = 0, *all = true; i < btf_vlen(proto); i++) {
		size = btf__resolve_size(types, p[i].type);
		if (fits(size))
			n++;
		else
			*all = false;
	}
	return n;
}

/* The result stands behind all words of arguments. */
static void check_return(const struct btf *types, const struct btf_type *proto, const char *name)
{
	bool has_result = proto->type && fits(btf__resolve_size(types, proto->type));
	unsigned int i, words = 0;
	struct kt_event *e;
	long long size;
	int ret;

	e = make_event(name, true, &ret);
	for (i = 0; i < btf_vlen(proto); i++) {
		size = btf__resolve_size(types, btf_params(proto)[i].type);
		words += size > 0 ? (size + 7) / 8 : 1;
	}
	if (ret < 0 || e->n_fields != (has_result ? 2 : 1) || !e->curated->takes[KT_BTF_DURATION])
		fail_msg("%s:return: %d, %zu fields", name, ret, e->n_fields);
	if (has_result && e->curated->exprs[0]->path.arg != words)
		fail_msg("%s:return: ret is taken from %u", name, e->curated->exprs[0]->path.arg);
	kt_event_free(e);
}

/* Returns whether it has types. */
static bool check_function(const struct btf *types, const struct btf_type *t)
{
	const struct btf_type *proto = btf__type_by_id(types, t->type);
	const char *name = btf__name_by_offset(types, t->name_off);
	struct kt_event *e;
	size_t n, i;
	bool all;
	int ret;

	e = make_event(name, false, &ret);
	if (ret == -ENOENT) { /* several functions have this name, with other arguments */
		kt_event_free(e);
		return false;
	}
	n = count_words(types, proto, &all);
	if (ret < 0 || e->n_fields != n)
		fail_msg("%s: %d, %zu of %zu fields", name, ret, e->n_fields, n);
	for (i = 0; all && i < n; i++)
		if (e->curated->exprs[i]->path.arg != i)
			fail_msg("%s: argument %zu is taken from %u", name, i,
				 e->curated->exprs[i]->path.arg);
	kt_event_free(e);
	check_return(types, proto, name);
	return true;
}

static void all_functions(void **state)
{
	const struct btf *types;
	const struct btf_type *t;
	uint32_t i, n = 0, typed = 0;

	(void)state;
	skip_without_btf();
	types = kt_btf_types(btf);
	for (i = 1; i < btf__type_cnt(types); i++) {
		t = btf__type_by_id(types, i);
		if (!btf_is_func(t))
			continue;
		typed += check_function(types, t);
		n++;
	}
	assert_true(n > 10000);
	assert_true(typed > n - n / 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(typed),         cmocka_unit_test(by_registers),
		cmocka_unit_test(untyped),       cmocka_unit_test(returned),
		cmocka_unit_test(all_functions),
	};

	return cmocka_run_group_tests(tests, read_btf, free_btf);
}
