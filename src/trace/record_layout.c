// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/record_layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/grow.h"
#include "ctypes/struct_layout.h"

/* The elements of a member, or their number. */
struct kt_piece {
	const char *name; /* as in metadata */
	size_t member;
	unsigned int width;
	size_t count;    /* unless the piece before has the number of this member's elements */
	size_t n_values; /* values per element, for structs of varying number */
	bool is_length, varies;
};

static int add_piece(struct kt_record_layout *s, const struct kt_piece *piece)
{
	struct kt_piece *pieces = kt_grow(s->pieces, s->n_pieces, sizeof(*pieces));

	if (!pieces)
		return -ENOMEM;
	s->pieces = pieces;
	pieces[s->n_pieces++] = *piece;
	return 0;
}

static void set_member(struct kt_member *m, const char *name, const struct kt_member *member)
{
	*m = *member;
	m->name = name + (*name == '_');
	m->pads = kt_struct_layout_pads(m->name);
	m->gives = kt_struct_layout_gives(m->name);
	m->returns = kt_struct_layout_returns(m->name);
	m->is_no_argument = strcmp(m->name, "__syscall_nr") == 0 || strcmp(m->name, "pos_h") == 0;
	m->form = kt_number_form_of(m->name);
}

/* Returns the values of one element. */
static size_t count_element_values(const struct kt_member *m)
{
	return m->of ? KT_STRUCT_VALUES + m->of->n_values : 1;
}

static void count_values(struct kt_record_layout *s, const struct kt_member *m, size_t n)
{
	size_t more;

	if (__builtin_mul_overflow(n, count_element_values(m), &more) ||
	    __builtin_add_overflow(s->n_values, more, &s->n_values))
		s->n_values = SIZE_MAX / 2;
	if (m->of && s->depth < m->of->depth + 1)
		s->depth = m->of->depth + 1;
}

int kt_record_layout_add(struct kt_record_layout *s, const char *name,
			 const struct kt_member *member)
{
	struct kt_member *members;
	struct kt_piece piece = {
		.name = name,
		.member = s->n_members,
		.width = member->width,
		.count = member->count,
	};

	if (s->n_members == KT_MEMBERS_MAX)
		return -E2BIG;
	members = kt_grow(s->members, s->n_members, sizeof(*members));
	if (!members)
		return -ENOMEM;
	s->members = members;
	if (add_piece(s, &piece) < 0)
		return -ENOMEM;
	set_member(&members[s->n_members++], name, member);
	count_values(s, member, member->count);
	return 0;
}

/* Finds the number that can be a length: single, unsigned, not yet the length of another. */
static struct kt_piece *find_length(struct kt_record_layout *s, const char *name)
{
	const struct kt_member *m;
	size_t i;

	for (i = 0; i < s->n_pieces; i++) {
		m = &s->members[s->pieces[i].member];
		if (!strcmp(s->pieces[i].name, name))
			return m->array || m->of || m->is_signed ? NULL : &s->pieces[i];
	}
	return NULL;
}

int kt_record_layout_add_sequence(struct kt_record_layout *s, const char *name,
				  const struct kt_member *member, const char *length)
{
	struct kt_piece *found = find_length(s, length);
	struct kt_piece piece = {.name = name, .width = member->width, .varies = true};

	if (!found)
		return -ENOENT;
	found->is_length = true;
	piece.member = found->member;
	piece.n_values = member->of ? count_element_values(member) : 0;
	count_values(s, member, 0);
	set_member(&s->members[piece.member], name, member);
	s->members[piece.member].array = true;
	s->members[piece.member].varies = true;
	return add_piece(s, &piece);
}

static bool is_same(const struct kt_member *m, const struct kt_member *other)
{
	return !strcmp(m->name, other->name) && m->width == other->width &&
	       m->count == other->count && m->varies == other->varies &&
	       m->is_signed == other->is_signed && m->clock == other->clock;
}

