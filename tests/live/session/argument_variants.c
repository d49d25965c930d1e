// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Variants of system call arguments, checked against the kernel's events: each tag exists and has
 * the labels, and each variant's field is recorded.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "constants/labels.h"
#include "ctypes/number_format_rules.h"
#include "events/event_names.h"
#include "events/syscall_names.h"
#include "fetch/argument_variants.h"
#include "fetch/syscall_fields.h"
#include "tests/live/kernel.h"
#include "tests/live/session.h"

static const struct kt_field *find_field(const struct kt_event *e, const char *name)
{
	size_t i;

	for (i = 0; i < e->n_fields; i++)
		if (!strcmp(e->fields[i].name, name))
			return &e->fields[i];
	return NULL;
}

static bool is_label(const struct kt_labels *labels, const char *text)
{
	size_t i;

	for (i = 0; i < labels->n; i++)
		if (!strcmp(labels->of[i].text, text))
			return true;
	return false;
}

/* Metadata needs each label in one option only. */
static bool is_in_other_options(const char *call, const struct kt_field *field, size_t k,
				const char *label)
{
	struct kt_argument_variant o;

	while (k-- > 0)
		if (kt_argument_variant_at(call, field, k, &o) && kt_word_list_has(o.when, label))
			return true;
	return false;
}

static void check_option(const struct kt_event *e, const char *call, const struct kt_field *field,
			 size_t k, const struct kt_argument_variant *o)
{
	const struct kt_field *by = find_field(e, o->by);
	const char *when = o->when ? o->when : "";
	char label[64];
	size_t n;

	if (!by || !by->labels || by == field)
		fail_msg("%s: %s has no names", e->name, o->by);
	for (; *when; when += n + (when[n] == ' ')) {
		n = strcspn(when, " ");
		snprintf(label, sizeof(label), "%.*s", (int)n, when);
		if (!is_label(by->labels, label))
			fail_msg("%s: %s is not called %s", e->name, o->by, label);
		if (kt_word_list_has(when + n, label) || is_in_other_options(call, field, k, label))
			fail_msg("%s: %s twice of %s", e->name, label, field->name);
	}
	assert_string_equal(o->field.name, field->name);
	assert_true(o->field.width <= field->width);
}

/* Counts the options of an entry's fields. None follows the one for all other values. */
static size_t check_entry(const char *event)
{
	struct kt_event *e = read_event("syscalls", event);
	enum kt_side side;
	const char *call = kt_syscall_of("syscalls", event, &side);
	struct kt_argument_variant o, behind;
	size_t i, k, n = 0;

	kt_syscall_fit(e, kernel.btf);
	for (i = 0; i < e->n_fields; i++) {
		for (k = 0; kt_argument_variant_at(call, &e->fields[i], k, &o); k++) {
			if (!o.when)
				assert_false(kt_argument_variant_at(call, &e->fields[i], k + 1,
								    &behind));
			check_option(e, call, &e->fields[i], k, &o);
		}
		n += k;
	}
	kt_event_free(e);
	return n;
}

static void options(void **state)
{
	const struct kt_event_name *name;
	struct kt_error err;
	struct kt_event_names *all = kt_event_names_read(kernel.tracefs, &err);
	enum kt_side side;
	size_t i, n = 0;

	(void)state;
	assert_non_null(all);
	for (i = 0; i < kt_event_names_count(all); i++) {
		name = kt_event_names_at(all, i);
		if (kt_syscall_of(name->system, name->event, &side) && side == KT_ENTER)
			n += check_entry(name->event);
	}
	assert_true(n > 85);
	kt_event_names_free(all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(options)};

	return cmocka_run_group_tests(tests, open_kernel, close_kernel);
}
