/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A BPF ring buffer: what programs on any CPU write to it is read here in the order in which they
 * took room. For what comes thousands of times a second, and not millions: they take it under one
 * lock (ring/ring.h has a ring for each CPU, and none).
 *
 *	struct kt_queue q;
 *
 *	kt_queue_make(&q, "kt_namings", 1 << 20, take, with, &err);
 *	kt_asm_move_map(a, BPF_REG_1, q.fd);		// a program calls bpf_ringbuf_output
 *	...
 *	kt_queue_read(&q);				// take(with, data, size) for each
 *	...
 *	kt_queue_free(&q);
 */
#ifndef KT_HOOK_QUEUE_H
#define KT_HOOK_QUEUE_H

#include <stddef.h>

struct kt_error;
struct ring_buffer;

struct kt_queue {
	int fd;
	struct ring_buffer *reader; /* NULL: there is none, and fd says nothing */
};

/* What is done with one: 0, or -errno, and no further one is read. */
typedef int (*kt_queue_take)(void *with, void *data, size_t size);

/*
 * Of so many bytes, a power of two and of pages; each that is written takes 8 more. `bpftool map`
 * shows it by its name, of at most 15 letters. 0, or -errno and nothing to free.
 */
int kt_queue_make(struct kt_queue *q, const char *name, size_t size, kt_queue_take take, void *with,
		  struct kt_error *err);

/* Programs that use it keep it alive for themselves. */
void kt_queue_free(struct kt_queue *q);

/* All that is there and whole. No system call. 0, or what take returned. */
int kt_queue_read(struct kt_queue *q);

#endif
