// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/shape.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are read as they lie");

/* The elements of a member, or the number of them. */
struct kt_part {
	const char *name; /* as metadata has it */
	size_t member;
	unsigned int width;
	bool is_length;
};

static int add_part(struct kt_shape *s, const char *name, size_t member, unsigned int width)
{
	struct kt_part *parts = kt_grow(s->parts, s->n_parts, sizeof(*parts));

	if (!parts)
		return -ENOMEM;
	s->parts = parts;
	parts[s->n_parts++] = (struct kt_part){.name = name, .member = member, .width = width};
	return 0;
}

static void set_member(struct kt_member *m, const char *name, const struct kt_member *member)
{
	*m = *member;
	m->name = name + (*name == '_');
}

int kt_shape_add(struct kt_shape *s, const char *name, const struct kt_member *member)
{
	struct kt_member *members = kt_grow(s->members, s->n_members, sizeof(*members));

	if (!members)
		return -ENOMEM;
	s->members = members;
	if (add_part(s, name, s->n_members, member->width) < 0)
		return -ENOMEM;
	set_member(&members[s->n_members++], name, member);
	return 0;
}

/* NULL too where it is no single number, or has become the length of another. */
static struct kt_part *find_length(struct kt_shape *s, const char *name)
{
	struct kt_part *part;
	size_t i;

	for (i = 0; i < s->n_parts; i++) {
		part = &s->parts[i];
		if (!strcmp(part->name, name))
			return s->members[part->member].array ? NULL : part;
	}
	return NULL;
}

int kt_shape_add_sequence(struct kt_shape *s, const char *name, const struct kt_member *member,
			  const char *length)
{
	struct kt_part *part = find_length(s, length);

	if (!part)
		return -ENOENT;
	part->is_length = true;
	set_member(&s->members[part->member], name, member);
	s->members[part->member].array = true;
	s->members[part->member].varies = true;
	return add_part(s, name, part->member, member->width);
}

void kt_shape_clear(struct kt_shape *s)
{
	free(s->members);
	free(s->parts);
	*s = (struct kt_shape){};
}

static uint64_t load(const char *at, unsigned int width)
{
	uint64_t n = 0;

	memcpy(&n, at, width);
	return n;
}

ssize_t kt_shape_read(const struct kt_shape *s, const char *at, size_t room,
		      struct kt_value *values)
{
	const char *begin = at, *end = at + room;
	const struct kt_part *part;
	struct kt_value *v;
	size_t i;

	for (i = 0; i < s->n_parts; i++) {
		part = &s->parts[i];
		v = &values[part->member];
		room = (end - at) / part->width;
		if (part->is_length) {
			if (room < 1)
				return -EBADMSG;
			v->n = load(at, part->width);
			at += part->width;
			continue;
		}
		if (!s->members[part->member].varies)
			v->n = s->members[part->member].count;
		if (v->n > room)
			return -EBADMSG;
		v->data = at;
		at += v->n * part->width;
	}
	return at - begin;
}

ssize_t kt_shape_size(const struct kt_shape *s)
{
	ssize_t size = 0;
	size_t i;

	for (i = 0; i < s->n_members; i++) {
		if (s->members[i].varies)
			return -1;
		size += s->members[i].count * s->members[i].width;
	}
	return size;
}

const struct kt_member *kt_shape_find(const struct kt_shape *s, const char *name)
{
	size_t i;

	for (i = 0; i < s->n_members; i++)
		if (!strcmp(s->members[i].name, name))
			return &s->members[i];
	return NULL;
}

uint64_t kt_value_number(const struct kt_member *member, const struct kt_value *value, size_t i)
{
	uint64_t n = load(value->data + i * member->width, member->width);
	unsigned int unused = 64 - 8 * member->width;

	return member->is_signed ? (uint64_t)((int64_t)(n << unused) >> unused) : n;
}
