/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The BPF links by which the kernel runs one program: descriptors. Zeroed, there are none. */
#ifndef KT_HOOK_LINKS_H
#define KT_HOOK_LINKS_H

#include <stddef.h>
#include <stdint.h>

struct kt_error;

struct kt_links {
	size_t n;
	int *fds;
};

/* Adds a link, which kt_links_close() closes. On error closes it, and returns -ENOMEM. */
int kt_links_add(struct kt_links *links, int fd, struct kt_error *err);

/* Moves all links to another set. On error closes those not moved, and returns -ENOMEM. */
int kt_links_move(struct kt_links *to, struct kt_links *from, struct kt_error *err);

/*
 * Returns the hits that the kernel did not pass to a link, because a kprobe's handler was running
 * on that CPU, or too many returns were awaited (doc/points.md); 0 if it is none of this program,
 * no kprobe, or the kernel does not say so, before Linux 6.7.
 */
uint64_t kt_link_missed(int link, int program);

/* Programs that the kernel detaches from its functions later than their links are removed. */
struct kt_detached {
	size_t n;
	uint32_t *programs; /* their ids */
};

/*
 * Adds the program of a link that is about to be removed, if it is of that kind. If memory is
 * short, it is left out.
 */
void kt_detached_add(struct kt_detached *d, int link);

/*
 * Waits until the kernel has detached and freed them, at most a second in all, and forgets them. A
 * program that somebody else keeps is waited for in vain.
 */
void kt_detached_await(struct kt_detached *d);

/* Closes all links; those that are not pinned are then detached. */
void kt_links_close(struct kt_links *links);

#endif
