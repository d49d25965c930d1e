/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code that was mapped last, by all processes: it tells in which file an address was at some
 * time, although the process is gone.
 *
 *	struct kt_recent_mappings r = {0};
 *
 *	kt_recent_mappings_add(&r, &logged);		// of a stacks/mapping_log.h
 *	m = kt_recent_mappings_find(&r, 42, time, address);
 *	kt_recent_mappings_clear(&r);
 */
#ifndef KT_STACKS_RECENT_MAPPINGS_H
#define KT_STACKS_RECENT_MAPPINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "stacks/mapping_log.h"

/* All zeros: none. */
struct kt_recent_mappings {
	struct kt_logged_mapping *of; /* in the order they were added; the paths are its own */
	size_t n, oldest;
	uint64_t forgotten; /* the latest time of those that are no longer here */
};

/* Adds a mapping; forgets the oldest one if there are 4096. */
void kt_recent_mappings_add(struct kt_recent_mappings *r, const struct kt_logged_mapping *m);
void kt_recent_mappings_clear(struct kt_recent_mappings *r);

/* Returns the latest mapping that contains the address, up to that time; or NULL. */
const struct kt_logged_mapping *kt_recent_mappings_find(const struct kt_recent_mappings *r,
							pid_t pid, uint64_t time, uint64_t address);

/* Returns whether the process has surely mapped no code there after that time. */
bool kt_recent_mappings_none(const struct kt_recent_mappings *r, pid_t pid, uint64_t after,
			     uint64_t begin, uint64_t end);

#endif
