// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/unfinished_calls.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/pids.h"

/* Reads a small file of a thread in /proc. */
static bool read_file(const struct kt_unfinished_call *c, const char *name, char *to, size_t room)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", c->pid, c->tid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, to, room - 1);
	close(fd);
	if (n <= 0)
		return false;
	to[n] = '\0';
	return true;
}

static bool read_waits(struct kt_unfinished_call *c)
{
	static const char name[] = "\nvoluntary_ctxt_switches:";
	char text[4096];
	const char *at;

	if (!read_file(c, "status", text, sizeof(text)))
		return false;
	at = strstr(text, name);
	return at && sscanf(at + strlen(name), "%" SCNu64, &c->waits) == 1;
}

/*
 * The file has no such line for a thread that runs, or waits outside of a call; for a 32-bit call
 * the addresses are low.
 */
static bool read_call(struct kt_unfinished_call *c)
{
	enum { FIELDS = 1 + KT_ARGUMENTS + 2 };
	uint64_t *a = c->args;
	char text[256];

	return read_file(c, "syscall", text, sizeof(text)) &&
	       sscanf(text,
		      "%" SCNu32 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64
		      " %" SCNx64 " %" SCNx64 " %" SCNx64,
		      &c->number, &a[0], &a[1], &a[2], &a[3], &a[4], &a[5], &c->stack,
		      &c->at) == FIELDS &&
	       (c->stack > UINT32_MAX || c->at > UINT32_MAX);
}

static int add_thread(struct kt_unfinished_calls *o, pid_t pid, pid_t tid)
{
	struct kt_unfinished_call c = {.pid = pid, .tid = tid}, *grown;

	if (!read_waits(&c) || !read_call(&c))
		return 0;
	grown = kt_grow(o->calls, o->n, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	o->calls = grown;
	o->calls[o->n++] = c;
	return 0;
}

int kt_unfinished_calls_find(struct kt_unfinished_calls *o, pid_t pid, struct kt_error *err)
{
	DIR *d = kt_pids_open(pid);
	pid_t tid;
	int ret = 0;

	if (!d)
		return 0;
	while (ret == 0 && (tid = kt_pids_next(d)))
		ret = add_thread(o, pid, tid);
	closedir(d);
	return ret < 0 ? kt_fail(err, -ret, "%s", strerror(-ret)) : 0;
}

static bool is_still_there(const struct kt_unfinished_call *c)
{
	struct kt_unfinished_call now = {.pid = c->pid, .tid = c->tid};

	return read_call(&now) && read_waits(&now) && now.waits == c->waits &&
	       now.number == c->number;
}

void kt_unfinished_calls_settle(struct kt_unfinished_calls *o)
{
	size_t i, n = 0;

	for (i = 0; i < o->n; i++)
		if (is_still_there(&o->calls[i]))
			o->calls[n++] = o->calls[i];
	o->n = n;
}

void kt_unfinished_calls_clear(struct kt_unfinished_calls *o)
{
	free(o->calls);
	*o = (struct kt_unfinished_calls){0};
}

/* Page by page, since the next one may not exist. */
size_t kt_unfinished_calls_text(const struct kt_unfinished_call *c, uint64_t address, char *to,
				size_t room)
{
	enum { PAGE = 4096 };
	struct iovec from, here;
	size_t size = 0, part, len;

	while (size < room) {
		part = PAGE - (address + size) % PAGE;
		part = part < room - size ? part : room - size;
		from = (struct iovec){(void *)(uintptr_t)(address + size), part};
		here = (struct iovec){to + size, part};
		if (process_vm_readv(c->pid, &here, 1, &from, 1, 0) != (ssize_t)part)
			break;
		len = strnlen(to + size, part);
		size += len;
		if (len < part)
			return size + 1;
	}
	return size;
}
