/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints structs that point to buffers, and reports where the memory of a list ended.
 *
 *	kt_vector_put(t, hit, i, 2, copied);	// [{iov_base="a", iov_len=1}, {iov_base=...}]
 */
#ifndef KT_VALUES_RECORD_VECTOR_TEXT_H
#define KT_VALUES_RECORD_VECTOR_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "trace/record_layout.h"

struct kt_hit;
struct kt_text;

/* Returns the pointer to a copy, if it is a member of a struct; or 0. */
uint64_t kt_pointer_within(const struct kt_hit *hit, size_t copy);

/*
 * Returns the address of the element after the first n of a copy, if the copy ends there because
 * the next page was unreadable; or 0.
 */
uint64_t kt_unreadable_element(const struct kt_hit *hit, size_t copy, size_t n);

/* Prints the first n structs of a copy and their buffers; dots follow if there are more. */
void kt_vector_put(struct kt_text *t, const struct kt_hit *hit, size_t structs, size_t n,
		   enum kt_copied copied);

#endif
