// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/task_name_scan.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/pids.h"
#include "handlers/task_name_prog.h"
#include "session/followed_pids.h"
#include "session/task_name_log.h"

/* The task that was found last. */
struct found {
	struct kt_task_name_log *log;
	const struct kt_followed_pids *followed;
	struct kt_task_name entry;
};

/* A kernel worker's comm in /proc has a suffix, "kworker/1:2-events", which it has nowhere else. */
static void cut_to_name(char *comm)
{
	static const char worker[] = "kworker/";
	if (strncmp(comm, worker, strlen(worker)) == 0 && comm[strlen(worker)] != 'R')
		comm[strcspn(comm, "-+")] = '\0';
}

/* A task that has ended meanwhile is skipped. */
static int add_task(struct found *f, int dir)
{
	struct kt_task_name *entry = &f->entry;
	char path[32], comm[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%u/comm", entry->tid);
	fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, comm, sizeof(comm));
	close(fd);
	if (n <= 0)
		return 0;
	comm[n - 1] = '\0'; /* the newline */
	cut_to_name(comm);
	memset(entry->comm, 0, sizeof(entry->comm));
	memcpy(entry->comm, comm, strnlen(comm, sizeof(entry->comm) - 1));
	entry->followed = f->followed && kt_followed_pids_has(f->followed, entry->pid);
	return kt_task_name_log_add(f->log, entry);
}

static int add_process(struct found *f, pid_t pid)
{
	DIR *d = kt_pids_open(pid);
	int ret = 0;

	if (!d)
		return 0;
	f->entry.pid = pid;
	while (ret == 0 && (f->entry.tid = kt_pids_next(d)))
		ret = add_task(f, dirfd(d));
	closedir(d);
	return ret;
}

static int add_all(struct found *f)
{
	DIR *d = kt_pids_open(0);
	int ret = 0;
	pid_t pid;

	if (!d)
		return 0;
	while (ret == 0 && (pid = kt_pids_next(d)))
		ret = add_process(f, pid);
	closedir(d);
	return ret;
}

int kt_task_name_scan_add(struct kt_task_name_log *r, pid_t pid,
			  const struct kt_followed_pids *followed, uint64_t time)
{
	struct found f = {.log = r, .followed = followed, .entry.time = time};

	if (!kt_pids_are_the_kernels())
		return 0;
	return pid ? add_process(&f, pid) : add_all(&f);
}
