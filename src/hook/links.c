// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/links.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"

int kt_links_add(struct kt_links *links, int fd, struct kt_error *err)
{
	int *larger = kt_grow(links->fds, links->n, sizeof(*larger));

	if (!larger) {
		close(fd);
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	}
	links->fds = larger;
	links->fds[links->n++] = fd;
	return 0;
}

int kt_links_move(struct kt_links *to, struct kt_links *from, struct kt_error *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < from->n; i++)
		ret = kt_links_add(to, from->fds[i], err);
	while (i < from->n)
		close(from->fds[i++]);
	from->n = 0;
	kt_links_close(from);
	return ret;
}

void kt_links_close(struct kt_links *links)
{
	while (links->n)
		close(links->fds[--links->n]);
	free(links->fds);
	links->fds = NULL;
}
