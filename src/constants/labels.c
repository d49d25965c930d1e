// SPDX-License-Identifier: GPL-2.0-or-later
#include "constants/labels.h"

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
	free(labels->by_value);
	labels->by_value = NULL;
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
		free(labels->by_value);
		free(labels);
	}
}

static void collect_flags(const struct kt_labels *labels, uint64_t value, struct kt_labelled *found)
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

/* Compares by value; equal values keep their order. */
static int compare_labels(const void *a, const void *b)
{
	const struct kt_label *x = *(const struct kt_label *const *)a;
	const struct kt_label *y = *(const struct kt_label *const *)b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return x < y ? -1 : x > y;
}

int kt_labels_sort(struct kt_labels *labels)
{
	size_t i;

	free(labels->by_value);
	labels->by_value = reallocarray(NULL, labels->n + 1, sizeof(*labels->by_value));
	if (!labels->by_value)
		return -ENOMEM;
	for (i = 0; i < labels->n; i++)
		labels->by_value[i] = &labels->of[i];
	qsort(labels->by_value, labels->n, sizeof(*labels->by_value), compare_labels);
	return 0;
}

/* Returns the first label of that value in a sorted table, or NULL. */
static const struct kt_label *find_sorted(const struct kt_labels *labels, uint64_t value)
{
	size_t low = 0, high = labels->n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (labels->by_value[middle]->value < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low < labels->n && labels->by_value[low]->value == value ? labels->by_value[low]
									: NULL;
}

static const struct kt_label *find_label(const struct kt_labels *labels, uint64_t value)
{
	size_t i = 0;

	if (labels->by_value)
		return find_sorted(labels, value);
	while (i < labels->n && labels->of[i].value != value)
		i++;
	return i < labels->n ? &labels->of[i] : NULL;
}

static void collect_value(const struct kt_labels *labels, struct kt_labelled *found)
{
	const struct kt_label *l = find_label(labels, found->rest);

	if (!l)
		return;
	found->text[found->n++] = l->text;
	found->rest = 0;
}

void kt_labels_of(const struct kt_labels *labels, uint64_t value, struct kt_labelled *found)
{
	found->n = 0;
	found->rest = value;
	if (labels->are_flags && value)
		collect_flags(labels, value, found);
	else
		collect_value(labels, found);
}
