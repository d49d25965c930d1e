// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/cpus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const char possible[] = "/sys/devices/system/cpu/possible";

/* The list is in ascending order: its last number is its highest. */
int kt_cpus_parse(const char *list)
{
	size_t len = strspn(list, "0123456789,-");
	const char *last = list + len;
	long highest;

	if (list[len] != '\0' && strcmp(list + len, "\n") != 0)
		return -1;
	while (last > list && last[-1] >= '0' && last[-1] <= '9')
		last--;
	if (last == list + len || list + len - last > 6)
		return -1;
	highest = strtol(last, NULL, 10);
	return highest + 1;
}

int kt_cpus(struct kt_error *err)
{
	char list[4096] = "";
	FILE *file = fopen(possible, "re");
	int n;

	if (!file)
		return kt_fail(err, errno, "%s: %s", possible, strerror(errno));
	n = fgets(list, sizeof(list), file) ? kt_cpus_parse(list) : -1;
	fclose(file);
	if (n < 0)
		return kt_fail(err, EPROTO, "%s: is no list of CPUs", possible);
	return n;
}
