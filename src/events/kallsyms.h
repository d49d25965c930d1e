/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of the kernel's functions, and other things of it that have a name, lie at some addresses.
 *
 *	struct kt_symbols symbols = {};
 *
 *	kt_kallsyms_find("/proc/kallsyms", addresses, n, &symbols, &err);
 *
 * Reads all of the file, 5 MB and 60 ms here, and keeps what is asked for alone.
 */
#ifndef KT_EVENTS_KALLSYMS_H
#define KT_EVENTS_KALLSYMS_H

#include <stddef.h>
#include <stdint.h>

struct kt_error;
struct kt_symbols;

/*
 * Of the addresses, from the lowest on and each once, those that lie in a symbol: these are added
 * to the symbols, which are empty. A symbol goes up to the next one; where that is another
 * module's, or there is none, for 64 KiB at most, since what lies between is nobody's. Of several
 * at one address it is the first one, as with the kernel itself.
 *
 * -EPERM in err where the kernel keeps its addresses for itself (kernel.kptr_restrict), -ENOENT
 * where there is no such file, or another -errno; or 0.
 */
int kt_kallsyms_find(const char *path, const uint64_t *addresses, size_t n,
		     struct kt_symbols *symbols, struct kt_error *err);

#endif
