/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel says about code that processes map: which file, with which build id. All
 * processes of the machine are watched from the start on, by an event of perf on each CPU.
 *
 *	struct kt_mapping_log *l = kt_mapping_log_new(&err);
 *
 *	kt_mapping_log_read(l, visit, with);	// what was mapped since the last call
 *	kt_mapping_log_free(l);
 *
 * A process that begins maps some ten files; each costs the kernel some us, and 100 to 200 bytes
 * until it is read.
 */
#ifndef KT_STACKS_MAPPING_LOG_H
#define KT_STACKS_MAPPING_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/callstacks.h"

struct kt_error;
struct kt_mapping_log;

struct kt_logged_mapping {
	int32_t pid;
	uint64_t time; /* ns of CLOCK_MONOTONIC */
	uint64_t begin, end, offset;
	bool has_build_id;
	uint8_t build_id[KT_BUILD_ID_SIZE];
	uint64_t inode;   /* without a build id; 0: no file */
	const char *path; /* absolute, as the process sees it; "//anon", "[vdso]"; until visit
			     returns */
};

typedef void (*kt_mapping_visit)(void *with, const struct kt_logged_mapping *m);

/* Starts watching. Returns NULL on error. */
struct kt_mapping_log *kt_mapping_log_new(struct kt_error *err);
void kt_mapping_log_free(struct kt_mapping_log *l);

/* Visits the mappings since the last call, those of each CPU in the order of time. */
void kt_mapping_log_read(struct kt_mapping_log *l, kt_mapping_visit visit, void *with);

/*
 * Returns whether no mapping was lost so far: all were read in time. False on kernels before 6.0,
 * which do not say. Takes a system call for each CPU.
 */
bool kt_mapping_log_is_complete(const struct kt_mapping_log *l);

#endif
