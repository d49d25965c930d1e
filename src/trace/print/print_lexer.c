// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/print/print_lexer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "constants/labels.h"

/* The longest formats of Linux 6.18 need some 500 blocks. This also bounds the depth of trees. */
enum { BLOCKS_MAX = 8192 };

struct kt_print_memory {
	struct block {
		struct block *next;
		char bytes[];
	} * blocks;
	size_t n;
	struct kt_labels *labels;
};

static bool create_memory(struct kt_print_parser *p)
{
	if (!p->memory)
		p->memory = calloc(1, sizeof(*p->memory));
	return p->memory;
}

void *kt_print_alloc(struct kt_print_parser *p, size_t size)
{
	struct block *b;

	if (!create_memory(p) || p->memory->n == BLOCKS_MAX)
		return NULL;
	b = calloc(1, sizeof(*b) + size);
	if (!b)
		return NULL;
	b->next = p->memory->blocks;
	p->memory->blocks = b;
	p->memory->n++;
	return b->bytes;
}

struct kt_labels *kt_print_labels(struct kt_print_parser *p, bool are_flags)
{
	return create_memory(p) ? kt_labels_new(&p->memory->labels, are_flags) : NULL;
}

void kt_print_memory_free(struct kt_print_memory *m)
{
	struct block *b;

	if (!m)
		return;
	while ((b = m->blocks)) {
		m->blocks = b->next;
		free(b);
	}
	kt_labels_free(m->labels);
	free(m);
}

char kt_print_next(struct kt_print_parser *p)
{
	while (isspace((unsigned char)*p->at))
		p->at++;
	return *p->at;
}

bool kt_print_take(struct kt_print_parser *p, const char *token)
{
	size_t n = strlen(token);

	kt_print_next(p);
	if (strncmp(p->at, token, n) != 0)
		return false;
	p->at += n;
	return true;
}

static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

size_t kt_print_word(struct kt_print_parser *p, const char **word)
{
	bool is_number = isdigit((unsigned char)kt_print_next(p));

	*word = p->at;
	while (!is_number && is_letter(*p->at))
		p->at++;
	return p->at - *word;
}

bool kt_print_is_word(const char *word, size_t len, const char *expected)
{
	return strlen(expected) == len && memcmp(word, expected, len) == 0;
}

/* Reads an octal escape: \033. */
static char read_octal(struct kt_print_parser *p)
{
	const char *end = p->at + 3;
	int c = 0;

	while (p->at < end && *p->at >= '0' && *p->at <= '7')
		c = 8 * c + *p->at++ - '0';
	return c;
}

char kt_print_char(struct kt_print_parser *p)
{
	static const char escapes[] = "ntrabfv", meant[] = "\n\t\r\a\b\f\v";
	const char *at;

	if (*p->at != '\\' || !p->at[1])
		return *p->at ? *p->at++ : 0;
	p->at++;
	if (*p->at >= '0' && *p->at <= '7')
		return read_octal(p);
	at = strchr(escapes, *p->at++);
	return at ? meant[at - escapes] : p->at[-1];
}

/* Returns the length from a literal's opening quote to its closing one; 0 if there is none. */
static size_t measure_literal(const char *text)
{
	const char *end = text + 1;

	while (*end && *end != '"')
		end += *end == '\\' && end[1] ? 2 : 1;
	return end - text;
}

/*
 * Returns the length of all literals that form one text. "%" PRIu64 "\n" is no such text: a format
 * file has no macros left.
 */
static size_t measure_literals(const char *text)
{
	size_t n = 0, part;

	while (text[n] == '"') {
		part = measure_literal(text + n);
		n += part + (text[n + part] == '"');
		n += strspn(text + n, " \t\n");
	}
	return n;
}

const char *kt_print_text(struct kt_print_parser *p)
{
	char *text = NULL, *to = NULL;

	while (kt_print_take(p, "\"")) {
		if (!text)
			text = to = kt_print_alloc(p, measure_literals(p->at - 1) + 1);
		if (!text)
			return NULL;
		while (*p->at && *p->at != '"')
			*to++ = kt_print_char(p);
		if (!*p->at)
			return NULL;
		p->at++;
	}
	return text;
}
