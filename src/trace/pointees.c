// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/pointees.h"

#include "catalog/pointee.h"
#include "trace/shape.h"

static bool is_number(const struct kt_member *m)
{
	return !m->varies && !m->array && !m->text;
}

/*
 * Bytes that a call is given are told by the argument behind their pointer, those that it gives by
 * what it returns. NULL: by nothing.
 */
static const struct kt_member *find_told(const struct kt_shape *fields,
					 const struct kt_member *pointer)
{
	const struct kt_member *told = pointer ? pointer + 1 : kt_shape_find(fields, "ret");

	if (!told || told == fields->members + fields->n_members)
		return NULL;
	return is_number(told) ? told : NULL;
}

static void set_pointee(struct kt_shape *fields, struct kt_member *m, const char *argument)
{
	const struct kt_member *pointer = kt_shape_find(fields, argument);
	bool is_told = m->notation == KT_BYTES || (!m->text && !pointer);
	const struct kt_member *told = is_told ? find_told(fields, pointer) : NULL;

	if (!m->varies || (is_told ? !told : !pointer) || (pointer && !is_number(pointer)))
		return;
	m->is_pointee = true;
	m->is_lone = !pointer;
	m->told = told ? told - fields->members : 0;
	if (pointer)
		fields->members[pointer - fields->members].pointee = m - fields->members;
}

void kt_pointees_find(struct kt_shape *fields)
{
	char argument[KT_POINTEE_NAME_MAX];
	size_t i;

	for (i = 0; i < fields->n_members; i++)
		if (kt_pointee_argument(fields->members[i].name, argument))
			set_pointee(fields, &fields->members[i], argument);
}
