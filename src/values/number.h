/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the numbers of a member by its notation and labels: 42, 0x1f, NET_RX, O_RDWR|O_CREAT,
 * 127.0.0.1 (doc/view.md).
 */
#ifndef KT_VALUES_NUMBER_H
#define KT_VALUES_NUMBER_H

#include <stddef.h>

struct kt_member;
struct kt_text;
struct kt_value;

/* Prints element i without labels. */
void kt_number_put(struct kt_text *t, const struct kt_member *m, const struct kt_value *v,
		   size_t i);

/* Prints element i by its label, if it has one; a wait status in words: (exited with 3). */
void kt_number_named(struct kt_text *t, const struct kt_member *m, const struct kt_value *v,
		     size_t i);

/* Prints element i as strace does: NULL for address 0, 0 without a base, modes of three digits. */
void kt_number_show(struct kt_text *t, const struct kt_member *m, const struct kt_value *v,
		    size_t i);

/* Prints a member that has symbols. */
void kt_number_symbol(struct kt_text *t, const struct kt_member *m, const struct kt_value *v);

/* Prints a whole array: a network address, or its elements. */
void kt_number_array(struct kt_text *t, const struct kt_member *m, const struct kt_value *v);

#endif
