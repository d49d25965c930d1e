// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/fs/fs_files.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli/command.h"
#include "app/control/event_enable.h"
#include "app/fs/fs_flight.h"
#include "app/fs/fs_text.h"
#include "base/error.h"
#include "base/pids.h"
#include "events/event_names.h"
#include "events/print_fmt.h"
#include "events/tracefs.h"
#include "fetch/point_format.h"
#include "session/flight/buffer_sets.h"
#include "session/flight/flight.h"
#include "session/flight/flight_control.h"
#include "session/flight/flight_info.h"
#include "session/flight/flight_stats.h"
#include "session/tid_bitmap.h"
#include "trace/flight/flight_stream.h"

/* Permissions as in tracefs. */
enum { READ = 0440, WRITE = 0200, BOTH = 0640 };

static bool is_enabled(const struct fs_flight *s, size_t event)
{
	return kt_flight_control_event(kt_flight_get_control(s->flight), event).number != 0;
}

static const struct kt_flight_info_event *get_event(const struct fs_flight *s, size_t event)
{
	return &kt_flight_get_info(s->flight)->events[event];
}

static size_t count_enabled(const struct fs_flight *s, const struct fs_node *p)
{
	size_t i, n = 0;

	for (i = 0; i < p->n_events; i++)
		n += is_enabled(s, p->events[i]);
	return n;
}

static int read_version(FILE *to, const struct fs_flight *s, const struct fs_node *p,
			struct kt_error *err)
{
	(void)s, (void)p, (void)err;
	fprintf(to, "%s\n", ktrace_version);
	return 0;
}

static int read_recording(FILE *to, const struct fs_flight *s, const struct fs_node *p,
			  struct kt_error *err)
{
	(void)p, (void)err;
	fprintf(to, "%d\n", kt_flight_stats_is_recording(s->flight));
	return 0;
}

static int read_errors(FILE *to, const struct fs_flight *s, const struct fs_node *p,
		       struct kt_error *err)
{
	(void)p, (void)err;
	fs_errors_print(&s->errors, to);
	return 0;
}

static int clear_errors(struct fs_flight *s, struct kt_error *err)
{
	(void)err;
	fs_errors_clear(&s->errors);
	return 0;
}

static int read_overflow(FILE *to, const struct fs_flight *s, const struct fs_node *p,
			 struct kt_error *err)
{
	struct kt_flight_stats_event sum;
	struct kt_flight_stats g;

	(void)p;
	if (kt_flight_stats_read(&g, s->flight, err) < 0)
		return -err->code;
	sum = kt_flight_stats_sum(&g);
	fprintf(to, "%" PRIu64 "\n", g.overwritten + kt_counters_lost(sum.counters) + sum.missed);
	kt_flight_stats_clear(&g);
	return 0;
}

/* Returns the text that tracefs's file of that name would have. */
static char *describe_point(const struct fs_flight *s, const struct kt_flight_info_event *e,
			    const char *name, struct kt_error *err)
{
	char *text;

	if (strcmp(name, "id") != 0)
		return kt_point_format(&(struct kt_event_name){e->system, e->name}, e->point,
				       s->btf, err);
	text = strdup("0\n");
	if (!text)
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	return text;
}

/*
 * Returns the text of tracefs's file of that name for an event, to be freed by the caller. NULL on
 * error.
 */
static char *read_tracefs(const struct fs_flight *s, size_t event, const char *name,
			  struct kt_error *err)
{
	const struct kt_flight_info_event *e = get_event(s, event);
	char *path, *text;

	if (e->point)
		return describe_point(s, e, name, err);
	if (asprintf(&path, "events/%s/%s/%s", e->system, e->name, name) < 0) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	text = kt_tracefs_read(s->tracefs, path, err);
	free(path);
	return text;
}

static int put_info(FILE *to, const struct fs_flight *s, size_t event, struct kt_error *err)
{
	const struct kt_flight_info_event *e = get_event(s, event);
	char *format = read_tracefs(s, event, "format", err);
	char *form = format ? kt_print_fmt_form(format) : NULL;
	char *id = format ? read_tracefs(s, event, "id", err) : NULL;

	if (format && !form)
		kt_fail(err, errno, "%s: %s", e->name, strerror(errno));
	if (form && id)
		fprintf(to, "name '%s:%s' format '%s' id %lu %s\n", e->system, e->name, form,
			strtoul(id, NULL, 10), is_enabled(s, event) ? "enabled" : "disabled");
	free(form);
	free(id);
	free(format);
	return form && id ? 0 : -err->code;
}

