// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/flight/flight.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "events/event.h"
#include "events/filter.h"
#include "hook/bpffs.h"
#include "hook/syscall_dispatch.h"
#include "session/callstack_tables.h"
#include "session/enable_word.h"
#include "session/flight/buffer_sets.h"
#include "session/flight/buffer_state.h"
#include "session/flight/flight_control.h"
#include "session/session.h"
#include "session/task_names.h"

/* The directory of all flights in bpffs. */
#define DIRECTORY "ktrace"

enum { LOCK_TRY_MS = 10, LOCK_TRIES = 500 };

struct kt_flight {
	char name[KT_FLIGHT_NAME_MAX + 1];
	int parent, dir; /* or -1 */
	bool is_place;   /* the name is reserved, nothing is pinned yet */
	struct kt_flight_info info;
	struct kt_flight_info inactive; /* of a locked flight: info of the inactive set if it
					   differs; else zero */
	struct kt_buffer_sets *sets;
	struct kt_flight_control *switches;
};

int kt_flight_check_name(const char *name, struct kt_error *err)
{
	const char *c = name;

	while (isalnum((unsigned char)*c) || *c == '-' || *c == '_')
		c++;
	if (*c || c == name)
		return kt_fail_at(err, EINVAL, name, c - name, 1,
				  "names consist of letters, digits, '-' and '_'");
	if (c - name > KT_FLIGHT_NAME_MAX)
		return kt_fail_at(err, EINVAL, name, KT_FLIGHT_NAME_MAX,
				  c - name - KT_FLIGHT_NAME_MAX, "names have at most %d letters",
				  KT_FLIGHT_NAME_MAX);
	return 0;
}

