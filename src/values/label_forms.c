// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/label_forms.h"

#include <stddef.h>
#include <string.h>

#include "constants/labels.h"
#include "values/text.h"

enum {
	HUGE_SHIFT = 26, /* of the logarithm of a huge page's size, in 6 bits */
	HUGE_BITS = 0x3f,
	LENGTH_BITS = 0xffff,
	TAG_SHIFT = 3, /* of a set of 16 tags */
	TAG_BITS = 0xffff,
	COMMAND_SHIFT = 8, /* of quotactl; the type is below it */
	TYPE_BITS = 0xff,
	CONTROL_BITS = 19, /* all bits of a control of tagged addresses that have a meaning */
};

static void put_joined(struct kt_text *t, const char *name, size_t n)
{
	if (n > 0)
		kt_text_char(t, '|');
	kt_text_string(t, name);
}

static void put_joined_bits(struct kt_text *t, uint64_t bits, size_t n)
{
	if (n > 0)
		kt_text_char(t, '|');
	kt_text_bits(t, bits);
}

/* Prints flags and what is left of them. Returns how many parts there are. */
static size_t put_flags(struct kt_text *t, const struct kt_labels *labels, uint64_t flags)
{
	struct kt_labelled found;
	size_t i;

	kt_labels_of(labels, flags, &found);
	for (i = 0; i < found.n; i++)
		put_joined(t, found.text[i], i);
	if (found.rest)
		put_joined_bits(t, found.rest, i++);
	if (found.rest && !found.n && labels->unnamed)
		kt_text_comment(t, labels->unnamed);
	return i;
}

/* Prints the name of the shift: that of the flags, up to the '_', and "_HUGE_SHIFT". */
static void put_huge_shift(struct kt_text *t, const struct kt_labels *labels)
{
	kt_text_put(t, labels->unnamed, strcspn(labels->unnamed, "_"));
	kt_text_string(t, "_HUGE_SHIFT");
}

/* Returns the name of a command of quotactl, within its first label: "QCMD(Q_SYNC, USRQUOTA)". */
static const char *find_command(const struct kt_labels *labels, uint32_t command, size_t *len)
{
	static const char before[] = "QCMD(";
	size_t i = 0;

	while (i < labels->n && labels->of[i].value >> COMMAND_SHIFT != command)
		i++;
	if (i == labels->n || strncmp(labels->of[i].text, before, sizeof(before) - 1) != 0)
		return NULL;
	*len = strcspn(labels->of[i].text + sizeof(before) - 1, ",");
	return labels->of[i].text + sizeof(before) - 1;
}

static void put_quota(struct kt_text *t, const struct kt_labels *labels, uint32_t n)
{
	static const char *const types[] = {"USRQUOTA", "GRPQUOTA", "PRJQUOTA"};
	uint32_t type = n & TYPE_BITS, command = n >> COMMAND_SHIFT;
	size_t len;
	const char *name = find_command(labels, command, &len);

	kt_text_string(t, "QCMD(");
	if (name) {
		kt_text_put(t, name, len);
	} else {
		kt_text_bits(t, command);
		kt_text_comment(t, labels->unnamed);
	}
	kt_text_string(t, ", ");
	if (type < sizeof(types) / sizeof(*types)) {
		kt_text_string(t, types[type]);
	} else {
		kt_text_bits(t, type);
		kt_text_comment(t, "???QUOTA");
	}
	kt_text_char(t, ')');
}

/* Returns whether the number in the flags, as a kind of mapping, has no name. */
static bool is_unnamed(const struct kt_labels *labels, uint64_t n)
{
	struct kt_labelled found = {.n = 1};

	if (labels->mask)
		kt_labels_of(labels, n & labels->mask, &found);
	return !found.n;
}

