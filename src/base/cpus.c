// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/cpus.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

enum { MAX_DIGITS = 6 };

/* The number at *at, which goes behind it; where there is none, -1. */
static int number(const char **at)
{
	const char *start = *at;
	int n = 0;

	while (**at >= '0' && **at <= '9' && *at - start < MAX_DIGITS)
		n = 10 * n + *(*at)++ - '0';
	return *at == start ? -1 : n;
}

int kt_cpus_parse(const char *list, bool *set, int n)
{
	int first, last, cpu, highest = -1;

	for (;; list++) {
		first = number(&list);
		last = first;
		if (*list == '-') {
			list++;
			last = number(&list);
		}
		if (first <= highest || last < first)
			return -1; /* none, or not in ascending order */
		for (cpu = first; cpu <= last && cpu < n; cpu++)
			set[cpu] = true;
		highest = last;
		if (*list != ',')
			break;
	}
	if (list[0] != '\0' && strcmp(list, "\n") != 0)
		return -1;
	return highest + 1;
}

static int read_list(const char *path, bool *set, int n, struct kt_error *err)
{
	char list[4096] = "";
	FILE *file = fopen(path, "re");
	int rows;

	if (!file)
		return kt_fail(err, errno, "%s: %s", path, strerror(errno));
	rows = fgets(list, sizeof(list), file) ? kt_cpus_parse(list, set, n) : -1;
	fclose(file);
	if (rows < 0)
		return kt_fail(err, EPROTO, "%s: is no list of CPUs", path);
	return rows;
}

int kt_cpus(struct kt_error *err)
{
	return read_list("/sys/devices/system/cpu/possible", NULL, 0, err);
}

int kt_cpus_online(bool *online, int n, struct kt_error *err)
{
	int rows = read_list("/sys/devices/system/cpu/online", online, n, err);

	return rows < 0 ? rows : 0;
}