/* Returns whether the directory still has its name. */
static bool has_name(const struct kt_flight *f)
{
	struct stat ours, named;

	return fstat(f->dir, &ours) == 0 &&
	       fstatat(f->parent, f->name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	       ours.st_ino == named.st_ino && ours.st_dev == named.st_dev;
}

static bool has_info(const struct kt_flight *f)
{
	return kt_bpffs_has(f->dir, KT_FLIGHT_INFO);
}

static int take_lock(const struct kt_flight *f, struct kt_error *err)
{
	const struct timespec pause = {.tv_nsec = LOCK_TRY_MS * 1000000};
	int tries;

	for (tries = 0; flock(f->dir, LOCK_EX | LOCK_NB) < 0; tries++) {
		if (errno != EWOULDBLOCK)
			return kt_fail(err, errno, "cannot lock '%s': %s", f->name,
				       strerror(errno));
		if (tries == LOCK_TRIES)
			return kt_fail(err, EBUSY, "another ktrace is using '%s'", f->name);
		nanosleep(&pause, NULL);
	}
	return 0;
}

static void close_directories(struct kt_flight *f)
{
	if (f->dir >= 0)
		close(f->dir);
	if (f->parent >= 0)
		close(f->parent);
	f->dir = f->parent = -1;
}

static int report_gone(const struct kt_flight *f, struct kt_error *err)
{
	return kt_fail(err, ENOENT, "no flight recorder '%s' is running", f->name);
}

/* Opens the flight's directory and its parent. */
static int open_directories(struct kt_flight *f, bool make, struct kt_error *err)
{
	int bpffs = kt_bpffs_open(make, err);

	if (bpffs >= 0) {
		f->parent = kt_bpffs_enter(bpffs, DIRECTORY, make, err);
		close(bpffs);
	}
	if (f->parent >= 0)
		f->dir = kt_bpffs_enter(f->parent, f->name, make, err);
	if (f->dir >= 0)
		return 0;
	close_directories(f);
	return err->code == ENOENT ? report_gone(f, err) : -err->code;
}

/* The process that had the lock may have removed the directory: it is made again if wanted. */
static int open_locked(struct kt_flight *f, bool make, struct kt_error *err)
{
	int tries, ret;

	for (tries = 0; tries < LOCK_TRIES; tries++) {
		ret = open_directories(f, make, err);
		if (ret == 0)
			ret = take_lock(f, err);
		if (ret == 0 && has_name(f))
			return 0;
		if (ret < 0 && !(make && ret == -ENOENT))
			return ret;
		close_directories(f);
	}
	return kt_fail(err, EBUSY, "'%s' is created and removed over and over", f->name);
}

/* Allocates an object for a name. Returns NULL on error. */
static struct kt_flight *allocate_flight(const char *name, struct kt_error *err)
{
	struct kt_flight *f;

	if (kt_flight_check_name(name, err) < 0)
		return NULL;
	f = calloc(1, sizeof(*f));
	if (!f) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	f->parent = f->dir = -1;
	snprintf(f->name, sizeof(f->name), "%s", name);
	return f;
}

/* Removes what records first: after that the rest has no effect. Needs the lock. */
static int clear_pins(const struct kt_flight *f, struct kt_error *err)
{
	struct kt_enable_word *enable;
	int fd;

	if (kt_bpffs_drop(f->dir, KT_FLIGHT_INFO, err) < 0)
		return -err->code;
	fd = kt_bpffs_get(f->dir, "enable", err);
	enable = fd < 0 ? NULL : kt_enable_word_from(fd, 0, err);
	if (enable)
		kt_enable_word_shut(enable);
	kt_enable_word_free(enable);
	return kt_bpffs_clear(f->dir, err);
}

/* Removes the parent directory, if it is empty. */
static void remove_empty(void)
{
	struct kt_error ignored;
	int bpffs = kt_bpffs_open(false, &ignored);

	if (bpffs < 0)
		return;
	unlinkat(bpffs, DIRECTORY, AT_REMOVEDIR);
	close(bpffs);
}

static int remove_directory(const struct kt_flight *f, struct kt_error *err)
{
	if (clear_pins(f, err) < 0)
		return -err->code;
	if (unlinkat(f->parent, f->name, AT_REMOVEDIR) < 0)
		return kt_fail(err, errno, "cannot remove '%s': %s", f->name, strerror(errno));
	remove_empty();
	return 0;
}

struct kt_flight *kt_flight_new(const char *name, struct kt_error *err)
{
	struct kt_flight *f = allocate_flight(name, err);
	int ret;

	if (!f)
		return NULL;
	ret = open_locked(f, true, err);
	if (ret == 0 && has_info(f))
		ret = kt_fail(err, EEXIST, "a flight recorder '%s' is already running", name);
	else if (ret == 0)
		ret = clear_pins(f, err);
	if (ret == 0) {
		f->is_place = true;
		return f;
	}
	kt_flight_free(f);
	return NULL;
}

static int pin_info(const struct kt_flight *f, const struct kt_session *s, const char *version,
		    const char *command, struct kt_error *err)
{
	size_t n = kt_session_count(s), i;
	struct kt_flight_info_event *events = calloc(n, sizeof(*events));
	struct kt_flight_info info = {
		.version = version,
		.command = command,
		.uid = getuid(),
		.pid = getpid(),
		.began = kt_session_began(s),
		.began_1970 = kt_session_began(s) + kt_clock_since_1970(),
		.geometry = kt_session_geometry(s),
		.bytes_max = kt_session_bytes_max(s),
		.has_rare = kt_session_has_rare_rings(s),
		.events = events,
		.n_events = n,
	};
	int ret;

	if (!events)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	for (i = 0; i < n; i++)
		events[i] = kt_flight_info_describe(kt_session_events(s)[i]);
	ret = kt_flight_info_pin(&info, f->dir, err);
	free(events);
	return ret;
}

/* Pins the state of a session that was just started, in set 0. */
static int pin_state(const struct kt_flight *f, const struct kt_session *s, struct kt_error *err)
{
	struct kt_buffer_state *t = kt_buffer_state_new(kt_session_count(s), err);
	uint64_t missed;
	size_t i;
	int ret;

	if (!t)
		return -err->code;
	for (i = 0; i < kt_session_count(s); i++) {
		missed = kt_session_missed_before(s, i);
		kt_buffer_state_note(t, 0, i, (struct kt_swap_state){missed, KT_ALWAYS});
		kt_buffer_state_note_zero(t, i, (struct kt_counters){0}, missed);
	}
	kt_buffer_state_begin(t, 0, kt_session_began(s));
	kt_buffer_state_reset(t, 1, kt_session_began(s), 0);
	kt_buffer_state_want_spare(t, kt_session_has_second_set(s));
	ret = kt_bpffs_pin(f->dir, "buffer_state", kt_buffer_state_fd(t), err);
	kt_buffer_state_free(t);
	return ret;
}

int kt_flight_start(struct kt_flight *f, struct kt_session *s, const char *version,
		    const char *command, struct kt_error *err)
{
	struct kt_error ignored;

	if (kt_session_pin(s, f->dir, err) == 0) {
		kt_session_start(s);
		if (pin_state(f, s, err) == 0 && pin_info(f, s, version, command, err) == 0) {
			f->is_place = false;
			return 0;
		}
	}
	clear_pins(f, &ignored);
	return kt_fail_because(err, "cannot pin '%s'", f->name);
}

int kt_flight_check(const struct kt_flight *f, struct kt_error *err)
{
	if (has_info(f))
		return 0;
	if (!has_name(f))
		return report_gone(f, err);
	if (flock(f->dir, LOCK_SH | LOCK_NB) < 0)
		return kt_fail(err, ESTALE, "'%s' is being started or stopped", f->name);
	flock(f->dir, LOCK_UN);
	return kt_fail(err, ESTALE,
		       "'%s' is incomplete (a ktrace was killed) and does not record; "
		       "'ktrace stop %s' removes it",
		       f->name, f->name);
}

/* Reads the info of another number; it must have as many events. */
static int read_other_info(const struct kt_flight *f, uint16_t number,
			   struct kt_flight_info *another, struct kt_error *err)
{
	if (kt_flight_info_read(another, number, f->dir, err) < 0)
		return -err->code;
	if (another->n_events == f->info.n_events)
		return 0;
	kt_flight_info_clear(another);
	return kt_fail(err, EPROTO, "its events are described by another flight recorder");
}

static int replace_info(struct kt_flight *f, uint16_t number, struct kt_error *err)
{
	struct kt_flight_info another;

	if (read_other_info(f, number, &another, err) < 0)
		return -err->code;
	kt_flight_info_clear(&f->info);
	f->info = another;
	return 0;
}

/* If it is changed meanwhile, the old one may have gone. */
static int read_current(struct kt_flight *f, struct kt_error *err)
{
	uint16_t number;
	int ret = 0;

	do {
		number = kt_flight_control_state(f->switches).info;
		if (number != f->info.number)
			ret = replace_info(f, number, err);
	} while (number != kt_flight_control_state(f->switches).info);
	return ret;
}

static int read_parts(struct kt_flight *f, struct kt_error *err)
{
	if (kt_flight_info_read(&f->info, 0, f->dir, err) < 0)
		return -err->code;
	f->switches = kt_flight_control_from(f->dir, &f->info, err);
	if (f->switches && read_current(f, err) == 0)
		f->sets = kt_buffer_sets_from(f->dir, &f->info, f->switches, err);
	return f->sets ? 0 : -err->code;
}

/* Not done by any ktrace. */
static int report_damaged(const struct kt_flight *f, struct kt_error *err)
{
	const struct kt_error why = *err;

	return kt_fail(err, EPROTO, "'%s' cannot be read: %s; 'ktrace stop %s' removes all of it",
		       f->name, why.text, f->name);
}

/* What cannot be read may have been removed meanwhile. */
static int read_flight(struct kt_flight *f, struct kt_error *err)
{
	struct kt_error gone;

	if (read_parts(f, err) == 0)
		return 0;
	if (kt_flight_check(f, &gone) < 0) {
		*err = gone;
		return -err->code;
	}
	if (err->code == ENOENT || err->code == ENOTDIR || err->code == EPROTO)
		return report_damaged(f, err);
	return kt_fail_because(err, "'%s' cannot be read", f->name);
}

char *kt_flight_names(struct kt_error *err)
{
	int bpffs = kt_bpffs_open(false, err), parent = bpffs;
	char *names = NULL;

	if (bpffs >= 0) {
		parent = kt_bpffs_enter(bpffs, DIRECTORY, false, err);
		close(bpffs);
	}
	if (parent >= 0) {
		names = kt_bpffs_names(parent, err);
		close(parent);
	} else if (parent == -ENOENT) {
		names = calloc(1, 1);
		if (!names)
			kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	}
	return names;
}

struct kt_flight *kt_flight_open(const char *name, struct kt_error *err)
{
	struct kt_flight *f = allocate_flight(name, err);

	if (!f || (open_directories(f, false, err) == 0 && read_flight(f, err) == 0))
		return f;
	kt_flight_free(f);
	return NULL;
}

struct kt_flight *kt_flight_find(const char *name, struct kt_error *err)
{
	struct kt_flight *f = allocate_flight(name, err);

	if (!f || (open_directories(f, false, err) == 0 && kt_flight_check(f, err) == 0))
		return f;
	kt_flight_free(f);
	return NULL;
}

static uint16_t get_inactive_number(const struct kt_flight *f)
{
	return kt_buffer_sets_info_in(f->sets, kt_buffer_sets_inactive(f->sets));
}

/* Removes leftovers of killed processes, and infos that are no longer valid. */
static int remove_leftovers(const struct kt_flight *f, struct kt_error *err)
{
	const uint16_t wanted[] = {f->info.number, get_inactive_number(f)};

	if (kt_buffer_sets_remove_leftovers(f->sets, err) < 0 ||
	    kt_flight_control_remove_leftovers(f->switches, err) < 0)
		return -err->code;
	return kt_flight_info_drop_others(wanted, sizeof(wanted) / sizeof(*wanted), f->dir, err);
}

static int read_inactive_info(struct kt_flight *f, struct kt_error *err)
{
	uint16_t number = get_inactive_number(f);

	return number == f->info.number ? 0 : read_other_info(f, number, &f->inactive, err);
}

struct kt_flight *kt_flight_lock(const char *name, struct kt_error *err)
{
	struct kt_flight *f = allocate_flight(name, err);

	if (!f || (open_locked(f, false, err) == 0 && read_flight(f, err) == 0 &&
		   remove_leftovers(f, err) == 0 && read_inactive_info(f, err) == 0))
		return f;
	kt_flight_free(f);
	return NULL;
}

void kt_flight_free(struct kt_flight *f)
{
	struct kt_error ignored;

	if (!f)
		return;
	if (f->is_place)
		remove_directory(f, &ignored);
	kt_buffer_sets_free(f->sets);
	kt_flight_control_free(f->switches);
	kt_flight_info_clear(&f->inactive);
	kt_flight_info_clear(&f->info);
	close_directories(f);
	free(f);
}

const char *kt_flight_name(const struct kt_flight *f)
{
	return f->name;
}

const struct kt_flight_info *kt_flight_get_info(const struct kt_flight *f)
{
	return &f->info;
}

const struct kt_flight_info *kt_flight_get_info_in(const struct kt_flight *f, size_t set)
{
	bool is_it = f->inactive.json && f->inactive.number == kt_buffer_sets_info_in(f->sets, set);

	return is_it ? &f->inactive : &f->info;
}

struct kt_buffer_sets *kt_flight_buffer_sets(const struct kt_flight *f)
{
	return f->sets;
}

struct kt_flight_control *kt_flight_get_control(const struct kt_flight *f)
{
	return f->switches;
}

struct kt_task_names *kt_flight_open_task_names(const struct kt_flight *f, uint64_t since,
						struct kt_error *err)
{
	return kt_task_names_open(f->dir, since, err);
}

struct kt_syscall_dispatch *kt_flight_open_dispatch(const struct kt_flight *f, int tracefs,
						    struct kt_btf *btf, struct kt_error *err)
{
	return kt_syscall_dispatch_open(f->dir, tracefs, btf, err);
}

struct kt_callstack_tables *kt_flight_open_stacks(const struct kt_flight *f, struct kt_btf *btf,
						  struct kt_error *err)
{
	return kt_callstack_tables_open(f->dir, btf, err);
}

uint64_t kt_flight_memory(const struct kt_flight *f)
{
	return kt_bpffs_memory(f->dir);
}

int kt_flight_remove(const char *name, struct kt_error *err)
{
	struct kt_flight *f = allocate_flight(name, err);
	int ret;

	if (!f)
		return -err->code;
	ret = open_locked(f, false, err);
	if (ret == 0)
		ret = remove_directory(f, err);
	else if (ret == -ENOENT)
		remove_empty(); /* a process that removed or made the last flight was killed before
				   it could do this */
	kt_flight_free(f);
	return ret;
}
