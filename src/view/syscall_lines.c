// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/syscall_lines.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "constants/labels.h"
#include "fetch/pointed_data.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/stream_reader.h"
#include "trace/read/syscall_pairs.h"
#include "values/number.h"
#include "values/record/field_text.h"
#include "values/text.h"
#include "view/call_arguments.h"
#include "view/call_paths.h"
#include "view/clone_arguments.h"
#include "view/data_dump.h"
#include "view/ftrace_line.h"
#include "view/ignored_arguments.h"
#include "view/return_text.h"
#include "view/stack_text.h"
#include "view/strace_signal_line.h"

struct kt_syscall_lines {
	struct kt_syscall_pairs *pairs;
	bool strace; /* in strace's format: */
	struct kt_strace_form form;
	struct kt_task_outputs outputs;
	uint64_t entered; /* with hidden calls: entries without a return so far */
};

struct kt_syscall_lines *kt_syscall_lines_new(const struct kt_metadata *metadata,
					      const struct kt_strace_form *form)
{
	struct kt_strace_prefix prefix = {.since_1970 = metadata->since_1970};
	struct kt_syscall_lines *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	if (form) {
		p->strace = true;
		p->form = *form;
		prefix.form = form->prefix;
	}
	kt_task_outputs_begin(&p->outputs, &prefix, &p->form.choice);
	p->pairs = kt_syscall_pairs_new(metadata);
	if (p->pairs)
		return p;
	free(p);
	return NULL;
}

void kt_syscall_lines_free(struct kt_syscall_lines *p)
{
	if (!p)
		return;
	kt_syscall_pairs_free(p->pairs);
	kt_task_outputs_clear(&p->outputs);
	free(p);
}

/* Prints how many entries of a directory the call wrote, if that is known. */
static void put_entries(struct kt_text *t, const struct kt_hit *exit, size_t count)
{
	int64_t n = kt_value_number(&exit->event->fields.members[count], &exit->values[count], 0);

	if (n < 0)
		return;
	kt_text_string(t, " /* ");
	kt_text_number(t, n);
	kt_text_string(t, " entries */");
}

/* Prints the arguments of members from..to. Returns their number. */
static size_t put_arguments(struct kt_text *t, const struct kt_call *call,
			    const struct kt_hit *exit, size_t from, size_t to)
{
	size_t i, n = 0;

	if (call->kind->form == KT_CALL_CLONE && kt_clone_arguments_are(call)) {
		kt_clone_arguments_put(t, call, exit, from == 0);
		return to;
	}
	for (i = from; i < to; i++) {
		if (!kt_call_argument_is(call, i))
			continue;
		if (call->kind->form == KT_CALL_CLONE3 && i == call->kind->n_entered && exit) {
			kt_clone_arguments_put_stored(t, call, exit);
			n = 1;
		}
		if (n++ > 0)
			kt_text_string(t, ", ");
		if (call->kind->form == KT_CALL_MOUNT && kt_ignored_arguments_mount(call, i))
			kt_number_show(t, &call->entry->event->fields.members[i],
				       &call->entry->values[i], 0);
		else if (kt_call_argument_is_late(call, exit, i))
			kt_field_text_copy(t, exit, call->kind->late[i]);
		else if (!kt_call_form_answers(call->kind->form) &&
			 kt_call_argument_is_given(call, exit, i))
			kt_field_text_change(t, call->entry, i, exit, call->kind->given[i]);
		else if (!exit || call->kind->form != KT_CALL_RECEIVES ||
			 !kt_ignored_arguments_put_unreceived(t, call, i))
			kt_field_text_show(t, call->entry, i);
		if (exit && call->kind->counted[i])
			put_entries(t, exit, call->kind->counted[i]);
	}
	return n;
}

/* Prints a return without its entry: all fields by name. */
static void put_unpaired_return(struct kt_text *t, const struct kt_hit *exit)
{
	const struct kt_record_layout *fields = &exit->event->fields;
	char argument[KT_POINTED_DATA_NAME_MAX];
	const struct kt_member *m;
	size_t i, n = 0;

	for (i = 0; i < fields->n_members; i++) {
		m = &fields->members[i];
		if (!m->is_lone || m->in ||
		    kt_record_layout_copied(fields, exit->values, i) == KT_COPIED_ABSENT)
			continue;
		if (n++ > 0)
			kt_text_string(t, ", ");
		kt_pointed_data_argument(m->name, argument);
		kt_text_string(t, argument);
		kt_text_char(t, '=');
		kt_field_text_copy(t, exit, i);
	}
}

