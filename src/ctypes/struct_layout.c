// SPDX-License-Identifier: GPL-2.0-or-later
#include "ctypes/struct_layout.h"

#include <bpf/btf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "constants/constants.h"
#include "ctypes/btf.h"
#include "ctypes/ctype.h"
#include "ctypes/member_labels.h"

/* A layout under construction. Functions that return bool return false without memory. */
struct making {
	struct kt_btf *kernel;
	const struct btf *btf;
	struct kt_struct_layout *c;
	unsigned int at; /* end of the last field, in bytes */
};

/* A member, while its type is examined. */
struct place {
	const char *name; /* "" if it has none */
	uint32_t type;    /* without typedefs */
	unsigned int offset;
};

static const struct btf_type *strip_typedefs(const struct btf *btf, uint32_t *type)
{
	const struct btf_type *t = btf__type_by_id(btf, *type);

	while (t && (btf_is_mod(t) || btf_is_typedef(t))) {
		*type = t->type;
		t = btf__type_by_id(btf, *type);
	}
	return t;
}

/* Finds a type by name, without typedefs; 0 if there is none. */
static uint32_t find_struct(struct kt_btf *kernel, const char *type)
{
	enum kt_btf_index_kind kind = KT_BTF_INDEX_TYPEDEF;
	struct kt_error unknown;
	const struct btf_type *t;
	uint32_t id;

	if (strncmp(type, "const ", 6) == 0)
		type += 6;
	if (strncmp(type, "struct ", 7) == 0) {
		type += 7;
		kind = KT_BTF_INDEX_STRUCT;
	}
	if (kt_btf_find(kernel, kind, type, &id, &unknown) < 0)
		return 0;
	t = strip_typedefs(kt_btf_types(kernel), &id);
	return t && btf_is_struct(t) && t->size ? id : 0;
}

unsigned int kt_struct_layout_size(struct kt_btf *kernel, const char *type)
{
	uint32_t id = find_struct(kernel, type);

	return id ? btf__type_by_id(kt_btf_types(kernel), id)->size : 0;
}

static bool append_field(struct making *m, const char *name, struct kt_field field)
{
	struct kt_struct_layout *c = m->c;
	struct kt_field *fields = kt_grow(c->fields, c->n, sizeof(*fields));

	if (!fields)
		return false;
	c->fields = fields;
	field.name = strdup(name);
	if (!field.name)
		return false;
	field.offset = m->at;
	fields[c->n++] = field;
	m->at += field.size;
	return true;
}

static bool fill_gap(struct making *m, unsigned int upto)
{
	struct kt_field field = {
		.type = "u8[]",
		.size = upto - m->at,
		.width = 1,
		.flags = KT_FIELD_ARRAY,
		.notation = KT_BYTES,
	};
	char name[32];

	if (upto <= m->at)
		return true;
	snprintf(name, sizeof(name), "__pad_%u", m->at);
	return append_field(m, name, field);
}

static bool is_char_type(const struct btf *btf, const struct btf_type *t)
{
	return btf_is_int(t) && strcmp(btf__name_by_offset(btf, t->name_off), "char") == 0;
}

/*
 * Adds a number or an array of numbers; a type that is neither a number nor a pointer becomes
 * bytes.
 */
static bool add_numbers(struct making *m, const struct place *p, size_t n, bool is_array)
{
	const struct btf_type *t = btf__type_by_id(m->btf, p->type);
	struct kt_field field = {.type = "u8[]", .width = 1, .notation = KT_BYTES};
	struct kt_ctype number;
	ssize_t size;

	if (kt_ctype_describe(m->btf, p->type, &number) == 0 && number.size <= sizeof(uint64_t)) {
		field.type = is_array && is_char_type(m->btf, t) ? "char[]" : "int";
		field.width = number.size;
		field.flags = number.is_signed ? KT_FIELD_SIGNED : 0;
		field.notation = number.is_pointer ? KT_POINTER : KT_DECIMAL;
		field.name = p->name;
		if (!is_array)
			kt_member_label(m->c->name, &field);
	} else {
		size = btf__resolve_size(m->btf, p->type);
		n *= size > 0 ? size : 0;
		is_array = true;
	}
	if (is_array)
		field.flags |= KT_FIELD_ARRAY;
	field.size = n * field.width;
	return n == 0 || append_field(m, p->name, field);
}

static struct kt_struct_layout *make_layout(struct kt_btf *kernel, uint32_t type, const char *name);

/* Returns whether the struct's name leads to this type: another one may have the same name. */
static bool is_found_by_name(struct making *m, uint32_t type, const char *name)
{
	struct kt_error unknown;
	uint32_t id;

	return *name && kt_btf_find(m->kernel, KT_BTF_INDEX_STRUCT, name, &id, &unknown) == 0 &&
	       id == type;
}

/*
 * Adds structs. One that its name does not lead to is called by its owner's name and the member's.
 */
static bool add_structs(struct making *m, const struct place *p, size_t n, bool is_array)
{
	const struct btf_type *t = btf__type_by_id(m->btf, p->type);
	const char *own = btf__name_by_offset(m->btf, t->name_off);
	struct kt_field field = {.type = "struct", .width = t->size, .size = n * t->size};
	struct kt_struct_layout *of;
	char name[256];

	if (n == 0)
		return true;
	snprintf(name, sizeof(name), "%s__%s", m->c->name, p->name);
	of = make_layout(m->kernel, p->type, is_found_by_name(m, p->type, own) ? own : name);
	if (!of)
		return false;
	field.of = of;
	field.flags = is_array ? KT_FIELD_ARRAY : 0;
	if (append_field(m, p->name, field))
		return true;
	kt_struct_layout_free(of);
	return false;
}