static int read_info(FILE *to, const struct fs_flight *s, const struct fs_node *p,
		     struct kt_error *err)
{
	int ret = 0;
	size_t i;

	fprintf(to, "version %s\n", ktrace_version);
	for (i = 0; i < p->n_events && ret == 0; i++)
		ret = put_info(to, s, p->events[i], err);
	return ret;
}

static int read_enable(FILE *to, const struct fs_flight *s, const struct fs_node *p,
		       struct kt_error *err)
{
	size_t n = count_enabled(s, p);

	(void)err;
	fprintf(to, "%s\n", n == 0 ? "0" : n == p->n_events ? "1" : "X");
	return 0;
}

static int read_filter(FILE *to, const struct fs_flight *s, const struct fs_node *p,
		       struct kt_error *err)
{
	const char *filter = get_event(s, p->events[0])->filter;

	if (!kt_flight_control_is_current(kt_flight_get_control(s->flight)))
		return kt_fail(err, EAGAIN, "it has been changed");
	fprintf(to, "%s\n", filter ? filter : "none");
	return 0;
}

static int read_described(FILE *to, const struct fs_flight *s, const struct fs_node *p,
			  struct kt_error *err)
{
	char *text = read_tracefs(s, p->events[0], p->name, err);

	if (!text)
		return -err->code;
	fputs(text, to);
	free(text);
	return 0;
}

/* Parses a number as the kernel does: decimal, with at most one newline after it. */
static int parse_number(const char *text, unsigned long *number, struct kt_error *err)
{
	size_t digits = strspn(text += *text == '+', "0123456789");
	const char *rest = text + digits;

	if (!digits || strcmp(rest, *rest == '\n' ? "\n" : "") != 0)
		return kt_fail(err, EINVAL, "not a decimal number");
	errno = 0;
	*number = strtoul(text, NULL, 10);
	return errno ? kt_fail(err, errno, "%s", strerror(errno)) : 0;
}

static int write_enable(struct fs_flight *s, const struct fs_node *p, const char *text,
			struct kt_error *err)
{
	bool *which = calloc(kt_flight_get_info(s->held)->n_events, sizeof(*which));
	unsigned long on;
	size_t i;
	int ret;

	if (!which)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	for (i = 0; i < p->n_events; i++)
		which[p->events[i]] = true;
	ret = parse_number(text, &on, err);
	if (ret == 0 && on == 0)
		disable_events(s->held, which);
	else if (ret == 0)
		ret = on == 1 ? enable_events(s->held, which, NULL, err)
			      : kt_fail(err, EINVAL, "neither 0 nor 1");
	free(which);
	return ret < 0 ? ret : kt_flight_control_commit(kt_flight_get_control(s->held), err);
}

/* Sets the filter that was written, without blanks around it; "0" removes it. */
static int write_filter(struct fs_flight *s, const struct fs_node *p, const char *text,
			struct kt_error *err)
{
	char *filter, *end;
	int ret;

	while (isspace((unsigned char)*text))
		text++;
	filter = strdup(text);
	if (!filter)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	end = filter + strlen(filter);
	while (end > filter && isspace((unsigned char)end[-1]))
		*--end = '\0';
	ret = set_event_filter(s->held, p->events[0], strcmp(filter, "0") == 0 ? NULL : filter,
			       err);
	if (ret < 0 && err->typed == filter)
		err->typed = text;
	free(filter);
	return ret < 0 ? ret : kt_flight_control_commit(kt_flight_get_control(s->held), err);
}

/*
 * Fails if the flight is frozen: what led to the trigger must not be overwritten before a snapshot.
 */
static int check_frozen(const struct kt_flight *f, struct kt_error *err)
{
	struct kt_flight_stats g;
	bool frozen;

	if (kt_flight_stats_read(&g, f, err) < 0)
		return -err->code;
	frozen = g.freezing.is_frozen;
	kt_flight_stats_clear(&g);
	return frozen ? kt_fail(err, EBUSY, "'%s' is frozen", kt_flight_name(f)) : 0;
}

static int write_recording(struct fs_flight *s, const struct fs_node *p, const char *text,
			   struct kt_error *err)
{
	struct kt_flight_control *switches = kt_flight_get_control(s->held);
	unsigned long on;