/* Closes the bracket; strace has a column for the return value. */
static void put_close(const struct kt_syscall_lines *p, struct kt_text *t)
{
	uint64_t width;

	kt_text_string(t, ") ");
	width = kt_text_position(t) - p->outputs.of->begin;
	if (width < p->form.return_column)
		kt_text_fill(t, p->form.return_column - width, ' ');
	kt_text_string(t, "= ");
}

static void put_return(const struct kt_syscall_lines *p, struct kt_text *t,
		       const struct kt_call *call, const struct kt_hit *exit)
{
	const struct kt_member *m = &exit->event->fields.members[call->kind->ret];
	int64_t n = kt_value_number(m, &exit->values[call->kind->ret], 0);
	struct kt_labelled found = {0};

	put_close(p, t);
	if (m->labels)
		kt_labels_of(m->labels, n, &found);
	if (n < 0 && found.n == 1 && *found.text[0] == '-')
		kt_return_text_put_error(t, -n, found.text[0] + 1);
	else if (call->kind->form == KT_CALL_PLAIN || !kt_return_text_put(t, call, exit, n))
		kt_field_text_show(t, exit, call->kind->ret);
}

static void put_time_spent(const struct kt_syscall_lines *p, struct kt_text *t,
			   const struct kt_call *call, const struct kt_hit *exit)
{
	uint64_t ns = exit->time - call->entry->time;

	if ((p->strace && !p->form.spent) || call->entry->is_older)
		return;
	kt_text_string(t, " <");
	kt_text_seconds(t, ns, 0, p->strace ? p->form.spent_digits : 9);
	kt_text_char(t, '>');
}

static void put_stacks(const struct kt_syscall_lines *p, struct kt_text *t,
		       const struct kt_hit *hit)
{
	(p->strace ? kt_stack_text_strace_lines : kt_stack_text_lines)(t, hit);
}

static void put_end(const struct kt_syscall_lines *p, struct kt_text *t, const struct kt_call *call,
		    const struct kt_hit *exit, size_t from)
{
	put_arguments(t, call, exit, from, call->entry->event->fields.n_members);
	put_return(p, t, call, exit);
	put_time_spent(p, t, call, exit);
	kt_text_char(t, '\n');
	if (p->form.dumps)
		kt_data_dump_put(t, p->form.dumps, call, exit);
	put_stacks(p, t, kt_stack_text_choose(call->entry, exit));
}

static void put_prefix(struct kt_syscall_lines *p, struct kt_text *t, const struct kt_hit *hit)
{
	p->outputs.of->begin = kt_text_position(t);
	if (p->strace)
		kt_strace_prefix_print(&p->outputs.of->prefix, t, hit);
	else
		kt_ftrace_line_begin(t, hit);
}

/* Prints the call's number: "[ 257] ". */
static void put_call_number(struct kt_text *t, const struct kt_call *call)
{
	const struct kt_record_layout *fields = &call->entry->event->fields;
	const struct kt_member *m = kt_record_layout_find_number(fields, "__syscall_nr");

	if (!m)
		return;
	kt_text_char(t, '[');
	kt_text_padded(t, kt_value_number(m, &call->entry->values[m - fields->members], 0), 4, ' ');
	kt_text_string(t, "] ");
}

static void put_call_prefix(struct kt_syscall_lines *p, struct kt_text *t,
			    const struct kt_call *call, const struct kt_hit *hit)
{
	put_prefix(p, t, hit);
	if (p->form.numbers && call->entry)
		put_call_number(t, call);
}

static void put_name(struct kt_text *t, const struct kt_call *call)
{
	kt_text_color(t, KT_COLOR_NAME);
	kt_text_string(t, call->kind->name);
	kt_text_color_end(t);
}

static void put_begin(struct kt_syscall_lines *p, struct kt_text *t, const struct kt_call *call)
{
	put_call_prefix(p, t, call, call->entry);
	put_name(t, call);
	kt_text_char(t, '(');
}

