// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/ignored_arguments.h"

#include <linux/dqblk_xfs.h>
#include <stdint.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/quota.h>

#include "trace/read/metadata_reader.h"
#include "trace/read/stream_reader.h"
#include "trace/read/syscall_pairs.h"
#include "values/number.h"
#include "values/text.h"

enum { COMMAND_SHIFT = 8, COMMAND_BITS = 0xffffff };

/* Returns an argument, or 0 if there is none of that name. */
static uint64_t get_number(const struct kt_hit *entry, const char *name)
{
	const struct kt_member *m = kt_record_layout_find_number(&entry->event->fields, name);

	return m ? kt_value_number(m, &entry->values[m - entry->event->fields.members], 0) : 0;
}

static bool contains(const uint32_t *list, size_t n, uint32_t command)
{
	while (n > 0 && list[n - 1] != command)
		n--;
	return n > 0;
}

bool kt_ignored_arguments_quota(const struct kt_call *call, size_t i)
{
	static const uint32_t without_id[] = {
		Q_SYNC,      Q_QUOTAOFF,  Q_GETFMT,   Q_GETINFO,    Q_SETINFO,    Q_XQUOTAON,
		Q_XQUOTAOFF, Q_XGETQSTAT, Q_XQUOTARM, Q_XQUOTASYNC, Q_XGETQSTATV,
	};
	static const uint32_t without_address[] = {Q_SYNC, Q_QUOTAOFF, Q_XQUOTASYNC};
	uint32_t command = get_number(call->entry, "cmd") >> COMMAND_SHIFT & COMMAND_BITS;
	const char *name = call->entry->event->fields.members[i].name;

	if (strcmp(name, "id") == 0)
		return contains(without_id, sizeof(without_id) / sizeof(*without_id), command);
	return strcmp(name, "addr") == 0 &&
	       contains(without_address, sizeof(without_address) / sizeof(*without_address),
			command);
}

bool kt_ignored_arguments_mount(const struct kt_call *call, size_t i)
{
	enum { MOVES = MS_BIND | MS_MOVE | MS_SHARED | MS_PRIVATE | MS_SLAVE | MS_UNBINDABLE };
	uint64_t flags = get_number(call->entry, "flags");
	bool has_magic = (flags & MS_MGC_MSK) == MS_MGC_VAL;
	const char *name = call->entry->event->fields.members[i].name;

	flags &= has_magic ? ~(uint64_t)MS_MGC_MSK : UINT64_MAX;
	if (strcmp(name, "type") == 0)
		return flags & (MS_REMOUNT | MOVES);
	return strcmp(name, "data") == 0 && !(flags & MS_REMOUNT) && (flags & MOVES);
}

bool kt_ignored_arguments_put_unreceived(struct kt_text *t, const struct kt_call *call, size_t i)
{
	const struct kt_record_layout *fields = &call->entry->event->fields;
	const struct kt_member *copy = &fields->members[fields->members[i].pointed];
	const struct kt_value *v = &call->entry->values[fields->members[i].pointed];
	const struct kt_member *room =
		copy->of ? kt_record_layout_find_number(copy->of, "msg_namelen") : NULL;
	struct kt_value at;

	if (!fields->members[i].pointed || !room || !v->n)
		return false;
	at = (struct kt_value){v->data + kt_record_layout_offset(copy->of, room), 1};
	kt_text_string(t, "{msg_namelen=");
	kt_number_show(t, room, &at, 0);
	kt_text_char(t, '}');
	return true;
}
