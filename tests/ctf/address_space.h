/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bounded memory: a test fails if a reader trusts a size that a trace names. */
#ifndef KT_TESTS_CTF_ADDRESS_SPACE_H
#define KT_TESTS_CTF_ADDRESS_SPACE_H

#include <sys/resource.h>

/* Limits the test's address space; not with AddressSanitizer, whose shadow memory needs far more.
 */
static inline int limit_address_space(unsigned int mib)
{
#ifdef __SANITIZE_ADDRESS__
	(void)mib;
	return 0;
#else
	return setrlimit(RLIMIT_AS, &(struct rlimit){(rlim_t)mib << 20, RLIM_INFINITY});
#endif
}

#endif
