/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the value of one field in a line: 42, 0x1f, NET_RX, 127.0.0.1, "/etc/passwd"
 * (doc/view.md).
 */
#ifndef KT_VALUES_RECORD_FIELD_TEXT_H
#define KT_VALUES_RECORD_FIELD_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct kt_hit;
struct kt_text;

/*
 * A limited text (values/text.h) cuts the data that a call reads or writes, arrays whose length the
 * call gives, and lists of texts and each text in them; paths are never cut.
 */

/* Prints member i; pointed-to data is printed instead of its pointer, if it was copied. */
void kt_field_text_print(struct kt_text *to, const struct kt_hit *hit, size_t i);

/*
 * Prints the same as strace does: NULL for a null pointer, 0 without a base, modes of three digits.
 */
void kt_field_text_show(struct kt_text *to, const struct kt_hit *hit, size_t i);

/*
 * Returns whether an argument is the pointer that its type says, not a number (as another argument
 * may decide).
 */
bool kt_field_is_pointer(const struct kt_hit *hit, size_t i);

/* Prints a copy of pointed-to data, or a question mark. */
void kt_field_text_copy(struct kt_text *to, const struct kt_hit *hit, size_t i);

/*
 * Prints a copy that the call also read, as member `from` of its entry: numbers, also in structs,
 * as [128 => 16] if both are known and differ.
 */
void kt_field_text_change(struct kt_text *to, const struct kt_hit *entry, size_t from,
			  const struct kt_hit *hit, size_t i);

#endif
