// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/color.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/command.h"

int set_color(const char *command, void *to, char *arg)
{
	static const char *const names[] = {
		[COLOR_AUTO] = "auto",
		[COLOR_ALWAYS] = "always",
		[COLOR_NEVER] = "never",
	};
	enum color *color = to;
	size_t i;

	if (!arg)
		arg = "always";
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(arg, names[i]) != 0)
			continue;
		*color = i;
		return EXIT_OK;
	}
	return report_argument(command, arg, "not one of always, auto, never");
}

bool color_is_wanted(enum color color, int fd)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (color != COLOR_AUTO)
		return color == COLOR_ALWAYS;
	if (no_color && *no_color)
		return false;
	return isatty(fd) && term && strcmp(term, "dumb") != 0;
}
