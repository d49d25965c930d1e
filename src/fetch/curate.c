// SPDX-License-Identifier: GPL-2.0-or-later
#include "fetch/curate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "base/error.h"
#include "base/scan.h"
#include "ctypes/recipe_parser.h"
#include "events/curated.h"
#include "events/event.h"
#include "events/extra_fields.h"
#include "events/point.h"
#include "fetch/function_fields.h"
#include "fetch/late_text.h"
#include "fetch/point_fields.h"
#include "fetch/pointed_data.h"
#include "fetch/pointed_fields.h"
#include "fetch/recipes.h"
#include "fetch/syscall_fields.h"

/* Returns how many elements an expression stores; 0 if its branches differ. */
static size_t count_elements(const struct kt_expr *e)
{
	size_t n;

	if (e->op == KT_EXPR_LIST)
		return 1 + count_elements(e->of[1]);
	if (e->op != KT_EXPR_CHOICE)
		return 1;
	n = count_elements(e->of[1]);
	return n == count_elements(e->of[2]) ? n : 0;
}

static bool has_path(const struct kt_expr *e)
{
	return e->op == KT_EXPR_PATH || e->op == KT_EXPR_PROBE;
}

/* Returns whether a value does not fit in a register. */
static bool is_wide(const struct kt_expr *e)
{
	size_t size = e->path.size;

	return e->op == KT_EXPR_TEXT || e->op == KT_EXPR_JOIN || kt_expr_is_copied(e) ||
	       (has_path(e) && (e->path.is_array || size > 8 || (size & (size - 1))));
}

/* Returns the maximum bytes of a text, with its NUL; 0 if it is not text. */
static size_t get_text_max(const struct kt_expr *e)
{
	size_t a, b;

	if (e->op == KT_EXPR_TEXT)
		return strlen(e->text) + 1;
	if (e->op == KT_EXPR_PATH && e->path.is_text)
		return e->path.is_array ? e->path.size : KT_CURATED_TEXT_MAX;
	if (e->op != KT_EXPR_CHOICE)
		return 0;
	a = get_text_max(e->of[1]);
	b = get_text_max(e->of[2]);
	return !a || !b ? 0 : a > b ? a : b;
}

/* Checks that the text is the only one of varying length. */
static int check_text(struct kt_curated *c, const struct kt_field *f, const struct kt_expr *e,
		      struct kt_error *err)
{
	if (c->text_max)
		return kt_fail(err, EOPNOTSUPP, "%s: two fields vary in length", f->name);
	c->text_max = get_text_max(e);
	if (!c->text_max || c->text_max > KT_CURATED_TEXT_MAX || !kt_field_is_text(f))
		return kt_fail(err, EOPNOTSUPP, "%s: the kernel's value is no text", f->name);
	return 0;
}

static bool is_letters(const struct kt_expr *e)
{
	return e->op == KT_EXPR_CHOICE ? is_letters(e->of[1]) && is_letters(e->of[2])
				       : e->op == KT_EXPR_JOIN;
}

static bool is_pointed_data(const struct kt_field *f, const struct kt_expr *e)
{
	if (e->op == KT_EXPR_CHOICE)
		return is_pointed_data(f, e->of[1]) && is_pointed_data(f, e->of[2]);
	if (!kt_field_varies(f))
		return false;
	return kt_expr_is_copied(e) && kt_field_is_text(f) == kt_expr_is_string(e);
}

/* Checks that the previous field has the structs that point to these buffers. */
static int check_led(const struct kt_curated *c, const struct kt_field *f, struct kt_error *err)
{
	if (c->n_pointed > 0 && kt_curated_element_size(c->exprs[c->n - 2]) == sizeof(struct iovec))
		return 0;
	return kt_fail(err, EOPNOTSUPP, "%s: no structs stand before it", f->name);
}

/* Checks that the last field before, apart from pointed-to data, is the struct. */
static int check_member(const struct kt_curated *c, const struct kt_field *f, struct kt_error *err)
{
	size_t i = c->n - 1, size;

	while (i > 0 && kt_curated_is_led(c, i))
		i--;
	if (i + c->n_pointed >= c->n - 1 && kt_curated_is_fixed(c->exprs[i], &size) &&
	    size == KT_EXPR_STRUCT_SIZE)
		return 0;
	return kt_fail(err, EOPNOTSUPP, "%s: no struct stands before it", f->name);
}