	(void)p;
	if (parse_number(text, &on, err) < 0 || (on && check_frozen(s->held, err) < 0))
		return -err->code;
	if (on)
		kt_flight_control_resume(switches);
	else
		kt_flight_control_pause(switches);
	return kt_flight_control_commit(switches, err);
}

/* Adds task numbers to the set, separated by blanks as for tracefs. */
static int add_pids(struct kt_tid_bitmap *to, const char *text, struct kt_error *err)
{
	static const char blanks[] = " \t\n\v\f\r";
	const char *all = text;
	unsigned long tid;
	char *end;

	for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
		if (!isdigit((unsigned char)text[*text == '+']))
			return kt_fail_at(err, EINVAL, all, text - all, strcspn(text, blanks),
					  "not a task's number");
		tid = strtoul(text, &end, 0);
		if (tid >= KT_PIDS_MAX || !strchr(blanks, *end))
			return kt_fail_at(err, EINVAL, all, text - all, strcspn(text, blanks),
					  "not the number of a task, which is below %d",
					  KT_PIDS_MAX);
		kt_tid_bitmap_add(to, tid);
		text = end;
	}
	return 0;
}

/* Adds to the PID filter: as in tracefs, only '>' removes tasks written before. */
static int extend_pid_filter(struct kt_flight_control *switches, const char *text,
			     struct kt_error *err)
{
	struct kt_tid_bitmap now, to = {0};
	int ret = kt_flight_control_pid_filter(switches, &now, err);

	if (ret == 0)
		ret = kt_tid_bitmap_make(&to, "kt_tids", err);
	if (ret == 0) {
		kt_tid_bitmap_add_all(&to, &now);
		ret = add_pids(&to, text, err);
	}
	if (ret == 0 && kt_tid_bitmap_next(&to, 0) < KT_PIDS_MAX)
		ret = kt_flight_control_set_pid_filter(switches, &to, err);
	if (ret == 0)
		ret = kt_flight_control_commit(switches, err);
	kt_tid_bitmap_free(&to);
	kt_tid_bitmap_free(&now);
	return ret;
}

static int write_pids(struct fs_flight *s, const struct fs_node *p, const char *text,
		      struct kt_error *err)
{
	(void)p;
	if (!kt_pids_are_the_kernels())
		return kt_fail(
			err, EOPNOTSUPP,
			"in a container (PID namespace) numbers of tasks are not the kernel's");
	return extend_pid_filter(kt_flight_get_control(s->held), text, err);
}

static int clear_pids(struct fs_flight *s, struct kt_error *err)
{
	struct kt_flight_control *switches = kt_flight_get_control(s->held);

	if (kt_flight_control_set_pid_filter(switches, NULL, err) < 0)
		return -err->code;
	return kt_flight_control_commit(switches, err);
}

static int read_pids(FILE *to, const struct fs_flight *s, const struct fs_node *p,
		     struct kt_error *err)
{
	struct kt_tid_bitmap tids;
	uint32_t tid;

	(void)p;
	if (kt_flight_control_pid_filter(kt_flight_get_control(s->flight), &tids, err) < 0)
		return -err->code;
	for (tid = 0; (tid = kt_tid_bitmap_next(&tids, tid)) < KT_PIDS_MAX; tid++)
		fprintf(to, "%" PRIu32 "\n", tid);
	kt_tid_bitmap_free(&tids);
	return 0;
}

static int clear_buffers(struct fs_flight *s, struct kt_error *err)
{
	return kt_buffer_sets_reset(kt_flight_buffer_sets(s->held), err);
}

static int write_reset(struct fs_flight *s, const struct fs_node *p, const char *text,
		       struct kt_error *err)
{
	unsigned long on;

	(void)p;
	if (parse_number(text, &on, err) < 0)
		return -err->code;
	return on ? clear_buffers(s, err) : 0;
}

static int read_spare_wanted(FILE *to, const struct fs_flight *s, const struct fs_node *p,
			     struct kt_error *err)
{
	(void)p, (void)err;
	fprintf(to, "%d\n", kt_buffer_sets_wants_spare(kt_flight_buffer_sets(s->flight)));
	return 0;
}

/* Data that was read but not fetched is freed with the rings that it came from. */
static int write_spare_wanted(struct fs_flight *s, const struct fs_node *p, const char *text,
			      struct kt_error *err)
{
	unsigned long on;

	(void)p;
	if (parse_number(text, &on, err) < 0 ||
	    kt_buffer_sets_want_spare(kt_flight_buffer_sets(s->held), on, err) < 0)
		return -err->code;
	if (!on)
		fs_flight_set_consumed(s, NULL);
	return 0;
}

