// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/control/live_output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/command.h"
#include "app/cli/descriptors.h"
#include "app/cli/strace/strace_format.h"
#include "app/control/capture.h"
#include "app/control/memory_dir.h"
#include "app/control/progress.h"
#include "app/control/task_files.h"
#include "base/error.h"
#include "session/session.h"
#include "session/trace_source.h"
#include "trace/event_counts.h"
#include "trace/read/live_session.h"
#include "trace/read/trace_reader.h"
#include "trace/recording.h"
#include "view/event_json.h"
#include "view/ftrace_line.h"
#include "view/syscall_json.h"
#include "view/syscall_lines.h"

static int open_all(struct live_output *o, const struct kt_strace_form *form, struct kt_error *err)
{
	struct kt_trace_source source = kt_session_trace_source(o->capture->session);

	o->dir = memory_dir_new(err);
	if (o->dir < 0)
		return o->dir;
	o->live = kt_live_session_new(&source, ktrace_version, o->dir, err);
	if (!o->live)
		return -err->code;
	o->lines = kt_syscall_lines_new(kt_live_session_metadata(o->live), form);
	o->table = kt_syscall_table_new(kt_live_session_metadata(o->live));
	o->objects = kt_syscall_json_new(kt_live_session_metadata(o->live));
	return o->lines && o->table && o->objects ? 0
						  : kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
}

int live_output_open(struct live_output *o, struct capture *c, const struct kt_strace_form *form)
{
	struct kt_error err;

	o->capture = c;
	o->text.to = o->to;
	return open_all(o, form, &err) < 0 ? report_error(o->by, &err) : EXIT_OK;
}

static void close_all(struct live_output *o)
{
	kt_syscall_lines_free(o->lines);
	kt_syscall_table_free(o->table);
	kt_syscall_json_free(o->objects);
	kt_live_session_free(o->live);
	if (o->dir >= 0)
		close(o->dir);
}

/* Returns whether nobody reads the output any more, which is no error to report. */
static bool is_unread(const struct live_output *o)
{
	return o->to == stdout && output_is_closed();
}

static bool has_failed(const struct live_output *o)
{
	return o->files ? o->files->err.code != 0 : ferror(o->to);
}

/* Flushes the output; an error is reported once. */
static int flush_output(struct live_output *o)
{
	struct kt_error err;

	kt_text_flush(&o->text);
	if (o->files)
		return task_files_flush(o->files, &err) < 0 ? report_error(o->by, &err) : EXIT_OK;
	if (fflush(o->to) == 0 && !has_failed(o))
		return EXIT_OK;
	if (is_unread(o))
		return EXIT_FAILED;
	kt_fail(&err, errno, "cannot write to %s: %s", o->to_name, strerror(errno));
	return report_error(o->by, &err);
}

/* Reports an error after everything that comes before it. */
static int report_in_place(struct live_output *o, const struct kt_error *err)
{
	kt_syscall_lines_flush(o->lines, &o->text);
	flush_output(o);
	return report_error(o->by, err);
}

int live_output_print_line(struct live_output *o, const struct kt_hit *hit)
{
	return kt_syscall_lines_print(o->lines, &o->text, hit);
}

static int print_hit(struct live_output *o, const struct kt_hit *hit)
{
	int ret = o->has_table ? kt_syscall_table_add(o->table, hit) : 0;

	if (ret < 0 || o->only_table)
		return ret;
	if (o->json && o->events)
		return kt_event_json_print(&o->text, hit);
	if (o->json)
		return kt_syscall_json_print(o->objects, &o->text, hit);
	if (!o->events)
		return kt_syscall_lines_print(o->lines, &o->text, hit);
	kt_ftrace_line_print(&o->text, hit);
	return 0;
}

/*
 * Prints what there is by now. If the records of one CPU cannot be read, that is reported, and
 * those of others are printed.
 */
static int print_hits(struct live_output *o)
{
	int status = EXIT_OK, ret;
	struct kt_error err;
	struct kt_hit hit;

	while (!has_failed(o) && (ret = kt_live_session_next(o->live, &hit, &err)) != 0) {
		if (ret > 0)
			ret = print_hit(o, &hit);
		if (ret == -ENOMEM)
			kt_fail(&err, ENOMEM, "%s", strerror(ENOMEM));
		if (ret < 0)
			status = report_in_place(o, &err);
		if (ret == -ENOMEM)
			return status;
	}
	return status;
}

/* Prints new hits, and the beginning of a call that a process waits in. */
static int print_new(struct live_output *o)
{
	int status = print_hits(o);

	kt_syscall_lines_show(o->lines, &o->text);
	return flush_output(o) == EXIT_OK && !is_unread(o) ? status : EXIT_FAILED;
}

/* Returns whether more may have come already: after much data, sleeping would be too long. */
static bool is_busy(const struct live_output *o, uint64_t *size)
{
	uint64_t before = *size;

	*size = kt_recording_size(kt_live_session_recording(o->live));
	return *size - before > o->capture->request->ring / 4;
}

int live_output_run(struct live_output *o)
{
	long interval = capture_interval(o->capture);
	struct kt_error err;
	uint64_t size = 0;
	int status = EXIT_OK;

	while (status == EXIT_OK &&
	       !capture_has_ended(o->capture, is_busy(o, &size) ? 0 : interval)) {
		if (kt_live_session_copy(o->live, &err) < 0)
			return report_in_place(o, &err);
		status = print_new(o);
	}
	return status;
}

static int print_rest(struct live_output *o)
{
	struct kt_error err;
	int status = EXIT_OK;

	if (kt_live_session_end(o->live, kt_session_ended(o->capture->session), &err) < 0)
		status = report_in_place(o, &err);
	if (print_hits(o) != EXIT_OK)
		status = EXIT_FAILED;
	if (kt_syscall_lines_end(o->lines, &o->text) < 0)
		status = report_no_memory(o->by);
	if (o->json && kt_syscall_json_end(o->objects, &o->text) < 0)
		status = report_no_memory(o->by);
	if (o->has_table && kt_syscall_table_print(o->table, &o->text, &o->table_form) < 0)
		status = report_no_memory(o->by);
	return flush_output(o) == EXIT_OK ? status : EXIT_FAILED;
}

static int report_losses(const struct live_output *o)
{
	const struct kt_recording *r = kt_live_session_recording(o->live);
	const struct kt_session *session = o->capture->session;
	struct kt_error err;
	struct kt_event_counts *b = kt_event_counts_of(r, kt_session_missed_all(session), &err);

	if (!b)
		return report_error(o->by, &err);
	print_losses(o->by, r, b);
	print_untraced(o->by, session);
	if (o->has_table)
		print_uncounted_calls(o->by, o->table);
	print_unknown_calls(o->by, o->lines);
	kt_event_counts_free(b);
	return EXIT_OK;
}

/* Prints and reports what is left; the command's own status comes last. */
static int end_output(struct live_output *o, int status)
{
	const struct capture *c = o->capture;
	int of_command;

	if (status == EXIT_OK)
		status = print_rest(o);
	if (c->workload.pid)
		fprintf(stderr, "ktrace %s: tracing has ended; '%s' continues\n", o->by,
			*c->request->command);
	of_command = capture_end(o->capture);
	/* a reader who left did not want more */
	if (!is_unread(o) && report_losses(o) != EXIT_OK && status == EXIT_OK)
		status = EXIT_FAILED;
	return status == EXIT_OK ? of_command : status;
}

int live_output_end(struct live_output *o, int status)
{
	if (o->table)
		status = end_output(o, status);
	close_all(o);
	return status;
}