/* Checks that a program can store the value in the field's format. */
static int check_value(struct kt_curated *c, const struct kt_field *f, const struct kt_expr *e,
		       struct kt_error *err)
{
	bool whole = e->op == KT_EXPR_PATH && e->path.is_array;

	if (e->op == KT_EXPR_BUFFERS && check_led(c, f, err) < 0)
		return -err->code;
	if (kt_expr_any(e, kt_expr_is_member) && check_member(c, f, err) < 0)
		return -err->code;
	if (is_pointed_data(f, e)) {
		if (c->n_pointed++ < KT_CURATED_POINTED_FIELDS_MAX)
			return 0;
		return kt_fail(err, EOPNOTSUPP, "%s: too many pointers are followed", f->name);
	}
	if (kt_field_varies(f))
		return check_text(c, f, e, err);
	if (whole && e->path.n && (f->flags & KT_FIELD_ARRAY) && e->path.size == f->size)
		return 0;
	if (is_letters(e) && kt_field_is_text(f) && f->size >= KT_EXPR_LETTERS)
		return 0;
	if (kt_expr_any(e, is_wide) || count_elements(e) * f->width != f->size)
		return kt_fail(err, EOPNOTSUPP, "%s: the kernel's value has another size", f->name);
	return 0;
}

static int report_fields(struct kt_error *err)
{
	return kt_fail(err, EOPNOTSUPP, "this kernel's event has other fields");
}

/* Parses one field's part of a recipe, "NAME=EXPRESSION". */
static int parse_field(struct kt_curated *c, const struct kt_field *f, const char *part,
		       const struct kt_btf_target *tp, struct kt_error *err)
{
	size_t len = strlen(f->name);
	struct kt_expr *e;

	if (part)
		part += strspn(part, " ");
	if (!part || strncmp(part, f->name, len) != 0 || part[len] != '=')
		return report_fields(err);
	e = kt_expr_parse(tp, part + len + 1, err);
	if (!e) {
		err->typed = NULL; /* no user typed it */
		return kt_fail_because(err, "%s", part);
	}
	c->exprs[c->n++] = e;
	return check_value(c, f, e, err);
}

/* Parses a recipe, which it modifies. */
static int parse_fields(struct kt_curated *c, const struct kt_event *e, char *row,
			const struct kt_btf_target *tp, struct kt_error *err)
{
	char *rest = *row ? row : NULL;
	size_t i;

	for (i = 0; i < e->n_fields; i++)
		if (parse_field(c, &e->fields[i], strsep(&rest, ";"), tp, err) < 0)
			return -err->code;
	return rest ? report_fields(err) : 0;
}

/* Returns whether an expression follows unchecked pointers. */
static bool follows_pointers(const struct kt_expr *e)
{
	return has_path(e) && e->path.n > (e->op == KT_EXPR_PROBE);
}

static void note_globals(const struct kt_expr *e, struct kt_curated *c)
{
	size_t i;

	for (i = 0; i < 3 && e->of[i]; i++)
		note_globals(e->of[i], c);
	if (has_path(e) && e->path.arg >= KT_MEMBER_PATH_GLOBALS)
		c->takes[e->path.arg - KT_MEMBER_PATH_GLOBALS] = true;
}

/* Finds the path to a page: a file of one page has it as the root of its page tree. */
static int find_page(struct kt_curated *c, const struct kt_btf_target *tp, struct kt_error *err)
{
	static const char way[] = "current->files->fdt->fd[0]->f_mapping->i_pages.xa_head";
	struct kt_scan scan = kt_scan_of(way, err);

	if (kt_member_path_find(&c->page, tp, &scan) < 0) {
		err->typed = NULL;
		return kt_fail_because(err, "%s", way);
	}
	c->page_size = kt_btf_size(tp, KT_BTF_VMEMMAP);
	return 0;
}

