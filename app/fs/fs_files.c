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
#include "events/print_fmt.h"
#include "events/tracefs.h"
#include "session/flight/buffer_sets.h"
#include "session/flight/flight.h"
#include "session/flight/flight_control.h"
#include "session/flight/flight_info.h"
#include "session/flight/flight_stats.h"
#include "session/tid_bitmap.h"
#include "trace/flight_stream.h"

/* As tracefs has them. */
enum { READ = 0440, WRITE = 0200, BOTH = 0640 };

static bool is_enabled(const struct subject *s, size_t event)
{
	return kt_flight_control_event(kt_flight_get_control(s->flight), event).number != 0;
}

static const struct kt_flight_info_event *event_of(const struct subject *s, size_t event)
{
	return &kt_flight_get_info(s->flight)->events[event];
}

static size_t count_enabled(const struct subject *s, const struct place *p)
{
	size_t i, n = 0;

	for (i = 0; i < p->n_events; i++)
		n += is_enabled(s, p->events[i]);
	return n;
}

static int read_version(FILE *to, const struct subject *s, const struct place *p,
			struct kt_error *err)
{
	(void)s, (void)p, (void)err;
	fprintf(to, "%s\n", ktrace_version);
	return 0;
}

static int read_recording(FILE *to, const struct subject *s, const struct place *p,
			  struct kt_error *err)
{
	(void)p, (void)err;
	fprintf(to, "%d\n", kt_flight_stats_is_recording(s->flight));
	return 0;
}

