// SPDX-License-Identifier: GPL-2.0-or-later
#include "constants/constants.h"

#include <string.h>

#include "constants/constants_of.h"
#include "constants/labels.h"

static const struct kt_constants *const groups[] = {
	&kt_constants_of_calls,   &kt_constants_of_files,  &kt_constants_of_ioctl,
	&kt_constants_of_kernel,  &kt_constants_of_memory, &kt_constants_of_net,
	&kt_constants_of_options, &kt_constants_of_others, &kt_constants_of_prctl,
	&kt_constants_of_signal,  &kt_constants_of_tasks,  &kt_constants_of_tty,
	&kt_constants_of_netlink,
};

const struct kt_labels *kt_constants_at(size_t i)
{
	size_t group;

	for (group = 0; group < sizeof(groups) / sizeof(*groups); i -= groups[group++]->n)
		if (i < groups[group]->n)
			return &groups[group]->tables[i];
	return NULL;
}

const struct kt_labels *kt_constants_find(const char *name)
{
	const struct kt_labels *labels;
	size_t i;

	for (i = 0; (labels = kt_constants_at(i)); i++)
		if (strcmp(labels->name, name) == 0)
			return labels;
	return NULL;
}

const struct kt_labels *kt_constants_of_type(const char *type)
{
	const struct kt_labels *labels, *found = NULL;
	size_t i, len, longest = 0;

	for (i = 0; (labels = kt_constants_at(i)); i++) {
		len = strlen(labels->name);
		if (len <= longest || strncmp(labels->name, type, len) != 0 || type[len] != '_')
			continue;
		found = labels;
		longest = len;
	}
	return found;
}