static int try_way(struct kt_event *e, const char *fields, const struct kt_btf_target *tp,
		   struct kt_error *err)
{
	struct kt_curated *c = calloc(1, sizeof(*c) + e->n_fields * sizeof(*c->exprs));
	char *copy = strdup(fields);
	size_t i;
	int ret;

	ret = c && copy ? parse_fields(c, e, copy, tp, err)
			: kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	free(copy);
	for (i = 0; ret == 0 && i < c->n; i++) {
		if (kt_expr_any(c->exprs[i], follows_pointers))
			c->btf_id = tp->id;
		note_globals(c->exprs[i], c);
	}
	if (ret == 0 && c->takes[KT_BTF_VMEMMAP])
		ret = find_page(c, tp, err);
	if (ret < 0) {
		kt_curated_free(c);
		return ret;
	}
	kt_uncurate(e);
	e->curated = c;
	return 0;
}

/*
 * Parses the test for calls of the other word size. The return of an exec has none: the program
 * that called may have had another word size (handlers/syscall_dispatch_prog.h).
 */
static int parse_foreign_test(struct kt_event *e, const struct kt_btf_target *tp,
			      struct kt_error *err)
{
	struct kt_curated *c = e->curated;
	enum kt_side side;

	if (kt_syscall_is_exec(kt_syscall_of(e->system, e->name, &side)) && side == KT_EXIT)
		return 0;
	c->foreign = kt_expr_parse(tp, kt_syscall_foreign, err);
	if (c->foreign)
		return 0;
	err->typed = NULL;
	return kt_fail_because(err, "%s", kt_syscall_foreign);
}

/* Finds the offsets for paths and sockets of descriptors, if any field needs them. */
static int find_path_offsets(struct kt_curated *c, struct kt_btf *btf, struct kt_error *err)
{
	size_t i = 0;

	while (i < c->n && !kt_expr_any(c->exprs[i], kt_expr_is_file) &&
	       c->exprs[i]->op != KT_EXPR_SOCKET)
		i++;
	return i < c->n ? kt_fdtable_offsets_find(btf, &c->files, err) : 0;
}

/* Adds the fields that the kernel's record lacks. Returns 0 or -ENOMEM. */
static int add_fields(struct kt_event *e, enum kt_side side, struct kt_btf *btf)
{
	static const struct kt_field entry_tid = {.name = KT_ENTRY_TID,
						  .type = "pid_t",
						  .size = 4,
						  .width = 4,
						  .flags = KT_FIELD_SIGNED};
	int ret = 0;

	if (side == KT_EXIT && kt_syscall_is_exec(kt_syscall_of(e->system, e->name, &side)))
		ret = kt_event_add_field(e, &entry_tid);
	if (ret == 0)
		ret = kt_pointed_fields_add_all(e, btf);
	return ret == 0 ? kt_late_text_add_all(e, btf) : ret;
}

static int curate_call(struct kt_event *e, enum kt_side side, struct kt_btf *btf,
		       struct kt_error *err)
{
	struct kt_btf_target tp;
	char *fields;
	int ret;

	kt_uncurate(e);
	kt_syscall_fit(e, btf);
	if (e->call) {
		kt_syscall_fit(e->call, btf);
		e->call->no_data = e->no_data;
	}
	if (kt_btf_tracepoint(btf, kt_syscall_tracepoint(side), &tp, err) < 0)
		return -err->code;
	kt_btf_tracepoint_cast_regs(&tp);
	fields = add_fields(e, side, btf) == 0 ? kt_syscall_fields(e, btf) : NULL;
	ret = fields ? try_way(e, fields, &tp, err) : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	free(fields);
	if (ret < 0) {
		kt_event_remove_added(e);
		return ret;
	}
	e->curated->adds = true;
	e->curated->is_call = true;
	e->curated->side = side;
	e->curated->btf_id = tp.id;
	e->curated->regs = tp.regs;
	e->curated->notes_late = side == KT_ENTER && kt_late_text_may_be(e, btf);
	ret = parse_foreign_test(e, &tp, err);
	if (ret == 0)
		ret = find_path_offsets(e->curated, btf, err);
	if (ret < 0)
		kt_uncurate(e);
	return ret;
}

