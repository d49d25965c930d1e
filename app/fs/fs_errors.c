// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/fs/fs_errors.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "app/fs/fs_tree.h"
#include "base/clock.h"
#include "base/error.h"
#include "values/text.h"

enum { WRITTEN_MAX = 1024, NS_PER_US = 1000, US_PER_S = 1000000 };

/* Prints a file's path in the tree. */
static void put_path(FILE *to, const struct fs_tree *tree, const struct fs_node *p)
{
	const struct fs_node *dir = fs_tree_node(tree, p->parent);

	if (dir && *dir->name) {
		put_path(to, tree, dir);
		fputc('/', to);
	}
	fputs(p->name, to);
}

/* Prints n bytes of what was written on one line, and returns the width of the line. */
static size_t put_written(FILE *to, const char *written, size_t n)
{
	static struct kt_text text;

	text = (struct kt_text){.to = to};
	kt_text_escaped(&text, written, n);
	kt_text_flush(&text);
	return kt_text_position(&text);
}

/* Prints a line of blanks and marks under the offending part. */
static void put_marks(FILE *to, size_t blanks, size_t n)
{
	fprintf(to, "\n  %*s^", (int)blanks, "");
	while (n-- > 1)
		fputc('~', to);
}

/* Returns whether the error is about n written bytes, of which it has a part. */
static bool is_about(const struct kt_error *err, const char *written, size_t n)
{
	return err->typed && err->typed >= written && err->typed <= written + n &&
	       err->at + err->len <= (size_t)(written + n - err->typed);
}

/* Prints the line that was written, and marks the error's place in it. */
static void put_command(FILE *to, const char *written, const struct kt_error *err)
{
	size_t n = strcspn(written, "\n"), before, part;
	const char *at;

	if (n > WRITTEN_MAX)
		n = WRITTEN_MAX;
	fputs("  ", to);
	if (!is_about(err, written, n)) {
		put_written(to, written, n);
		fputc('\n', to);
		return;
	}
	at = err->typed + err->at;
	before = put_written(to, written, at - written);
	part = put_written(to, at, err->len);
	put_written(to, at + err->len, written + n - at - err->len);
	put_marks(to, before, part);
	fputc('\n', to);
}

static void print_error(FILE *to, const struct fs_tree *tree, const struct fs_node *file,
			const char *written, const struct kt_error *err)
{
	uint64_t us = kt_clock_now() / NS_PER_US;

	fprintf(to, "[%5" PRIu64 ".%06" PRIu64 "] ", us / US_PER_S, us % US_PER_S);
	put_path(to, tree, file);
	fprintf(to, ": %s\n", err->text);
	if (written)
		put_command(to, written, err);
}

/* Makes room for another text. */
static void drop_oldest(struct fs_errors *e)
{
	if (e->n < FS_ERRORS_MAX)
		return;
	free(e->texts[0]);
	e->n--;
	memmove(e->texts, e->texts + 1, e->n * sizeof(*e->texts));
}

void fs_errors_add(struct fs_errors *e, const struct fs_tree *tree, const struct fs_node *file,
		   const char *written, const struct kt_error *err)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return;
	print_error(to, tree, file, written, err);
	if (fclose(to) != 0) {
		free(text);
		return;
	}
	drop_oldest(e);
	e->texts[e->n++] = text;
}

void fs_errors_print(const struct fs_errors *e, FILE *to)
{
	size_t i;

	for (i = 0; i < e->n; i++)
		fputs(e->texts[i], to);
}

void fs_errors_clear(struct fs_errors *e)
{
	while (e->n > 0)
		free(e->texts[--e->n]);
}
