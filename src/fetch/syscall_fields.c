// SPDX-License-Identifier: GPL-2.0-or-later
#include "fetch/syscall_fields.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/error.h"
#include "constants/labels.h"
#include "ctypes/ctype.h"
#include "ctypes/number_format_rules.h"
#include "events/event.h"
#include "events/syscall_names.h"
#include "fetch/argument_labels.h"
#include "fetch/argument_pointers.h"
#include "fetch/fd_arguments.h"
#include "fetch/ioctl_size.h"
#include "fetch/late_text.h"
#include "fetch/nested_pointers.h"
#include "fetch/pointed_data.h"
#include "fetch/pointed_fields.h"

const char kt_syscall_foreign[] = "current->thread_info.status & 2"; /* TS_COMPAT */

static void fit_field(struct kt_field *f, const struct kt_ctype *t)
{
	f->size = f->width = t->size;
	f->flags &= ~(KT_FIELD_SIGNED | KT_FIELD_POINTER);
	if (t->is_signed)
		f->flags |= KT_FIELD_SIGNED;
	if (t->is_pointer) {
		f->flags |= KT_FIELD_POINTER;
		f->notation = KT_POINTER;
	}
}

void kt_syscall_fit(struct kt_event *event, struct kt_btf *btf)
{
	struct kt_field *fields = kt_event_fields(event);
	struct kt_error unknown;
	enum kt_side side;
	struct kt_ctype t;
	size_t i;

	if (!kt_syscall_of(event->system, event->name, &side))
		return;
	for (i = 0; i < event->n_fields && !kt_field_varies(&fields[i]); i++)
		if (kt_ctype_find(btf, fields[i].type, &t, &unknown) == 0 &&
		    t.size <= fields[i].size)
			fit_field(&fields[i], &t);
	event->n_fields = i;
	kt_argument_label(event);
}

/*
 * Returns where a call's own field comes from: the number first, then an entry's arguments; ""
 * after the last.
 */
static const char *get_source(enum kt_side side, size_t i)
{
	static const char *const entry[] = {"id",        "regs->di", "regs->si", "regs->dx",
					    "regs->r10", "regs->r8", "regs->r9"};
	static const char *const exit[] = {"(int)regs->orig_ax", "ret"};

	if (side == KT_ENTER)
		return i < sizeof(entry) / sizeof(*entry) ? entry[i] : "";
	return i < sizeof(exit) / sizeof(*exit) ? exit[i] : "";
}

const char *kt_syscall_number(enum kt_side side)
{
	return get_source(side, 0);
}

/* Returns the index of the argument that a field is the copy of; n_fields if there is none. */
static size_t find_copied_argument(const struct kt_event *event, size_t field)
{
	const struct kt_event *call = kt_pointed_fields_call(event);
	size_t i = 0;

	while (i < call->n_fields && kt_pointed_fields_find(event, call->fields[i].name) != field)
		i++;
	return i;
}

/* Writes a number; one of 32 bits has the sign of an int. */
static void write_number(FILE *out, const struct kt_event *call, size_t argument)
{
	static const char *const ints[] = {"int", "unsigned int", "unsigned", "u32"};
	bool is_int = false;
	size_t i;

	for (i = 0; i < sizeof(ints) / sizeof(*ints); i++)
		is_int |= strcmp(call->fields[argument].type, ints[i]) == 0;
	fprintf(out, "%s%s", is_int ? "(int)" : "", get_source(KT_ENTER, argument));
}

/* Writes data whose length is in an argument, or where that points. */
static void write_upto(FILE *out, const struct kt_event *call, const struct kt_pointed_data *p,
		       const char *from)
{
	fprintf(out, "%s(%u, %s, ", p->at[KT_EXIT] ? "upto_at" : "upto", p->size, from);
	write_number(out, call, p->count);
	fputc(')', out);
}

/* Writes how many elements a count in another unit means. */
static void write_elements(FILE *out, const struct kt_event *call, const struct kt_pointed_data *p,
			   enum kt_side side)
{
	struct kt_count_rule rule = kt_count_rule_of(p->unit);