static bool add_members(struct making *m, const struct btf_type *t, unsigned int offset);

static bool add_plain(struct making *m, const struct place *p, size_t n, bool is_array)
{
	const struct btf_type *t = btf__type_by_id(m->btf, p->type);

	if (btf_is_composite(t) && !*p->name)
		return add_members(m, t, p->offset);
	if (btf_is_composite(t) && t->size)
		return add_structs(m, p, n, is_array);
	return add_numbers(m, p, n, is_array);
}

/* Returns whether a type is a set of signals that fits into one number. */
static bool is_signal_set(const struct btf *btf, uint32_t type)
{
	const struct btf_type *t = btf__type_by_id(btf, type);

	while (btf_is_mod(t) || btf_is_typedef(t)) {
		if (strcmp(btf__name_by_offset(btf, t->name_off), "sigset_t") == 0)
			return btf__resolve_size(btf, type) == sizeof(uint64_t);
		t = btf__type_by_id(btf, t->type);
	}
	return false;
}

static bool add_signal_set(struct making *m, const char *name)
{
	struct kt_field field = {
		.type = "sigset_t",
		.size = sizeof(uint64_t),
		.width = sizeof(uint64_t),
		.notation = KT_SIGSET,
		.labels = kt_constants_find("sigset"),
	};

	return append_field(m, name, field);
}

/* Adds a member. Arrays of arrays become one array. */
static bool add_type(struct making *m, struct place p)
{
	bool is_one_set = is_signal_set(m->btf, p.type);
	const struct btf_type *t = strip_typedefs(m->btf, &p.type);
	bool is_array = btf_is_array(t);
	size_t n = 1;

	if (!fill_gap(m, p.offset))
		return false;
	if (is_one_set)
		return add_signal_set(m, p.name);
	while (btf_is_array(t)) {
		n *= btf_array(t)->nelems;
		p.type = btf_array(t)->type;
		t = strip_typedefs(m->btf, &p.type);
	}
	return add_plain(m, &p, n, is_array);
}

bool kt_struct_layout_gives(const char *name)
{
	return strcmp(name, "msg_flags") == 0;
}

bool kt_struct_layout_returns(const char *name)
{
	static const char *const names[] = {"l_pid", "msg_len", "revents"};
	size_t i = 0;

	while (i < sizeof(names) / sizeof(*names) && strcmp(names[i], name) != 0)
		i++;
	return i < sizeof(names) / sizeof(*names);
}

bool kt_struct_layout_pads(const char *name)
{
	static const char *const words[] = {"f_spare", "pad",   "reserved",
					    "resv",    "spare", "unused"};
	size_t i, len;

	name += strspn(name, "_");
	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		len = strlen(words[i]);
		if (strncmp(name, words[i], len) == 0 &&
		    !name[len + strspn(name + len, "0123456789_")])
			return true;
	}
	return false;
}

/* Adds a member of a struct. */
static bool add_member(struct making *m, const struct btf_type *t, int i, unsigned int offset)
{
	const struct btf_member *member = &btf_members(t)[i];
	struct place p = {
		.name = btf__name_by_offset(m->btf, member->name_off),
		.type = member->type,
		.offset = offset + btf_member_bit_offset(t, i) / 8,
	};

	return btf_member_bitfield_size(t, i) || add_type(m, p);
}

/* Returns the union's member with the most to show; its number of members if none has any. */
static int find_largest(const struct making *m, const struct btf_type *t)
{
	const struct btf_member *member = btf_members(t);
	int i, found = btf_vlen(t);
	ssize_t size, largest = 0;

	for (i = 0; i < btf_vlen(t); i++) {
		size = btf__resolve_size(m->btf, member[i].type);
		if (size <= largest || btf_member_bitfield_size(t, i) ||
		    kt_struct_layout_pads(btf__name_by_offset(m->btf, member[i].name_off)))
			continue;
		largest = size;
		found = i;
	}
	return found;
}

static bool add_members(struct making *m, const struct btf_type *t, unsigned int offset)
{
	int i, n = btf_vlen(t);

	if (btf_is_union(t)) {
		i = find_largest(m, t);
		return i == n || add_member(m, t, i, offset);
	}
	for (i = 0; i < n; i++)
		if (!add_member(m, t, i, offset))
			return false;
	return true;
}

static struct kt_struct_layout *make_layout(struct kt_btf *kernel, uint32_t type, const char *name)
{
	const struct btf_type *t = btf__type_by_id(kt_btf_types(kernel), type);
	struct kt_struct_layout *c = calloc(1, sizeof(*c));
	struct making m = {.kernel = kernel, .btf = kt_btf_types(kernel), .c = c};

	if (!c)
		return NULL;
	c->size = t->size;
	c->name = strdup(name);
	if (c->name && add_members(&m, t, 0) && fill_gap(&m, c->size))
		return c;
	kt_struct_layout_free(c);
	return NULL;
}

struct kt_struct_layout *kt_struct_layout_new(struct kt_btf *kernel, const char *type)
{
	const struct btf_type *t;
	const char *name;
	uint32_t id = find_struct(kernel, type);

	if (!id)
		return NULL;
	t = btf__type_by_id(kt_btf_types(kernel), id);
	name = btf__name_by_offset(kt_btf_types(kernel), t->name_off);
	return make_layout(kernel, id, *name ? name : type);
}

void kt_struct_layout_free(struct kt_struct_layout *c)
{
	size_t i;

	if (!c)
		return;
	for (i = 0; i < c->n; i++) {
		kt_struct_layout_free((struct kt_struct_layout *)c->fields[i].of);
		free((char *)c->fields[i].name);
	}
	free(c->fields);
	free(c->name);
	free(c);
}