static void put_huge_pages(struct kt_text *t, const struct kt_labels *labels, uint64_t n)
{
	uint64_t size = n >> HUGE_SHIFT & HUGE_BITS,
		 flags = n & ~((uint64_t)HUGE_BITS << HUGE_SHIFT);
	struct kt_labels others = *labels;
	size_t parts = 0;

	if (is_unnamed(labels, n)) {
		kt_text_bits(t, n & labels->mask);
		kt_text_comment(t, labels->unnamed);
		flags &= ~labels->mask;
		others.mask = 0; /* 0 is not its name */
		parts = 1;
	}
	if (flags && parts)
		kt_text_char(t, '|');
	if (flags)
		parts += put_flags(t, &others, flags);
	if (!size)
		return;
	kt_text_string(t, parts ? "|" : "");
	kt_text_number(t, size);
	kt_text_string(t, "<<");
	put_huge_shift(t, labels);
}

static void put_length(struct kt_text *t, const struct kt_labels *labels, uint64_t n)
{
	uint64_t flags = n & ~(uint64_t)LENGTH_BITS;

	put_joined_bits(t, n & LENGTH_BITS, flags ? put_flags(t, labels, flags) : 0);
}

/* Prints whether tags are allowed, how a wrong one is reported, and which tags are made. */
static void put_tagged_address(struct kt_text *t, uint64_t n)
{
	static const char *const faults[] = {"PR_MTE_TCF_NONE", "PR_MTE_TCF_SYNC",
					     "PR_MTE_TCF_ASYNC", "PR_MTE_TCF_MASK"};
	uint64_t tags = n >> TAG_SHIFT & TAG_BITS, rest = n >> CONTROL_BITS << CONTROL_BITS;

	kt_text_string(t, n & 1 ? "" : "!");
	kt_text_string(t, "PR_TAGGED_ADDR_ENABLE|");
	kt_text_string(t, faults[n >> 1 & 3]);
	if (tags) {
		kt_text_char(t, '|');
		kt_text_hex(t, tags);
		kt_text_string(t, "<<PR_MTE_TAG_SHIFT");
	}
	if (rest)
		put_joined_bits(t, rest, 1);
}

/* Prints the label of a value, or what stands for one. */
static void put_label(struct kt_text *t, const struct kt_labels *labels, uint64_t n)
{
	struct kt_labelled found;

	kt_labels_of(labels, n, &found);
	kt_text_string(t, found.n ? found.text[0] : labels->unnamed);
}

static bool has_form(const struct kt_labels *labels, uint64_t n)
{
	switch (labels->form) {
	case KT_LABELS_COMMENTS:
	case KT_LABELS_QUOTA:
	case KT_LABELS_TAGGED_ADDRESS:
		return true;
	case KT_LABELS_HUGE_PAGES:
		return (n >> HUGE_SHIFT & HUGE_BITS) || is_unnamed(labels, n);
	case KT_LABELS_LENGTH:
		return n & ~(uint64_t)LENGTH_BITS;
	default:
		return false;
	}
}

static void put_form(struct kt_text *t, const struct kt_labels *labels, uint64_t n)
{
	if (labels->form == KT_LABELS_COMMENTS)
		put_label(t, labels, n);
	else if (labels->form == KT_LABELS_HUGE_PAGES)
		put_huge_pages(t, labels, n);
	else if (labels->form == KT_LABELS_QUOTA)
		put_quota(t, labels, n);
	else if (labels->form == KT_LABELS_LENGTH)
		put_length(t, labels, n);
	else
		put_tagged_address(t, n);
}

bool kt_label_form_put(struct kt_text *t, const struct kt_labels *labels, uint64_t n)
{
	bool has_number = t->names != KT_NAMES_ABBREV || labels->form == KT_LABELS_COMMENTS;

	if (!has_form(labels, n))
		return false;
	if (has_number && labels->form == KT_LABELS_QUOTA)
		kt_text_number(t, n);
	else if (has_number)
		kt_text_bits(t, n);
	if (t->names == KT_NAMES_RAW)
		return true;
	if (has_number)
		kt_text_string(t, " /* ");
	put_form(t, labels, n);
	if (has_number)
		kt_text_string(t, " */");
	return true;
}
