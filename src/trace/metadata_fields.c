// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/metadata_fields.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/utf8.h"
#include "constants/constants.h"
#include "constants/labels.h"
#include "constants/notation.h"
#include "constants/symbols.h"
#include "ctypes/struct_layout.h"
#include "events/event.h"
#include "events/syscall_names.h"
#include "fetch/argument_variants.h"
#include "trace/task_labels.h"
#include "trace/tsdl_lexer.h"

static void write_integer(FILE *f, unsigned int bits, bool is_signed, unsigned int base)
{
	fprintf(f, "typealias integer { size = %u; align = 8; signed = %s;", bits,
		is_signed ? "true" : "false");
	if (base != 10)
		fprintf(f, " base = %u;", base);
	fputs(" } := ", f);
}

/* Prefixes of the names of number types: unsigned and signed. */
static const struct {
	const char *sign[2];
	unsigned int base;
} numbers[] = {
	[KT_DECIMAL] = {{"u", "s"}, 10},
	[KT_HEX] = {{"x", "sx"}, 16},
	[KT_OCTAL] = {{"o", "so"}, 8},
};

static void write_numbers(FILE *f)
{
	unsigned int bits;
	size_t i, is_signed;

	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		for (is_signed = 0; is_signed < 2; is_signed++) {
			for (bits = 8; bits <= 64; bits *= 2) {
				write_integer(f, bits, is_signed, numbers[i].base);
				fprintf(f, "%s%u;\n", numbers[i].sign[is_signed], bits);
			}
		}
	}
	for (i = KT_POINTER; i < KT_NOTATIONS; i++) {
		write_integer(f, 8 * kt_notation_width(i), i == KT_WORD, i == KT_IPV4 ? 10 : 16);
		fprintf(f, "%s;\n", kt_notation_type(i));
	}
	fputs("typealias integer { size = 8; align = 8; signed = false; encoding = UTF8; } := "
	      "text;\n"
	      "typealias integer { size = 48; align = 8; signed = false;\n"
	      "\tmap = clock.monotonic.value; } := time48;\n"
	      "typealias integer { size = 64; align = 8; signed = false;\n"
	      "\tmap = clock.monotonic.value; } := time64;\n",
	      f);
}

/*
 * Writes the type of an address: an enumeration of the symbols, each with its range, if they are
 * known.
 */
static void write_symbol_type(FILE *f, const struct kt_symbols *symbols)
{
	size_t i, n = symbols ? symbols->n : 0;
	const struct kt_symbol *s;

	fputs(n ? "typealias enum kernel_symbols : pointer64 {\n" : "typealias pointer64", f);
	for (i = 0; i < n; i++) {
		s = &symbols->of[i];
		fputc('\t', f);
		kt_tsdl_quote(f, s->name);
		fprintf(f, " = 0x%" PRIx64 " ... 0x%" PRIx64 ",\n", s->first, s->last);
	}
	fputs(n ? "} := symbol64;\n" : " := symbol64;\n", f);
}

/* Writes a name of a task, which may be any bytes, as text. */
static void write_comm(FILE *f, const char *comm)
{
	char text[sizeof(((struct kt_task_label *)NULL)->comm)];
	size_t i, valid = kt_utf8_valid(comm, strlen(comm));

	strcpy(text, comm);
	for (i = valid; text[i]; i++)
		if (!isascii((unsigned char)text[i]))
			text[i] = '?';
	kt_tsdl_quote(f, text);
}

/* Writes the type of a task's number: an enumeration of their names, if there are any. */
static void write_task_type(FILE *f, const struct kt_task_labels *tasks)
{
	size_t i, n = tasks ? tasks->n : 0;

	fputs(n ? "typealias enum task_names : u32 {\n" : "typealias u32", f);
	for (i = 0; i < n; i++) {
		fputc('\t', f);
		write_comm(f, tasks->of[i].comm);
		fprintf(f, " = %" PRIu32 ",\n", tasks->of[i].tid);
	}
	fputs(n ? "} := task32;\n" : " := task32;\n", f);
}

void kt_metadata_declare_types(FILE *f, const struct kt_symbols *symbols,
			       const struct kt_task_labels *tasks)
{
	write_numbers(f);
	write_symbol_type(f, symbols);
	write_task_type(f, tasks);
}

static void write_plain_type(FILE *f, const struct kt_field *field)
{
	bool is_signed = field->flags & KT_FIELD_SIGNED;

	if (field->of)
		fprintf(f, "struct %s", field->of->name);
	else if (field->flags & KT_FIELD_SYMBOL)
		fputs("symbol64", f);
	else if (field->notation >= KT_POINTER)
		fputs(kt_notation_type(field->notation), f);
	else if (kt_field_is_text(field))
		fputs("text", f);
	else
		fprintf(f, "%s%u", numbers[field->notation].sign[is_signed], 8 * field->width);
}

