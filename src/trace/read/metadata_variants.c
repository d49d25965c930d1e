// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/read/metadata_variants.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "constants/labels.h"
#include "trace/read/metadata_types.h"
#include "trace/tsdl_lexer.h"

/* Far above what ktrace writes; each event searches all of them. */
enum { VARIANTS_MAX = 512 };

struct kt_metadata_variants {
	const char *name, *tag;
	size_t n; /* of this variant and those after it */
	struct kt_record_layout
		options; /* by label of the tag; without elements if the option is empty */
	struct kt_metadata_variants *next;
};

static bool read_option(struct kt_metadata_variants *v, const struct kt_metadata_types *types,
			struct kt_tsdl *t)
{
	struct kt_member m = {.count = 0};
	const char *label;
	int ret;

	if (kt_tsdl_accept(t, "struct")) {
		if (!kt_tsdl_expect(t, "{") || !kt_tsdl_expect(t, "}"))
			return false;
	} else if (!kt_metadata_types_number(types, t, &m)) {
		return false;
	}
	if (!kt_tsdl_word(t, &label))
		return false;
	ret = kt_record_layout_add(&v->options, label, &m);
	if (ret == -E2BIG)
		return kt_tsdl_fail(t, "a variant of more than %d options", KT_MEMBERS_MAX);
	if (ret < 0)
		return kt_tsdl_fail_for_memory(t);
	return kt_tsdl_expect(t, ";");
}

static bool contains_name(const struct kt_metadata_variants *list, const char *name)
{
	while (list && strcmp(list->name, name) != 0)
		list = list->next;
	return list;
}

static bool read_variant(struct kt_metadata_variants *v, const struct kt_metadata_types *types,
			 struct kt_tsdl *t)
{
	if (!kt_tsdl_word(t, &v->name) || !kt_tsdl_expect(t, "<") || !kt_tsdl_word(t, &v->tag) ||
	    !kt_tsdl_expect(t, ">") || !kt_tsdl_expect(t, "{"))
		return false;
	if (contains_name(v->next, v->name))
		return kt_tsdl_fail(t, "duplicate variant '%s'", v->name);
	while (!kt_tsdl_accept(t, "}"))
		if (!read_option(v, types, t))
			return false;
	return kt_tsdl_expect(t, ";");
}

bool kt_metadata_variants_read(struct kt_metadata_variants **list,
			       const struct kt_metadata_types *types, struct kt_tsdl *t)
{
	size_t n = *list ? (*list)->n : 0;
	struct kt_metadata_variants *v;

	if (n == VARIANTS_MAX)
		return kt_tsdl_fail(t, "more than %d variants", VARIANTS_MAX);
	v = calloc(1, sizeof(*v));
	if (!v)
		return kt_tsdl_fail_for_memory(t);
	v->n = n + 1;
	v->next = *list;
	*list = v;
	return read_variant(v, types, t);
}

/*
 * Returns the member's name in a variant called EVENT_NAME, which metadata has as _NAME; NULL if
 * the variant belongs to another event.
 */
static const char *get_member_name(const struct kt_metadata_variants *v, const char *event)
{
	size_t n = strlen(event);

	return !strncmp(v->name, event, n) && v->name[n] == '_' ? v->name + n + 1 : NULL;
}

/* Returns whether a member is a number that can be shown in another way: not a symbol. */
static bool is_plain_number(const struct kt_member *m)
{
	return kt_member_is_number(m) && !m->symbols;
}

/*
 * Returns whether each option can replace the member: it has the same bytes, or the lowest of them.
 */
static bool fits_member(const struct kt_record_layout *options, const struct kt_member *m)
{
	const struct kt_member *o = options->members;
	size_t i = 0;

	while (i < options->n_members &&
	       (!o[i].count || (is_plain_number(&o[i]) && o[i].width <= m->width)))
		i++;
	return i == options->n_members;
}

static void set_variant(struct kt_record_layout *fields, struct kt_member *m,
			const struct kt_metadata_variants *v)
{
	const struct kt_member *tag = kt_record_layout_find(fields, v->tag + (*v->tag == '_'));

	if (!tag || !tag->labels || !is_plain_number(tag) || !is_plain_number(m) ||
	    !fits_member(&v->options, m))
		return;
	m->variant = &v->options;
	m->tag = tag - fields->members;
}

void kt_metadata_variants_find(const struct kt_metadata_variants *list, const char *event,
			       struct kt_record_layout *fields)
{
	struct kt_member *m = fields->members;
	const char *name;
	size_t i;

	for (; list; list = list->next) {
		name = get_member_name(list, event);
		for (i = 0; name && i < fields->n_members; i++)
			if (!strcmp(name, m[i].name))
				set_variant(fields, &m[i], list);
	}
}

void kt_metadata_variants_free(struct kt_metadata_variants *list)
{
	struct kt_metadata_variants *next;

	for (; list; list = next) {
		next = list->next;
		kt_record_layout_clear(&list->options);
		free(list);
	}
}

static bool has_label(const struct kt_labelled *found, const char *label)
{
	size_t i = 0;

	while (i < found->n && strcmp(found->text[i], label) != 0)
		i++;
	return i < found->n;
}

const struct kt_member *kt_metadata_variants_member(const struct kt_record_layout *fields,
						    const struct kt_value *values, size_t member)
{
	const struct kt_member *m = &fields->members[member], *tag = &fields->members[m->tag];
	const struct kt_member *o;
	struct kt_labelled found;
	size_t i, n;

	if (!m->variant)
		return m;
	kt_labels_of(tag->labels, kt_value_number(tag, &values[m->tag], 0), &found);
	o = m->variant->members;
	n = m->variant->n_members;
	for (i = 0; i < n && !has_label(&found, o[i].name) && strcmp(o[i].name, "others") != 0;)
		i++;
	if (i == n)
		return m;
	return o[i].count ? &o[i] : NULL;
}
