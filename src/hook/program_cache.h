/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads programs, those with equal instructions once, and on all CPUs at the same time: most of the
 * time that a program takes is the verifier's.
 *
 *	struct kt_program_cache *c = kt_program_cache_new(&err);
 *
 *	kt_program_cache_expect(c, kind, "syscalls:sys_enter_close", code);
 *	...				// generates others meanwhile
 *	a = kt_program_cache_load(c, kind, "syscalls:sys_enter_close", equal_code, &err);
 *	b = kt_program_cache_load(c, kind, "syscalls:sys_enter_fchdir", equal_code, &err);
 *	kt_program_cache_free(c);
 *	...
 *	close(a), close(b);		// two descriptors of one program
 */
#ifndef KT_HOOK_PROGRAM_CACHE_H
#define KT_HOOK_PROGRAM_CACHE_H

#include "hook/program.h"

struct kt_program_cache;

/* Returns an empty cache, or NULL without memory. It has a descriptor of each program. */
struct kt_program_cache *kt_program_cache_new(struct kt_error *err);

/* Waits for programs that are being loaded, and closes its descriptors. */
void kt_program_cache_free(struct kt_program_cache *c);

/*
 * Loads a program in the background, by a thread per CPU, unless it is known already. Takes
 * ownership of the code. If that fails, kt_program_cache_load() tries again, and reports why.
 */
void kt_program_cache_expect(struct kt_program_cache *c, struct kt_program_kind kind,
			     const char *event, struct kt_asm *code);

/*
 * As kt_program_load(), for code whose maps exist for as long as the cache; but returns another
 * descriptor of the first program with these instructions, which has the name of its own event.
 * While programs are shown (kt_program_show), each is loaded.
 */
int kt_program_cache_load(struct kt_program_cache *c, struct kt_program_kind kind,
			  const char *event, struct kt_asm *code, struct kt_error *err);

#endif