/* Prints the held call, which has returned now. */
static void put_whole(struct kt_syscall_lines *p, struct kt_text *t, const struct kt_call *call,
		      const struct kt_hit *exit)
{
	if (!p->outputs.of->is_shown)
		put_begin(p, t, call);
	put_end(p, t, call, exit, p->outputs.of->is_shown ? call->kind->n_entered : 0);
}

static void put_noreturn(struct kt_syscall_lines *p, struct kt_text *t, const struct kt_call *call)
{
	put_begin(p, t, call);
	put_arguments(t, call, NULL, 0, call->entry->event->fields.n_members);
	put_close(p, t);
	kt_text_string(t, "?\n");
	put_stacks(p, t, call->entry);
}

static void put_resumed(struct kt_syscall_lines *p, struct kt_text *t, const struct kt_call *call,
			const struct kt_hit *exit)
{
	put_call_prefix(p, t, call, exit);
	kt_text_string(t, "<... ");
	put_name(t, call);
	kt_text_string(t, " resumed>");
	if (call->entry) {
		put_end(p, t, call, exit, call->kind->n_entered);
		return;
	}
	put_unpaired_return(t, exit);
	put_return(p, t, call, exit);
	kt_text_char(t, '\n');
	put_stacks(p, t, exit);
}

static void put_other(struct kt_syscall_lines *p, struct kt_text *t, const struct kt_hit *hit)
{
	if (!p->strace || !hit->event) {
		kt_ftrace_line_print(t, hit);
		return;
	}
	kt_strace_prefix_print(&p->outputs.of->prefix, t, hit);
	if (kt_strace_signal_line_of(hit) == KT_SIGNAL_LINE_NONE)
		kt_ftrace_line_end(t, hit);
	else
		kt_strace_signal_line_print(t, hit);
}

/* Prints what is known of a call before its return. */
static void put_entered(struct kt_syscall_lines *p, struct kt_text *t, const struct kt_call *call)
{
	size_t n;

	put_begin(p, t, call);
	n = put_arguments(t, call, NULL, 0, call->kind->n_entered);
	if (n > 0 && call->kind->form != KT_CALL_CLONE3 &&
	    call->kind->n_entered < call->entry->event->fields.n_members)
		kt_text_string(t, ", ");
}

static void put_unfinished(struct kt_text *t)
{
	kt_text_string(t, " <unfinished ...>\n");
}

static void put_detached(struct kt_text *t)
{
	kt_text_string(t, " <detached ...>\n");
}

/* Prints the held line as far as it is known. */
static void show_held(struct kt_syscall_lines *p, struct kt_text *to)
{
	if (!p->outputs.of->held.kind || p->outputs.of->is_shown)
		return;
	put_entered(p, to, &p->outputs.of->held);
	p->outputs.of->is_shown = true;
}

static void hold_call(struct kt_syscall_lines *p, struct kt_call call)
{
	p->outputs.of->held = call;
	p->outputs.of->is_shown = false;
}

static void flush_held(struct kt_syscall_lines *p, struct kt_text *to)
{
	if (!p->outputs.of->held.kind)
		return;
	show_held(p, to);
	put_unfinished(to);
	p->outputs.of->held.kind = NULL;
}

void kt_syscall_lines_show(struct kt_syscall_lines *p, struct kt_text *to)
{
	struct kt_task_output *of;
	uint32_t tid;

	for (tid = 0; (of = kt_task_outputs_next(&p->outputs, &tid)); tid++) {
		if (!of->held.kind || of->is_shown)
			continue;
		kt_task_outputs_switch(&p->outputs, to, of, tid);
		show_held(p, to);
	}
}

void kt_syscall_lines_flush(struct kt_syscall_lines *p, struct kt_text *to)
{
	struct kt_task_output *of;
	uint32_t tid;

	for (tid = 0; (of = kt_task_outputs_next(&p->outputs, &tid)); tid++) {
		if (!of->held.kind)
			continue;
		kt_task_outputs_switch(&p->outputs, to, of, tid);
		flush_held(p, to);
	}
}

static bool can_end_line(const struct kt_call *held, const struct kt_hit *hit)
{
	return held->kind && hit->event == held->kind->events[KT_EXIT] &&
	       hit->tid == held->entry->tid;
}

