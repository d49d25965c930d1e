/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words, texts and memory of the print format that is being parsed (trace/print/print_parser.h).
 *
 *	struct kt_print_parser p = {.at = "\"%d\", REC->pid", .fields = fields};
 *	const char *name;
 *
 *	kt_print_text(&p);				// "%d"
 *	kt_print_take(&p, ",");				// true
 *	kt_print_word(&p, &name);			// 3; name is "REC->pid"
 *	kt_print_memory_free(p.memory);
 *
 * p.memory owns everything that is returned. The parser stands after what it has taken; after an
 * error it stands anywhere.
 */
#ifndef KT_TRACE_PRINT_PRINT_LEXER_H
#define KT_TRACE_PRINT_PRINT_LEXER_H

#include <stdbool.h>
#include <stddef.h>

struct kt_labels;
struct kt_print_memory;
struct kt_record_layout;

struct kt_print_parser {
	const char *at;
	const struct kt_record_layout *fields;
	struct kt_print_memory *memory; /* NULL: empty */
	unsigned int depth;             /* of expressions within expressions */
};

/* Returns zeroed memory, or NULL: there is none, or the format has more than any kernel's. */
void *kt_print_alloc(struct kt_print_parser *p, size_t size);

/* Returns an empty list of labels, or NULL where there is no memory. */
struct kt_labels *kt_print_labels(struct kt_print_parser *p, bool are_flags);

void kt_print_memory_free(struct kt_print_memory *m);

/* Each of the following skips blanks first. */

/* Takes the token if it comes next. */
bool kt_print_take(struct kt_print_parser *p, const char *token);

/* Takes a word. Returns its length; 0 if no word comes next. */
size_t kt_print_word(struct kt_print_parser *p, const char **word);
bool kt_print_is_word(const char *word, size_t len, const char *expected);

/* Takes a text and those that follow it, without quotes and escapes. NULL on error. */
const char *kt_print_text(struct kt_print_parser *p);

/* Returns the next character, 0 at the end. Takes nothing but the blanks before it. */
char kt_print_next(struct kt_print_parser *p);

/* Takes one character of a text, the one that a backslash stands for if there is one. */
char kt_print_char(struct kt_print_parser *p);

#endif
