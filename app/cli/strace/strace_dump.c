// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/strace/strace_dump.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli/command.h"
#include "base/error.h"
#include "base/grow.h"

static int report_fd(const char *command, const char *text, const char *at, size_t len)
{
	struct kt_error err;

	kt_fail_at(&err, EINVAL, text, at - text, len,
		   "expected numbers of descriptors, separated by commas, all or none");
	return report_error(command, &err);
}

static int add_fd(const char *command, struct dumped_fds *set, long fd)
{
	int *grown = kt_grow(set->fds, set->n, sizeof(*grown));

	if (!grown)
		return report_no_memory(command);
	set->fds = grown;
	set->fds[set->n++] = fd;
	return EXIT_OK;
}

/* Parses a list of numbers. */
static int parse_list(const char *command, struct dumped_fds *set, const char *text,
		      const char *list)
{
	int status = EXIT_OK;
	size_t len, digits;
	unsigned long fd;

	for (;; list += len + 1) {
		len = strcspn(list, ",");
		digits = strspn(list, "0123456789");
		fd = strtoul(list, NULL, 10);
		if (!len || digits != len || len > 10 || fd > INT_MAX)
			return report_fd(command, text, list, len);
		status = add_fd(command, set, fd);
		if (status != EXIT_OK || !list[len])
			return status;
	}
}

int parse_dumped_fds(const char *command, struct dumped_fds *set, const char *text)
{
	const char *list = text + (*text == '!');
	bool is_all = strcmp(list, "all") == 0;

	free(set->fds);
	*set = (struct dumped_fds){.is_inverted = (*text == '!') != is_all};
	if (is_all || strcmp(list, "none") == 0)
		return EXIT_OK;
	return parse_list(command, set, text, list);
}

static struct kt_fd_set get_set(const struct dumped_fds *set)
{
	return (struct kt_fd_set){set->fds, set->n, set->is_inverted};
}

const struct kt_data_dumps *strace_dump_end(struct strace_dump *d)
{
	d->dumps = (struct kt_data_dumps){get_set(&d->reads), get_set(&d->writes)};
	if (!d->reads.n && !d->reads.is_inverted && !d->writes.n && !d->writes.is_inverted)
		return NULL;
	return &d->dumps;
}

void strace_dump_free(struct strace_dump *d)
{
	free(d->reads.fds);
	free(d->writes.fds);
	*d = (struct strace_dump){0};
}
