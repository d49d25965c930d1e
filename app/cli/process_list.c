// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/process_list.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "session/session.h"
#include "session/task_names.h"

static bool has_process(const struct processes *p, pid_t pid)
{
	size_t i = 0;

	while (i < p->n && p->pids[i] != pid)
		i++;
	return i < p->n;
}

static int add_process(struct processes *p, pid_t pid)
{
	struct pollfd *fds = reallocarray(p->fds, p->n + 1, sizeof(*fds));
	pid_t *pids = reallocarray(p->pids, p->n + 1, sizeof(*pids));
	int fd;

	p->fds = fds ? fds : p->fds;
	p->pids = pids ? pids : p->pids;
	if (!fds || !pids)
		return -ENOMEM;
	fd = syscall(SYS_pidfd_open, pid, 0);
	if (fd < 0)
		return -errno;
	p->fds[p->n] = (struct pollfd){.fd = fd, .events = POLLIN};
	p->pids[p->n++] = pid;
	return 0;
}

/* Returns the decimal number that begins at *at; 0 if there is none. */
static pid_t parse_pid(const char **at)
{
	const char *c = *at;
	long pid = 0;

	for (; *c >= '0' && *c <= '9'; c++)
		if (pid < INT_MAX)
			pid = 10 * pid + *c - '0';
	*at = c;
	return *c && *c != ',' ? 0 : pid > INT_MAX ? INT_MAX : pid;
}

/*
 * Returns the reason; the kernel's own where pidfds are too new for it, or the number is a
 * thread's.
 */
static const char *get_reason(int code)
{
	switch (code) {
	case ESRCH:
		return "no such process";
	case EINVAL:
	case ENOENT:
		return "a thread, not a process";
	default:
		return strerror(code);
	}
}

int processes_add(struct processes *p, const char *text, struct kt_error *err)
{
	const char *at = text;
	size_t begin, len;
	pid_t pid;
	int ret;

	for (;; at++) {
		begin = at - text;
		len = strcspn(at, ",");
		pid = parse_pid(&at);
		if (!pid)
			return kt_fail_at(err, EINVAL, text, begin, len, "not a process number");
		ret = has_process(p, pid) ? 0 : add_process(p, pid);
		if (ret < 0)
			return kt_fail_at(err, -ret, text, begin, len, "cannot follow %.*s: %s",
					  (int)len, text + begin, get_reason(-ret));
		if (!*at)
			return 0;
	}
}

void processes_free(struct processes *p)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		close(p->fds[i].fd);
	free(p->fds);
	free(p->pids);
	*p = (struct processes){0};
}

static bool has_ended(struct pollfd *fd)
{
	return poll(fd, 1, 0) == 1;
}

/*
 * A process that still runs when it is followed is the one that was named: if its number is reused
 * later, the fork ends the following.
 */
int processes_follow(struct processes *p, struct kt_session *s, struct kt_error *err)
{
	size_t i;
	int ret;

	for (i = 0; i < p->n; i++) {
		ret = kt_session_follow_process(s, p->pids[i], err);
		if (has_ended(&p->fds[i]))
			return kt_fail(err, ESRCH, "cannot follow %d: it has ended", p->pids[i]);
		if (ret < 0)
			return ret;
	}
	return 0;
}

int processes_name(const struct processes *p, struct kt_session *s, struct kt_error *err)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		if (kt_task_names_find(kt_session_task_names(s), p->pids[i], err) < 0)
			return -err->code;
	return 0;
}

bool processes_have_all_ended(struct processes *p)
{
	return p->n && poll(p->fds, p->n, 0) == (int)p->n;
}
