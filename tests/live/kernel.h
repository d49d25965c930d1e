/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The running kernel's tracefs and types, for a group of live tests. */
#ifndef KT_TESTS_KERNEL_H
#define KT_TESTS_KERNEL_H

#include "ctypes/btf.h"
#include "tests/live/calls.h"

static struct {
	int tracefs;
	struct kt_btf *btf;
} kernel;

/* Group setup and teardown. */
static inline int open_kernel(void **state)
{
	struct kt_error err;

	if (read_ids(state) < 0)
		return -1;
	kernel.tracefs = kt_tracefs_open(&err);
	kernel.btf = kt_btf_new();
	return kernel.btf ? 0 : -1;
}

static inline int close_kernel(void **state)
{
	(void)state;
	kt_btf_free(kernel.btf);
	close(kernel.tracefs);
	return 0;
}

#endif
