// SPDX-License-Identifier: GPL-2.0-or-later
#include "events/print_fmt.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>

#include "constants/labels.h"
#include "events/event.h"

static const char head[] = "\nprint fmt:";
static const char record[] = "REC->";
static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

/*
 * Returns the end of an argument: a comma outside of quotes and parentheses, or the end of the
 * text.
 */
static const char *find_argument_end(const char *c)
{
	bool quoted = false;
	int depth = 0;

	for (; *c; c++) {
		if (quoted && *c == '\\' && c[1])
			c++;
		else if (*c == '"')
			quoted = !quoted;
		else if (!quoted && strchr("([{", *c))
			depth++;
		else if (!quoted && strchr(")]}", *c))
			depth--;
		else if (!quoted && depth == 0 && *c == ',')
			break;
	}
	return c;
}

/* Returns whether an argument has a form that kt_print_fmt_label() understands. */
static bool may_name_values(const char *argument, size_t len)
{
	static const char *const forms[] = {"__print_flags(", "__print_symbolic(", ": \"\""};
	size_t i;

	for (i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (memmem(argument, len, forms[i], strlen(forms[i])))
			return true;
	return false;
}

static bool has_field(const char *fields, const char *end, const char *name, size_t len)
{
	const char *c;

	for (c = fields; len && (c = memmem(c, end - c, name, len)); c++)
		if (c > fields && strchr(" *", c[-1]) && strchr(";[", c[len]))
			return true;
	return false;
}

/*
 * Returns whether all fields exist: libtraceevent 1.7 crashes when it names values of a missing
 * one.
 */
static bool has_fields(const char *fields, const char *end, const char *argument, size_t len)
{
	const char *c, *argument_end = argument + len;

	for (c = argument; (c = memmem(c, argument_end - c, record, strlen(record)));) {
		c += strlen(record);
		if (!has_field(fields, end, c, strspn(c, letters)))
			return false;
	}
	return true;
}

/*
 * Writes the arguments of the print fmt at `print` that may name values; the first is the format
 * string.
 */
static void write_reduced(FILE *f, const char *format, const char *print)
{
	const char *c, *end;

	for (c = find_argument_end(print); *c; c = end) {
		end = find_argument_end(c + 1);
		if (may_name_values(c, end - c) && has_fields(format, print, c, end - c))
			fwrite(c, 1, end - c, f);
	}
}

static char *rewrite_format(const char *format, bool with_arguments)
{
	const char *print = strstr(format, head);
	char *text = NULL;
	size_t size;
	FILE *f;

	if (!print) {
		errno = EPROTO;
		return NULL;
	}
	f = open_memstream(&text, &size);
	if (!f)
		return NULL;
	print += strlen(head);
	fprintf(f, "%.*s \"\"", (int)(print - format), format);
	if (with_arguments)
		write_reduced(f, format, print);
	fputc('\n', f);
	if (fclose(f) == 0)
		return text;
	free(text);
	errno = ENOMEM;
	return NULL;
}

char *kt_print_fmt_reduce(const char *format)
{
	return rewrite_format(format, true);
}

char *kt_print_fmt_remove(const char *format)
{
	return rewrite_format(format, false);
}

char *kt_print_fmt_copy(const char *format)
{
	const char *c = strstr(format, head);

	if (!c) {
		errno = EPROTO;
		return NULL;
	}
	c += strlen(head);
	return strdup(c + strspn(c, " "));
}

/* The format string may consist of several quoted pieces. */
char *kt_print_fmt_form(const char *format)
{
	const char *c = strstr(format, head), *end;
	char *form, *to;
	bool quoted = false;

	if (!c) {
		errno = EPROTO;
		return NULL;
	}
	c += strlen(head);
	end = find_argument_end(c);
	form = to = malloc(end - c + 1);
	if (!form)
		return NULL;
	for (; c < end; c++) {
		if (*c == '"') {
			quoted = !quoted;
			continue;
		}
		if (quoted && *c == '\\' && c + 1 < end)
			*to++ = *c++;
		if (quoted)
			*to++ = *c;
	}
	*to = '\0';
	return form;
}

struct reader {
	struct kt_field *fields;
	size_t n;
	struct kt_labels **list;
};

static bool is_op(const struct tep_print_arg *a, const char *op)
{
	return a && a->type == TEP_PRINT_OP && strcmp(a->op.op, op) == 0;
}

static const char *get_text(const struct tep_print_arg *a)
{
	if (a && a->type == TEP_PRINT_ATOM)
		return a->atom.atom;
	return a && a->type == TEP_PRINT_STRING ? a->string.string : NULL;
}

/* Strips a cast that changes no value. */
static const struct tep_print_arg *strip_cast(const struct tep_print_arg *a)
{
	while (a && a->type == TEP_PRINT_TYPE && strcmp(a->typecast.type, "unsigned long") == 0)
		a = a->typecast.item;
	return a;
}

/*
 * Finds the field that an expression is, or masks: 'flags & 0xf0'. libtraceevent 1.7 parses 'x & (a
 * | b)' as (x & a) | b, so that form is accepted as well.
 */
static struct kt_field *find_field(const struct reader *r, const struct tep_print_arg *a,
				   bool *masked)
{
	const struct tep_print_arg *above = NULL;
	size_t i;

	for (a = strip_cast(a); is_op(a, "&") || is_op(a, "|"); a = strip_cast(a->op.left))
		above = a;
	if (!a || a->type != TEP_PRINT_FIELD || (above && !is_op(above, "&")))
		return NULL;
	*masked = above;
	for (i = 0; i < r->n; i++)
		if (strcmp(r->fields[i].name, a->field.name) == 0)
			return &r->fields[i];
	return NULL;
}

static bool is_number(const struct kt_field *field)
{
	const unsigned int others = KT_FIELD_ARRAY | KT_FIELD_DATA_LOC | KT_FIELD_REL_LOC;

	return !(field->flags & others) && field->size == field->width;
}

/*
 * Converts a value to how the field would be read. Refuses a value that does not fit; but for flags
 * the highest bit of a signed field is an ordinary bit.
 */
static bool fit_value(const struct kt_field *field, bool are_flags, uint64_t *value)
{
	unsigned int unused = 64 - 8 * field->width;
	uint64_t without = *value << unused >> unused;
	uint64_t extended = (int64_t)(*value << unused) >> unused;
	bool fits = field->flags & KT_FIELD_SIGNED ? *value == extended : *value == without;

	if (!fits && !(are_flags && *value == without))
		return false;
	if (field->flags & KT_FIELD_SIGNED)
		*value = extended;
	return true;
}

/* Parses a number as C does. */
static bool read_number(const char *text, uint64_t *value)
{
	char *end;

	*value = strtoull(text, &end, 0);
	return end > text && end[strspn(end, "uUlL")] == '\0';
}

/* Adds a label. A text that is not a string ends the list; some lists contain one. */
static int add_label(struct kt_labels *labels, const struct kt_field *field,
		     const struct tep_print_flag_sym *sym)
{
	uint64_t value;

	if (!sym->value || !sym->str || strcmp(sym->str, "0") == 0)
		return 0;
	if (!read_number(sym->value, &value) || !fit_value(field, labels->are_flags, &value))
		return 0;
	return kt_labels_add(labels, value, sym->str);
}

static int read_list(struct reader *r, const struct tep_print_arg *of,
		     const struct tep_print_flag_sym *sym, bool are_flags)
{
	struct kt_labels *labels;
	bool masked = false;
	struct kt_field *field = find_field(r, of, &masked);
	int ret = 0;

	if (!field || field->labels || !is_number(field) || (masked && !are_flags))
		return 0;
	labels = kt_labels_new(r->list, are_flags);
	if (!labels)
		return -ENOMEM;
	for (; sym && ret == 0; sym = sym->next)
		ret = add_label(labels, field, sym);
	if (labels->n)
		field->labels = labels;
	return ret;
}

/* Parses x ? … : "none": the name of 0. */
static int read_zero_label(struct kt_labels *labels, const char *text)
{
	struct kt_labelled found;

	kt_labels_of(labels, 0, &found);
	return found.n || !*text ? 0 : kt_labels_add(labels, 0, text);
}

/*
 * Parses x & 256 ? "+" : "": a suffix for a set bit. The label is known only if no other bit is
 * set: "R+" if 0 is "R".
 */
static int read_addition(struct kt_labels *labels, uint64_t bit, const char *text)
{
	struct kt_labelled found;
	char *both;
	int ret;

	kt_labels_of(labels, 0, &found);
	if (!found.n || asprintf(&both, "%s%s", found.text[0], text) < 0)
		return found.n ? -ENOMEM : 0;
	ret = kt_labels_add(labels, bit, both);
	free(both);
	return ret;
}

static int read_either(struct reader *r, const struct tep_print_arg *a)
{
	const struct tep_print_arg *condition = strip_cast(a->op.left);
	const struct tep_print_arg *result = a->op.right->op.left;
	const char *then = get_text(result), *otherwise = get_text(a->op.right->op.right);
	bool masked = false;
	struct kt_field *field = find_field(r, condition, &masked);
	struct kt_labels *labels = field ? (struct kt_labels *)field->labels : NULL;
	const char *bit;
	uint64_t value;

	if (!labels || !labels->are_flags || !otherwise)
		return 0;
	if (result && result->type == TEP_PRINT_FLAGS)
		return find_field(r, result->flags.field, &masked) == field
			       ? read_zero_label(labels, otherwise)
			       : 0;
	bit = is_op(condition, "&") ? get_text(condition->op.right) : NULL;
	if (!then || *otherwise || !bit || !read_number(bit, &value) ||
	    !fit_value(field, true, &value))
		return 0;
	return value ? read_addition(labels, value, then) : 0;
}

static int read_argument(struct reader *r, const struct tep_print_arg *a)
{
	int ret = 0;

	if (!a)
		return 0;
	switch (a->type) {
	case TEP_PRINT_FLAGS:
		return read_list(r, a->flags.field, a->flags.flags, true);
	case TEP_PRINT_SYMBOL:
		return read_list(r, a->symbol.field, a->symbol.symbols, false);
	case TEP_PRINT_OP:
		ret = read_argument(r, a->op.left);
		if (ret == 0)
			ret = read_argument(r, a->op.right);
		if (ret == 0 && is_op(a, "?") && is_op(a->op.right, ":"))
			ret = read_either(r, a);
		return ret;
	default:
		return 0;
	}
}

int kt_print_fmt_label(const struct tep_event *parsed, struct kt_field *fields, size_t n,
		       struct kt_labels **list)
{
	struct reader r = {fields, n, list};
	const struct tep_print_arg *a;
	int ret = 0;

	for (a = parsed->print_fmt.args; a && ret == 0; a = a->next)
		ret = read_argument(&r, a);
	return ret;
}

/* Returns whether the text consists of parentheses with types: no functions, no numbers. */
static bool has_only_casts(const char *c, const char *end)
{
	for (; c < end; c++) {
		bool behind_letter = strchr(letters, c[-1]);

		if (!strchr(" ()*&", *c) && !strchr(letters, *c))
			return false;
		if ((*c == '(' && behind_letter) || (isdigit((unsigned char)*c) && !behind_letter))
			return false;
	}
	return true;
}

/*
 * Finds what stands before a field's name, if an argument is the field's value or its data's
 * address.
 */
static const char *find_name(const char *c, const char *end)
{
	static const char *const forms[] = {record, "__get_sockaddr(", "__get_rel_sockaddr("};
	const char *found;
	size_t i;

	for (i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		found = memmem(c, end - c, forms[i], strlen(forms[i]));
		if (found && has_only_casts(c, found))
			return found + strlen(forms[i]);
	}
	return NULL;
}

/* Returns whether only closing parentheses of casts follow, up to the end of the argument. */
static bool ends_with_parens(const char *c, const char *end)
{
	return c + strspn(c, " )\n") == end;
}

/*
 * Returns the name of the field that an argument is, or of whose elements it is one: (void
 * *)REC->ip, REC->args[0]. Returns NULL for other expressions.
 */
static const char *find_field_name(const char *c, const char *end, size_t *len, bool *is_element)
{
	const char *name = find_name(c, end);

	if (!name)
		return NULL;
	*len = strspn(name, letters);
	c = name + *len;
	*is_element = *c == '[';
	if (*is_element)
		c += 1 + strspn(c + 1, "0123456789");
	c += *is_element && *c == ']';
	return ends_with_parens(c, end) ? name : NULL;
}

/* Returns the name of a device number that is printed in two parts, of which this is the second. */
static const char *find_device_name(const char *c, const char *end, size_t *len)
{
	static const char minor[] = ") & ((1U << 20) - 1)))";
	const char *name = find_name(c, end);

	if (!name)
		return NULL;
	*len = strspn(name, letters);
	c = name + *len;
	return strncmp(c, minor, strlen(minor)) == 0 && ends_with_parens(c + strlen(minor), end)
		       ? name
		       : NULL;
}

/* A conversion: the notation that it implies. */
struct conversion {
	bool symbol;
	enum kt_notation notation;
};

/* Parses a conversion from its letter on. "Decimal" also stands for what is not a number. */
static struct conversion read_conversion(const char *c)
{
	static const struct {
		const char *sign;
		const char *not_before; /* these letters change the conversion's meaning: of a
					   number, or its byte order */
		struct conversion is;
	} known[] = {
		{"x", "", {false, KT_HEX}},        {"X", "", {false, KT_HEX}},
		{"o", "", {false, KT_OCTAL}},      {"pS", "", {true, KT_POINTER}},
		{"ps", "", {true, KT_POINTER}},    {"pF", "", {true, KT_POINTER}},
		{"pf", "", {true, KT_POINTER}},    {"pB", "", {true, KT_POINTER}},
		{"pI4", "hl", {false, KT_IPV4}},   {"pi4", "hl", {false, KT_IPV4}},
		{"pI6", "", {false, KT_IPV6}},     {"pi6", "", {false, KT_IPV6}},
		{"pIS", "", {false, KT_SOCKADDR}}, {"piS", "", {false, KT_SOCKADDR}},
		{"pM", "R", {false, KT_MAC}},      {"pm", "R", {false, KT_MAC}},
		{"pU", "lL", {false, KT_UUID}},    {"p", "", {false, KT_POINTER}},
	};
	size_t i, len;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++) {
		len = strlen(known[i].sign);
		if (strncmp(c, known[i].sign, len) == 0)
			return c[len] && strchr(known[i].not_before, c[len]) ? (struct conversion){}
									     : known[i].is;
	}
	return (struct conversion){};
}

