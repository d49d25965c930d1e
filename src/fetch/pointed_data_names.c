// SPDX-License-Identifier: GPL-2.0-or-later
#include "fetch/pointed_data_names.h"

#include <stdio.h>
#include <string.h>

const char *kt_pointed_data_name(const char *argument, char name[KT_POINTED_DATA_NAME_MAX])
{
	snprintf(name, KT_POINTED_DATA_NAME_MAX, "__%s_val", argument);
	return name;
}

bool kt_pointed_data_between(const char *name, const char *end,
			     char argument[KT_POINTED_DATA_NAME_MAX])
{
	size_t n = strlen(name), m = strlen(end);

	if (n <= m + 2 || strncmp(name, "__", 2) != 0 || strcmp(name + n - m, end) != 0)
		return false;
	snprintf(argument, KT_POINTED_DATA_NAME_MAX, "%.*s", (int)(n - m) - 2, name + 2);
	return true;
}

bool kt_pointed_data_argument(const char *name, char argument[KT_POINTED_DATA_NAME_MAX])
{
	return kt_pointed_data_between(name, "_val", argument);
}

const char *kt_pointed_data_count_name(const char *argument, char name[KT_POINTED_DATA_NAME_MAX])
{
	snprintf(name, KT_POINTED_DATA_NAME_MAX, "__%s_count", argument);
	return name;
}

bool kt_pointed_data_count_argument(const char *name, char argument[KT_POINTED_DATA_NAME_MAX])
{
	return kt_pointed_data_between(name, "_count", argument);
}

const char *kt_pointed_data_buffers_name(const char *argument, char name[KT_POINTED_DATA_NAME_MAX])
{
	snprintf(name, KT_POINTED_DATA_NAME_MAX, "__%s_data", argument);
	return name;
}

bool kt_pointed_data_buffers_argument(const char *name, char argument[KT_POINTED_DATA_NAME_MAX])
{
	return kt_pointed_data_between(name, "_data", argument);
}

const char *kt_pointed_data_socket_name(const char *argument, char name[KT_POINTED_DATA_NAME_MAX])
{
	snprintf(name, KT_POINTED_DATA_NAME_MAX, "__%s_socket", argument);
	return name;
}

bool kt_pointed_data_socket_argument(const char *name, char argument[KT_POINTED_DATA_NAME_MAX])
{
	return kt_pointed_data_between(name, "_socket", argument);
}
