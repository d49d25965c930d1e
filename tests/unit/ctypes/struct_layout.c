// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Layouts of this kernel's structs. The witness is the compiler, with the headers that programs
 * include.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <linux/openat2.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <sys/utsname.h>

#include "constants/constants.h"
#include "ctypes/btf.h"
#include "ctypes/struct_layout.h"

static struct kt_btf *btf;
static struct kt_struct_layout *c;

static int begin(void **state)
{
	(void)state;
	btf = kt_btf_new();
	return btf ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	kt_btf_free(btf);
	return 0;
}

/* Each byte belongs to exactly one field. */
static void assert_no_gaps(const struct kt_struct_layout *of)
{
	unsigned int at = 0;
	size_t i;

	for (i = 0; i < of->n; i++) {
		assert_int_equal(of->fields[i].offset, at);
		assert_int_equal(of->fields[i].size % of->fields[i].width, 0);
		at += of->fields[i].size;
		if (!of->fields[i].of)
			continue;
		assert_int_equal(of->fields[i].of->size, of->fields[i].width);
		assert_no_gaps(of->fields[i].of);
	}
	assert_int_equal(of->size, at);
}

static void make_layout(const char *type, size_t size)
{
	assert_int_equal(kt_struct_layout_size(btf, type), size);
	c = kt_struct_layout_new(btf, type);
	assert_non_null(c);
	assert_int_equal(c->size, size);
	assert_no_gaps(c);
}

static const struct kt_field *find(const struct kt_struct_layout *of, const char *name)
{
	size_t i;

	for (i = 0; i < of->n; i++)
		if (strcmp(of->fields[i].name, name) == 0)
			return &of->fields[i];
	fail_msg("no '%s' in '%s'", name, of->name);
	return NULL;
}