/* Opening the file did everything. */
static int ignore_write(struct fs_flight *s, const struct fs_node *p, const char *text,
			struct kt_error *err)
{
	(void)s, (void)p, (void)text, (void)err;
	return 0;
}

static ssize_t read_consumed(struct fs_flight *s, size_t size, const char **bytes,
			     struct kt_error *err)
{
	ssize_t n = s->consumed ? fs_text_read(s->consumed, size, bytes, err) : 0;

	if (n == 0)
		fs_flight_set_consumed(s, NULL);
	return n;
}

/* Consumes the rings; an attempt that failed halfway before is continued. */
static int write_consume(struct fs_flight *s, const struct fs_node *p, const char *text,
			 struct kt_error *err)
{
	struct kt_buffer_sets *sets = kt_flight_buffer_sets(s->held);
	unsigned long on;

	(void)p;
	if (parse_number(text, &on, err) < 0)
		return -err->code;
	if (!kt_buffer_sets_wants_spare(sets))
		return kt_fail(err, EBUSY, "there is no second buffer set: snapshot_enabled is 0");
	if (!on)
		return 0;
	if (kt_buffer_sets_make_spare(sets, err) < 0)
		return -err->code;
	if (!s->consumed || fs_text_is_complete(s->consumed))
		fs_flight_set_consumed(s, fs_text_new(err));
	return s->consumed ? fs_text_consume(s->consumed, s->held, s->tracefs, err) : -err->code;
}

static struct fs_pipe *join_text(struct fs_flight *s, const struct fs_node *p, struct kt_error *err)
{
	(void)p;
	return fs_flight_join(s, FS_FLIGHT_TEXT, err);
}

static struct fs_pipe *join_ring(struct fs_flight *s, const struct fs_node *p, struct kt_error *err)
{
	return fs_flight_join(s, FS_FLIGHT_RINGS + p->ring, err);
}

static int read_metadata(FILE *to, const struct fs_flight *s, const struct fs_node *p,
			 struct kt_error *err)
{
	(void)p;
	return kt_flight_stream_describe(s->flight, s->tracefs, ktrace_version, to, err);
}

const struct fs_file fs_files[] = {
	{"version", FS_LEVEL_TOP, READ, true, .read = read_version},
	{"enabled", FS_LEVEL_TOP, BOTH, .read = read_recording, .write = write_recording},
	{"tracing_on", FS_LEVEL_TOP, BOTH, .read = read_recording, .write = write_recording},
	{"info", FS_LEVEL_TOP, READ, .read = read_info},
	{"overflow", FS_LEVEL_TOP, READ, .read = read_overflow},
	{"reset", FS_LEVEL_TOP, WRITE, .write = write_reset},
	{"set_event_pid", FS_LEVEL_TOP, BOTH, .read = read_pids, .write = write_pids,
	 .clear = clear_pids},
	{"snapshot_enabled", FS_LEVEL_TOP, BOTH, .read = read_spare_wanted,
	 .write = write_spare_wanted},
	{"snapshot_pipe", FS_LEVEL_TOP, BOTH, .read_on = read_consumed, .write = write_consume},
	{"trace", FS_LEVEL_TOP, BOTH, .is_of_rings = true, .write = ignore_write,
	 .clear = clear_buffers},
	{"error_log", FS_LEVEL_TOP, BOTH, true, .read = read_errors, .write = ignore_write,
	 .clear = clear_errors},
	{"trace_pipe", FS_LEVEL_TOP, READ, .join = join_text},
	{"enable", FS_LEVEL_EVENTS, BOTH, .read = read_enable, .write = write_enable},
	{"enable", FS_LEVEL_SYSTEM, BOTH, .read = read_enable, .write = write_enable},
	{"enable", FS_LEVEL_EVENT, BOTH, .read = read_enable, .write = write_enable},
	{"filter", FS_LEVEL_EVENT, BOTH, .read = read_filter, .write = write_filter},
	{"format", FS_LEVEL_EVENT, READ, .read = read_described},
	{"id", FS_LEVEL_EVENT, READ, .read = read_described},
	{"metadata", FS_LEVEL_BUFFERS, READ, .read = read_metadata},
	{.name = NULL},
};

const struct fs_file fs_ring_file = {"", FS_LEVEL_BUFFERS, READ, .join = join_ring};