static int read_overflow(FILE *to, const struct subject *s, const struct place *p,
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

/* What tracefs has of an event by that name; for the caller to free. On error NULL. */
static char *read_tracefs(const struct subject *s, size_t event, const char *name,
			  struct kt_error *err)
{
	const struct kt_flight_info_event *e = event_of(s, event);
	char *path, *text;

	if (asprintf(&path, "events/%s/%s/%s", e->system, e->name, name) < 0) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	text = kt_tracefs_read(s->tracefs, path, err);
	free(path);
	return text;
}

static int put_info(FILE *to, const struct subject *s, size_t event, struct kt_error *err)
{
	const struct kt_flight_info_event *e = event_of(s, event);
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

static int read_info(FILE *to, const struct subject *s, const struct place *p, struct kt_error *err)
{
	int ret = 0;
	size_t i;

	fprintf(to, "version %s\n", ktrace_version);
	for (i = 0; i < p->n_events && ret == 0; i++)
		ret = put_info(to, s, p->events[i], err);
	return ret;
}

static int read_enable(FILE *to, const struct subject *s, const struct place *p,
		       struct kt_error *err)
{
	size_t n = count_enabled(s, p);

	(void)err;
	fprintf(to, "%s\n", n == 0 ? "0" : n == p->n_events ? "1" : "X");
	return 0;
}

static int read_filter(FILE *to, const struct subject *s, const struct place *p,
		       struct kt_error *err)
{
	const char *filter = event_of(s, p->events[0])->filter;

	if (!kt_flight_control_is_current(kt_flight_get_control(s->flight)))
		return kt_fail(err, EAGAIN, "it has been changed");
	fprintf(to, "%s\n", filter ? filter : "none");
	return 0;
}

static int read_described(FILE *to, const struct subject *s, const struct place *p,
			  struct kt_error *err)
{
	char *text = read_tracefs(s, p->events[0], p->name, err);

	if (!text)
		return -err->code;
	fputs(text, to);
	free(text);
	return 0;
}

static int fail_number(int code, struct kt_error *err)
{
	return kt_fail(err, code, "%s", strerror(code));
}

/* As the kernel takes them: decimal, and with one newline behind it, if any. */
static int parse_number(const char *text, unsigned long *number, struct kt_error *err)
{
	size_t digits = strspn(text += *text == '+', "0123456789");
	const char *rest = text + digits;

	if (!digits || strcmp(rest, *rest == '\n' ? "\n" : "") != 0)
		return fail_number(EINVAL, err);
	errno = 0;
	*number = strtoul(text, NULL, 10);
	return errno ? fail_number(errno, err) : 0;
}

static int write_enable(struct subject *s, const struct place *p, const char *text,
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
		toggle_off(s->held, which);
	else if (ret == 0)
		ret = on == 1 ? toggle_on(s->held, which, NULL, err) : fail_number(EINVAL, err);
	free(which);
	return ret < 0 ? ret : kt_flight_control_commit(kt_flight_get_control(s->held), err);
}

/* What is written, without the blanks around it, is a filter; 0: none any more. */
static int write_filter(struct subject *s, const struct place *p, const char *text,
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
	ret = toggle_filter(s->held, p->events[0], strcmp(filter, "0") == 0 ? NULL : filter, err);
	free(filter);
	return ret < 0 ? ret : kt_flight_control_commit(kt_flight_get_control(s->held), err);
}

/* Where it is frozen: what froze it wants to be taken, and is not to be overwritten. */
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

static int write_recording(struct subject *s, const struct place *p, const char *text,
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

/* The numbers as the kernel takes them, with blanks between, besides those that are there. */
static int add_pids(struct kt_tid_bitmap *to, const char *text, struct kt_error *err)
{
	static const char blanks[] = " \t\n\v\f\r";
	unsigned long tid;
	char *end;

	for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
		if (!isdigit((unsigned char)text[*text == '+']))
			return fail_number(EINVAL, err);
		tid = strtoul(text, &end, 0);
		if (tid >= KT_PIDS_MAX || !strchr(blanks, *end))
			return fail_number(EINVAL, err);
		kt_tid_bitmap_add(to, tid);
		text = end;
	}
	return 0;
}

/* As in tracefs what was written before remains: it goes by '>'. */
static int focus_also(struct kt_flight_control *switches, const char *text, struct kt_error *err)
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

static int write_pids(struct subject *s, const struct place *p, const char *text,
		      struct kt_error *err)
{
	(void)p;
	if (!kt_pids_are_the_kernels())
		return kt_fail(
			err, EOPNOTSUPP,
			"'ktrace fs' runs in a container (a PID namespace of its own), whose "
			"numbers are not the kernel's");
	return focus_also(kt_flight_get_control(s->held), text, err);
}

static int clear_pids(struct subject *s, struct kt_error *err)
{
	struct kt_flight_control *switches = kt_flight_get_control(s->held);

	if (kt_flight_control_set_pid_filter(switches, NULL, err) < 0)
		return -err->code;
	return kt_flight_control_commit(switches, err);
}

static int read_pids(FILE *to, const struct subject *s, const struct place *p, struct kt_error *err)
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

static int clear_written(struct subject *s, struct kt_error *err)
{
	return kt_buffer_sets_reset(kt_flight_buffer_sets(s->held), err);
}

static int write_reset(struct subject *s, const struct place *p, const char *text,
		       struct kt_error *err)
{
	unsigned long on;

	(void)p;
	if (parse_number(text, &on, err) < 0)
		return -err->code;
	return on ? clear_written(s, err) : 0;
}

static int read_wanted(FILE *to, const struct subject *s, const struct place *p,
		       struct kt_error *err)
{
	(void)p, (void)err;
	fprintf(to, "%d\n", kt_buffer_sets_wants_spare(kt_flight_buffer_sets(s->flight)));
	return 0;
}

/* What was taken goes with the rings that it was taken from. */
static int write_wanted(struct subject *s, const struct place *p, const char *text,
			struct kt_error *err)
{
	unsigned long on;

	(void)p;
	if (parse_number(text, &on, err) < 0 ||
	    kt_buffer_sets_want_spare(kt_flight_buffer_sets(s->held), on, err) < 0)
		return -err->code;
	if (!on)
		subject_set_taken(s, NULL);
	return 0;
}

/* To open it was all. */
static int write_written(struct subject *s, const struct place *p, const char *text,
			 struct kt_error *err)
{
	(void)s, (void)p, (void)text, (void)err;
	return 0;
}

static ssize_t read_taken(struct subject *s, size_t size, const char **bytes, struct kt_error *err)
{
	ssize_t n = s->taken ? lines_read(s->taken, size, bytes, err) : 0;

	if (n == 0)
		subject_set_taken(s, NULL);
	return n;
}

/* Instead of what was taken before; but what was so in vain goes on. */
static int write_taken(struct subject *s, const struct place *p, const char *text,
		       struct kt_error *err)
{
	struct kt_buffer_sets *sets = kt_flight_buffer_sets(s->held);
	unsigned long on;

	(void)p;
	if (parse_number(text, &on, err) < 0)
		return -err->code;
	if (!kt_buffer_sets_wants_spare(sets))
		return fail_number(EBUSY, err);
	if (!on)
		return 0;
	if (kt_buffer_sets_make_spare(sets, err) < 0)
		return -err->code;
	if (!s->taken || lines_is_whole(s->taken))
		subject_set_taken(s, lines_new(err));
	return s->taken ? lines_take(s->taken, s->held, s->tracefs, err) : -err->code;
}

static struct pipe *join_text(struct subject *s, const struct place *p, struct kt_error *err)
{
	(void)p;
	return subject_join(s, SUBJECT_TEXT, err);
}

static struct pipe *join_ring(struct subject *s, const struct place *p, struct kt_error *err)
{
	return subject_join(s, SUBJECT_RINGS + p->ring, err);
}

static int read_metadata(FILE *to, const struct subject *s, const struct place *p,
			 struct kt_error *err)
{
	(void)p;
	return kt_flight_stream_describe(s->flight, s->tracefs, ktrace_version, to, err);
}

const struct file files[] = {
	{"version", LEVEL_TOP, READ, true, .read = read_version},
	{"enabled", LEVEL_TOP, BOTH, .read = read_recording, .write = write_recording},
	{"tracing_on", LEVEL_TOP, BOTH, .read = read_recording, .write = write_recording},
	{"info", LEVEL_TOP, READ, .read = read_info},
	{"overflow", LEVEL_TOP, READ, .read = read_overflow},
	{"reset", LEVEL_TOP, WRITE, .write = write_reset},
	{"set_event_pid", LEVEL_TOP, BOTH, .read = read_pids, .write = write_pids,
	 .clear = clear_pids},
	{"snapshot_enabled", LEVEL_TOP, BOTH, .read = read_wanted, .write = write_wanted},
	{"snapshot_pipe", LEVEL_TOP, BOTH, .read_on = read_taken, .write = write_taken},
	{"trace", LEVEL_TOP, BOTH, .is_of_rings = true, .write = write_written,
	 .clear = clear_written},
	{"trace_pipe", LEVEL_TOP, READ, .join = join_text},
	{"enable", LEVEL_EVENTS, BOTH, .read = read_enable, .write = write_enable},
	{"enable", LEVEL_SYSTEM, BOTH, .read = read_enable, .write = write_enable},
	{"enable", LEVEL_EVENT, BOTH, .read = read_enable, .write = write_enable},
	{"filter", LEVEL_EVENT, BOTH, .read = read_filter, .write = write_filter},
	{"format", LEVEL_EVENT, READ, .read = read_described},
	{"id", LEVEL_EVENT, READ, .read = read_described},
	{"metadata", LEVEL_BUFFERS, READ, .read = read_metadata},
	{.name = NULL},
};

const struct file ring_file = {"", LEVEL_BUFFERS, READ, .join = join_ring};