/* Returns whether a call has one of the wanted paths, as far as it is known. */
static bool has_path(const struct kt_syscall_lines *p, const struct kt_call *call,
		     const struct kt_hit *exit)
{
	return !p->form.paths || (call->entry && kt_call_paths_have(call, exit, p->form.paths));
}

static bool is_wanted(const struct kt_syscall_lines *p, const struct kt_hit *exit, size_t ret)
{
	return !(p->form.hidden & (kt_syscall_pairs_failed(exit, ret) ? KT_FAILED : KT_SUCCESSFUL));
}

/* Returns the status of a call that does not return. */
static enum kt_status get_noreturn_status(const struct kt_call_kind *kind)
{
	return kind->ends ? KT_UNFINISHED : KT_SUCCESSFUL;
}

static void filter_entered(struct kt_syscall_lines *p, struct kt_text *to,
			   const struct kt_call *call)
{
	if (call->kind->is_chosen_by_return)
		return;
	if (call->kind->returns)
		p->entered++;
	else if (!(p->form.hidden & get_noreturn_status(call->kind)) && has_path(p, call, NULL))
		put_noreturn(p, to, call);
}

static void filter_return(struct kt_syscall_lines *p, struct kt_text *to,
			  const struct kt_call *call, const struct kt_hit *exit)
{
	if (call->entry && !call->kind->is_chosen_by_return)
		p->entered--;
	if (!is_wanted(p, exit, call->kind->ret) || !has_path(p, call, exit))
		return;
	if (!call->entry) {
		put_resumed(p, to, call, exit);
		return;
	}
	put_begin(p, to, call);
	put_end(p, to, call, exit, 0);
}

/*
 * Handles another event, or an entry or return without its counterpart: the return has the status.
 */
static void filter_other(struct kt_syscall_lines *p, struct kt_text *to, const struct kt_hit *hit)
{
	const struct kt_member *ret = NULL;
	enum kt_side side;

	if (hit->event && kt_syscall_of(hit->event->system, hit->event->name, &side)) {
		ret = kt_record_layout_find_number(&hit->event->fields, "ret");
		p->entered += side == KT_ENTER;
		if (!ret || !is_wanted(p, hit, ret - hit->event->fields.members))
			return;
	}
	put_other(p, to, hit);
}

/* Prints with hidden calls: a call's line is printed when its status is known. */
static int print_filtered(struct kt_syscall_lines *p, struct kt_text *to, const struct kt_hit *hit)
{
	struct kt_call call;
	int step = kt_syscall_pairs_add(p->pairs, hit, &call);

	if (step < 0)
		return step;
	if (step == KT_CALL_ENTERED)
		filter_entered(p, to, &call);
	else if (step == KT_CALL_RETURNED)
		filter_return(p, to, &call, hit);
	else
		filter_other(p, to, hit);
	return 0;
}

/* Returns whether a hit is an entry whose return decides if the call was chosen. */
static bool is_undecided(const struct kt_syscall_lines *p, const struct kt_hit *hit)
{
	const struct kt_call_kind *kind = kt_syscall_pairs_kind_of(p->pairs, hit);

	return kind && kind->is_chosen_by_return && hit->event == kind->events[KT_ENTER];
}

/*
 * Ends the held line of a thread that returns from execve with the number of its process's first
 * one: the return is a line of that one.
 */
static int leave_output(struct kt_syscall_lines *p, struct kt_text *to, const struct kt_call *call,
			const struct kt_hit *exit)
{
	if (kt_task_outputs_choose(&p->outputs, to, call->entry->tid) < 0)
		return -ENOMEM;
	flush_held(p, to);
	return kt_task_outputs_choose(&p->outputs, to, exit->tid);
}

static void print_return(struct kt_syscall_lines *p, struct kt_text *to, const struct kt_call *call,
			 const struct kt_hit *exit)
{
	struct kt_call *held = &p->outputs.of->held;

	if (call->entry && !*call->mark) {
		flush_held(p, to);
		put_begin(p, to, call);
		put_end(p, to, call, exit, 0);
	} else if (call->entry && held->kind) {
		put_whole(p, to, call, exit);
		held->kind = NULL;
	} else {
		flush_held(p, to);
		put_resumed(p, to, call, exit);
	}
}