static void write_name(FILE *f, const struct kt_field *field)
{
	const char *c;

	fputc('_', f);
	for (c = field->name; *c; c++)
		fputc(isalnum((unsigned char)*c) ? *c : '_', f);
}

/*
 * Converts a label's value to how the field would be read: the highest bit of a signed field,
 * CLONE_IO of an int, is a negative number. Returns false if the field cannot have the value.
 */
static bool fit_value(const struct kt_field *field, uint64_t *value)
{
	unsigned int unused = 64 - 8 * field->width;
	uint64_t with_sign = (int64_t)(*value << unused) >> unused;
	uint64_t without = *value << unused >> unused;

	if (*value != with_sign && *value != without)
		return false;
	*value = field->flags & KT_FIELD_SIGNED ? with_sign : without;
	return true;
}

/* Returns whether an enumeration is needed. */
static bool has_labels(const struct kt_field *field)
{
	uint64_t value;
	size_t i;

	for (i = 0; field->labels && i < field->labels->n; i++) {
		value = field->labels->of[i].value;
		if (fit_value(field, &value))
			return true;
	}
	return false;
}

static void write_labels(FILE *f, const struct kt_field *field, const char *before)
{
	bool is_signed = field->flags & KT_FIELD_SIGNED;
	const struct kt_label *l;
	uint64_t value;
	size_t i;

	fputs(" {\n", f);
	for (i = 0; i < field->labels->n; i++) {
		l = &field->labels->of[i];
		value = l->value;
		if (!fit_value(field, &value))
			continue;
		fputs(before, f);
		kt_tsdl_quote(f, l->text);
		fprintf(f, is_signed ? " = %" PRId64 ",\n" : " = %" PRIu64 ",\n", value);
	}
}

/* Labels that many fields share are written once per field type, as a type of their own name. */
static void write_alias_name(FILE *f, const struct kt_field *field)
{
	fprintf(f, "%s_", field->labels->name);
	write_plain_type(f, field);
}

/* Names all values of a call's return that are no errors: other readers show them as unknown. */
static void write_success(FILE *f, const struct kt_field *field)
{
	if (field->flags & KT_FIELD_SIGNED)
		fprintf(f, "\t\"success\" = 0 ... %" PRIu64 ",\n",
			UINT64_MAX >> (65 - 8 * field->width));
}

static void write_alias(FILE *f, const struct kt_field *field)
{
	const struct kt_labels *l = field->labels;

	fputs("typealias enum ", f);
	write_alias_name(f, field);
	if (l->mask)
		fprintf(f, "_0x%" PRIx64, l->mask);
	fputs(l->are_flags ? "_flags : " : "_values : ", f);
	write_plain_type(f, field);
	write_labels(f, field, "\t");
	if (l == kt_constants_find("error"))
		write_success(f, field);
	fputs("} := ", f);
	write_alias_name(f, field);
	fputs(";\n", f);
}

/*
 * Writes an enumeration named after the field: "__" and the name, with _flags at its end if values
 * combine several labels.
 */
static void write_labelled_type(FILE *f, const struct kt_field *field)
{
	if (field->labels->name) {
		write_alias_name(f, field);
		return;
	}
	fputs("enum _", f);
	write_name(f, field);
	fputs(field->labels->are_flags ? "_flags : " : "_values : ", f);
	write_plain_type(f, field);
	write_labels(f, field, "\t\t\t");
	fputs("\t\t}", f);
}

static void write_type(FILE *f, const struct kt_field *field)
{
	if (has_labels(field))
		write_labelled_type(f, field);
	else
		write_plain_type(f, field);
}

static bool is_same_alias(const struct kt_field *a, const struct kt_field *b)
{
	return a->labels == b->labels && a->width == b->width && a->notation == b->notation &&
	       (a->flags & KT_FIELD_SIGNED) == (b->flags & KT_FIELD_SIGNED);
}

/* Fields whose named type is already declared. */
struct declared {
	struct kt_field *of;
	size_t n;
};

static int add_declared(struct declared *d, const struct kt_field *field)
{
	struct kt_field *of = kt_grow(d->of, d->n, sizeof(*of));

	if (!of)
		return -ENOMEM;
	d->of = of;
	of[d->n++] = *field;
	return 0;
}

static int declare_alias(FILE *f, const struct kt_field *field, struct declared *d)
{
	size_t i;

	for (i = 0; i < d->n; i++)
		if (is_same_alias(&d->of[i], field))
			return 0;
	write_alias(f, field);
	return add_declared(d, field);
}

