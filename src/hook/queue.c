// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/queue.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "hook/rights.h"

int kt_queue_make(struct kt_queue *q, const char *name, size_t size, kt_queue_take take, void *with,
		  struct kt_error *err)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, name, 0, 0, size, NULL);

	*q = (struct kt_queue){.fd = -1};
	if (fd < 0)
		return kt_rights_fail(err, -fd, "cannot make a BPF ring buffer");
	q->reader = ring_buffer__new(fd, take, with, NULL);
	if (!q->reader) {
		kt_fail(err, errno, "cannot map a BPF ring buffer: %s", strerror(errno));
		close(fd);
		return -err->code;
	}
	q->fd = fd;
	return 0;
}

void kt_queue_free(struct kt_queue *q)
{
	if (!q->reader)
		return;
	ring_buffer__free(q->reader);
	close(q->fd);
	*q = (struct kt_queue){.fd = -1};
}

int kt_queue_read(struct kt_queue *q)
{
	int ret = ring_buffer__consume(q->reader);

	return ret < 0 ? ret : 0;
}
