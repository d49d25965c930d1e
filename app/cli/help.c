// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/help.h"

#include <stdio.h>
#include <string.h>

#include "app/cli/command.h"

enum { WIDTH = 80, TEXT_COLUMN = 26 };

/* A cursor that breaks lines between words. */
struct wrap {
	int indent; /* of all lines but the first */
	int column;
};

static void put_word(struct wrap *w, const char *word, int len)
{
	if (w->column > w->indent && w->column + 1 + len > WIDTH) {
		printf("\n%*s", w->indent, "");
		w->column = w->indent;
	} else if (w->column > w->indent) {
		putchar(' ');
		w->column++;
	}
	printf("%.*s", len, word);
	w->column += len;
}

/* Puts text word by word; an empty line separates paragraphs. */
static void put_text(struct wrap *w, const char *text)
{
	size_t len;

	while (*text) {
		len = strcspn(text, " \n");
		if (len)
			put_word(w, text, len);
		text += len;
		if (strncmp(text, "\n\n", 2) == 0) {
			printf("\n\n%*s", w->indent, "");
			w->column = w->indent;
		}
		text += strspn(text, " \n");
	}
}

/* Puts the letters of all options without an argument: "[-aqT]". */
static void put_flags(struct wrap *w, const struct command_option *o)
{
	char flags[64] = "[-";
	size_t n = 2;

	for (; o->set; o++)
		if (o->help && option_is_flag(o) && n < sizeof(flags) - 2)
			flags[n++] = o->letter;
	flags[n++] = ']';
	if (n > 3)
		put_word(w, flags, n);
}

static void put_usage_option(struct wrap *w, const struct command_option *o)
{
	char text[80], name[40];
	int len;

	if (o->letter)
		snprintf(name, sizeof(name), "-%c", o->letter);
	else
		snprintf(name, sizeof(name), "--%s", o->name);
	len = snprintf(text, sizeof(text), "%s%s%s%s%s%s", o->is_required ? "" : "[", name,
		       o->arg ? " " : "", o->arg ? o->arg : "", o->is_required ? "" : "]",
		       o->repeats ? "..." : "");
	put_word(w, text, len);
}

static void put_usage(const struct command *c)
{
	const struct command_option *o;
	struct wrap w = {.column = printf("usage: ktrace %s", c->name)};

	w.indent = w.column + 1;
	if (w.column < w.indent && (c->options || *c->operands)) {
		putchar(' ');
		w.column++;
	}
	if (c->options)
		put_flags(&w, c->options);
	for (o = c->options; o && o->set; o++)
		if (o->help && !option_is_flag(o))
			put_usage_option(&w, o);
	put_text(&w, c->operands);
	putchar('\n');
}

/* Prints "  -b, --buffer-size SIZE", or without a letter "      --nested". Returns its width. */
static int put_option_name(const struct command_option *o)
{
	int len = o->letter ? printf("  -%c", o->letter) : printf("   ");

	if (o->name)
		len += printf(o->letter ? ", --%s" : "   --%s", o->name);
	if (o->arg)
		len += printf(o->arg_is_optional ? "[=%s]" : " %s", o->arg);
	return len;
}

static void put_option(const struct command_option *o)
{
	struct wrap w = {.indent = TEXT_COLUMN, .column = put_option_name(o)};
	char initial[32];

	if (w.column > TEXT_COLUMN - 2) {
		putchar('\n');
		w.column = 0;
	}
	w.column += printf("%*s", TEXT_COLUMN - w.column, "");
	put_text(&w, o->help);
	if (o->initial)
		put_word(&w, initial, snprintf(initial, sizeof(initial), "[%s]", o->initial));
	putchar('\n');
}

void print_command_help(const struct command *c)
{
	const struct command_option *o;
	const struct command_example *e;
	struct wrap about = {};

	put_usage(c);
	printf("\n%c%s.\n", c->summary[0] - 'a' + 'A', c->summary + 1);
	if (*c->about) {
		putchar('\n');
		put_text(&about, c->about);
		putchar('\n');
	}
	for (o = c->options; o && o->set; o++) {
		if (o == c->options)
			puts("\noptions:");
		if (o->help)
			put_option(o);
	}
	for (e = c->examples; e && e->line; e++) {
		if (e == c->examples)
			puts("\nexamples:");
		printf("  %s\n", e->line);
	}
}