bool kt_record_layout_is_same(const struct kt_record_layout *s,
			      const struct kt_record_layout *other)
{
	size_t i = 0;

	if (s->n_members != other->n_members)
		return false;
	while (i < s->n_members && is_same(&s->members[i], &other->members[i]))
		i++;
	return i == s->n_members;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char *kt_record_layout_find_twice(const struct kt_record_layout *s)
{
	const char *names[2 * KT_MEMBERS_MAX];
	size_t i;

	for (i = 0; i < s->n_pieces; i++)
		names[i] = s->pieces[i].name + (*s->pieces[i].name == '_');
	qsort(names, s->n_pieces, sizeof(*names), compare_names);
	for (i = 1; i < s->n_pieces; i++)
		if (!strcmp(names[i - 1], names[i]))
			return names[i];
	return NULL;
}

void kt_record_layout_clear(struct kt_record_layout *s)
{
	free(s->members);
	free(s->pieces);
	free(s->order);
	*s = (struct kt_record_layout){};
}

ssize_t kt_record_layout_read(const struct kt_record_layout *s, const char *at, size_t room,
			      struct kt_value *values)
{
	const char *begin = at, *end = at + room;
	const struct kt_piece *piece;
	size_t i, n, size, n_values = s->n_values;
	struct kt_value *v;

	for (i = 0; i < s->n_pieces; i++) {
		piece = &s->pieces[i];
		v = &values[piece->member];
		n = piece->varies ? v->n : piece->count;
		if (__builtin_mul_overflow(n, piece->width, &size) || size > (size_t)(end - at))
			return -EBADMSG;
		n_values += piece->varies ? n * piece->n_values : 0;
		if (piece->is_length)
			v->n = kt_load(at, piece->width);
		else
			*v = (struct kt_value){.data = at, .n = n};
		at += size;
	}
	return n_values > KT_VALUES_MAX ? -EMSGSIZE : at - begin;
}

static ssize_t get_size_of_first(const struct kt_record_layout *s, size_t n)
{
	ssize_t size = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		if (s->members[i].varies)
			return -1;
		size += s->members[i].count * s->members[i].width;
	}
	return size;
}

ssize_t kt_record_layout_size(const struct kt_record_layout *s)
{
	return get_size_of_first(s, s->n_members);
}

ssize_t kt_record_layout_offset(const struct kt_record_layout *s, const struct kt_member *member)
{
	return get_size_of_first(s, member - s->members);
}

const struct kt_member *kt_record_layout_find(const struct kt_record_layout *s, const char *name)
{
	size_t i;

	for (i = 0; i < s->n_members; i++)
		if (!strcmp(s->members[i].name, name))
			return &s->members[i];
	return NULL;
}

const struct kt_member *kt_record_layout_find_number(const struct kt_record_layout *s,
						     const char *name)
{
	const struct kt_member *m = kt_record_layout_find(s, name);

	return m && kt_member_is_number(m) ? m : NULL;
}

/* A complete text has its NUL. */
static enum kt_copied check_text(const struct kt_value *v)
{
	if (!v->n)
		return KT_COPIED_UNREAD;
	return v->data[v->n - 1] ? KT_COPIED_PART : KT_COPIED_ALL;
}

/* Several texts are complete if they have as many NULs as there were pointers, if that is known. */
static enum kt_copied check_strings(const struct kt_value *v, bool has_full_length, int64_t all)
{
	const char *at = v->data, *end = at + v->n;
	int64_t n = 0;

	if (!v->n)
		return has_full_length && all == 0 ? KT_COPIED_ALL : KT_COPIED_UNREAD;
	while ((at = memchr(at, 0, end - at))) {
		at++;
		n++;
	}
	return end[-1] || !has_full_length || all < 0 || n < all ? KT_COPIED_PART : KT_COPIED_ALL;
}

static bool is_negative(const struct kt_record_layout *s, const struct kt_value *values,
			size_t member)
{
	const struct kt_member *m = &s->members[member];

	return m->is_signed && (int64_t)kt_value_number(m, &values[member], 0) < 0;
}

struct kt_buffers kt_buffers_of(const struct kt_record_layout *s, const struct kt_value *values,
				size_t structs)
{
	const struct kt_member *m = &s->members[structs];
	struct kt_buffers b = {
		.of = m->of,
		.structs = &values[structs],
		.data = &values[m->buffers],
		.is_limited = m->is_lone,
	};

	if (b.is_limited)
		b.left = kt_value_number(&s->members[m->ret], &values[m->ret], 0);
	return b;
}

