// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/man_page.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/command.h"

/* Puts text so that no character is taken for a macro, or printed as another one. */
static void put_escaped(const char *text)
{
	static const char special[] = "\\-'`~^\"";
	static const char *const escapes[] = {"\\e",   "\\-",   "\\(aq", "\\(ga",
					      "\\(ti", "\\(ha", "\\(dq"};
	const char *found;

	for (; *text; text++) {
		found = strchr(special, *text);
		if (found)
			fputs(escapes[found - special], stdout);
		else
			putchar(*text);
	}
}

/* Puts a line of text, which may begin with any character. */
static void put_line(const char *text)
{
	fputs("\\&", stdout);
	put_escaped(text);
	putchar('\n');
}

/* Puts the letters of all options without an argument. */
static void put_flags(const struct command_option *o)
{
	bool is_first = true;

	for (; o->set; o++) {
		if (!o->help || !option_is_flag(o))
			continue;
		printf("%s%c", is_first ? ".Op Fl " : "", o->letter);
		is_first = false;
	}
	if (!is_first)
		putchar('\n');
}

static void put_synopsis_option(const struct command_option *o)
{
	printf(".%s", o->is_required ? "" : "Oo ");
	if (o->letter)
		printf("Fl %c", o->letter);
	else
		printf("Fl -%s", o->name);
	if (o->arg)
		printf(" Ar %s", o->arg);
	printf("%s%s\n", o->is_required ? "" : " Oc", o->repeats ? " Ns ..." : "");
}

/* Puts "[[--] CMD [ARG...]]" as macros. */
static void put_operands(const char *text)
{
	size_t len;

	putchar('.');
	while (*text) {
		len = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
		if (len)
			printf("Ar %.*s ", (int)len, text);
		else if (*text == '[')
			fputs("Oo ", stdout);
		else if (*text == ']')
			fputs("Oc ", stdout);
		else if (*text == '-')
			fputs(text[1] == '-' ? "Fl - " : "", stdout);
		else if (*text == '.')
			fputs(text[1] != '.' ? "Ns ... " : "", stdout);
		text += len ? len : 1;
	}
	putchar('\n');
}

static void put_synopsis(const struct command *c)
{
	const struct command_option *o = c->options;

	printf(".Sh NAME\n.Nm ktrace-%s\n.Nd %s\n.Sh SYNOPSIS\n.Nm ktrace %s\n", c->name,
	       c->summary, c->name);
	if (o)
		put_flags(o);
	for (; o && o->set; o++)
		if (o->help && !option_is_flag(o))
			put_synopsis_option(o);
	if (*c->operands)
		put_operands(c->operands);
}

static void put_option(const struct command_option *o)
{
	fputs(".It ", stdout);
	if (o->letter)
		printf("Fl %c%s", o->letter, o->name ? " , " : "");
	if (o->name)
		printf("Fl -%s", o->name);
	if (o->arg && o->arg_is_optional)
		printf(" Ns Op = Ns Ar %s", o->arg);
	else if (o->arg)
		printf(" Ar %s", o->arg);
	printf("\n\\&%c", toupper((unsigned char)*o->help));
	put_escaped(o->help + 1);
	if (o->initial) {
		fputs(" [", stdout);
		put_escaped(o->initial);
		putchar(']');
	}
	puts(".");
}

void print_man_page(const struct command *c)
{
	const struct command_option *o;
	const struct command_example *e;

	put_synopsis(c);
	if (c->options)
		puts(".Sh OPTIONS\n.Bl -tag -width Ds");
	for (o = c->options; o && o->set; o++)
		if (o->help)
			put_option(o);
	if (c->options)
		puts(".El");
	puts(".Sh EXAMPLES");
	for (e = c->examples; e && e->line; e++) {
		if (e != c->examples)
			puts(".Pp");
		fputs("\\&", stdout);
		put_escaped(e->purpose);
		puts(":\n.Bd -literal -offset indent -compact");
		put_line(e->line);
		puts(".Ed");
	}
}

void print_man_command(const struct command *c)
{
	printf(".It Cm %s", c->name);
	if (!strcmp(c->name, "help"))
		fputs(" Op Ar COMMAND", stdout);
	printf("\n%c%s.\n", toupper((unsigned char)*c->summary), c->summary + 1);
}
