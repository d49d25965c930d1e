// SPDX-License-Identifier: GPL-2.0-or-later
/* What subcommands say alike. */
#include "app/cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/descriptors.h"
#include "base/error.h"
#include "filter/suggest.h"

bool help_is_wanted;

static void report_unknown_option(const char *command, const char *typed,
				  const struct option *options)
{
	struct kt_suggestion near = kt_suggestion_for(typed + 2);

	fprintf(stderr, "ktrace %s: unknown option '%s'", command, typed);
	kt_suggestion_offer(&near, "help");
	for (; options->name; options++)
		kt_suggestion_offer(&near, options->name);
	if (!strncmp(typed, "--", 2) && near.name)
		fprintf(stderr, "; did you mean '--%s'?\n", near.name);
	else
		fprintf(stderr, "; see 'ktrace %s --help'\n", command);
}

int next_option(int argc, char **argv, const char *letters, const struct option *options)
{
	char letter[] = "-?";
	const struct option *o;
	const char *typed;
	int c;

	opterr = 0;
	optopt = 0;
	c = getopt_long(argc, argv, letters, options, NULL);
	if (c != '?')
		return c;

	/* A known one is wrong only in its argument. */
	for (o = options; optopt && o->name; o++) {
		if (o->val != optopt)
			continue;
		fprintf(stderr, "ktrace %s: option '--%s' %s\n", argv[0], o->name,
			o->has_arg == no_argument ? "takes no argument" : "needs an argument");
		return c;
	}
	letter[1] = optopt;
	typed = optopt ? letter : argv[optind - 1];
	help_is_wanted = !strcmp(typed, "-h") || !strcmp(typed, "--help");
	if (!help_is_wanted)
		report_unknown_option(argv[0], typed, options);
	return c;
}

int report_misuse(const char *command, const char *what)
{
	fprintf(stderr, "ktrace %s: %s\n", command, what);
	return EXIT_USAGE;
}

int report_unexpected(const char *command, const char *arg)
{
	fprintf(stderr, "ktrace %s: unexpected argument '%s'; see 'ktrace %s --help'\n", command,
		arg, command);
	return EXIT_USAGE;
}

int run_on_flight(int argc, char **argv, int act(const char *name))
{
	static const struct option options[] = {{}};

	if (next_option(argc, argv, "", options) != -1)
		return EXIT_USAGE;
	if (argc > optind + 1)
		return report_unexpected(argv[0], argv[optind + 1]);
	return act(argv[optind] ? argv[optind] : FLIGHT_NAME);
}

int report_error(const char *command, const struct kt_error *err)
{
	size_t i;

	fprintf(stderr, "ktrace %s: %s", command, err->text);
	if (err->code == EMFILE)
		fprintf(stderr, "; 'ulimit -n' allows %lu", files_limit());
	else if (err->code == ENFILE)
		fputs("; the limit of the whole machine is fs.file-max", stderr);
	fputc('\n', stderr);
	if (err->typed && *err->typed) {
		fprintf(stderr, "  %s\n  %*s^", err->typed, (int)err->at, "");
		for (i = 1; i < err->len; i++)
			fputc('~', stderr);
		fputc('\n', stderr);
	}
	return err->typed && err->code == EINVAL ? EXIT_USAGE : EXIT_FAILED;
}

int report_no_memory(const char *command)
{
	fprintf(stderr, "ktrace %s: %s\n", command, strerror(ENOMEM));
	return EXIT_FAILED;
}