/*
 * Returns whether a field can have that notation. What holds for one element holds for all; for a
 * field with labels, it holds for values without any.
 */
static bool suits_field(const struct kt_field *field, enum kt_notation notation, bool is_element)
{
	switch (notation) {
	case KT_DECIMAL:
		return false;
	case KT_HEX:
	case KT_OCTAL:
		return is_element != is_number(field) && !kt_field_is_text(field) &&
		       field->notation == KT_DECIMAL;
	case KT_POINTER:
		return is_element != is_number(field) && field->width == sizeof(uint64_t) &&
		       !field->labels;
	case KT_DEVICE:
		return is_number(field) && field->width == sizeof(uint32_t) &&
		       !(field->flags & KT_FIELD_SIGNED) && !field->labels;
	default:
		return !is_element && !is_number(field) && field->width == 1;
	}
}

static void mark_argument(const char *argument, const char *end, const struct conversion *is,
			  struct kt_field *fields, size_t n)
{
	static const struct conversion device = {false, KT_DEVICE};
	struct kt_field *field;
	bool is_element = false;
	size_t i, len;
	const char *name = find_field_name(argument, end, &len, &is_element);

	if (!name && (name = find_device_name(argument, end, &len)))
		is = &device;
	for (i = 0; name && i < n; i++) {
		field = &fields[i];
		if (strlen(field->name) != len || memcmp(field->name, name, len) ||
		    !suits_field(field, is->notation, is_element))
			continue;
		field->notation = is->notation;
		if (is->symbol && is_number(field))
			field->flags |= KT_FIELD_SYMBOL;
	}
}