/* Tries a recipe with the extra fields. */
static int try_extra(struct kt_event *e, const char *fields, const struct kt_extra_fields *x,
		     const struct kt_btf_target *tp, struct kt_error *err)
{
	char *all = NULL;
	int ret = kt_extra_fields_add(e);

	if (ret < 0 || asprintf(&all, "%s; %s", fields, x->source) < 0)
		ret = kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	else
		ret = try_way(e, all, tp, err);
	free(all);
	if (ret < 0)
		kt_event_remove_added(e);
	else
		e->curated->adds = true;
	return ret;
}

/* Tries all ways of a recipe, first with the extra fields, then without: a kernel may lack them. */
static int try_recipe(struct kt_event *e, const struct kt_recipe *recipe,
		      const struct kt_btf_target *tp, struct kt_error *err)
{
	const struct kt_extra_fields *extra = kt_extra_fields_of(e->system, e->name);
	int i, ret = -EOPNOTSUPP;

	kt_uncurate(e);
	if (kt_extra_fields_are_added(e))
		kt_event_remove_added(e);
	for (i = 0; extra && i < KT_RECIPE_WAYS && recipe->fields[i] && ret < 0; i++)
		ret = try_extra(e, recipe->fields[i], extra, tp, err);
	for (i = 0; i < KT_RECIPE_WAYS && recipe->fields[i] && ret < 0; i++)
		ret = try_way(e, recipe->fields[i], tp, err);
	return ret;
}

static int curate_typed(struct kt_event *e, struct kt_btf *btf,
			const struct kt_btf_target *function, struct kt_error *err)
{
	char *recipe = kt_function_recipe(e);
	int ret = recipe ? try_way(e, recipe, function, err)
			 : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));

	free(recipe);
	if (ret < 0)
		return ret;
	e->curated->btf_id = function->id;
	e->curated->target = *function;
	e->curated->n_register_words = kt_function_register_words(function);
	if (e->point->is_return)
		kt_function_timing_find(e, btf);
	if (e->point->by_registers)
		kt_point_use_registers(e);
	if (e->point->n > 1)
		return kt_fail(err, EOPNOTSUPP, "the kernel has %zu functions of that name",
			       e->point->n);
	return 0;
}

/* A function without types has the registers alone, and a reason. */
static int curate_function(struct kt_event *e, struct kt_btf *btf, struct kt_error *err)
{
	struct kt_btf_target function;
	struct kt_error failed;
	int ret = kt_function_find_types(e->point, btf, &function, err);

	if (ret == 0)
		return curate_typed(e, btf, &function, err);
	e->point->by_registers = true;
	if (kt_point_fields_add(e, &failed) < 0) {
		*err = failed;
		return -err->code;
	}
	if (e->point->is_return)
		kt_function_timing_find(e, btf);
	return ret;
}

static int curate_point(struct kt_event *e, struct kt_btf *btf, struct kt_error *err)
{
	int ret;

	if (e->point->function)
		return curate_function(e, btf, err);
	ret = kt_point_fields_add(e, err);
	if (ret == 0 && e->point->is_return)
		ret = kt_point_awaited_find(e, btf, err);
	if (ret < 0)
		kt_uncurate(e);
	return ret;
}

int kt_curate(struct kt_event *e, struct kt_btf *btf, struct kt_error *err)
{
	const struct kt_recipe *recipe = kt_recipe_of(e->system, e->name);
	struct kt_btf_target tp;
	enum kt_side side;
	int ret;

	if (e->point)
		return curate_point(e, btf, err);
	if (kt_syscall_of(e->system, e->name, &side))
		return curate_call(e, side, btf, err);
	if (!recipe)
		return kt_fail(err, ENODATA, "no recipe for this event");
	ret = kt_recipe_check(recipe, err);
	if (ret == 0)
		ret = kt_btf_tracepoint(btf, e->name, &tp, err);
	return ret < 0 ? ret : try_recipe(e, recipe, &tp, err);
}

int kt_curate_as(struct kt_event *e, const char *fields, struct kt_btf *btf, struct kt_error *err)
{
	struct kt_btf_target tp;

	if (kt_btf_tracepoint(btf, e->name, &tp, err) < 0)
		return -err->code;
	return try_way(e, fields, &tp, err);
}