/* Returns the bytes that the next buffer had. */
static uint64_t count_next(struct kt_buffers *b)
{
	const struct kt_member *pointer = &b->of->members[0], *length = &b->of->members[1];
	size_t size = pointer->width + length->width;
	struct kt_value at = {b->structs->data + b->i++ * size + pointer->width, 1};
	uint64_t n = kt_value_number(length, &at, 0);

	if (!b->is_limited)
		return n;
	if (n > b->left)
		n = b->left;
	b->left -= n;
	return n;
}

bool kt_buffers_next(struct kt_buffers *b, struct kt_buffer *next)
{
	size_t rest = b->data->n - b->at;
	uint32_t n = 0;
	uint64_t all;

	if (b->i == b->structs->n)
		return false;
	all = count_next(b);
	if (rest >= sizeof(n)) {
		memcpy(&n, b->data->data + b->at, sizeof(n));
		b->at += sizeof(n);
		rest -= sizeof(n);
	}
	if (n > rest)
		n = rest;
	next->value = (struct kt_value){b->data->data + b->at, n};
	next->copied = n >= all ? KT_COPIED_ALL : n ? KT_COPIED_PART : KT_COPIED_UNREAD;
	b->at += n;
	return true;
}

static enum kt_copied check_buffers(const struct kt_record_layout *s, const struct kt_value *values,
				    size_t structs)
{
	enum kt_copied copied = kt_record_layout_copied(s, values, structs);
	struct kt_buffers b = kt_buffers_of(s, values, structs);
	struct kt_buffer next;

	if (!kt_is_copied(copied))
		return copied;
	while (kt_buffers_next(&b, &next))
		if (next.copied != KT_COPIED_ALL)
			return KT_COPIED_PART;
	return KT_COPIED_ALL;
}

uint64_t kt_record_layout_number(const struct kt_record_layout *s, const char *at, size_t member)
{
	const struct kt_member *m = &s->members[member];
	struct kt_value v = {at + kt_record_layout_offset(s, m), 1};

	return kt_value_number(m, &v, 0);
}

/* Loads how many elements there were. Returns false if the number is negative. */
static bool load_upto_at(const struct kt_record_layout *s, const struct kt_value *values,
			 const struct kt_member *m, uint64_t *all)
{
	const struct kt_record_layout *by = m->in ? s->members[m->in].of : s;

	if (!m->has_full_length)
		return false;
	if (!m->in && values[m->full_length].n == 0) {
		*all = UINT64_MAX; /* the copy could not be read */
		return false;
	}
	if (m->in)
		*all = kt_record_layout_number(by, values[m->in].data, m->full_length);
	else
		*all = kt_value_number(&s->members[m->full_length], &values[m->full_length], 0);
	if (by->members[m->full_length].is_signed && (int64_t)*all < 0)
		return true;
	if (m->unit)
		*all = kt_count_elements(m->unit, *all);
	return false;
}

static bool has_struct(const struct kt_record_layout *s, const struct kt_value *values,
		       size_t structs)
{
	return values[structs].n > 0 && kt_is_copied(kt_record_layout_copied(s, values, structs));
}

/* Returns the minimum number of bytes. */
static size_t get_minimum(enum kt_notation notation)
{
	if (notation == KT_CONTROL)
		return sizeof(struct cmsghdr);
	if (notation == KT_OPTION)
		return 1;
	return notation == KT_SOCKADDR ? sizeof(sa_family_t) : 0;
}

enum kt_copied kt_record_layout_copied(const struct kt_record_layout *s,
				       const struct kt_value *values, size_t pointed)
{
	const struct kt_member *m = &s->members[pointed];
	size_t n = values[pointed].n;
	uint64_t all = 1;
	bool is_less;

	if (m->text)
		return check_text(&values[pointed]);
	if (m->notation == KT_BUFFERS)
		return check_buffers(s, values, m->structs);
	if (m->in && !has_struct(s, values, m->in))
		return KT_COPIED_UNREAD;
	is_less = load_upto_at(s, values, m, &all);
	if (m->notation == KT_STRINGS)
		return check_strings(&values[pointed], m->has_full_length, all);
	if (is_less || (m->is_lone && n == 0 && is_negative(s, values, m->ret)))
		return KT_COPIED_ABSENT;
	if (n < get_minimum(m->notation))
		return KT_COPIED_UNREAD;
	if (n >= all)
		return KT_COPIED_ALL;
	return n ? KT_COPIED_PART : KT_COPIED_UNREAD;
}