/*
 * Returns the letter of the conversion after a '%'. Counts its arguments, one more for each '*'.
 * The text may be in pieces: "%" "llu".
 */
static const char *find_letter(const char *c, size_t *n_arguments)
{
	for (*n_arguments = 1; *c && strchr("\" -+#.*0123456789hlLqjzt", *c); c++)
		*n_arguments += *c == '*';
	return c;
}

/*
 * For system calls the kernel prints everything in hexadecimal, file descriptors and -1 too, so its
 * print fmt says nothing about them.
 */
void kt_print_fmt_mark(const char *system, const char *format, struct kt_field *fields, size_t n)
{
	const char *c = strstr(format, head), *text_end, *begin, *end;
	struct conversion conversion;
	size_t n_arguments;

	if (!c || strcmp(system, "syscalls") == 0)
		return;
	begin = end = text_end = find_argument_end(c + strlen(head));
	while ((c = memchr(c, '%', text_end - c))) {
		c = find_letter(c + 1, &n_arguments);
		if (*c == '%') {
			c++;
			continue;
		}
		for (; n_arguments && *end; n_arguments--) {
			begin = end + 1;
			end = find_argument_end(begin);
		}
		conversion = read_conversion(c);
		if (!n_arguments)
			mark_argument(begin, end, &conversion, fields, n);
	}
}
