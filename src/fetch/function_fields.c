// SPDX-License-Identifier: GPL-2.0-or-later
#include "fetch/function_fields.h"

#include <bpf/btf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "ctypes/btf.h"
#include "events/curated.h"
#include "events/event.h"
#include "events/point.h"
#include "fetch/point_fields.h"

/* An argument of a function, or another value. */
struct argument {
	char name[64];
	uint32_t type; /* as declared */
	const struct btf_type *bare;
	unsigned int size; /* 0: it has none, as "..." */
};

static struct argument get_value(const struct kt_btf_target *f, const char *name, uint32_t type)
{
	long long size = btf__resolve_size(f->btf, type);
	struct argument a = {
		.type = type,
		.bare = btf__type_by_id(f->btf, kt_btf_bare(f->btf, type)),
		.size = size > 0 ? size : 0,
	};

	snprintf(a.name, sizeof(a.name), "%s", name);
	return a;
}

static struct argument get_argument(const struct kt_btf_target *f, unsigned int i)
{
	const struct btf_param *p = btf_params(btf__type_by_id(f->btf, f->proto)) + i;
	const char *name = btf__name_by_offset(f->btf, p->name_off);
	char number[16];

	snprintf(number, sizeof(number), "arg%u", i);
	return get_value(f, *name ? name : number, p->type);
}

static unsigned int count_arguments(const struct kt_btf_target *f)
{
	return btf_vlen(btf__type_by_id(f->btf, f->proto));
}

/* Returns whether a field can hold it. */
static bool has_field(const struct argument *a)
{
	return a->size && a->size <= 8 && !(a->size & (a->size - 1));
}

static bool is_signed(const struct argument *a)
{
	if (btf_is_int(a->bare))
		return btf_int_encoding(a->bare) & BTF_INT_SIGNED;
	return btf_is_any_enum(a->bare) && btf_kflag(a->bare);
}

/* What is printed of a type that libtraceevent cannot read: "int (*)(void *)", "struct { ... }". */
static const char *get_plain_type(const struct argument *a)
{
	static const char *const numbers[] = {[1] = "u8", [2] = "u16", [4] = "u32", [8] = "u64"};

	return btf_is_ptr(a->bare) ? "void *" : numbers[a->size];
}

/* Returns whether there is memory. */
static bool print_field(FILE *to, const struct argument *a, struct kt_btf *btf)
{
	char *declared = kt_btf_declare(btf, a->type, a->name);

	if (!declared)
		return false;
	fputs("\tfield:", to);
	if (strpbrk(declared, "({"))
		fprintf(to, "%s %s", get_plain_type(a), a->name);
	else
		fputs(declared, to);
	fprintf(to, ";\toffset:0;\tsize:%u;\tsigned:%d;\n", a->size, is_signed(a));
	free(declared);
	return true;
}

static void print_conversion(FILE *to, const struct argument *a)
{
	const char *length = a->size == 8 ? "l" : "";

	if (btf_is_any_enum(a->bare))
		fprintf(to, "%s=%%s", a->name);
	else if (btf_is_ptr(a->bare))
		fprintf(to, "%s=%%p", a->name);
	else
		fprintf(to, "%s=%%%s%s", a->name, length, is_signed(a) ? "d" : "u");
}

static void print_enumerators(FILE *to, const struct argument *a, const struct btf *btf)
{
	int i, n = btf_vlen(a->bare);
	const struct btf_enum64 *wide = btf_enum64(a->bare);
	const struct btf_enum *e = btf_enum(a->bare);

	for (i = 0; i < n; i++)
		if (btf_is_enum(a->bare))
			fprintf(to, ", { %d, \"%s\" }", e[i].val,
				btf__name_by_offset(btf, e[i].name_off));
		else
			fprintf(to, ", { %" PRId64 ", \"%s\" }",
				(int64_t)btf_enum64_value(&wide[i]),
				btf__name_by_offset(btf, wide[i].name_off));
}

static void print_value(FILE *to, const struct argument *a, const struct btf *btf)
{
	if (btf_is_any_enum(a->bare)) {
		fprintf(to, ", __print_symbolic(REC->%s", a->name);
		print_enumerators(to, a, btf);
		fputc(')', to);
	} else {
		fprintf(to, ", REC->%s", a->name);
	}
}

/* The arguments, or other values, that have a field. */
struct arguments {
	size_t n;
	struct argument *of;
};

static void add_if_field(struct arguments *to, struct argument a)
{
	if (has_field(&a))
		to->of[to->n++] = a;
}

