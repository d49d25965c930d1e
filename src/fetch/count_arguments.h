/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which argument or struct member says how much data another one points to, and in which unit.
 *
 *	kt_count_argument_is("ufds", "nfds");		// true
 *	kt_count_unit_of("inp", "n");			// KT_COUNT_BITS
 *	kt_count_elements(KT_COUNT_BITS, 65);		// 2
 */
#ifndef KT_FETCH_COUNT_ARGUMENTS_H
#define KT_FETCH_COUNT_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

/* What is counted. Elements of sets have 64 bits. */
enum kt_count_unit {
	KT_COUNT_ELEMENTS,
	KT_COUNT_BITS,  /* of a set */
	KT_COUNT_BYTES, /* of a set */
	KT_COUNT_NODES, /* bits of a set, and one more */
	KT_COUNT_PAGES, /* bytes of memory, with an element for each page */
};

/*
 * Returns whether the field `count` has the number of elements of the argument: "ufds" and "nfds",
 * "argv" and "__argv_count", or "ret" if the call returns it.
 */
bool kt_count_argument_is(const char *argument, const char *count);

/* Returns the unit of such a field. */
enum kt_count_unit kt_count_unit_of(const char *argument, const char *count);

/* How elements are computed, unless they are counted themselves: (count + round) >> shift. */
struct kt_count_rule {
	unsigned int round, shift;
};
struct kt_count_rule kt_count_rule_of(enum kt_count_unit unit);

/* Returns how many elements a count means. */
uint64_t kt_count_elements(enum kt_count_unit unit, uint64_t count);

#endif
