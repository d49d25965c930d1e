// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/wakeup.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "hook/capabilities.h"

struct kt_wakeup {
	int map;
	struct ring_buffer *ring;
};

/* The output has no content: only that there was one counts. */
static int discard_output(void *arg, void *output, size_t size)
{
	(void)arg;
	(void)output;
	(void)size;
	return 0;
}

struct kt_wakeup *kt_wakeup_new(struct kt_error *err)
{
	struct kt_wakeup *w = malloc(sizeof(*w));

	if (!w) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	w->map = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "kt_wakeup", 0, 0, sysconf(_SC_PAGESIZE),
				NULL);
	if (w->map < 0) {
		kt_capabilities_fail(err, -w->map, "cannot make a BPF ring buffer");
		free(w);
		return NULL;
	}
	w->ring = ring_buffer__new(w->map, discard_output, NULL, NULL);
	if (!w->ring) {
		kt_fail(err, errno, "cannot read a BPF ring buffer: %s", strerror(errno));
		close(w->map);
		free(w);
		return NULL;
	}
	return w;
}

void kt_wakeup_free(struct kt_wakeup *w)
{
	if (!w)
		return;
	ring_buffer__free(w->ring);
	close(w->map);
	free(w);
}

int kt_wakeup_map(const struct kt_wakeup *w)
{
	return w->map;
}

int kt_wakeup_fd(const struct kt_wakeup *w)
{
	return ring_buffer__epoll_fd(w->ring);
}

void kt_wakeup_clear(struct kt_wakeup *w)
{
	ring_buffer__consume(w->ring);
}
