/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a command's output has colors: its option --color, and the environment's NO_COLOR.
 *
 *	static const struct command_option options[] = {
 *		OPTION_COLOR(struct print_trace, color),
 *		{},
 *	};
 *
 *	text.colors = color_is_wanted(p->color, STDOUT_FILENO);
 */
#ifndef KT_APP_CLI_COLOR_H
#define KT_APP_CLI_COLOR_H

#include <stdbool.h>

enum color {
	COLOR_AUTO, /* on a terminal that can, unless NO_COLOR is set */
	COLOR_ALWAYS,
	COLOR_NEVER,
};

/* clang-format off */
#define OPTION_COLOR(settings, member) \
	{.name = "color", .arg = "WHEN", .arg_is_optional = true, \
	 .help = "mark names and errors: always, auto (on a terminal, unless NO_COLOR is set), " \
		 "never", \
	 .initial = "auto", \
	 .set = set_color, .offset = offsetof(settings, member)}
/* clang-format on */

/* Stores at `to` when colors are wanted; NULL is always. Returns the exit status. */
int set_color(const char *command, void *to, char *arg);

/* Returns whether output to fd has colors. */
bool color_is_wanted(enum color color, int fd);

#endif
