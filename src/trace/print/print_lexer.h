/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tokens and memory of a print format that is being parsed (trace/print/print_parser.h).
 *
 *	struct kt_print_parser p = {.at = "\"%d\", REC->pid", .fields = fields};
 *	const char *name;
 *
 *	kt_print_text(&p);				// "%d"
 *	kt_print_take(&p, ",");				// true
 *	kt_print_word(&p, &name);			// 3; name is "REC->pid"
 *	kt_print_memory_free(p.memory);
 *
 * p.memory owns everything that is returned. The parser stands after the tokens that were taken;
 * after an error its position is undefined.
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
	unsigned int depth;             /* nesting of expressions */
};

/*
 * Returns zeroed memory; NULL if there is none, or the format needs more than any of the kernel's.
 */
void *kt_print_alloc(struct kt_print_parser *p, size_t size);

/* Returns an empty list of labels, or NULL without memory. */
struct kt_labels *kt_print_labels(struct kt_print_parser *p, bool are_flags);

void kt_print_memory_free(struct kt_print_memory *m);

/* Each of the following functions skips blanks first. */

/* Takes the token and returns true if it comes next. */
bool kt_print_take(struct kt_print_parser *p, const char *token);

/* Takes a word. Returns its length; 0 if no word comes next. */
size_t kt_print_word(struct kt_print_parser *p, const char **word);
bool kt_print_is_word(const char *word, size_t len, const char *expected);

/*
 * Takes a string literal and all literals that follow it. Returns the text without quotes and
 * escapes, or NULL on error.
 */
const char *kt_print_text(struct kt_print_parser *p);

/* Returns the next character, 0 at the end. Takes only the blanks before it. */
char kt_print_next(struct kt_print_parser *p);

/*
 * Takes one character of a string literal: if it is a backslash, the whole escape. Returns the
 * character that is meant.
 */
char kt_print_char(struct kt_print_parser *p);

#endif
