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

/* The comma behind it, or the end of all: outside of quotes and brackets. */
static const char *end_of_argument(const char *c)
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

/* Whether it has one of the forms that kt_print_fmt_label knows. */
static bool may_tell(const char *argument, size_t len)
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

/* libtraceevent 1.7 crashes where it is to name the values of a field that is not there. */
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

/* Of the arguments that stand at print. The first one is the form of the text. */
static void reduce(FILE *f, const char *format, const char *print)
{
	const char *c, *end;

	for (c = end_of_argument(print); *c; c = end) {
		end = end_of_argument(c + 1);
		if (may_tell(c, end - c) && has_fields(format, print, c, end - c))
			fwrite(c, 1, end - c, f);
	}
}

static char *rewrite(const char *format, bool with_arguments)
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
		reduce(f, format, print);
	fputc('\n', f);
	if (fclose(f) == 0)
		return text;
	free(text);
	errno = ENOMEM;
	return NULL;
}

char *kt_print_fmt_reduce(const char *format)
{
	return rewrite(format, true);
}

char *kt_print_fmt_remove(const char *format)
{
	return rewrite(format, false);
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

/* Its pieces, each in quotes, follow each other. */
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
	end = end_of_argument(c);
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

static const char *text_of(const struct tep_print_arg *a)
{
	if (a && a->type == TEP_PRINT_ATOM)
		return a->atom.atom;
	return a && a->type == TEP_PRINT_STRING ? a->string.string : NULL;
}

/* A cast that leaves every value as it is. */
static const struct tep_print_arg *without_cast(const struct tep_print_arg *a)
{
	while (a && a->type == TEP_PRINT_TYPE && strcmp(a->typecast.type, "unsigned long") == 0)
		a = a->typecast.item;
	return a;
}

/*
 * The field that the expression is, or some bits of: 'flags & 0xf0'. libtraceevent 1.7 makes
 * (x & a) | b of 'x & (a | b)', which is taken to be what was meant.
 */
static struct kt_field *find_field(const struct reader *r, const struct tep_print_arg *a,
				   bool *masked)
{
	const struct tep_print_arg *above = NULL;
	size_t i;

	for (a = without_cast(a); is_op(a, "&") || is_op(a, "|"); a = without_cast(a->op.left))
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
 * As a value of the field that has these bits would be read. A value it cannot have is refused, but
 * of flags the highest bit of a field with a sign is a bit like others.
 */
static bool fit(const struct kt_field *field, bool are_flags, uint64_t *value)
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

/* As C writes it. */
static bool read_number(const char *text, uint64_t *value)
{
	char *end;

	*value = strtoull(text, &end, 0);
	return end > text && end[strspn(end, "uUlL")] == '\0';
}

/* Texts that are no texts are the end of the list, which some have in it. */
static int add_label(struct kt_labels *labels, const struct kt_field *field,
		     const struct tep_print_flag_sym *sym)
{
	uint64_t value;

	if (!sym->value || !sym->str || strcmp(sym->str, "0") == 0)
		return 0;
	if (!read_number(sym->value, &value) || !fit(field, labels->are_flags, &value))
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

/* x ? … : "none": what x is called where it is 0. */
static int read_none(struct kt_labels *labels, const char *text)
{
	struct kt_labelled found;

	kt_labels_of(labels, 0, &found);
	return found.n || !*text ? 0 : kt_labels_add(labels, 0, text);
}

/*
 * x & 256 ? "+" : "": what is put behind where a bit is set. It is known of a value that has none
 * besides: that is called "R+", if 0 is "R".
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
	const struct tep_print_arg *condition = without_cast(a->op.left);
	const struct tep_print_arg *result = a->op.right->op.left;
	const char *then = text_of(result), *otherwise = text_of(a->op.right->op.right);
	bool masked = false;
	struct kt_field *field = find_field(r, condition, &masked);
	struct kt_labels *labels = field ? (struct kt_labels *)field->labels : NULL;
	const char *bit;
	uint64_t value;

	if (!labels || !labels->are_flags || !otherwise)
		return 0;
	if (result && result->type == TEP_PRINT_FLAGS)
		return find_field(r, result->flags.field, &masked) == field
			       ? read_none(labels, otherwise)
			       : 0;
	bit = is_op(condition, "&") ? text_of(condition->op.right) : NULL;
	if (!then || *otherwise || !bit || !read_number(bit, &value) || !fit(field, true, &value))
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

/* Brackets, and types in them: no functions, and no numbers. */
static bool are_casts(const char *c, const char *end)
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

/* What stands before the name of a field whose value an argument is, or where its data lies. */
static const char *find_name(const char *c, const char *end)
{
	static const char *const forms[] = {record, "__get_sockaddr(", "__get_rel_sockaddr("};
	const char *found;
	size_t i;

	for (i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		found = memmem(c, end - c, forms[i], strlen(forms[i]));
		if (found && are_casts(c, found))
			return found + strlen(forms[i]);
	}
	return NULL;
}

/* The brackets of casts, up to the end of the argument. */
static bool are_behind(const char *c, const char *end)
{
	return c + strspn(c, " )\n") == end;
}

/*
 * The name of the field that is the argument's value, or that of whose elements one is:
 * (void *)REC->ip, REC->args[0]. NULL where that is computed otherwise.
 */
static const char *name_of_field(const char *c, const char *end, size_t *len, bool *is_element)
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
	return are_behind(c, end) ? name : NULL;
}

/* The same where it is the number of a device that is shown in its two parts: of the second. */
static const char *name_of_device(const char *c, const char *end, size_t *len)
{
	static const char minor[] = ") & ((1U << 20) - 1)))";
	const char *name = find_name(c, end);

	if (!name)
		return NULL;
	*len = strspn(name, letters);
	c = name + *len;
	return strncmp(c, minor, strlen(minor)) == 0 && are_behind(c + strlen(minor), end) ? name
											   : NULL;
}

/* A conversion: what it makes of a field. */
struct conversion {
	bool symbol;
	enum kt_notation notation;
};

/* From the letter on. Numbers in decimal are not told from what is no number. */
static struct conversion read_conversion(const char *c)
{
	static const struct {
		const char *sign;
		const char *not_before; /* these make another of it: of a number, or turned round */
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
 * Whether its elements can be shown so. What is said of one of them is said of all; and of a field
 * with labels, of values that have none.
 */
static bool suits(const struct kt_field *field, enum kt_notation notation, bool is_element)
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

static void mark(const char *argument, const char *end, const struct conversion *is,
		 struct kt_field *fields, size_t n)
{
	static const struct conversion device = {false, KT_DEVICE};
	struct kt_field *field;
	bool is_element = false;
	size_t i, len;
	const char *name = name_of_field(argument, end, &len, &is_element);

	if (!name && (name = name_of_device(argument, end, &len)))
		is = &device;
	for (i = 0; name && i < n; i++) {
		field = &fields[i];
		if (strlen(field->name) != len || memcmp(field->name, name, len) ||
		    !suits(field, is->notation, is_element))
			continue;
		field->notation = is->notation;
		if (is->symbol && is_number(field))
			field->flags |= KT_FIELD_SYMBOL;
	}
}

/*
 * From behind the % of a conversion to its letter; how many arguments it takes, one more for each
 * star. The text may be in pieces: "%" "llu".
 */
static const char *find_letter(const char *c, size_t *n_arguments)
{
	for (*n_arguments = 1; *c && strchr("\" -+#.*0123456789hlLqjzt", *c); c++)
		*n_arguments += *c == '*';
	return c;
}

/*
 * Of system calls the kernel shows all in hexadecimal, whatever it is, the numbers of files and -1
 * too: what it does not say there is not taken for said.
 */
void kt_print_fmt_mark(const char *system, const char *format, struct kt_field *fields, size_t n)
{
	const char *c = strstr(format, head), *text_end, *begin, *end;
	struct conversion conversion;
	size_t n_arguments;

	if (!c || strcmp(system, "syscalls") == 0)
		return;
	begin = end = text_end = end_of_argument(c + strlen(head));
	while ((c = memchr(c, '%', text_end - c))) {
		c = find_letter(c + 1, &n_arguments);
		if (*c == '%') {
			c++;
			continue;
		}
		for (; n_arguments && *end; n_arguments--) {
			begin = end + 1;
			end = end_of_argument(begin);
		}
		conversion = read_conversion(c);
		if (!n_arguments)
			mark(begin, end, &conversion, fields, n);
	}
}
