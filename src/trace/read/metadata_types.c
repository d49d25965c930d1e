// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/read/metadata_types.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "constants/constants.h"
#include "trace/tsdl_lexer.h"

/* A record is shorter than STRUCT_MAX. */
enum { ELEMENTS_MAX = 1 << 24, STRUCT_MAX = 1 << 16 };

struct kt_structs {
	const char *name;
	struct kt_record_layout layout;
	struct kt_structs *next;
};

/* Sets how people write the number: a base, as a number, a word, or a letter of printf. */
static bool set_base(struct kt_tsdl *t, struct kt_member *m, const struct kt_tsdl_value *v)
{
	static const struct {
		const char *words;
		uint64_t number;
		enum kt_notation notation;
	} bases[] = {
		{"decimal dec d i u", 10, KT_DECIMAL},
		{"hexadecimal hex x X p", 16, KT_HEX},
		{"octal oct o", 8, KT_OCTAL},
	};
	size_t i;

	for (i = 0; i < sizeof(bases) / sizeof(*bases); i++) {
		if (v->is_number ? v->number != bases[i].number
				 : !kt_tsdl_is_one_of(v, bases[i].words))
			continue;
		m->notation = bases[i].notation;
		return true;
	}
	return kt_tsdl_fail(t, "only bases 8, 10 and 16 are supported");
}

static bool set_encoding(struct kt_tsdl *t, struct kt_member *m, const struct kt_tsdl_value *v)
{
	m->text = kt_tsdl_is_one_of(v, "UTF8 utf8 UTF-8 utf-8 ASCII ascii");
	return m->text || kt_tsdl_is_one_of(v, "none NONE") ||
	       kt_tsdl_fail(t, "only UTF8 and ASCII are supported");
}

/* Sets the clock: clock.NAME.value. */
static bool set_clock(const struct kt_metadata_types *types, struct kt_tsdl *t, struct kt_member *m,
		      const struct kt_tsdl_value *v)
{
	static const char begin[] = "clock.", end[] = ".value";
	size_t n = types->clock ? strlen(types->clock) : 0;
	const char *name = v->is_number ? "" : v->text;

	m->clock = n > 0 && !strncmp(name, begin, strlen(begin)) &&
		   !strncmp(name + strlen(begin), types->clock, n) &&
		   !strcmp(name + strlen(begin) + n, end);
	return m->clock || kt_tsdl_fail(t, "undeclared clock");
}

static bool set_integer(const struct kt_metadata_types *types, struct kt_tsdl *t,
			struct kt_member *m, const char *name, const struct kt_tsdl_value *v)
{
	if (!strcmp(name, "size")) {
		if (!v->is_number || v->number % 8 || v->number < 8 || v->number > 64)
			return kt_tsdl_fail(t, "only integers of 8, 16, … 64 bits are supported");
		m->width = v->number / 8;
		return true;
	}
	if (!strcmp(name, "align"))
		return (v->is_number && v->number == 8) ||
		       kt_tsdl_fail(t, "only integers aligned to 8 bits are supported");
	if (!strcmp(name, "signed"))
		return kt_tsdl_bool(t, v, &m->is_signed);
	if (!strcmp(name, "base"))
		return set_base(t, m, v);
	if (!strcmp(name, "encoding"))
		return set_encoding(t, m, v);
	if (!strcmp(name, "map"))
		return set_clock(types, t, m, v);
	return kt_tsdl_fail(t, "unknown attribute '%s' of an integer", name);
}

/*
 * Returns the bit of an integer's attribute, to detect a second one of that name; 0 for other
 * names.
 */
static unsigned int find_attribute_bit(const char *name)
{
	static const char *const names[] = {"size", "align", "signed", "base", "encoding", "map"};
	size_t i = 0;

	while (i < sizeof(names) / sizeof(*names) && strcmp(names[i], name) != 0)
		i++;
	return i < sizeof(names) / sizeof(*names) ? 1u << i : 0;
}

