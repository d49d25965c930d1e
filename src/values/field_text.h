/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The value of one field, in a line: 42, 0x1f, NET_RX, 127.0.0.1, "/etc/passwd" (doc/view.md).
 */
#ifndef KT_VALUES_FIELD_TEXT_H
#define KT_VALUES_FIELD_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct kt_hit;
struct kt_text;

/*
 * Of a text that is limited (values/text.h) this holds for what a call reads or writes, for the
 * elements of arrays that are as many as it says, and for lists of texts and each of these; paths
 * are whole.
 */

/* That of the member; what a pointer leads to stands in its place, where it is known. */
void kt_field_text_print(struct kt_text *to, const struct kt_hit *hit, size_t i);

/* The same as strace has it: NULL, 0 without a base, permissions of three digits. */
void kt_field_text_show(struct kt_text *to, const struct kt_hit *hit, size_t i);

/* Whether an argument is the pointer that its type says, and no number for another argument. */
bool kt_field_is_pointer(const struct kt_hit *hit, size_t i);

/* Of a pointee: what was copied, or a question mark. */
void kt_field_text_copy(struct kt_text *to, const struct kt_hit *hit, size_t i);

/*
 * The same of one that a call was given, too, as the pointee of that member of its entry: numbers,
 * in structs, too, as before and after, [128 => 16], where they are known and differ.
 */
void kt_field_text_change(struct kt_text *to, const struct kt_hit *entry, size_t from,
			  const struct kt_hit *hit, size_t i);

#endif