static int read_arguments(struct arguments *to, const struct kt_btf_target *f)
{
	unsigned int i, n = f->is_return ? 0 : count_arguments(f);

	to->n = 0;
	to->of = calloc(n + 2, sizeof(*to->of));
	if (!to->of)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		add_if_field(to, get_argument(f, i));
	if (f->is_return) {
		add_if_field(to, get_value(f, "ret", btf__type_by_id(f->btf, f->proto)->type));
		add_if_field(to, get_value(f, "duration", f->globals[KT_BTF_DURATION]));
	}
	return 0;
}

/* Prints the text of a format file, with a name that libtraceevent can read. */
static bool print_format(FILE *to, const struct arguments *a, struct kt_btf *btf)
{
	bool ok = true;
	size_t i;

	fputs("name: function\nID: 0\nformat:\n"
	      "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n",
	      to);
	for (i = 0; ok && i < a->n; i++)
		ok = print_field(to, &a->of[i], btf);
	fputs("\nprint fmt: \"", to);
	for (i = 0; i < a->n; i++) {
		fputs(i ? " " : "", to);
		print_conversion(to, &a->of[i]);
	}
	fputc('"', to);
	for (i = 0; i < a->n; i++)
		print_value(to, &a->of[i], kt_btf_types(btf));
	fputc('\n', to);
	return ok;
}

/* Returns NULL without memory. */
static char *make_format(const struct kt_btf_target *f, struct kt_btf *btf)
{
	struct arguments a;
	char *text = NULL;
	size_t size;
	FILE *to;
	bool ok;

	if (read_arguments(&a, f) < 0)
		return NULL;
	to = open_memstream(&text, &size);
	ok = to && print_format(to, &a, btf);
	free(a.of);
	if (to && fclose(to) == 0 && ok)
		return text;
	free(text);
	return NULL;
}

int kt_function_find_types(const struct kt_point *point, struct kt_btf *btf,
			   struct kt_btf_target *found, struct kt_error *err)
{
	if (point->module)
		return kt_fail(err, ENOENT, "functions of modules have no types here");
	return kt_btf_function(btf, point->function, point->is_return, found, err);
}

struct kt_event *kt_function_event(const struct kt_event_name *name, const struct kt_point *point,
				   struct kt_btf *btf, struct kt_error *err)
{
	struct kt_event *event = NULL;
	struct kt_btf_target f;
	struct kt_error ignored;
	char *format;

	if (kt_function_find_types(point, btf, &f, &ignored) < 0) {
		event = kt_event_of_point(name, point);
		if (!event)
			kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return event;
	}
	format = make_format(&f, btf);
	if (format)
		event = kt_event_parse_point(name, format, point, err);
	else
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	free(format);
	return event;
}

char *kt_function_recipe(const struct kt_event *event)
{
	size_t size, i;
	char *text = NULL;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	for (i = 0; i < event->n_fields; i++)
		fprintf(to, "%s%s=%s", i ? ";" : "", event->fields[i].name, event->fields[i].name);
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

unsigned int kt_function_register_words(const struct kt_btf_target *f)
{
	unsigned int i, words = 0, n = count_arguments(f);
	struct argument a;

	for (i = 0; i < n; i++) {
		a = get_argument(f, i);
		if (!a.size || a.size > 16 || words + (a.size + 7) / 8 > KT_POINT_REGISTERS)
			break;
		words += (a.size + 7) / 8;
	}
	return words;
}

/* Finds a function that programs of both ends call with their context; those before have none. */
static uint32_t find_session_function(struct kt_btf *btf, const char *name)
{
	const struct btf *types = kt_btf_types(btf);
	const struct btf_type *proto;
	struct kt_error none;
	uint32_t id;

	if (kt_btf_find(btf, KT_BTF_INDEX_FUNCTION, name, &id, &none) < 0)
		return 0;
	proto = btf__type_by_id(types, btf__type_by_id(types, id)->type);
	return btf_vlen(proto) == 1 ? id : 0;
}

void kt_function_timing_find(struct kt_event *event, struct kt_btf *btf)
{
	struct kt_call_timing *to = &event->curated->timing;
	unsigned int rethook;
	struct kt_error none;

	to->has_room = kt_btf_offset(btf, "fprobe", "rethook", &rethook, &none) < 0;
	to->is_return = find_session_function(btf, "bpf_session_is_return");
	to->cookie = find_session_function(btf, "bpf_session_cookie");
	if (!to->is_return || !to->cookie ||
	    kt_btf_offset(btf, "task_struct", "start_time", &to->start_time, &none) < 0 ||
	    kt_btf_offset(btf, "task_struct", "nvcsw", &to->nvcsw, &none) < 0 ||
	    kt_btf_offset(btf, "task_struct", "nivcsw", &to->nivcsw, &none) < 0)
		*to = (struct kt_call_timing){};
}