/* Reads an integer after the word "integer". */
static bool read_integer(const struct kt_metadata_types *types, struct kt_tsdl *t,
			 struct kt_member *m)
{
	struct kt_tsdl_value v;
	unsigned int seen = 0;
	const char *name;

	*m = (struct kt_member){.count = 1};
	if (!kt_tsdl_expect(t, "{"))
		return false;
	while (!kt_tsdl_accept(t, "}")) {
		if (!kt_tsdl_word(t, &name) || !kt_tsdl_expect(t, "=") || !kt_tsdl_value(t, &v) ||
		    !set_integer(types, t, m, name, &v))
			return false;
		if (seen & find_attribute_bit(name))
			return kt_tsdl_fail(t, "duplicate '%s'", name);
		seen |= find_attribute_bit(name);
		if (!kt_tsdl_expect(t, ";"))
			return false;
	}
	return m->width || kt_tsdl_fail(t, "an integer without a size");
}

static const struct kt_member *find_type(const struct kt_metadata_types *types, const char *name)
{
	size_t i;

	for (i = 0; i < types->n; i++)
		if (!strcmp(types->of[i].name, name))
			return &types->of[i].member;
	return NULL;
}

bool kt_metadata_types_number(const struct kt_metadata_types *types, struct kt_tsdl *t,
			      struct kt_member *m)
{
	const struct kt_member *found;
	const char *name;

	if (kt_tsdl_accept(t, "integer"))
		return read_integer(types, t, m);
	if (!kt_tsdl_word(t, &name))
		return false;
	found = find_type(types, name);
	if (!found)
		return kt_tsdl_fail(t, "unknown type '%s'", name);
	*m = *found;
	return true;
}

/* Returns whether the type can have this value. */
static bool is_within(const struct kt_member *m, const struct kt_tsdl_value *v)
{
	unsigned int bits = 8 * m->width;
	uint64_t most = m->is_signed ? UINT64_MAX >> (65 - bits) : UINT64_MAX >> (64 - bits);

	if (v->is_negative)
		return m->is_signed && ~v->number <= most;
	return v->number <= most;
}

/* Reads "... LAST" after a value, if it comes next. Returns false on error. */
static bool read_range(struct kt_tsdl *t, const struct kt_member *m, struct kt_tsdl_value *value,
		       bool *is_range)
{
	*is_range = kt_tsdl_accept(t, "...");
	if (!*is_range)
		return true;
	if (!kt_tsdl_value(t, value))
		return false;
	return (value->is_number && is_within(m, value)) ||
	       kt_tsdl_fail(t, "the end of the range does not fit its type");
}

/*
 * Reads LABEL = VALUE, or LABEL, whose value is one more than the one before; or LABEL = FIRST ...
 * LAST, which names none of the values.
 */
static bool read_label(struct kt_tsdl *t, const struct kt_member *m, struct kt_labels *labels,
		       struct kt_tsdl_value *value)
{
	struct kt_tsdl_value label;
	uint64_t first;
	bool is_range;

	if (!kt_tsdl_value(t, &label))
		return false;
	if (label.is_number)
		return kt_tsdl_fail(t, "a number where a label was expected");
	if (kt_tsdl_accept(t, "=")) {
		if (!kt_tsdl_value(t, value))
			return false;
		if (!value->is_number)
			return kt_tsdl_fail(t, "the value of '%s' is not a number", label.text);
	}
	if (!value->is_number || !is_within(m, value))
		return kt_tsdl_fail(t, "the value of '%s' does not fit its type", label.text);
	if (labels->are_flags && labels->n == KT_FLAGS_MAX)
		return kt_tsdl_fail(t, "more than %d flags", KT_FLAGS_MAX);
	first = value->number;
	if (!read_range(t, m, value, &is_range))
		return false;
	if (!is_range && kt_labels_add(labels, first, label.text) < 0)
		return kt_tsdl_fail_for_memory(t);
	value->number++;
	/* -1 is followed by 0, the largest value by nothing. */
	value->is_number = value->number || value->is_negative;
	value->is_negative = value->is_negative && value->number;
	return true;
}

