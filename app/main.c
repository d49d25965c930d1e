// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the subcommand and runs it; prints help and version. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/cli/descriptors.h"
#include "app/cli/help.h"
#include "app/cli/man_page.h"
#include "app/cli/options.h"
#include "app/control/release.h"
#include "filter/suggest.h"

const char ktrace_version[] = KTRACE_VERSION;

static int run_help(int argc, char **argv);
static int run_version(int argc, char **argv);

static const struct command_option help_options[] = {
	{.name = "mdoc", .help = "print what a man page has from the program", .set = set_flag},
	{},
};

static const struct command help_command = {
	.name = "help",
	.operands = "[COMMAND]",
	.options = help_options,
	.summary = "show help for ktrace or a command",
	.about = "",
	.run = run_help,
};

static const struct command version_command = {
	.name = "version",
	.operands = "",
	.summary = "print the version",
	.about = "",
	.run = run_version,
};

static const struct command *const commands[] = {
	&list_command,    &record_command, &report_command,   &print_command,  &trace_command,
	&strace_command,  &start_command,  &snapshot_command, &status_command, &enable_command,
	&disable_command, &pause_command,  &resume_command,   &reset_command,  &fs_command,
	&stop_command,    &help_command,   &version_command,
};

#define N_COMMANDS (sizeof(commands) / sizeof(*commands))

static void print_help(FILE *to)
{
	size_t i;

	fputs("usage: ktrace COMMAND [ARGS...]\n\n", to);
	for (i = 0; i < N_COMMANDS; i++)
		fprintf(to, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\n'ktrace COMMAND --help' shows the options of a command.\n", to);
}

static void print_man_commands(void)
{
	size_t i;

	for (i = 0; i < N_COMMANDS; i++)
		print_man_command(commands[i]);
}

/*
 * Returns the command of that name; reports an unknown one with the nearest name, and returns NULL.
 */
static const struct command *find_command(const char *name)
{
	struct kt_suggestion near = kt_suggestion_for(name);
	size_t i;

	for (i = 0; i < N_COMMANDS; i++) {
		if (!strcmp(commands[i]->name, name))
			return commands[i];
		kt_suggestion_offer(&near, commands[i]->name);
	}
	fprintf(stderr, "ktrace: unknown %s '%s'", *name == '-' ? "option" : "command", name);
	if (near.name)
		fprintf(stderr, "; did you mean '%s'?\n", near.name);
	else
		fputs("; see 'ktrace --help'\n", stderr);
	return NULL;
}

static int run_help(int argc, char **argv)
{
	bool mdoc = false;
	const struct command *c;
	int status = parse_command_line(&help_command, &mdoc, argc, argv);

	if (status != EXIT_OK)
		return status;
	if (argc > optind + 1)
		return report_unexpected(argv[0], argv[optind + 1]);
	if (argc == optind) {
		if (mdoc)
			print_man_commands();
		else
			print_help(stdout);
		return EXIT_OK;
	}
	c = find_command(argv[optind]);
	if (!c)
		return EXIT_USAGE;
	(mdoc ? print_man_page : print_command_help)(c);
	return EXIT_OK;
}

static int run_version(int argc, char **argv)
{
	int status = parse_command_line(&version_command, NULL, argc, argv);

	if (status != EXIT_OK)
		return status;
	if (argc > optind)
		return report_unexpected(argv[0], argv[optind]);
	printf("ktrace %s\n", ktrace_version);
	return EXIT_OK;
}

static int run(int argc, char **argv)
{
	const struct command *c;
	int status;

	if (argc == 2 && !strcmp(argv[1], "release"))
		return run_release();
	if (argc < 2) {
		print_help(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		argv[1] = "help";
	else if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		argv[1] = "version";

	c = find_command(argv[1]);
	if (!c)
		return EXIT_USAGE;
	status = c->run(argc - 1, argv + 1);
	if (!help_is_wanted)
		return status;
	print_command_help(c);
	return EXIT_OK;
}

int main(int argc, char **argv)
{
	int status;

	prepare_descriptors();
	status = run(argc, argv);

	/*
	 * Reports that output was not written, for example to a full disk. Readers that closed
	 * their pipe know.
	 */
	if (fflush(stdout) || ferror(stdout)) {
		if (!output_is_closed())
			fprintf(stderr, "ktrace: cannot write to standard output: %s\n",
				strerror(errno));
		return EXIT_FAILED;
	}
	return status;
}