	fputc('(', out);
	if (side == KT_EXIT && p->returned)
		fputs("ret", out);
	else
		write_number(out, call, p->count);
	fprintf(out, " + %u) >> %u", rule.round, rule.shift);
}

/* Writes data whose number is in an argument, and at most as many as the call returns. */
static void write_counted(FILE *out, const struct kt_event *call, const struct kt_pointed_data *p,
			  enum kt_side side, const char *from)
{
	if (p->kind == KT_POINTED_PADDED)
		fprintf(out, "padded(%u, %s, ", p->size, from);
	else if (p->size > 1)
		fprintf(out, "array(%u, %s, ", p->size, from);
	else
		fprintf(out, "bytes(%s, ", from);
	if (p->unit) {
		write_elements(out, call, p, side);
	} else {
		if (side == KT_EXIT && p->returned)
			fputs("ret, ", out);
		write_number(out, call, p->count);
	}
	fputc(')', out);
}

static void write_file(FILE *out, const struct kt_event *call, size_t argument)
{
	fputs(kt_fd_argument_is_start(call, argument) ? "start((int)" : "file((int)", out);
	fprintf(out, "%s)", get_source(KT_ENTER, argument));
}

/* fcntl returns a descriptor only if it duplicates one. */
static void write_returned_file(FILE *out, const struct kt_event *call)
{
	size_t i = 0;

	while (i < call->n_fields && strcmp(call->fields[i].name, "cmd") != 0)
		i++;
	if (i == call->n_fields)
		fputs("file((int)ret)", out);
	else
		fprintf(out,
			"(int)%s == %d ? file((int)ret) : (int)%s == %d ? file((int)ret)"
			" : string(0)",
			get_source(KT_ENTER, i), F_DUPFD, get_source(KT_ENTER, i), F_DUPFD_CLOEXEC);
}

/* Returns an empty value of the same kind. */
static const char *get_empty(const struct kt_pointed_data *p)
{
	return p->kind == KT_POINTED_STRING ? "string(0)" : "bytes(0, 0)";
}

/* Writes data that exists for some labels of the deciding argument. */
static void write_pointer(FILE *out, const struct kt_event *call, const struct kt_pointed_data *p,
			  enum kt_side side, const char *from)
{
	const struct kt_labels *labels = call->fields[p->by].labels;
	size_t i;

	for (i = 0; labels && i < labels->n; i++) {
		if (!kt_word_list_has(p->pointer->when[side], labels->of[i].text))
			continue;
		write_number(out, call, p->by);
		fprintf(out, " == %d ? ", (int)labels->of[i].value);
		if (p->kind == KT_POINTED_STRING)
			fprintf(out, "string(%s) : ", from);
		else
			fprintf(out, "bytes(%s, %u) : ", from, p->size);
	}
	fputs(get_empty(p), out);
}

static void write_copy(FILE *out, const struct kt_event *call, enum kt_side side, size_t argument,
		       struct kt_btf *btf)
{
	const char *from = get_source(KT_ENTER, argument);
	struct kt_pointed_data p = kt_pointed_data_of(call, argument, btf);

	if (side == KT_EXIT && p.only)
		fprintf(out, "ret == %d ? ", p.only);
	else if (side == KT_EXIT && (!p.returned || p.unit)) /* a call that fails writes nothing */
		fprintf(out, "%d > ret ? %s : ", p.least, get_empty(&p));
	if (p.sized) {
		write_number(out, call, p.sized);
		fprintf(out, " == %u ? ", p.size);
	}
	if (p.pointer)
		write_pointer(out, call, &p, side, from);
	else if (p.kind == KT_POINTED_STRING)
		fprintf(out, "string(%s)", from);
	else if (p.kind == KT_POINTED_REQUEST)
		kt_ioctl_size_write(out, side, get_source(KT_ENTER, p.by), from);
	else if (p.kind == KT_POINTED_FILE)
		write_file(out, call, argument);
	else if (p.kind == KT_POINTED_STRINGS)
		fprintf(out, "strings(%s)", from);
	else if (p.kind == KT_POINTED_ADDRESS || p.kind == KT_POINTED_OPTION)
		write_upto(out, call, &p, from);
	else if (p.count)
		write_counted(out, call, &p, side, from);
	else
		fprintf(out, "bytes(%s, %zu)", from, p.n * p.size);
	if (p.sized || (side == KT_EXIT && p.only))
		fprintf(out, " : %s", get_empty(&p));
}

