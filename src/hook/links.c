// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/links.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"

/* What the kernel says of a link to a kprobe or to many, since Linux 6.7. */
struct link_info {
	uint32_t type, id, program, unused;
	union {
		struct {
			uint32_t type, unused;
			struct {
				uint64_t name;
				uint32_t name_size, offset;
				uint64_t address, missed;
			} kprobe;
		} perf_event;
		struct {
			uint64_t addresses;
			uint32_t n, flags;
			uint64_t missed;
		} multi;
		uint32_t attach_type; /* of a LINK_TRACING */
	};
};

enum {
	LINK_TRACING = 2,
	LINK_PERF_EVENT = 7,
	LINK_KPROBE_MULTI = 8,
	EVENT_KPROBE = 3,
	EVENT_KRETPROBE = 4
};

static uint64_t get_missed(const struct link_info *info)
{
	if (info->type == LINK_KPROBE_MULTI)
		return info->multi.missed;
	if (info->type != LINK_PERF_EVENT ||
	    (info->perf_event.type != EVENT_KPROBE && info->perf_event.type != EVENT_KRETPROBE))
		return 0;
	return info->perf_event.kprobe.missed;
}

static uint32_t get_program_id(int program)
{
	struct bpf_prog_info info = {};
	uint32_t size = sizeof(info);

	return bpf_obj_get_info_by_fd(program, &info, &size) < 0 ? 0 : info.id;
}

uint64_t kt_link_missed(int link, int program)
{
	struct link_info info = {};
	uint32_t size = sizeof(info);

	if (bpf_obj_get_info_by_fd(link, &info, &size) < 0 ||
	    info.program != get_program_id(program))
		return 0;
	return get_missed(&info);
}

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

/* Programs of tracepoints have links of that type, too. */
void kt_detached_add(struct kt_detached *d, int link)
{
	struct link_info info = {};
	uint32_t size = sizeof(info), *larger;

	if (bpf_obj_get_info_by_fd(link, &info, &size) < 0 || info.type != LINK_TRACING ||
	    info.attach_type == BPF_TRACE_RAW_TP)
		return;
	larger = kt_grow(d->programs, d->n, sizeof(*larger));
	if (!larger)
		return;
	d->programs = larger;
	d->programs[d->n++] = info.program;
}

/* A program is freed after it was detached; the id of a link is gone before. */
static bool is_freed(uint32_t program)
{
	int fd = bpf_prog_get_fd_by_id(program);

	if (fd < 0)
		return true;
	close(fd);
	return false;
}

void kt_detached_await(struct kt_detached *d)
{
	enum { MS = 1000000, WAIT_MS = 2 };
	const struct timespec wait = {.tv_nsec = WAIT_MS * MS};
	int left = 1000 / WAIT_MS;

	while (d->n && left) {
		if (is_freed(d->programs[d->n - 1])) {
			d->n--;
		} else {
			nanosleep(&wait, NULL);
			left--;
		}
	}
	free(d->programs);
	*d = (struct kt_detached){0};
}

void kt_links_close(struct kt_links *links)
{
	while (links->n)
		close(links->fds[--links->n]);
	free(links->fds);
	links->fds = NULL;
}