static bool ends_in(const char *name, const char *end)
{
	size_t len = strlen(name);

	return len >= strlen(end) && !strcmp(name + len - strlen(end), end);
}

/* Reads SYMBOL = FIRST ... LAST. */
static bool read_symbol(struct kt_tsdl *t, struct kt_symbols *symbols)
{
	struct kt_tsdl_value symbol;
	uint64_t first, last;
	int ret;

	if (!kt_tsdl_value(t, &symbol) || !kt_tsdl_expect(t, "=") || !kt_tsdl_number(t, &first) ||
	    !kt_tsdl_expect(t, "...") || !kt_tsdl_number(t, &last))
		return false;
	if (symbol.is_number)
		return kt_tsdl_fail(t, "a number where a symbol was expected");
	ret = kt_symbols_add(symbols, first, last, symbol.text);
	if (ret == -ENOMEM)
		return kt_tsdl_fail_for_memory(t);
	return ret == 0 ||
	       kt_tsdl_fail(t, ret == -EINVAL ? "symbols out of order" : "symbol name too long");
}

static bool read_symbols(const struct kt_metadata_types *types, struct kt_tsdl *t,
			 struct kt_member *m)
{
	if (m->width != sizeof(uint64_t) || m->is_signed)
		return kt_tsdl_fail(t, "only unsigned symbols of 64 bits are supported");
	if (types->symbols->n)
		return kt_tsdl_fail(t, "duplicate symbols");
	m->symbols = types->symbols;
	while (!kt_tsdl_accept(t, "}")) {
		if (!read_symbol(t, types->symbols))
			return false;
		if (!kt_tsdl_accept(t, ","))
			return kt_tsdl_expect(t, "}");
	}
	return types->symbols->n || kt_tsdl_fail(t, "an empty enumeration");
}

/*
 * Returns the mask in the name of flags, before its end: 0x3 of "open_x32_0x3_flags"; 0 if there is
 * none.
 */
static uint64_t parse_mask(const char *name)
{
	const char *at = strrchr(name, '_');
	char *end;
	uint64_t mask;

	while (at > name && *--at != '_')
		;
	if (strncmp(at, "_0x", 3) != 0)
		return 0;
	mask = strtoull(at + 1, &end, 16);
	return strcmp(end, "_flags") == 0 ? mask : 0;
}

/* Reads labels up to the closing brace. */
static bool read_labels(struct kt_tsdl *t, const struct kt_member *m, struct kt_labels *labels)
{
	struct kt_tsdl_value value = {.is_number = true};

	if (kt_tsdl_accept(t, "}"))
		return kt_tsdl_fail(t, "an empty enumeration");
	while (!kt_tsdl_accept(t, "}")) {
		if (!read_label(t, m, labels, &value))
			return false;
		if (kt_tsdl_accept(t, ","))
			continue;
		if (!kt_tsdl_expect(t, "}"))
			return false;
		break;
	}
	return true;
}

/* Reads an enumeration after the word "enum". */
static bool read_enumeration(const struct kt_metadata_types *types, struct kt_tsdl *t,
			     struct kt_member *m)
{
	const char *name = "";
	struct kt_labels *labels;
	const struct kt_labels *origin;

	if (t->kind == KT_TSDL_WORD && !kt_tsdl_word(t, &name))
		return false;
	if (!kt_tsdl_expect(t, ":") || !kt_metadata_types_number(types, t, m) ||
	    !kt_tsdl_expect(t, "{"))
		return false;
	if (ends_in(name, "_symbols"))
		return read_symbols(types, t, m);
	labels = kt_labels_new(types->labels, ends_in(name, "_flags"));
	if (!labels)
		return kt_tsdl_fail_for_memory(t);
	if (labels->are_flags)
		labels->mask = parse_mask(name);
	origin = kt_constants_of_type(name);
	if (origin) {
		labels->unnamed = origin->unnamed;
		labels->is_decimal = origin->is_decimal;
		labels->form = origin->form;
	}
	m->labels = labels;
	return read_labels(t, m, labels) &&
	       (kt_labels_sort(labels) == 0 || kt_tsdl_fail_for_memory(t));
}

