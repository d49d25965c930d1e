// SPDX-License-Identifier: GPL-2.0-or-later
#include "events/kernel_functions.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"
#include "events/kallsyms.h"

/*
 * Returns whether it is no function that is called by that name: padding before one, a checked
 * entry, a part that the compiler split off, or a label of assembler code.
 */
static bool is_part(const char *name)
{
	const char *cold = strstr(name, ".cold");

	return strncmp(name, "__pfx_", 6) == 0 || strncmp(name, "__cfi_", 6) == 0 ||
	       (cold && (!cold[5] || cold[5] == '.'));
}

static int add_function(struct kt_kernel_functions *f, const char *name, const char *module,
			uint64_t address)
{
	struct kt_kernel_function *larger = kt_grow(f->of, f->n, sizeof(*larger)), *to;

	if (!larger)
		return -ENOMEM;
	f->of = larger;
	to = &larger[f->n];
	*to = (struct kt_kernel_function){.name = strdup(name), .address = address};
	if (*module)
		to->module = strdup(module);
	if (to->name && (to->module || !*module)) {
		f->n++;
		return 0;
	}
	free(to->name);
	free(to->module);
	return -ENOMEM;
}

/* Splits "nft_do_chain [nf_tables]". Returns the module's name, or "". */
static const char *split_module(char *name)
{
	char *end = strchr(name, ' ');

	if (!end)
		return "";
	*end++ = '\0';
	end += *end == '[';
	end[strcspn(end, "]")] = '\0';
	return end;
}

static int read_functions(struct kt_kernel_functions *to, FILE *f, const char *glob)
{
	char *line = NULL, *name, type;
	size_t size = 0;
	uint64_t at;
	const char *module;
	int ret = 0;

	while (ret == 0 && getline(&line, &size, f) > 0) {
		if (!kt_kallsyms_parse(line, &at, &type, &name) || !strchr("tTwW", type))
			continue;
		module = split_module(name);
		if (fnmatch(glob, name, FNM_NOESCAPE) == 0 && !is_part(name))
			ret = add_function(to, name, module, at);
	}
	if (ret == 0 && ferror(f))
		ret = -EIO;
	free(line);
	return ret;
}

/* Returns the order of two texts, of which NULL comes first. */
static int compare_texts(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : !!a - !!b;
}

static int compare_names(const struct kt_kernel_function *a, const struct kt_kernel_function *b)
{
	int by_module = compare_texts(a->module, b->module);

	return by_module ? by_module : strcmp(a->name, b->name);
}

static int compare_functions(const void *p, const void *q)
{
	const struct kt_kernel_function *a = p, *b = q;
	int by_name = compare_names(a, b);

	return by_name ? by_name : a->address < b->address ? -1 : a->address > b->address;
}

static void sort_functions(struct kt_kernel_functions *f)
{
	if (f->n)
		qsort(f->of, f->n, sizeof(*f->of), compare_functions);
}

struct kt_kernel_functions *kt_kernel_functions_read(const char *path, const char *glob,
						     struct kt_error *err)
{
	struct kt_kernel_functions *functions = calloc(1, sizeof(*functions));
	FILE *f = functions ? fopen(path, "re") : NULL;
	int ret = f ? read_functions(functions, f, glob) : -errno;

	if (f)
		fclose(f);
	if (ret < 0) {
		kt_kernel_functions_free(functions);
		kt_fail(err, -ret, "%s: %s", path, strerror(-ret));
		return NULL;
	}
	sort_functions(functions);
	return functions;
}

static void free_functions(struct kt_kernel_function *of, size_t n)
{
	while (n--) {
		free(of[n].name);
		free(of[n].module);
	}
	free(of);
}

void kt_kernel_functions_free(struct kt_kernel_functions *f)
{
	if (!f)
		return;
	free_functions(f->of, f->n);
	free(f);
}

/* Marks the functions of one name. */
static void mark_functions(const struct kt_kernel_functions *f, bool *marks,
			   const struct kt_kernel_function *name)
{
	size_t low = 0, high = f->n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (compare_names(&f->of[middle], name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < f->n && compare_names(&f->of[low], name) == 0; low++)
		marks[low] = true;
}

static int read_marks(const struct kt_kernel_functions *f, bool *marks, FILE *list)
{
	struct kt_kernel_function name = {};
	char *line = NULL;
	size_t size = 0;
	int ret;

	while (getline(&line, &size, list) > 0) {
		line[strcspn(line, "\n")] = '\0';
		name.name = line;
		name.module = (char *)split_module(line);
		if (!*name.module)
			name.module = NULL;
		mark_functions(f, marks, &name);
	}
	ret = ferror(list) ? -EIO : 0;
	free(line);
	return ret;
}

static void keep_marked(struct kt_kernel_functions *f, const bool *marks)
{
	size_t i, n = 0;

	for (i = 0; i < f->n; i++) {
		if (marks[i]) {
			f->of[n++] = f->of[i];
			continue;
		}
		free(f->of[i].name);
		free(f->of[i].module);
	}
	f->n = n;
}

int kt_kernel_functions_keep_traceable(struct kt_kernel_functions *f, int tracefs)
{
	int fd = openat(tracefs, "available_filter_functions", O_RDONLY | O_CLOEXEC);
	FILE *list = fd < 0 ? NULL : fdopen(fd, "r");
	bool *marks = list ? calloc(f->n + 1, sizeof(*marks)) : NULL;
	int ret = marks ? read_marks(f, marks, list) : -errno;

	if (ret == 0)
		keep_marked(f, marks);
	free(marks);
	if (list)
		fclose(list);
	else if (fd >= 0)
		close(fd);
	return ret;
}
