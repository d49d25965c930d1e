/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the files with a build id were seen.
 *
 *	struct kt_build_id_paths p = {0};
 *	const struct kt_build_id_path *found;
 *
 *	kt_build_id_paths_set(&p, &(struct kt_build_id_path){build_id, 42, begin, end, path});
 *	found = kt_build_id_paths_find(&p, build_id);
 *	kt_build_id_paths_clear(&p);
 */
#ifndef KT_STACKS_BUILD_ID_PATHS_H
#define KT_STACKS_BUILD_ID_PATHS_H

#include <stdint.h>
#include <sys/types.h>

#include "bpf/callstacks.h"

/* All zeros: none. */
struct kt_build_id_paths {
	void *tree; /* tsearch(3) */
};

struct kt_build_id_path {
	uint8_t build_id[KT_BUILD_ID_SIZE];
	pid_t pid;           /* a process that has mapped it */
	uint64_t begin, end; /* where */
	const char *path;    /* as that process sees it */
};

/* Notes where a file was seen last; copies all. Without memory nothing is noted. */
void kt_build_id_paths_set(struct kt_build_id_paths *p, const struct kt_build_id_path *path);

/* Returns where it was seen last; or NULL. */
const struct kt_build_id_path *kt_build_id_paths_find(const struct kt_build_id_paths *p,
						      const uint8_t id[KT_BUILD_ID_SIZE]);
void kt_build_id_paths_clear(struct kt_build_id_paths *p);

#endif