static const struct kt_structs *find_struct(const struct kt_metadata_types *types, const char *name)
{
	const struct kt_structs *s = *types->structs;

	while (s && strcmp(s->name, name) != 0)
		s = s->next;
	return s;
}

/* Reads the name of a struct after the word "struct". */
static bool read_struct_type(const struct kt_metadata_types *types, struct kt_tsdl *t,
			     struct kt_member *m)
{
	const struct kt_structs *s;
	const char *name;

	if (!kt_tsdl_word(t, &name))
		return false;
	s = find_struct(types, name);
	if (!s)
		return kt_tsdl_fail(t, "unknown struct '%s'", name);
	*m = (struct kt_member){
		.count = 1, .of = &s->layout, .width = kt_record_layout_size(&s->layout)};
	return true;
}

static bool read_type(const struct kt_metadata_types *types, struct kt_tsdl *t, struct kt_member *m)
{
	if (kt_tsdl_accept(t, "struct"))
		return read_struct_type(types, t, m);
	return kt_tsdl_accept(t, "enum") ? read_enumeration(types, t, m)
					 : kt_metadata_types_number(types, t, m);
}

/*
 * Sets a notation by the type's name, which alone has it if the type is no number's. A growing
 * trace has its symbols elsewhere (doc/stacks.md).
 */
static void set_notation(const struct kt_metadata_types *types, struct kt_member *m,
			 const char *type)
{
	enum kt_notation notation = kt_notation_find(type);

	if (!strcmp(type, "symbol64") && m->width == sizeof(uint64_t))
		m->symbols = types->symbols;
	if (m->width == kt_notation_width(notation) && m->is_signed == (notation == KT_WORD) &&
	    !m->labels)
		m->notation = notation;
}

static bool read_alias(struct kt_metadata_types *types, struct kt_tsdl *t)
{
	struct kt_member *m;
	const char **name;

	if (types->n == KT_METADATA_TYPES_MAX)
		return kt_tsdl_fail(t, "more than %d types", KT_METADATA_TYPES_MAX);
	m = &types->of[types->n].member;
	name = &types->of[types->n].name;
	if (!read_type(types, t, m) || !kt_tsdl_expect(t, ":=") || !kt_tsdl_word(t, name))
		return false;
	if (find_type(types, *name))
		return kt_tsdl_fail(t, "duplicate type '%s'", *name);
	if (m->of)
		return kt_tsdl_fail(t, "aliases of structs are not supported");
	set_notation(types, m, *name);
	types->n++;
	return kt_tsdl_expect(t, ";");
}

/* Reads what is in brackets: a number of elements, or the name of the member that holds it. */
static bool read_count(struct kt_tsdl *t, struct kt_member *m, const char **length)
{
	*length = NULL;
	if (!kt_tsdl_accept(t, "["))
		return true;
	m->array = true;
	if (t->kind == KT_TSDL_WORD)
		return kt_tsdl_word(t, length) && kt_tsdl_expect(t, "]");
	if (!kt_tsdl_number(t, &m->count))
		return false;
	if (!m->count)
		return kt_tsdl_fail(t, "an array of 0 elements");
	if (m->count > ELEMENTS_MAX)
		return kt_tsdl_fail(t, "an array of more than %d elements", ELEMENTS_MAX);
	return kt_tsdl_expect(t, "]");
}

static bool read_member(const struct kt_metadata_types *types, struct kt_tsdl *t,
			struct kt_record_layout *layout)
{
	const char *name, *length;
	struct kt_member m;
	int ret;

	if (!read_type(types, t, &m) || !kt_tsdl_word(t, &name) || !read_count(t, &m, &length))
		return false;
	if (m.symbols && m.array)
		return kt_tsdl_fail(t, "arrays of symbols are not supported");
	ret = length ? kt_record_layout_add_sequence(layout, name, &m, length)
		     : kt_record_layout_add(layout, name, &m);
	if (ret == -ENOENT)
		return kt_tsdl_fail(t, "'%s' needs an unsigned length '%s' of its own before it",
				    name, length);
	if (ret == -E2BIG)
		return kt_tsdl_fail(t, "a struct of more than %d members", KT_MEMBERS_MAX);
	return ret < 0 ? kt_tsdl_fail_for_memory(t) : kt_tsdl_expect(t, ";");
}