/* A call returns how many bytes of the buffers it wrote or read. */
static void write_buffers(FILE *out, enum kt_side side)
{
	fputs(side == KT_EXIT ? "buffers(ret)" : "buffers(-1)", out);
}

/* Writes data that a member of a struct points to. */
static void write_led(FILE *out, const struct kt_event *event, enum kt_side side,
		      const char *member)
{
	if (side == KT_EXIT)
		fputs("0 > ret ? bytes(0, 0) : ", out);
	kt_nested_pointers_write(out, event, member);
}

/* Writes arguments repeated in a return, lengths of arrays in an entry, and of lists in a return.
 */
static void write_plain(FILE *out, const struct kt_event *event, enum kt_side side, size_t field)
{
	const struct kt_event *call = kt_pointed_fields_call(event);
	const char *name = event->fields[field].name;
	const struct kt_field *argument = NULL;
	char counted[KT_POINTED_DATA_NAME_MAX];

	if (kt_pointed_data_socket_argument(name, counted)) {
		argument = kt_event_field(call, counted);
		fprintf(out, "socket((int)%s)", get_source(KT_ENTER, argument - call->fields));
		return;
	}
	if (kt_pointed_data_count_argument(name, counted)) {
		argument = kt_event_field(call, counted);
		fprintf(out, event->call ? "entries(%s, ret)" : "count(%s)",
			get_source(KT_ENTER, argument - call->fields));
		return;
	}
	if (event->call && !*get_source(side, field))
		argument = kt_event_field(call, name);
	fputs(argument ? get_source(KT_ENTER, argument - call->fields) : get_source(side, field),
	      out);
}

/* Writes an argument's late text. */
static void write_late(FILE *out, const struct kt_event *event, const char *argument)
{
	const struct kt_event *call = kt_pointed_fields_call(event);
	const struct kt_field *f = kt_event_field(call, argument);

	fprintf(out, "late ? string(%s) : string(0)", get_source(KT_ENTER, f - call->fields));
}

/* Writes which call returns: an exec may return under another number (generate/task_state.h). */
static void write_returned_number(FILE *out, const struct kt_event *event)
{
	enum kt_side side;
	const char *call = kt_syscall_of(event->system, event->name, &side);

	if (kt_syscall_is_exec(call))
		fprintf(out, "%d", strcmp(call, "execve") == 0 ? SYS_execve : SYS_execveat);
	else
		fputs(get_source(KT_EXIT, 0), out);
}

static void write_source(FILE *out, const struct kt_event *event, enum kt_side side, size_t field,
			 struct kt_btf *btf)
{
	const struct kt_event *call = kt_pointed_fields_call(event);
	size_t argument = find_copied_argument(event, field);
	const char *name = event->fields[field].name;
	char copied[KT_POINTED_DATA_NAME_MAX];

	fprintf(out, "%s%s=", field ? ";" : "", event->fields[field].name);
	if (argument < call->n_fields)
		write_copy(out, call, side, argument, btf);
	else if (kt_pointed_data_buffers_argument(name, copied))
		write_buffers(out, side);
	else if (kt_pointed_data_argument(name, copied) && strcmp(copied, "ret") == 0)
		write_returned_file(out, call);
	else if (kt_pointed_data_argument(name, copied))
		write_led(out, event, side, copied);
	else if (kt_late_text_argument(name, copied))
		write_late(out, event, copied);
	else if (strcmp(name, KT_ENTRY_TID) == 0)
		fputs("entered", out);
	else if (side == KT_EXIT && field == 0)
		write_returned_number(out, event);
	else
		write_plain(out, event, side, field);
}

char *kt_syscall_fields(const struct kt_event *event, struct kt_btf *btf)
{
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);
	enum kt_side side;

	if (!out)
		return NULL;
	kt_syscall_of(event->system, event->name, &side);
	for (i = 0; i < event->n_fields; i++)
		write_source(out, event, side, i, btf);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}
