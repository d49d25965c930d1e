/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Labels: names of a field's values. 3 is "NET_RX"; as flags, 0xdc0 is "GFP_KERNEL|__GFP_ZERO".
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
	uint64_t value; /* sign-extended if the field has a sign */
	const char *text;
};

/* How strace prints numbers with such names, if not as usual. */
enum kt_labels_form {
	KT_LABELS_USUAL,
	KT_LABELS_COMMENTS,       /* the number, and its name as a comment */
	KT_LABELS_HUGE_PAGES,     /* flags, and a page size in upper bits: 21<<MAP_HUGE_SHIFT */
	KT_LABELS_LENGTH,         /* flags, and a length in the lower 16 bits, even 0 */
	KT_LABELS_QUOTA,          /* of quotactl: QCMD(Q_SYNC, 0xed), whatever its parts */
	KT_LABELS_REQUESTS,       /* of ioctl: a value without a label has parts */
	KT_LABELS_TAGGED_ADDRESS, /* prctl's control of tagged addresses, without labels */
};

struct kt_labels {
	struct kt_labels *next; /* next in the owner's list */
	const char *name;       /* name of a table that many fields share, "open"; or NULL */
	bool are_flags;         /* a value may combine several labels, each with bits of its own */
	uint64_t mask;          /* for flags: bits that hold one number, such as O_ACCMODE; or 0 */
	bool is_decimal;        /* a value without a label is a decimal number */
	enum kt_labels_form form;
	const char *unnamed; /* for a value without a label, "O_???"; NULL: such are usual */
	const struct kt_label *of;
	size_t n;
	const struct kt_label *
		*by_value; /* the n labels sorted by value, by kt_labels_sort(); or NULL */
};

/*
 * The labels of a value, in the order of the table. For flags, rest holds the bits without a label.
 * There are at most 64: each has a bit of its own, or the mask.
 */
struct kt_labelled {
	size_t n;
	const char *text[64];
	uint64_t rest;
};

/* Adds an empty table to the front of the list. Returns NULL without memory. */
struct kt_labels *kt_labels_new(struct kt_labels **list, bool are_flags);

/* Appends a label; copies the text. Returns 0 or -ENOMEM. */
int kt_labels_add(struct kt_labels *labels, uint64_t value, const char *text);

/*
 * Sorts a copy of the table, so that a lookup takes logarithmic time; adding a label undoes it.
 * Returns 0 or -ENOMEM.
 */
int kt_labels_sort(struct kt_labels *labels);

/* Frees all tables of the list. */
void kt_labels_free(struct kt_labels *list);

/*
 * Finds the labels of a value: one or none; for flags as the kernel does, each in its turn if all
 * its bits are set and none belongs to an earlier one. A label within the mask must equal the
 * masked number, 0 included. Takes linear time, unless the table is sorted and has no flags.
 */
void kt_labels_of(const struct kt_labels *labels, uint64_t value, struct kt_labelled *found);

#endif
