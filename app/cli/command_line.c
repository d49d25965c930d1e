// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/command_line.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/command.h"
#include "filter/suggest.h"

enum { OPTIONS_MAX = 64, NO_LETTER = 256 };

/* A table of options, as getopt_long() takes it. */
struct parser {
	const struct command *command;
	const struct command_option *rows;
	size_t n;
	bool is_given[OPTIONS_MAX]; /* by row */
	char letters[2 * OPTIONS_MAX + 2];
	struct option names[OPTIONS_MAX + 1];
};

bool help_is_wanted;

static int get_argument_kind(const struct command_option *o)
{
	if (!o->arg)
		return no_argument;
	return o->arg_is_optional ? optional_argument : required_argument;
}

/* Options end at CMD, whose own options follow. */
static void make_tables(struct parser *p, const struct command *c)
{
	const struct command_option *o;
	char *letter = p->letters;
	size_t n_names = 0;

	*p = (struct parser){.command = c, .rows = c->options};
	if (strstr(c->operands, "CMD"))
		*letter++ = '+';
	for (o = p->rows; o && o->set && p->n < OPTIONS_MAX; o++) {
		if (o->letter)
			*letter++ = o->letter;
		if (o->letter && !option_is_flag(o))
			*letter++ = ':';
		if (o->name)
			p->names[n_names++] = (struct option){o->name, get_argument_kind(o), NULL,
							      NO_LETTER + (int)p->n};
		p->n++;
	}
}

static void report_unknown_option(const struct parser *p, const char *typed)
{
	struct kt_suggestion near = kt_suggestion_for(typed + 2);
	const struct option *o;

	fprintf(stderr, "ktrace %s: unknown option '%s'", p->command->name, typed);
	kt_suggestion_offer(&near, "help");
	for (o = p->names; o->name; o++)
		kt_suggestion_offer(&near, o->name);
	if (!strncmp(typed, "--", 2) && near.name)
		fprintf(stderr, "; did you mean '--%s'?\n", near.name);
	else
		fprintf(stderr, "; see 'ktrace %s --help'\n", p->command->name);
}

/* Returns the row of a letter, or of getopt_long()'s value for a name; NULL if there is none. */
static const struct command_option *find_row(const struct parser *p, int value)
{
	size_t i;

	if (value >= NO_LETTER && (size_t)(value - NO_LETTER) < p->n)
		return &p->rows[value - NO_LETTER];
	for (i = 0; i < p->n; i++)
		if (value && p->rows[i].letter == value)
			return &p->rows[i];
	return NULL;
}

/* "--event"; "-t" if the option has no name. */
static void print_option(FILE *to, const struct command_option *o)
{
	if (o->name)
		fprintf(to, "--%s", o->name);
	else
		fprintf(to, "-%c", o->letter);
}

/* A known option is wrong only in its argument. */
static int report_option(const struct parser *p, char **argv)
{
	const struct command_option *o = find_row(p, optopt);
	char letter[] = "-?";
	const char *typed;

	if (o) {
		fprintf(stderr, "ktrace %s: option '", p->command->name);
		print_option(stderr, o);
		fprintf(stderr, "' %s\n", o->arg ? "needs an argument" : "takes no argument");
		return EXIT_USAGE;
	}
	letter[1] = optopt;
	typed = optopt ? letter : argv[optind - 1];
	help_is_wanted = !strcmp(typed, "-h") || !strcmp(typed, "--help");
	if (!help_is_wanted)
		report_unknown_option(p, typed);
	return EXIT_USAGE;
}

static bool is_option_given(const struct parser *p, const char *name)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		if (p->is_given[i] && p->rows[i].name && !strcmp(p->rows[i].name, name))
			return true;
	return false;
}

static int check_needs(const struct parser *p)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		if (!p->is_given[i] || !p->rows[i].needs || is_option_given(p, p->rows[i].needs))
			continue;
		fprintf(stderr, "ktrace %s: ", p->command->name);
		print_option(stderr, &p->rows[i]);
		fprintf(stderr, " needs --%s\n", p->rows[i].needs);
		return EXIT_USAGE;
	}
	return EXIT_OK;
}

/* Returns the next word, and takes it, if it is one that the option may have without a '='. */
static char *take_word(const struct command_option *o, int argc, char **argv)
{
	const char *const *word = o->words;

	while (word && *word && optind < argc && strcmp(*word, argv[optind]) != 0)
		word++;
	return word && *word && optind < argc ? argv[optind++] : NULL;
}

int parse_command_line(const struct command *c, void *settings, int argc, char **argv)
{
	const struct command_option *o;
	struct parser p;
	int value, status;

	make_tables(&p, c);
	opterr = 0;
	optopt = 0;
	while ((value = getopt_long(argc, argv, p.letters, p.names, NULL)) != -1) {
		o = value == '?' ? NULL : find_row(&p, value);
		if (!o)
			return report_option(&p, argv);
		p.is_given[o - p.rows] = true;
		status = o->set(c->name, (char *)settings + o->offset,
				optarg ? optarg : take_word(o, argc, argv));
		if (status != EXIT_OK)
			return status;
	}
	return check_needs(&p);
}

int run_on_flight(const struct command *c, int argc, char **argv, int act(const char *name))
{
	int status = parse_command_line(c, NULL, argc, argv);

	if (status != EXIT_OK)
		return status;
	if (argc > optind + 1)
		return report_unexpected(c->name, argv[optind + 1]);
	return act(argv[optind] ? argv[optind] : FLIGHT_NAME);
}
