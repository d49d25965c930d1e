// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/print/print_types.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "trace/print/print_format.h"
#include "trace/print/print_lexer.h"

/* What a word of a type means. */
struct word {
	const char *text;
	unsigned int bits;
	bool is_unsigned;
};

/* "int" does not change what other words of the type say: "long unsigned int". */
static const struct word words[] = {
	{"int", 32, false},        {"signed", 32, false},
	{"const", 32, false},      {"unsigned", 32, true},
	{"char", 8, false},        {"short", 16, false},
	{"long", 64, false},       {"bool", 8, true},
	{"_Bool", 8, true},        {"void", 64, true},
	{"u8", 8, true},           {"u16", 16, true},
	{"u32", 32, true},         {"u64", 64, true},
	{"s8", 8, false},          {"s16", 16, false},
	{"s32", 32, false},        {"s64", 64, false},
	{"__u8", 8, true},         {"__u16", 16, true},
	{"__u32", 32, true},       {"__u64", 64, true},
	{"__s8", 8, false},        {"__s16", 16, false},
	{"__s32", 32, false},      {"__s64", 64, false},
	{"__le16", 16, true},      {"__le32", 32, true},
	{"__le64", 64, true},      {"__be16", 16, true},
	{"__be32", 32, true},      {"__be64", 64, true},
	{"uint8_t", 8, true},      {"uint16_t", 16, true},
	{"uint32_t", 32, true},    {"uint64_t", 64, true},
	{"int8_t", 8, false},      {"int16_t", 16, false},
	{"int32_t", 32, false},    {"int64_t", 64, false},
	{"ushort", 16, true},      {"uint", 32, true},
	{"ulong", 64, true},       {"__kernel_rwf_t", 32, false},
	{"size_t", 64, true},      {"ssize_t", 64, false},
	{"loff_t", 64, false},     {"sector_t", 64, true},
	{"blkcnt_t", 64, true},    {"pgoff_t", 64, true},
	{"ino_t", 64, true},       {"dev_t", 32, true},
	{"pid_t", 32, false},      {"uid_t", 32, true},
	{"gid_t", 32, true},       {"gfp_t", 32, true},
	{"umode_t", 16, true},     {"dma_addr_t", 64, true},
	{"phys_addr_t", 64, true},
};

static const struct word *find_word(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (kt_print_is_word(text, len, words[i].text))
			return &words[i];
	return NULL;
}

/*
 * Takes a tag. "enum NAME" is an int; "struct NAME" is a number only as a pointer, so has no bits.
 */
static bool take_tag(struct kt_print_parser *p, const char *word, size_t len,
		     struct kt_print_type *type)
{
	bool is_struct = kt_print_is_word(word, len, "struct");

	if (!is_struct && !kt_print_is_word(word, len, "enum"))
		return false;
	if (is_struct)
		type->bits = 0;
	return kt_print_word(p, &word);
}

static bool take_words(struct kt_print_parser *p, struct kt_print_type *type)
{
	const struct word *found;
	const char *word;
	size_t len, n = 0;

	for (; (len = kt_print_word(p, &word)); n++) {
		if (take_tag(p, word, len, type))
			continue;
		found = find_word(word, len);
		if (!found)
			return false;
		if (found->bits != 32)
			type->bits = found->bits;
		type->is_unsigned |= found->is_unsigned;
	}
	return n > 0;
}

static bool take_type(struct kt_print_parser *p, struct kt_print_type *type)
{
	*type = (struct kt_print_type){32, false};
	if (!take_words(p, type))
		return false;
	while (kt_print_take(p, "*")) {
		*type = (struct kt_print_type){64, true};
		kt_print_take(p, "const");
	}
	return type->bits && kt_print_take(p, ")");
}

bool kt_print_cast(struct kt_print_parser *p, struct kt_print_type *type)
{
	const char *from = p->at;

	if (take_type(p, type))
		return true;
	p->at = from;
	return false;
}

static struct kt_print_type find_literal_type(uint64_t n, bool is_decimal, const char *suffix)
{
	bool is_unsigned = strpbrk(suffix, "uU"), is_long = strpbrk(suffix, "lL");
	struct kt_print_type t = {32, is_unsigned};

	if (is_long || n > UINT32_MAX || (n > INT32_MAX && is_decimal && !is_unsigned))
		t.bits = 64;
	if (!is_decimal && n > (t.bits == 64 ? INT64_MAX : (uint64_t)INT32_MAX))
		t.is_unsigned = true;
	return t;
}

static const struct kt_print_expr *add_number(struct kt_print_parser *p, uint64_t n,
					      struct kt_print_type type)
{
	struct kt_print_expr *e = kt_print_alloc(p, sizeof(*e));

	if (e)
		*e = (struct kt_print_expr){.op = KT_PRINT_NUMBER, .type = type, .number = n};
	return e;
}

static const struct kt_print_expr *read_number(struct kt_print_parser *p)
{
	char suffix[8] = "", *end;
	bool is_decimal = *p->at != '0';
	uint64_t n = strtoull(p->at, &end, 0);
	size_t len = strspn(end, "uUlL");

	if (end == p->at || len >= sizeof(suffix))
		return NULL;
	memcpy(suffix, end, len);
	p->at = end + len;
	return add_number(p, n, find_literal_type(n, is_decimal, suffix));
}

const struct kt_print_expr *kt_print_literal(struct kt_print_parser *p)
{
	char c = kt_print_next(p);

	if (c >= '0' && c <= '9')
		return read_number(p);
	if (!kt_print_take(p, "'"))
		return NULL;
	c = kt_print_char(p);
	return kt_print_take(p, "'") ? add_number(p, c, (struct kt_print_type){32, false}) : NULL;
}