/* Reads members from { to }. */
static bool read_members(const struct kt_metadata_types *types, struct kt_tsdl *t,
			 struct kt_record_layout *layout)
{
	const char *twice;

	if (!kt_tsdl_expect(t, "{"))
		return false;
	while (!kt_tsdl_accept(t, "}"))
		if (!read_member(types, t, layout))
			return false;
	twice = kt_record_layout_find_twice(layout);
	return !twice || kt_tsdl_fail(t, "duplicate field '%s'", twice);
}

/*
 * Reads a struct after the word "struct". It must not be empty: arrays of it would be endless to
 * print.
 */
static bool read_struct(struct kt_metadata_types *types, struct kt_tsdl *t)
{
	struct kt_structs *s;
	ssize_t size;

	if (types->n_structs == KT_METADATA_TYPES_MAX)
		return kt_tsdl_fail(t, "more than %d structs", KT_METADATA_TYPES_MAX);
	s = calloc(1, sizeof(*s));
	if (!s)
		return kt_tsdl_fail_for_memory(t);
	if (!kt_tsdl_word(t, &s->name) || !read_members(types, t, &s->layout)) {
		kt_structs_free(s);
		return false;
	}
	if (s->layout.depth > KT_NESTING_MAX) {
		kt_tsdl_fail(t, "structs nested more than %d deep", KT_NESTING_MAX);
		kt_structs_free(s);
		return false;
	}
	size = kt_record_layout_size(&s->layout);
	if (kt_struct_form_find(&s->layout) < 0) {
		kt_structs_free(s);
		return kt_tsdl_fail_for_memory(t);
	}
	if (size > 0 && size <= STRUCT_MAX && !find_struct(types, s->name)) {
		s->next = *types->structs;
		*types->structs = s;
		types->n_structs++;
		return kt_tsdl_expect(t, ";");
	}
	kt_tsdl_fail(t, "struct '%s' is a duplicate, or its size is 0, varies or exceeds %d",
		     s->name, STRUCT_MAX);
	kt_structs_free(s);
	return false;
}

bool kt_metadata_types_read(struct kt_metadata_types *types, struct kt_tsdl *t)
{
	if (kt_tsdl_accept(t, "struct"))
		return read_struct(types, t);
	return kt_tsdl_expect(t, "typealias") && read_alias(types, t);
}

void kt_structs_free(struct kt_structs *structs)
{
	struct kt_structs *next;

	for (; structs; structs = next) {
		next = structs->next;
		kt_record_layout_clear(&structs->layout);
		free(structs);
	}
}

/* Returns whether a member is a struct. Structs of varying number do not count. */
static bool has_structs(const struct kt_record_layout *layout)
{
	size_t i;

	for (i = 0; i < layout->n_members; i++)
		if (layout->members[i].of && !layout->members[i].varies)
			return true;
	return false;
}

bool kt_metadata_types_struct(const struct kt_metadata_types *types, struct kt_tsdl *t,
			      struct kt_record_layout *layout, size_t *alignment)
{
	uint64_t bits = 8;

	if (!kt_tsdl_expect(t, "struct") || !read_members(types, t, layout))
		return false;
	if (has_structs(layout))
		return kt_tsdl_fail(t, "single structs are not supported");
	if (kt_tsdl_accept(t, "align") &&
	    !(kt_tsdl_expect(t, "(") && kt_tsdl_number(t, &bits) && kt_tsdl_expect(t, ")")))
		return false;
	if (bits < 8 || bits > 512 || bits & (bits - 1))
		return kt_tsdl_fail(t, "only alignments of 8, 16, … 512 bits are supported");
	*alignment = bits / 8;
	return true;
}