/* Prints without hidden calls: a call's line is held until the next hit. */
static int print_all(struct kt_syscall_lines *p, struct kt_text *to, const struct kt_hit *hit)
{
	const struct kt_call *held = &p->outputs.of->held;
	struct kt_call call;
	int step;

	/* must be done before the task's next call takes its place */
	if (!can_end_line(held, hit) &&
	    !(is_undecided(p, hit) && held->kind && held->entry->tid != hit->tid))
		flush_held(p, to);
	step = kt_syscall_pairs_add(p->pairs, hit, &call);
	if (step < 0)
		return step;
	if (step == KT_CALL_RETURNED && call.entry && call.entry->tid != hit->tid &&
	    leave_output(p, to, &call, hit) < 0)
		return -ENOMEM;
	if (step != KT_CALL_NONE && !has_path(p, &call, step == KT_CALL_RETURNED ? hit : NULL))
		return 0;
	if (step == KT_CALL_ENTERED && call.kind->is_chosen_by_return)
		return 0;
	if (step == KT_CALL_ENTERED && call.kind->returns) {
		*call.mark = true;
		hold_call(p, call);
		return 0;
	}
	if (step == KT_CALL_RETURNED) {
		print_return(p, to, &call, hit);
		return 0;
	}
	flush_held(p, to);
	if (step == KT_CALL_ENTERED)
		put_noreturn(p, to, &call);
	else
		put_other(p, to, hit);
	return 0;
}

/* Prints a loss, which may be of any task, to the outputs of all that live. */
static int print_loss(struct kt_syscall_lines *p, struct kt_text *to, const struct kt_hit *loss)
{
	struct kt_task_output *of;
	struct kt_call none;
	uint32_t tid;

	for (tid = 0; (of = kt_task_outputs_next(&p->outputs, &tid)); tid++) {
		if (of->has_ended)
			continue;
		kt_task_outputs_switch(&p->outputs, to, of, tid);
		flush_held(p, to);
		put_other(p, to, loss);
	}
	return kt_syscall_pairs_add(p->pairs, loss, &none) < 0 ? -ENOMEM : 0;
}

int kt_syscall_lines_print(struct kt_syscall_lines *p, struct kt_text *to, const struct kt_hit *hit)
{
	enum kt_strace_signal_line signal = KT_SIGNAL_LINE_NONE;

	if (!hit->event)
		return print_loss(p, to, hit);
	if (p->strace)
		signal = kt_strace_signal_line_of(hit);
	if (signal == KT_SIGNAL_LINE_SILENT)
		return 0;
	if (kt_task_outputs_choose(&p->outputs, to, hit->tid) < 0)
		return -ENOMEM;
	p->outputs.of->has_ended = p->form.choice.choose && signal == KT_SIGNAL_LINE_EXIT;
	return p->form.hidden ? print_filtered(p, to, hit) : print_all(p, to, hit);
}

static void detach_all(struct kt_syscall_lines *p, struct kt_text *to)
{
	struct kt_task_output *of;
	uint32_t tid;

	for (tid = 0; (of = kt_task_outputs_next(&p->outputs, &tid)); tid++) {
		if (!of->held.kind)
			continue;
		kt_task_outputs_switch(&p->outputs, to, of, tid);
		show_held(p, to);
		put_detached(to);
		of->held.kind = NULL;
	}
}

int kt_syscall_lines_end(struct kt_syscall_lines *p, struct kt_text *to)
{
	struct kt_call *calls;
	ssize_t i, n;

	if (p->form.detaches)
		detach_all(p, to);
	kt_syscall_lines_flush(p, to);
	if (!p->form.hidden)
		return 0;
	n = kt_syscall_pairs_open(p->pairs, &calls);
	if (n < 0)
		return n;
	p->entered -= n;
	for (i = 0; i < n && !(p->form.hidden & KT_UNFINISHED); i++) {
		if (!has_path(p, &calls[i], NULL))
			continue;
		/* makes nothing, as the entry was printed to it */
		kt_task_outputs_choose(&p->outputs, to, calls[i].entry->tid);
		put_entered(p, to, &calls[i]);
		put_unfinished(to);
	}
	free(calls);
	return 0;
}

uint64_t kt_syscall_lines_unknown(const struct kt_syscall_lines *p)
{
	return p->entered;
}
