// SPDX-License-Identifier: GPL-2.0-or-later
#include "ctypes/member_labels.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "ctypes/field.h"
#include "ctypes/number_format_rules.h"

/* Rules by member name, for some structs or for all. */
static const struct kt_number_format rules[] = {
	{"attr_clr", "mount_attr", "mount_attr", KT_HEX},
	{"attr_set", "mount_attr", "mount_attr", KT_HEX},
	{"child_tid", "clone_args", NULL, KT_POINTER},
	{"events", "epoll_event", "epoll", KT_HEX},
	{"events", "pollfd", "poll", KT_HEX},
	{"exit_signal", "clone_args", "signal", KT_DECIMAL},
	{"f_flags", NULL, "statfs", KT_HEX},
	{"f_type", NULL, "filesystem", KT_HEX},
	{"features", "io_uring_params", "io_uring_features", KT_HEX},
	{"flags", "clone_args", "clone3", KT_HEX},
	{"flags", "futex_waitv", "futex2", KT_HEX},
	{"flags", "io_uring_params", "io_uring", KT_HEX},
	{"flags", "open_how", "open", KT_HEX},
	{"l_type", "flock", "lock", KT_HEX},
	{"l_whence", "flock", "whence", KT_HEX},
	{"modes", "__kernel_timex", "adjust", KT_HEX},
	{"msg_flags", NULL, "msg", KT_HEX},
	{"parent_tid", "clone_args", NULL, KT_POINTER},
	{"pidfd", "clone_args", NULL, KT_POINTER},
	{"propagation", "mount_attr", "propagation", KT_HEX},
	{"resolve", NULL, "resolve", KT_HEX},
	{"revents", NULL, "poll", KT_HEX},
	{"rlim_cur", NULL, "limit", KT_DECIMAL},
	{"rlim_max", NULL, "limit", KT_DECIMAL},
	{"sa_flags", NULL, "sigaction", KT_HEX},
	{"sa_handler", NULL, "handler", KT_POINTER},
	{"sched_flags", NULL, "sched_flags", KT_HEX},
	{"sched_policy", NULL, "sched", KT_DECIMAL},
	{"sem_flg", NULL, "semop", KT_HEX},
	{"set_tid", "clone_args", NULL, KT_POINTER},
	{"sigev_notify", NULL, "notify", KT_DECIMAL},
	{"sigev_signo", NULL, "signal", KT_DECIMAL},
	{"ss_flags", NULL, "sigaltstack", KT_HEX},
	{"stack", "clone_args", NULL, KT_POINTER},
	{"stack_size", "clone_args", NULL, KT_HEX},
	{"st_mode", NULL, "mode", KT_OCTAL},
	{"status", "__kernel_timex", "clock_status", KT_HEX},
	{"stx_attributes", NULL, "statx_attributes", KT_HEX},
	{"stx_attributes_mask", NULL, "statx_attributes", KT_HEX},
	{"stx_mask", NULL, "statx", KT_HEX},
	{"stx_mode", NULL, "mode", KT_OCTAL},
	{"tls", "clone_args", NULL, KT_POINTER},
	{"version", "__user_cap_header_struct", "capability_version", KT_HEX},
};

/* Notations of members without labels, where they are not decimal. */
static const struct {
	const char *end;
	enum kt_notation base;
} bases[] = {
	{"_attributes", KT_HEX}, {"_dev", KT_HEX},  {"_flg", KT_HEX},   {"_mask", KT_HEX},
	{"_rdev", KT_HEX},       {"flags", KT_HEX}, {"mode", KT_OCTAL},
};

static bool has_suffix(const char *name, const char *end)
{
	size_t n = strlen(name);

	return n >= strlen(end) && strcmp(name + n - strlen(end), end) == 0;
}

/* Returns whether a member has a sign that the kernel's type lacks: times before 1970. */
static bool is_signed_member(const char *of, const char *name)
{
	static const char times[] = "st_atime st_ctime st_mtime";

	return strcmp(of, "stat") == 0 && kt_word_list_has(times, name);
}

void kt_member_label(const char *of, struct kt_field *field)
{
	const struct kt_number_format *r =
		kt_number_format_find(rules, sizeof(rules) / sizeof(*rules), of, field->name);
	size_t i;

	if (is_signed_member(of, field->name))
		field->flags |= KT_FIELD_SIGNED;
	if (r)
		kt_number_format_apply(r, field);
	for (i = 0; !r && i < sizeof(bases) / sizeof(*bases); i++)
		if (has_suffix(field->name, bases[i].end))
			field->notation = bases[i].base;
}