/* The name is LTTng's convention. */
static void write_count(FILE *f, const struct kt_field *field)
{
	fputs("_", f);
	write_name(f, field);
	fputs("_length", f);
}

static void write_field(FILE *f, const struct kt_field *field)
{
	if (kt_field_varies(field)) {
		fputs("u16 ", f);
		write_count(f, field);
		fputs(";\n", f);
		return;
	}
	write_type(f, field);
	fputc(' ', f);
	write_name(f, field);
	if (field->flags & KT_FIELD_ARRAY || field->size != field->width)
		fprintf(f, "[%u]", field->size / field->width);
	fputs(";\n", f);
}

static void write_data(FILE *f, const struct kt_field *field)
{
	fputs("\t\t", f);
	write_type(f, field);
	fputc(' ', f);
	write_name(f, field);
	fputc('[', f);
	write_count(f, field);
	fputs("];\n", f);
}

static void write_struct(FILE *f, const struct kt_struct_layout *c)
{
	size_t i;

	fprintf(f, "struct %s {\n", c->name);
	for (i = 0; i < c->n; i++) {
		fputc('\t', f);
		write_field(f, &c->fields[i]);
	}
	fputs("};\n", f);
}

static int declare_type(FILE *f, const struct kt_field *field, struct declared *d);

/* Declares a struct after those that it contains. The kernel's structs have one name each. */
static int declare_struct(FILE *f, const struct kt_field *field, struct declared *d)
{
	const struct kt_struct_layout *c = field->of;
	int ret = 0;
	size_t i;

	for (i = 0; i < d->n; i++)
		if (d->of[i].of && strcmp(d->of[i].of->name, c->name) == 0)
			return 0;
	for (i = 0; i < c->n && ret == 0; i++)
		ret = declare_type(f, &c->fields[i], d);
	if (ret < 0)
		return ret;
	write_struct(f, c);
	return add_declared(d, field);
}

/* Declares a type if it has a name. */
static int declare_type(FILE *f, const struct kt_field *field, struct declared *d)
{
	if (field->of)
		return declare_struct(f, field, d);
	return has_labels(field) && field->labels->name ? declare_alias(f, field, d) : 0;
}

/* Writes an option for each label of the deciding field. */
static void write_option(FILE *f, const struct kt_argument_variant *o)
{
	const char *when = o->when ? o->when : "others";
	size_t n;

	for (; *when; when += n + (when[n] == ' ')) {
		n = strcspn(when, " ");
		fputc('\t', f);
		if (o->is_none)
			fputs("struct { }", f);
		else
			write_type(f, &o->field);
		fprintf(f, " %.*s;\n", (int)n, when);
	}
}

/*
 * Declares the variants of an argument that another one decides on
 * (trace/read/metadata_variants.h).
 */
static int declare_variant(FILE *f, const struct kt_event *e, const struct kt_field *field,
			   struct declared *d)
{
	enum kt_side side;
	const char *call = kt_syscall_of(e->system, e->name, &side);
	struct kt_argument_variant o;
	int ret = 0;
	size_t k;

	if (!call || side != KT_ENTER || !kt_argument_variant_at(call, field, 0, &o))
		return 0;
	for (k = 0; ret == 0 && kt_argument_variant_at(call, field, k, &o); k++)
		ret = o.is_none ? 0 : declare_type(f, &o.field, d);
	fprintf(f, "variant %s", e->name);
	write_name(f, field);
	fprintf(f, " <_%s> {\n", o.by);
	for (k = 0; kt_argument_variant_at(call, field, k, &o); k++)
		write_option(f, &o);
	fputs("};\n", f);
	return ret;
}

static int declare_named(FILE *f, const struct kt_event *e, struct declared *d)
{
	int ret = 0;
	size_t i;

	for (i = 0; i < e->n_fields && ret == 0; i++) {
		ret = declare_type(f, &e->fields[i], d);
		if (ret == 0)
			ret = declare_variant(f, e, &e->fields[i], d);
	}
	return ret;
}

int kt_metadata_declare_named(FILE *f, const struct kt_event *const *events, size_t n)
{
	struct declared declared = {};
	int ret = 0;
	size_t i;

	for (i = 0; i < n && ret == 0; i++)
		ret = declare_named(f, events[i], &declared);
	free(declared.of);
	return ret;
}

void kt_metadata_declare_fields(FILE *f, const struct kt_event *e)
{
	size_t i;

	for (i = 0; i < e->n_fields; i++) {
		fputs("\t\t", f);
		write_field(f, &e->fields[i]);
	}
	for (i = 0; i < e->n_fields; i++)
		if (kt_field_varies(&e->fields[i]))
			write_data(f, &e->fields[i]);
}
