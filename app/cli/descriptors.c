// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "app/cli/command.h"
#include "base/error.h"

static struct rlimit original; /* limit of open files */
static bool is_raised;

/* open() returns the lowest free number: fd itself, since lower ones are open. */
static void open_if_closed(int fd)
{
	int flags = (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC;

	if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", flags) != fd)
		_exit(EXIT_FAILED);
}

void prepare_descriptors(void)
{
	struct rlimit files;
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		open_if_closed(fd);
	if (getrlimit(RLIMIT_NOFILE, &original) < 0)
		return;
	files = (struct rlimit){original.rlim_max, original.rlim_max};
	is_raised = setrlimit(RLIMIT_NOFILE, &files) == 0;
}

bool output_is_closed(void)
{
	struct pollfd output = {.fd = STDOUT_FILENO};

	return poll(&output, 1, 0) == 1 && output.revents & (POLLERR | POLLHUP);
}

unsigned long files_limit(void)
{
	struct rlimit files = {0};

	getrlimit(RLIMIT_NOFILE, &files);
	return files.rlim_cur;
}

void restore_files_limit(void)
{
	if (is_raised)
		setrlimit(RLIMIT_NOFILE, &original);
}

int reserve_descriptors(struct descriptor_reserve *r, size_t n, struct kt_error *err)
{
	int fd;

	*r = (struct descriptor_reserve){.fds = calloc(n, sizeof(*r->fds))};
	if (!r->fds)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	while (r->n < n) {
		fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
		if (fd < 0) {
			kt_fail(err, errno, "cannot reserve %zu file descriptors: %s", n,
				strerror(errno));
			release_descriptors(r);
			return -err->code;
		}
		r->fds[r->n++] = fd;
	}
	return 0;
}

void release_descriptors(struct descriptor_reserve *r)
{
	while (r->n > 0)
		close(r->fds[--r->n]);
	free(r->fds);
	*r = (struct descriptor_reserve){0};
}
