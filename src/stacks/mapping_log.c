// SPDX-License-Identifier: GPL-2.0-or-later
#include "stacks/mapping_log.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/cpus.h"
#include "base/error.h"
#include "hook/capabilities.h"

enum { DATA_SIZE = 256 << 10, RECORD_MAX = 1 << 16 };

/* A ring of the kernel: a page with the positions, and the data. */
struct ring {
	struct perf_event_mmap_page *page; /* NULL: the CPU is not there */
	int fd;
};

struct kt_mapping_log {
	bool counts_lost;
	char *record; /* one that continues at the begin of the ring */
	size_t page_size, n;
	struct ring rings[];
};

/* What follows the header of a PERF_RECORD_MMAP2, up to the path. */
struct mapping {
	uint32_t pid, tid;
	uint64_t begin, size, offset;
	union {
		struct {
			uint8_t build_id_size, reserved[3];
			uint8_t build_id[KT_BUILD_ID_SIZE];
		};
		struct {
			uint32_t major, minor;
			uint64_t inode, generation;
		};
	};
	uint32_t protection, flags;
};

/* What every record ends with, as sample_type says. */
struct trailer {
	uint32_t pid, tid;
	uint64_t time;
};

static int open_event(int cpu, bool counts_lost)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.read_format = counts_lost ? PERF_FORMAT_LOST : 0,
		.sample_id_all = 1,
		.mmap = 1,
		.mmap2 = 1,
		.build_id = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
		.wakeup_watermark = DATA_SIZE,
	};

	return syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* A CPU that is off has none. */
static int open_ring(struct kt_mapping_log *l, int cpu, struct kt_error *err)
{
	struct ring *r = &l->rings[cpu];
	void *memory;

	r->fd = open_event(cpu, l->counts_lost);
	if (r->fd < 0 && errno == EINVAL) {
		l->counts_lost = false;
		r->fd = open_event(cpu, false);
	}
	if (r->fd < 0)
		return errno == ENODEV ? 0
				       : kt_capabilities_fail(
						 err, errno, "cannot watch which files are mapped");
	memory = mmap(NULL, l->page_size + DATA_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);
	if (memory == MAP_FAILED)
		return kt_fail(err, errno, "cannot watch which files are mapped: %s",
			       strerror(errno));
	r->page = memory;
	return 0;
}

static int open_rings(struct kt_mapping_log *l, struct kt_error *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < l->n; i++)
		l->rings[i].fd = -1;
	for (i = 0; i < l->n && ret == 0; i++)
		ret = open_ring(l, i, err);
	return ret;
}

struct kt_mapping_log *kt_mapping_log_new(struct kt_error *err)
{
	int n = kt_cpus_possible(err);
	struct kt_mapping_log *l = NULL;

	if (n < 0)
		return NULL;
	l = calloc(1, sizeof(*l) + n * sizeof(*l->rings));
	if (l)
		l->record = malloc(RECORD_MAX);
	if (!l || !l->record) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		free(l);
		return NULL;
	}
	l->counts_lost = true;
	l->page_size = sysconf(_SC_PAGESIZE);
	l->n = n;
	if (open_rings(l, err) == 0)
		return l;
	kt_mapping_log_free(l);
	return NULL;
}

void kt_mapping_log_free(struct kt_mapping_log *l)
{
	size_t i;

	if (!l)
		return;
	for (i = 0; i < l->n; i++) {
		if (l->rings[i].page)
			munmap(l->rings[i].page, l->page_size + DATA_SIZE);
		if (l->rings[i].fd >= 0)
			close(l->rings[i].fd);
	}
	free(l->record);
	free(l);
}

/* Returns the record at a position, in one piece. */
static const struct perf_event_header *get_record(struct kt_mapping_log *l, const struct ring *r,
						  uint64_t at)
{
	const char *data = (const char *)r->page + r->page->data_offset;
	const struct perf_event_header *h = (const void *)(data + at % DATA_SIZE);
	size_t to_end = DATA_SIZE - at % DATA_SIZE;

	if (h->size <= to_end)
		return h;
	memcpy(l->record, h, to_end);
	memcpy(l->record + to_end, data, h->size - to_end);
	return (const void *)l->record;
}

static void visit_mapping(const struct perf_event_header *h, kt_mapping_visit visit, void *with)
{
	const struct mapping *m = (const void *)(h + 1);
	struct kt_logged_mapping logged = {
		.pid = m->pid,
		.begin = m->begin,
		.end = m->begin + m->size,
		.offset = m->offset,
		.path = (const char *)(m + 1),
		.has_build_id = h->misc & PERF_RECORD_MISC_MMAP_BUILD_ID,
	};
	struct trailer trailer;

	memcpy(&trailer, (const char *)h + h->size - sizeof(trailer), sizeof(trailer));
	logged.time = trailer.time;
	if (logged.has_build_id)
		memcpy(logged.build_id, m->build_id,
		       m->build_id_size < KT_BUILD_ID_SIZE ? m->build_id_size : KT_BUILD_ID_SIZE);
	else
		logged.inode = m->inode;
	visit(with, &logged);
}

static void read_ring(struct kt_mapping_log *l, const struct ring *r, kt_mapping_visit visit,
		      void *with)
{
	uint64_t head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE),
		 at = r->page->data_tail;
	const struct perf_event_header *h;

	for (; at < head; at += h->size) {
		h = get_record(l, r, at);
		if (h->type == PERF_RECORD_MMAP2)
			visit_mapping(h, visit, with);
	}
	__atomic_store_n(&r->page->data_tail, at, __ATOMIC_RELEASE);
}

void kt_mapping_log_read(struct kt_mapping_log *l, kt_mapping_visit visit, void *with)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (l->rings[i].page)
			read_ring(l, &l->rings[i], visit, with);
}

/* As the kernel writes with PERF_FORMAT_LOST. */
struct counts {
	uint64_t value, lost;
};

bool kt_mapping_log_is_complete(const struct kt_mapping_log *l)
{
	bool is_complete = l->counts_lost;
	struct counts counts;
	size_t i;

	for (i = 0; i < l->n && is_complete; i++)
		if (l->rings[i].page)
			is_complete =
				read(l->rings[i].fd, &counts, sizeof(counts)) == sizeof(counts) &&
				!counts.lost;
	return is_complete;
}
