/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the values of a field are called: 3 is "NET_RX"; of flags, 0xdc0 is "GFP_KERNEL|__GFP_ZERO".
 *
 *	struct kt_labels *list = NULL, *labels = kt_labels_new(&list, false);
 *	struct kt_labelled found;
 *
 *	kt_labels_add(labels, 3, "NET_RX");
 *	kt_labels_of(labels, 3, &found);		// found.n 1, found.text[0] "NET_RX"
 *	kt_labels_free(list);
 */
#ifndef KT_CONSTANTS_LABELS_H
#define KT_CONSTANTS_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kt_label {
	uint64_t value; /* of a field with a sign, that extended */
	const char *text;
};

struct kt_labels {
	struct kt_labels *next; /* of the same owner */
	const char *name;       /* of those that many fields have, "open"; or NULL */
	bool are_flags;         /* a value may hold several, each with bits of its own */
	uint64_t mask;          /* of flags: bits that hold one number, O_ACCMODE; or 0 */
	const struct kt_label *of;
	size_t n;
	const struct kt_label **by_value; /* n sorted by value, by kt_labels_sort(); or NULL */
};

/*
 * A value's labels in their order; of flags, rest are the bits without any. No more than 64, as
 * each has a bit, or the mask.
 */
struct kt_labelled {
	size_t n;
	const char *text[64];
	uint64_t rest;
};

/* In front of the list. NULL where there is no memory. */
struct kt_labels *kt_labels_new(struct kt_labels **list, bool are_flags);

/* Behind the others; the text is copied. 0 or -ENOMEM. */
int kt_labels_add(struct kt_labels *labels, uint64_t value, const char *text);

/*
 * Makes looking up a value take the logarithm of the labels' number. Adding one undoes it. 0 or
 * -ENOMEM.
 */
int kt_labels_sort(struct kt_labels *labels);

/* All of the list. */
void kt_labels_free(struct kt_labels *list);

/*
 * One label or none; of flags, as the kernel goes about it: each in its turn, if all its bits are
 * there and none was another's before. One that lies within the mask is that of the number there,
 * 0 too. Takes time in proportion to the labels, unless they are values and sorted.
 */
void kt_labels_of(const struct kt_labels *labels, uint64_t value, struct kt_labelled *found);

#endif