#define IS_SIGNED(type, member) ((__typeof__(((type *)0)->member))-1 < 1)
#define assert_number(type, member)                                                         \
	do {                                                                                \
		const struct kt_field *f_ = find(c, #member);                               \
		assert_int_equal(f_->offset, offsetof(type, member));                       \
		assert_int_equal(f_->width, sizeof(((type *)0)->member));                   \
		assert_int_equal(f_->size, f_->width);                                      \
		assert_int_equal(!!(f_->flags & KT_FIELD_SIGNED), IS_SIGNED(type, member)); \
		assert_null(f_->of);                                                        \
	} while (0)

static void numbers(void **state)
{
	(void)state;
	make_layout("const struct tms", sizeof(struct tms));
	assert_number(struct tms, tms_utime);
	assert_number(struct tms, tms_cstime);
	assert_int_equal(c->n, 4);
	kt_struct_layout_free(c);
	make_layout("struct statx", sizeof(struct statx));
	assert_number(struct statx, stx_mask);
	assert_number(struct statx, stx_mode);
	assert_number(struct statx, stx_ino);
	assert_number(struct statx, stx_dev_minor);
	assert_int_equal(find(c, "stx_mode")->notation, KT_OCTAL);
	assert_int_equal(find(c, "stx_mask")->notation, KT_HEX);
	assert_int_equal(find(c, "stx_ino")->notation, KT_DECIMAL);
	kt_struct_layout_free(c);
	make_layout("struct epoll_event", sizeof(struct epoll_event));
	assert_number(struct epoll_event, events);
	assert_int_equal(find(c, "data")->offset, offsetof(struct epoll_event, data));
	kt_struct_layout_free(c);
}

static void assert_constants(const char *member, const char *table, enum kt_notation notation)
{
	const struct kt_field *f = find(c, member);

	assert_non_null(f->labels);
	assert_ptr_equal(f->labels, kt_constants_find(table));
	assert_int_equal(f->notation, notation);
}

/* Labels by a member's name, and by the struct's name if several have the member. */
static void constants(void **state)
{
	(void)state;
	make_layout("struct stat", sizeof(struct stat));
	assert_number(struct stat, st_mode);
	assert_constants("st_mode", "mode", KT_OCTAL);
	assert_null(find(c, "st_ino")->labels);
	kt_struct_layout_free(c);
	make_layout("struct pollfd", sizeof(struct pollfd));
	assert_number(struct pollfd, revents);
	assert_constants("events", "poll", KT_HEX);
	kt_struct_layout_free(c);
	make_layout("struct epoll_event", sizeof(struct epoll_event));
	assert_constants("events", "epoll", KT_HEX);
	kt_struct_layout_free(c);
	make_layout("struct open_how", sizeof(struct open_how));
	assert_constants("flags", "open", KT_HEX);
	assert_null(find(c, "mode")->labels);
	assert_int_equal(find(c, "mode")->notation, KT_OCTAL);
	kt_struct_layout_free(c);
	make_layout("struct clone_args", sizeof(struct clone_args));
	assert_constants("flags", "clone3", KT_HEX);
	kt_struct_layout_free(c);
}

/* A signal set within a struct is one number of its own type. */
static void signal_sets(void **state)
{
	(void)state;
	make_layout("const struct sigaction", 32);
	assert_constants("sa_handler", "handler", KT_POINTER);
	assert_constants("sa_mask", "sigset", KT_SIGSET);
	assert_int_equal(find(c, "sa_mask")->offset, 24);
	assert_int_equal(find(c, "sa_mask")->width, 8);
	assert_null(find(c, "sa_mask")->of);
	assert_int_equal(c->n, 4);
	kt_struct_layout_free(c);
}

static void arrays(void **state)
{
	const struct kt_field *f;

	(void)state;
	make_layout("struct new_utsname", sizeof(struct utsname));
	f = find(c, "release");
	assert_int_equal(f->offset, offsetof(struct utsname, release));
	assert_int_equal(f->size, sizeof(((struct utsname *)0)->release));
	assert_true(f->width == 1 && f->flags & KT_FIELD_ARRAY && kt_field_is_text(f));
	kt_struct_layout_free(c);
	make_layout("struct sysinfo", sizeof(struct sysinfo));
	f = find(c, "loads");
	assert_int_equal(f->offset, offsetof(struct sysinfo, loads));
	assert_true(f->width == sizeof(long) && f->size == 3 * sizeof(long));
	assert_true(f->flags & KT_FIELD_ARRAY && !kt_field_is_text(f));
	assert_number(struct sysinfo, mem_unit);
	kt_struct_layout_free(c);
}

/* Members of an unnamed struct are named as those of its parent. */
static void nested(void **state)
{
	const struct kt_field *f;

	(void)state;
	make_layout("struct rusage", sizeof(struct rusage));
	f = find(c, "ru_stime");
	assert_int_equal(f->offset, offsetof(struct rusage, ru_stime));
	assert_int_equal(f->size, sizeof(struct timeval));
	assert_string_equal(f->of->name, "__kernel_old_timeval");
	assert_int_equal(find(f->of, "tv_usec")->offset, offsetof(struct timeval, tv_usec));
	assert_int_equal(find(c, "ru_nivcsw")->offset, offsetof(struct rusage, ru_nivcsw));
	kt_struct_layout_free(c);
	make_layout("struct sigevent", sizeof(struct sigevent));
	f = find(c, "sigev_value");
	assert_string_equal(f->of->name, "sigval");
	f = find(c, "_sigev_un");
	assert_string_equal(f->of->name, "sigevent___sigev_un");
	f = find(f->of, "_sigev_thread");
	assert_string_equal(f->of->name, "sigevent___sigev_un___sigev_thread");
	kt_struct_layout_free(c);
}

/* A union's largest member; pointers; padding between members; bit fields. */
static void other_members(void **state)
{
	const struct kt_field *f;

	(void)state;
	make_layout("stack_t", sizeof(stack_t));
	assert_string_equal(c->name, "sigaltstack");
	f = find(c, "ss_sp");
	assert_true(f->notation == KT_POINTER && f->width == sizeof(void *));
	assert_int_equal(find(c, "ss_size")->offset, offsetof(stack_t, ss_size));
	assert_int_equal(find(c, "__pad_12")->size, 4);
	kt_struct_layout_free(c);
	make_layout("struct sigevent", sizeof(struct sigevent));
	f = &find(c, "sigev_value")->of->fields[0];
	assert_string_equal(f->name, "sival_ptr");
	assert_int_equal(find(c, "sigev_notify")->offset, offsetof(struct sigevent, sigev_notify));
	kt_struct_layout_free(c);
	make_layout("struct __kernel_timex", sizeof(struct timex));
	assert_number(struct timex, offset);
	assert_number(struct timex, tai);
	f = &c->fields[c->n - 1];
	assert_int_equal(f->offset, offsetof(struct timex, tai) + sizeof(int));
	assert_true(kt_struct_layout_pads(f->name));
	kt_struct_layout_free(c);
}

static void no_layout(void **state)
{
	(void)state;
	assert_int_equal(kt_struct_layout_size(btf, "struct nothing_such"), 0);
	assert_int_equal(kt_struct_layout_size(btf, "struct stat *"), 0);
	assert_int_equal(kt_struct_layout_size(btf, "union bpf_attr"), 0);
	assert_int_equal(kt_struct_layout_size(btf, "size_t"), 0);
	assert_int_equal(kt_struct_layout_size(btf, "stat"), 0);
	assert_null(kt_struct_layout_new(btf, "struct nothing_such"));
}

static void padding(void **state)
{
	static const char *const pads[] = {"__pad_20",  "__pad0",  "_pad",  "pad",     "__unused",
					   "__unused4", "f_spare", "resv1", "__spare2"};
	static const char *const others[] = {
		"padding_bits", "reserved_bytes", "unusedness", "_", "", "f_flags", "st_pads"};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(pads) / sizeof(*pads); i++)
		assert_true(kt_struct_layout_pads(pads[i]));
	for (i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_false(kt_struct_layout_pads(others[i]));
	assert_true(kt_struct_layout_gives("msg_flags"));
	assert_false(kt_struct_layout_gives("msg_namelen"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),     cmocka_unit_test(constants),
		cmocka_unit_test(signal_sets), cmocka_unit_test(arrays),
		cmocka_unit_test(nested),      cmocka_unit_test(other_members),
		cmocka_unit_test(no_layout),   cmocka_unit_test(padding),
	};

	return cmocka_run_group_tests_name("struct_layout", tests, begin, end);
}
