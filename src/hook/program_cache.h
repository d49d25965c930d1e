/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads programs, those with equal instructions once: most of the time that a program takes is the
 * verifier's.
 *
 *	struct kt_program_cache c = {0};
 *
 *	a = kt_program_cache_load(&c, kind, "syscalls:sys_enter_close", code, &err);
 *	b = kt_program_cache_load(&c, kind, "syscalls:sys_enter_fchdir", equal_code, &err);
 *	kt_program_cache_free(&c);
 *	...
 *	close(a), close(b);		// two descriptors of one program
 */
#ifndef KT_HOOK_PROGRAM_CACHE_H
#define KT_HOOK_PROGRAM_CACHE_H

#include <stddef.h>

#include "hook/program.h"

struct kt_cached_program;

/* An empty one is all 0. Holds a descriptor and the instructions of each program. */
struct kt_program_cache {
	struct kt_cached_program *programs;
	size_t n;
};

/*
 * As kt_program_load(); but returns another descriptor of the first program with these
 * instructions, which has the name of its own event. While programs are shown (kt_program_show),
 * each is loaded.
 */
int kt_program_cache_load(struct kt_program_cache *c, struct kt_program_kind kind,
			  const char *event, struct kt_asm *code, struct kt_error *err);

/* Empties the cache. Programs that were loaded remain. */
void kt_program_cache_free(struct kt_program_cache *c);

#endif
