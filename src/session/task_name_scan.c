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

/* The last that was found. */
struct found {
	struct kt_task_name_log *roll;
	const struct kt_followed_pids *followed;
	struct kt_task_name naming;
};

/*
 * A worker of the kernel's has "kworker/1:2-events" there, what it works on behind the name that it
 * has everywhere else.
 */
static void cut_to_name(char *comm)
{
	static const char worker[] = "kworker/";
	if (strncmp(comm, worker, strlen(worker)) == 0 && comm[strlen(worker)] != 'R')
		comm[strcspn(comm, "-+")] = '\0';
}

/* One that has ended in the meantime is none. */
static int add_task(struct found *f, int dir)
{
	struct kt_task_name *naming = &f->naming;
	char path[32], comm[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%u/comm", naming->tid);
	fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, comm, sizeof(comm));
	close(fd);
	if (n <= 0)
		return 0;
	comm[n - 1] = '\0'; /* the end of the line */
	cut_to_name(comm);
	memset(naming->comm, 0, sizeof(naming->comm));
	memcpy(naming->comm, comm, strnlen(comm, sizeof(naming->comm) - 1));
	naming->followed = f->followed && kt_followed_pids_has(f->followed, naming->pid);
	return kt_task_name_log_add(f->roll, naming);
}

static int add_process(struct found *f, pid_t pid)
{
	DIR *d = kt_pids_open(pid);
	int ret = 0;

	if (!d)
		return 0;
	f->naming.pid = pid;
	while (ret == 0 && (f->naming.tid = kt_pids_next(d)))
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
	struct found f = {.roll = r, .followed = followed, .naming.time = time};

	if (!kt_pids_are_the_kernels())
		return 0;
	return pid ? add_process(&f, pid) : add_all(&f);
}
