// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/cpus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { MAX_DIGITS = 6 };

/* Returns the number at *at and moves *at past it; -1 if there is no number. */
static int parse_cpu(const char **at)
{
	const char *start = *at;
	int n = 0;

	while (**at >= '0' && **at <= '9' && *at - start < MAX_DIGITS)
		n = 10 * n + *(*at)++ - '0';
	return *at == start ? -1 : n;
}

struct range {
	int first, last;
};

/* Parses the range at *at and moves *at past it. */
static bool parse_range(const char **at, struct range *r)
{
	r->first = parse_cpu(at);
	r->last = r->first;
	if (**at == '-') {
		(*at)++;
		r->last = parse_cpu(at);
	}
	return r->first >= 0 && r->last >= r->first;
}

int kt_cpus_parse(const char *list, bool *set, int n)
{
	struct range r;
	int cpu, rows = 0;

	for (;; list++) {
		if (!parse_range(&list, &r))
			return -1;
		for (cpu = r.first; cpu <= r.last && cpu < n; cpu++)
			set[cpu] = true;
		if (r.last >= rows)
			rows = r.last + 1;
		if (*list != ',')
			break;
	}
	return list[0] == '\0' || strcmp(list, "\n") == 0 ? rows : -1;
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
		return kt_fail(err, EPROTO, "%s: not a list of CPUs", path);
	return rows;
}

int kt_cpus_possible(struct kt_error *err)
{
	return read_list("/sys/devices/system/cpu/possible", NULL, 0, err);
}

int kt_cpus_max(struct kt_error *err)
{
	return read_list("/sys/devices/system/cpu/kernel_max", NULL, 0, err);
}

int kt_cpus_online(bool *online, int n, struct kt_error *err)
{
	int rows = read_list("/sys/devices/system/cpu/online", online, n, err);

	return rows < 0 ? rows : 0;
}

/* Sets the CPUs in the list; each must be online. */
static int select_online(bool *selected, const bool *online, int n, const char *list,
			 struct kt_error *err)
{
	const char *at = list;
	size_t begin, len;
	struct range r;
	int cpu;

	for (;; at++) {
		begin = at - list;
		len = strcspn(at, ",");
		if (!parse_range(&at, &r) || (*at && *at != ','))
			return kt_fail_at(err, EINVAL, list, begin, len,
					  "not a list of CPUs: expected numbers or ranges: 0,2-3");
		for (cpu = r.first; cpu <= r.last; cpu++) {
			if (cpu >= n || !online[cpu])
				return kt_fail_at(err, ENODEV, list, begin, len,
						  "CPU %d is not online", cpu);
			selected[cpu] = true;
		}
		if (!*at)
			return 0;
	}
}

int kt_cpus_select(bool **selected, const char *list, struct kt_error *err)
{
	int n = kt_cpus_possible(err), ret;
	bool *online;

	if (n < 0)
		return n;
	online = calloc(n, sizeof(*online));
	if (!*selected)
		*selected = calloc(n, sizeof(**selected));
	if (!online || !*selected)
		ret = kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	else
		ret = kt_cpus_online(online, n, err);
	if (ret == 0)
		ret = select_online(*selected, online, n, list, err);
	free(online);
	return ret;
}
