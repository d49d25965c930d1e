// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/strace/strace_quiet.h"

#include <string.h>

#include "app/cli/command.h"

static unsigned int find_quiet(const char *item, size_t len)
{
	static const struct {
		const char *name;
		unsigned int what;
	} all[] = {
		{"attach", QUIET_ATTACH},
		{"attaching", QUIET_ATTACH},
		{"exit", QUIET_EXIT},
		{"exits", QUIET_EXIT},
		{"path-resolution", QUIET_PATHS},
		{"path-resolve", QUIET_PATHS},
		{"paths-resolve", QUIET_PATHS},
		{"personality", QUIET_OTHERS},
		{"thread-execve", QUIET_OTHERS},
		{"superseded", QUIET_OTHERS},
		{"none", QUIET_OTHERS},
		{"all", ~0u},
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (strlen(all[i].name) == len && strncmp(all[i].name, item, len) == 0)
			return all[i].what;
	return 0;
}

int set_quiet(const char *command, void *to, char *arg)
{
	unsigned int *quiet = to, what;
	const char *item;
	size_t len;

	if (!arg) {
		*quiet |= *quiet & QUIET_ATTACH ? QUIET_EXIT : QUIET_ATTACH | QUIET_PATHS;
		return EXIT_OK;
	}
	for (item = arg;; item += len + 1) {
		len = strcspn(item, ",");
		what = find_quiet(item, len);
		if (!what)
			return report_argument(command, arg,
					       "expected attach, exit, path-resolution, "
					       "personality, thread-execve, none or all");
		*quiet |= what;
		if (!item[len])
			return EXIT_OK;
	}
}
