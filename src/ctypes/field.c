// SPDX-License-Identifier: GPL-2.0-or-later
#include "ctypes/field.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

bool kt_field_varies(const struct kt_field *field)
{
	return field->flags & (KT_FIELD_DATA_LOC | KT_FIELD_REL_LOC);
}

size_t kt_field_record_size(const struct kt_field *field)
{
	return kt_field_varies(field) ? sizeof(uint16_t) : field->size;
}

bool kt_field_is_text(const struct kt_field *field)
{
	static const char *const before[] = {"__data_loc ", "__rel_loc ", "const "};
	const char *type = field->type;
	size_t i;

	for (i = 0; i < sizeof(before) / sizeof(*before); i++)
		if (strncmp(type, before[i], strlen(before[i])) == 0)
			type += strlen(before[i]);
	return strncmp(type, "char[", 5) == 0;
}

void kt_field_declare(const struct kt_field *field, char *text, size_t size)
{
	size_t base = strlen(field->type);
	const char *dims = "";

	if (field->flags & KT_FIELD_ARRAY && strchr(field->type, '[')) {
		dims = strchr(field->type, '[');
		base = dims - field->type;
	}
	snprintf(text, size, "%.*s%s%s%s", (int)base, field->type,
		 base && field->type[base - 1] == '*' ? "" : " ", field->name, dims);
}
