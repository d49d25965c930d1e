// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/data_dump.h"

#include <ctype.h>
#include <stdint.h>

#include "trace/read/metadata_reader.h"
#include "trace/read/stream_reader.h"
#include "trace/read/syscall_pairs.h"
#include "values/text.h"

enum { ROW = 16, HALF = ROW / 2, OFFSET_DIGITS = 5, HEX_WIDTH = 3 * ROW + 1 };

bool kt_fd_set_has(const struct kt_fd_set *set, int fd)
{
	size_t i = 0;

	while (i < set->n && set->fds[i] != fd)
		i++;
	return (i < set->n) != set->is_inverted;
}

/* Puts an offset in hex, with at least five digits. */
static void put_offset(struct kt_text *t, size_t n)
{
	size_t digits = 1, rest;

	for (rest = n; rest >= 16; rest /= 16)
		digits++;
	if (digits < OFFSET_DIGITS)
		kt_text_fill(t, OFFSET_DIGITS - digits, '0');
	kt_text_hex_digits(t, n);
}

/* Puts up to 16 bytes in hex, with a gap in the middle. */
static void put_hex(struct kt_text *t, const unsigned char *at, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	size_t i, width = 0;

	for (i = 0; i < n; i++) {
		if (i == HALF)
			kt_text_char(t, ' ');
		kt_text_char(t, digits[at[i] >> 4]);
		kt_text_char(t, digits[at[i] & 15]);
		kt_text_char(t, ' ');
		width += i == HALF ? 4 : 3;
	}
	kt_text_fill(t, HEX_WIDTH - width, ' ');
}

static void put_row(struct kt_text *t, size_t offset, const unsigned char *at, size_t n)
{
	size_t i;

	kt_text_string(t, " | ");
	put_offset(t, offset);
	kt_text_string(t, "  ");
	put_hex(t, at, n);
	kt_text_char(t, ' ');
	for (i = 0; i < n; i++)
		kt_text_char(t, at[i] < 0x80 && isprint(at[i]) ? at[i] : '.');
	kt_text_fill(t, ROW - n, ' ');
	kt_text_string(t, " |\n");
}

static void put_bytes(struct kt_text *t, const struct kt_value *v, enum kt_copied copied)
{
	const unsigned char *at = (const unsigned char *)v->data;
	size_t i, n;

	for (i = 0; i < v->n; i += n) {
		n = v->n - i < ROW ? v->n - i : ROW;
		put_row(t, i, at + i, n);
	}
	if (copied == KT_COPIED_PART)
		kt_text_string(t, " | ...\n");
}

/* Prints " * 26 bytes in buffer 0", and the bytes. */
static void put_buffer(struct kt_text *t, size_t i, uint64_t length, const struct kt_buffer *b)
{
	kt_text_string(t, " * ");
	kt_text_number(t, b->copied == KT_COPIED_PART ? length : b->value.n);
	kt_text_string(t, " bytes in buffer ");
	kt_text_number(t, i);
	kt_text_char(t, '\n');
	put_bytes(t, &b->value, b->copied);
}

static void put_vector(struct kt_text *t, const struct kt_hit *hit, size_t structs)
{
	struct kt_buffers all = kt_buffers_of(&hit->event->fields, hit->values, structs);
	const char *at = all.structs->data;
	size_t i, size = hit->event->fields.members[structs].width;
	struct kt_buffer next;

	for (i = 0; kt_buffers_next(&all, &next); i++)
		if (kt_is_copied(next.copied) && next.value.n > 0)
			put_buffer(t, i, kt_record_layout_number(all.of, at + i * size, 1), &next);
}

/* Prints a copy if it is data, or structs that point to data. Returns whether it is. */
static bool put_copy(struct kt_text *t, const struct kt_hit *hit, size_t i)
{
	const struct kt_member *m = &hit->event->fields.members[i];
	enum kt_copied copied = kt_record_layout_copied(&hit->event->fields, hit->values, i);
	bool is_bytes = !m->text && !m->of && m->notation == KT_BYTES;

	if (!kt_is_copied(copied) || (!is_bytes && !m->buffers))
		return false;
	if (is_bytes)
		put_bytes(t, &hit->values[i], copied);
	else
		put_vector(t, hit, i);
	return true;
}

/* Returns the first argument, which is a descriptor in these calls. */
static int get_fd(const struct kt_hit *entry)
{
	const struct kt_member *m = entry->event->fields.members;
	size_t i = 0, n = entry->event->fields.n_members;

	while (i < n && m[i].is_no_argument)
		i++;
	return i < n && kt_member_is_number(&m[i])
		       ? (int)kt_value_number(&m[i], &entry->values[i], 0)
		       : -1;
}

static void put_written(struct kt_text *t, const struct kt_hit *entry)
{
	size_t i, copy;

	for (i = 0; i < entry->event->fields.n_members; i++) {
		copy = entry->event->fields.members[i].pointed;
		if (copy && put_copy(t, entry, copy))
			return;
	}
}

static void put_read(struct kt_text *t, const struct kt_call *call, const struct kt_hit *exit)
{
	size_t i, given;

	for (i = 0; i < call->entry->event->fields.n_members; i++) {
		given = call->kind->given[i];
		if (given && put_copy(t, exit, given))
			return;
	}
}

void kt_data_dump_put(struct kt_text *t, const struct kt_data_dumps *dumps,
		      const struct kt_call *call, const struct kt_hit *exit)
{
	bool reads = call->kind->form == KT_CALL_READS, writes = call->kind->form == KT_CALL_WRITES;

	if ((!reads && !writes) || kt_syscall_pairs_failed(exit, call->kind->ret) ||
	    !kt_fd_set_has(reads ? &dumps->reads : &dumps->writes, get_fd(call->entry)))
		return;
	if (reads)
		put_read(t, call, exit);
	else
		put_written(t, call->entry);
}
