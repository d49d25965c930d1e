/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the parts of a man page that come from a subcommand's tables (app/cli/command.h), as
 * mdoc(7). tools/man.sh puts them into the pages of man/.
 */
#ifndef KT_APP_CLI_MAN_PAGE_H
#define KT_APP_CLI_MAN_PAGE_H

struct command;

/* Prints the sections NAME, SYNOPSIS, OPTIONS and EXAMPLES to standard output. */
void print_man_page(const struct command *c);

/* Prints an item of a list of commands. */
void print_man_command(const struct command *c);

#endif
