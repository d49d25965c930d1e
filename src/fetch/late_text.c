// SPDX-License-Identifier: GPL-2.0-or-later
#include "fetch/late_text.h"

#include <stdio.h>
#include <string.h>

#include "events/event.h"
#include "fetch/pointed_data.h"

static const char end[] = "_late";

const char *kt_late_text_name(const char *argument, char name[KT_POINTED_DATA_NAME_MAX])
{
	snprintf(name, KT_POINTED_DATA_NAME_MAX, "__%s%s", argument, end);
	return name;
}

bool kt_late_text_argument(const char *name, char argument[KT_POINTED_DATA_NAME_MAX])
{
	return kt_pointed_data_between(name, end, argument);
}

/* Texts that depend on another argument are left out: they are rare. */
static bool is_plain_text(const struct kt_event *call, size_t argument, struct kt_btf *btf)
{
	struct kt_pointed_data p = kt_pointed_data_of(call, argument, btf);

	return p.kind == KT_POINTED_STRING && p.at[KT_ENTER] && !p.pointer;
}

bool kt_late_text_may_be(const struct kt_event *call, struct kt_btf *btf)
{
	size_t i = 0;

	while (i < call->n_fields && !is_plain_text(call, i, btf))
		i++;
	return i < call->n_fields;
}

int kt_late_text_add_all(struct kt_event *event, struct kt_btf *btf)
{
	const struct kt_event *call = event->call;
	char name[KT_POINTED_DATA_NAME_MAX];
	size_t i;
	int ret = 0;

	for (i = 0; call && i < call->n_fields && ret == 0; i++)
		if (is_plain_text(call, i, btf))
			ret = kt_event_add_text(event,
						kt_late_text_name(call->fields[i].name, name));
	return ret;
}
