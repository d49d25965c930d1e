// SPDX-License-Identifier: GPL-2.0-or-later
/* Arguments of functions. Those of tracepoints, and paths from them, are in recipe_parser.c. */
#include <bpf/btf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/scan.h"
#include "ctypes/btf.h"
#include "ctypes/member_path.h"

static struct kt_btf_target function;
static struct btf *btf;

/* int f(struct wide first, u32 arg2, u32, struct narrow id, struct wide *jiffies) */
static int make_types(void **state)
{
	int u32, wide, narrow;

	(void)state;
	btf = btf__new_empty();
	u32 = btf__add_int(btf, "u32", 4, 0);
	wide = btf__add_struct(btf, "wide", 12);
	btf__add_field(btf, "a", u32, 0, 0);
	btf__add_field(btf, "b", u32, 64, 0);
	narrow = btf__add_struct(btf, "narrow", 8);
	btf__add_field(btf, "a", u32, 0, 0);
	function = (struct kt_btf_target){.btf = btf, .is_function = true};
	function.globals[KT_BTF_JIFFIES] = u32;
	function.globals[KT_BTF_CURRENT] = btf__add_ptr(btf, wide);
	function.proto = btf__add_func_proto(btf, u32);
	btf__add_func_param(btf, "first", wide);
	btf__add_func_param(btf, "arg2", u32);
	btf__add_func_param(btf, NULL, u32);
	btf__add_func_param(btf, "id", narrow);
	btf__add_func_param(btf, "jiffies", function.globals[KT_BTF_CURRENT]);
	return 0;
}

static int free_types(void **state)
{
	(void)state;
	btf__free(btf);
	return 0;
}

static int find(struct kt_member_path *path, const char *text)
{
	struct kt_error err;
	struct kt_scan s = kt_scan_of(text, &err);

	return kt_member_path_find(path, &function, &s);
}

static void assert_word(const char *text, unsigned int word, unsigned int size)
{
	struct kt_member_path path;

	assert_int_equal(find(&path, text), 0);
	assert_int_equal(path.n, 0);
	assert_int_equal(path.arg, word);
	assert_int_equal(path.size, size);
}

/* The first argument takes two words. A name counts more than a number. */
static void words(void **state)
{
	(void)state;
	assert_word("arg2", 2, 4);
	assert_word("arg1", 2, 4);
	assert_word("id", 4, 8);
	assert_word("arg3", 4, 8);
	assert_word("arg4", 5, 8);
}

/* An argument hides the global of its name. */
static void globals(void **state)
{
	struct kt_member_path path;

	(void)state;
	assert_word("jiffies", 5, 8);
	assert_int_equal(find(&path, "jiffies->b"), 0);
	assert_int_equal(path.offsets[0], 8);
	assert_int_equal(find(&path, "current->b"), 0);
	assert_int_equal(path.arg, KT_MEMBER_PATH_GLOBALS + KT_BTF_CURRENT);
}

static void errors(void **state)
{
	struct kt_member_path path;

	(void)state;
	assert_int_equal(find(&path, "first"), -EOPNOTSUPP);
	assert_int_equal(find(&path, "id.a"), -EINVAL);
	assert_int_equal(find(&path, "arg5"), -ENOENT);
	assert_int_equal(find(&path, "argx"), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words),
		cmocka_unit_test(globals),
		cmocka_unit_test(errors),
	};

	return cmocka_run_group_tests(tests, make_types, free_types);
}
