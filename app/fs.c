// SPDX-License-Identifier: GPL-2.0-or-later
/* ktrace fs: show a flight recorder as a tree of files (doc/fs.md). */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <grp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/cli/options.h"
#include "app/cli/signals.h"
#include "app/fs/fs_flight.h"
#include "app/fs/fs_mount.h"
#include "app/fs/fs_server.h"
#include "base/error.h"

#define NAME "fs"

struct order {
	const char *place, *flight;
	const char *group; /* NULL: none */
	bool in_foreground;
};

/* Finds a group by name or number. */
static int find_group(const char *text, gid_t *gid, struct kt_error *err)
{
	const struct group *group = getgrnam(text);
	unsigned long number;
	char *end;

	*gid = 0;
	if (group) {
		*gid = group->gr_gid;
		return 0;
	}
	errno = 0;
	number = strtoul(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || errno || number >= (gid_t)-1)
		return kt_fail_at(err, ENOENT, text, 0, strlen(text), "unknown group '%s'", text);
	*gid = number;
	return 0;
}

/* Serves the mounted tree, in the background unless --foreground was given. */
static int serve_tree(const struct order *o, struct fs_server *s, const char *path,
		      struct kt_error *err)
{
	sigset_t signals;

	fprintf(stderr, "ktrace " NAME ": '%s' is at %s until 'umount %s'\n", o->flight, path,
		path);
	if (!o->in_foreground && fs_server_daemonize(err) < 0)
		return -err->code;
	take_signals(&signals);
	return fs_server_run(s, &signals, err);
}

static int serve_at(const struct order *o, struct mount_point *m, gid_t gid, struct kt_error *err)
{
	struct fs_flight fs;
	struct fs_server *s;
	int ret;

	if (fs_flight_open(&fs, o->flight, err) < 0)
		return -err->code;
	s = fs_server_mount(&fs, m, gid, err);
	ret = s ? serve_tree(o, s, m->path, err) : -err->code;
	fs_server_free(s);
	fs_flight_close(&fs);
	return ret;
}

static int mount_and_serve(const struct order *o, gid_t gid, struct kt_error *err)
{
	struct mount_point m;
	int ret = mount_point_open(&m, o->place, err);

	if (ret < 0)
		return ret;
	ret = serve_at(o, &m, gid, err);
	mount_point_close(&m);
	return ret;
}

static int run_order(const struct order *o)
{
	struct kt_error err;
	gid_t gid = 0;

	/* The background process must not keep the caller's files open. */
	if (!o->in_foreground)
		closefrom(STDERR_FILENO + 1);
	if ((o->group && find_group(o->group, &gid, &err) < 0) || mount_and_serve(o, gid, &err) < 0)
		return report_error(NAME, &err);
	return EXIT_OK;
}

static int run_fs(int argc, char **argv)
{
	struct order o = {.flight = FLIGHT_NAME};
	int status = parse_command_line(&fs_command, &o, argc, argv);

	if (status != EXIT_OK)
		return status;
	if (!argv[optind])
		return report_misuse(argv[0], "missing mount point");
	if (argc > optind + 2)
		return report_unexpected(argv[0], argv[optind + 2]);
	o.place = argv[optind];
	if (argv[optind + 1])
		o.flight = argv[optind + 1];
	return run_order(&o);
}

static const struct command_option options[] = {
	{.name = "foreground",
	 .help = "serve in this process until unmounted, or Ctrl-C",
	 .set = set_flag,
	 .offset = offsetof(struct order, in_foreground)},
	{.letter = 'g',
	 .name = "group",
	 .arg = "GROUP",
	 .help = "let members of GROUP read the files",
	 .initial = "only root",
	 .set = set_text,
	 .offset = offsetof(struct order, group)},
	{},
};

static const struct command_example examples[] = {
	{"ktrace fs /mnt; cat /mnt/info; echo 0 >/mnt/events/sched/enable",
	 "Mount it, and disable the events of the scheduler"},
	{"grep sched_process_exec /mnt/trace_pipe", "Follow some events"},
	{"echo $$ >/mnt/set_event_pid", "Record only the shell"},
	{"echo 1 >/mnt/snapshot_pipe; cat /mnt/snapshot_pipe", "Take a snapshot as text"},
	{"cat /mnt/buffers/cpu0 >t/cpu0 & cat /mnt/buffers/metadata >t/metadata",
	 "Write a CPU's packets into a trace"},
	{"ktrace fs -g adm /mnt execs", "Mount another one, readable by a group"},
	{"umount /mnt", "Unmount it"},
	{},
};

const struct command fs_command = {
	.name = NAME,
	.operands = "DIR [NAME]",
	.summary = "mount a flight recorder as a file tree",
	.about = "Mounts the tree at DIR, and serves it in the background until 'umount DIR'. "
		 "NAME defaults to 'flight'; the tree shows whichever flight recorder of that name "
		 "is running.\n\n"
		 "Files are named as in tracefs: events/SYSTEM/EVENT/{enable,filter,format,id}, "
		 "tracing_on, set_event_pid, trace (buffers as text), trace_pipe (the same, "
		 "followed); and enabled, info, overflow, reset, version, snapshot_enabled, "
		 "snapshot_pipe (write 1 to take a snapshot, then read it), buffers/cpuN (packets "
		 "of a trace).",
	.options = options,
	.examples = examples,
	.run = run_fs,
};
