// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/folded_stacks.h"

#include <errno.h>
#include <search.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/read/metadata_reader.h"
#include "trace/read/stacks_reader.h"
#include "trace/read/stream_reader.h"
#include "values/text.h"
#include "view/stack_text.h"
#include "view/task_comm.h"

struct line {
	uint64_t n;
	char text[];
};

struct kt_folded_stacks {
	void *lines; /* a tree (tsearch) */
	char *text;  /* of the present line */
	size_t size;
	FILE *to;
};

struct kt_folded_stacks *kt_folded_stacks_new(void)
{
	struct kt_folded_stacks *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->to = open_memstream(&f->text, &f->size);
	if (f->to)
		return f;
	free(f);
	return NULL;
}

void kt_folded_stacks_free(struct kt_folded_stacks *f)
{
	if (!f)
		return;
	tdestroy(f->lines, free);
	fclose(f->to);
	free(f->text);
	free(f);
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(((const struct line *)a)->text, ((const struct line *)b)->text);
}

/* Adds a name, which must not end the line or another one. */
static void add_name(struct kt_folded_stacks *f, const char *name, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		fputc(name[i] == ';' || name[i] == '\n' ? '_' : name[i], f->to);
}

/* Adds the functions of a stack, without offsets. */
static void add_stack(struct kt_folded_stacks *f, const struct kt_hit_stack *s,
		      const struct kt_symbols *symbols)
{
	size_t first = kt_stack_first(s, symbols), i;
	char text[KT_STACK_FRAME_MAX];

	if (s->id && !s->n)
		fputs(";<lost>", f->to);
	if (s->is_cut)
		fputs(";...", f->to);
	for (i = kt_stack_known(s, symbols); i > first; i--) {
		fputc(';', f->to);
		add_name(f, text, kt_stack_function(s, i - 1, symbols, text));
	}
}

/* Writes the hit's line without the number. Returns 0 or -ENOMEM. */
static int write_line(struct kt_folded_stacks *f, const struct kt_hit *hit)
{
	const char *comm = kt_task_comm(hit->tid, hit->comm);
	enum kt_callstack_kind kind;

	rewind(f->to);
	add_name(f, comm, strlen(comm));
	for (kind = KT_CALLSTACK_KINDS; kind-- > 0;)
		if (hit->event->stacks[kind].is_there)
			add_stack(f, &hit->stacks[kind], hit->event->stacks[kind].symbols);
	fputc('\0', f->to);
	return fflush(f->to) == EOF ? -ENOMEM : 0;
}

int kt_folded_stacks_add(struct kt_folded_stacks *f, const struct kt_hit *hit)
{
	struct line *line, **found;
	size_t size;

	if (!hit->event || !hit->event->context_size)
		return 0;
	if (write_line(f, hit) < 0)
		return -ENOMEM;
	size = strlen(f->text) + 1;
	line = malloc(sizeof(*line) + size);
	if (!line)
		return -ENOMEM;
	line->n = 0;
	memcpy(line->text, f->text, size);
	found = tsearch(line, &f->lines, compare_lines);
	if (!found || *found != line)
		free(line);
	if (!found)
		return -ENOMEM;
	(*found)->n++;
	return 0;
}

bool kt_folded_stacks_has_any(const struct kt_folded_stacks *f)
{
	return f->lines;
}

static void print_line(const void *node, VISIT visit, void *to)
{
	const struct line *line = *(const struct line *const *)node;

	if (visit != postorder && visit != leaf)
		return;
	kt_text_escaped(to, line->text, strlen(line->text));
	kt_text_char(to, ' ');
	kt_text_number(to, line->n);
	kt_text_char(to, '\n');
}

void kt_folded_stacks_print(const struct kt_folded_stacks *f, struct kt_text *to)
{
	twalk_r(f->lines, print_line, to);
}
