// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/descriptors.h"
#include "base/error.h"

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

int report_argument(const char *command, const char *arg, const char *why)
{
	struct kt_error err;

	kt_fail_at(&err, EINVAL, arg, 0, strlen(arg), "%s", why);
	return report_error(command, &err);
}
