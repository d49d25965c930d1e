/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numbers of a member, in a line, as its notation and its labels have them: 42, 0x1f, NET_RX,
 * O_RDWR|O_CREAT, 127.0.0.1 (doc/view.md).
 */
#ifndef KT_VALUES_NUMBER_H
#define KT_VALUES_NUMBER_H

#include <stddef.h>

struct kt_member;
struct kt_text;
struct kt_value;

/* Element i of it, without a name. */
void kt_number_put(struct kt_text *t, const struct kt_member *m, const struct kt_value *v,
		   size_t i);

/* By its name, where it has one. */
void kt_number_named(struct kt_text *t, const struct kt_member *m, const struct kt_value *v,
		     size_t i);

/* As strace has it: no address is NULL, 0 has no base, and permissions have three digits. */
void kt_number_show(struct kt_text *t, const struct kt_member *m, const struct kt_value *v,
		    size_t i);

/* One that has symbols. */
void kt_number_symbol(struct kt_text *t, const struct kt_member *m, const struct kt_value *v);

/* All of an array: an address of a network, or its elements. */
void kt_number_array(struct kt_text *t, const struct kt_member *m, const struct kt_value *v);

#endif
