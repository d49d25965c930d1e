// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/labels.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

struct kt_labels *kt_labels_new(struct kt_labels **list, bool are_flags)
{
	struct kt_labels *labels = calloc(1, sizeof(*labels));

	if (!labels)
		return NULL;
	labels->next = *list;
	labels->are_flags = are_flags;
	return *list = labels;
}

int kt_labels_add(struct kt_labels *labels, uint64_t value, const char *text)
{
	struct kt_label *of = kt_grow((void *)labels->of, labels->n, sizeof(*of));

	if (!of)
		return -ENOMEM;
	labels->of = of;
	of[labels->n] = (struct kt_label){value, strdup(text)};
	if (!of[labels->n].text)
		return -ENOMEM;
	labels->n++;
	return 0;
}

void kt_labels_free(struct kt_labels *list)
{
	struct kt_labels *labels;
	size_t i;

	while ((labels = list)) {
		list = labels->next;
		for (i = 0; i < labels->n; i++)
			free((char *)labels->of[i].text);
		free((void *)labels->of);
		free(labels);
	}
}

static void take_flags(const struct kt_labels *labels, uint64_t value, struct kt_labelled *found)
{
	uint64_t number = value & labels->mask;
	bool has_number = !labels->mask;
	const struct kt_label *l;
	size_t i;

	for (i = 0; i < labels->n; i++) {
		l = &labels->of[i];
		if (!has_number && l->value == number)
			has_number = true;
		else if (!(l->value & ~labels->mask) || (found->rest & l->value) != l->value)
			continue;
		found->text[found->n++] = l->text;
		found->rest &= ~l->value;
	}
}

static void take_value(const struct kt_labels *labels, struct kt_labelled *found)
{
	const struct kt_label *l;
	size_t i;

	for (i = 0; i < labels->n; i++) {
		l = &labels->of[i];
		if (l->value == found->rest) {
			found->text[found->n++] = l->text;
			found->rest = 0;
			break;
		}
	}
}

void kt_labels_of(const struct kt_labels *labels, uint64_t value, struct kt_labelled *found)
{
	found->n = 0;
	found->rest = value;
	if (labels->are_flags && value)
		take_flags(labels, value, found);
	else
		take_value(labels, found);
}
