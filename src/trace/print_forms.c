// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/print_forms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/record_layout.h"

enum kt_call_form kt_call_form_of(const char *name)
{
	static const struct {
		const char *name;
		enum kt_call_form form;
	} all[] = {
		{"adjtimex", KT_CALL_MEANS},
		{"clock_adjtime", KT_CALL_MEANS},
		{"clone", KT_CALL_CLONE},
		{"clone3", KT_CALL_CLONE3},
		{"fcntl", KT_CALL_MEANS},
		{"ioprio_get", KT_CALL_IO_PRIORITY},
		{"mount", KT_CALL_MOUNT},
		{"mq_timedreceive", KT_CALL_READS},
		{"mq_timedsend", KT_CALL_WRITES},
		{"personality", KT_CALL_MEANS},
		{"poll", KT_CALL_ANSWERS},
		{"ppoll", KT_CALL_ANSWERS},
		{"prctl", KT_CALL_MEANS},
		{"pread64", KT_CALL_READS},
		{"preadv", KT_CALL_READS},
		{"preadv2", KT_CALL_READS},
		{"pselect6", KT_CALL_SELECTS},
		{"pwrite64", KT_CALL_WRITES},
		{"pwritev", KT_CALL_WRITES},
		{"pwritev2", KT_CALL_WRITES},
		{"quotactl", KT_CALL_QUOTA},
		{"quotactl_fd", KT_CALL_QUOTA},
		{"read", KT_CALL_READS},
		{"readv", KT_CALL_READS},
		{"recvfrom", KT_CALL_READS},
		{"recvmsg", KT_CALL_RECEIVES},
		{"rt_sigtimedwait", KT_CALL_MEANS},
		{"sched_getscheduler", KT_CALL_MEANS},
		{"select", KT_CALL_SELECTS},
		{"sendto", KT_CALL_WRITES},
		{"time", KT_CALL_TIME},
		{"vmsplice", KT_CALL_WRITES},
		{"write", KT_CALL_WRITES},
		{"writev", KT_CALL_WRITES},
	};
	size_t i = 0;

	while (i < sizeof(all) / sizeof(*all) && strcmp(all[i].name, name) != 0)
		i++;
	return i < sizeof(all) / sizeof(*all) ? all[i].form : KT_CALL_PLAIN;
}

enum kt_number_form kt_number_form_of(const char *name)
{
	static const struct {
		const char *name;
		enum kt_number_form form;
	} all[] = {
		{"__new_nodes_val", KT_NUMBER_PADDED},
		{"__nmask_val", KT_NUMBER_PADDED},
		{"__old_nodes_val", KT_NUMBER_PADDED},
		{"__tloc_val", KT_NUMBER_TIME},
		{"__utimes_val", KT_NUMBER_FILE_TIME},
		{"actime", KT_NUMBER_TIME},
		{"dev", KT_NUMBER_DEVICE},
		{"ioprio", KT_NUMBER_IO_PRIORITY},
		{"modtime", KT_NUMBER_TIME},
		{"msg_controllen", KT_NUMBER_AFTER},
		{"pos_l", KT_NUMBER_SIGNED},
		{"rlim_cur", KT_NUMBER_KILO},
		{"rlim_max", KT_NUMBER_KILO},
		{"st_atime", KT_NUMBER_TIME},
		{"st_ctime", KT_NUMBER_TIME},
		{"st_dev", KT_NUMBER_DEVICE},
		{"st_mtime", KT_NUMBER_TIME},
		{"st_rdev", KT_NUMBER_DEVICE},
		{"tms_cstime", KT_NUMBER_TICKS},
		{"tms_cutime", KT_NUMBER_TICKS},
		{"tms_stime", KT_NUMBER_TICKS},
		{"tms_utime", KT_NUMBER_TICKS},
		{"tv_nsec", KT_NUMBER_UNSIGNED},
		{"tv_usec", KT_NUMBER_UNSIGNED},
	};
	size_t i = 0;

	while (i < sizeof(all) / sizeof(*all) && strcmp(all[i].name, name) != 0)
		i++;
	return i < sizeof(all) / sizeof(*all) ? all[i].form : KT_NUMBER_PLAIN;
}

/* Marks the text that an argument points to. Some kernels write a '_' before the name. */
static void mark_string(struct kt_record_layout *fields, const char *argument)
{
	const struct kt_member *m, *end = fields->members + fields->n_members;

	for (m = fields->members; m < end; m++)
		if (m->pointed && strcmp(m->name + (*m->name == '_'), argument) == 0 &&
		    fields->members[m->pointed].text)
			fields->members[m->pointed].is_string = true;
}

void kt_string_forms_find(const char *event, struct kt_record_layout *fields)
{
	static const struct {
		const char *event, *argument;
	} all[] = {
		{"sys_enter_add_key", "description"},
		{"sys_enter_add_key", "type"},
		{"sys_enter_delete_module", "name_user"},
		{"sys_enter_fgetxattr", "name"},
		{"sys_enter_fremovexattr", "name"},
		{"sys_enter_fsconfig", "key"},
		{"sys_enter_fsetxattr", "name"},
		{"sys_enter_fsopen", "fs_name"},
		{"sys_enter_getxattr", "name"},
		{"sys_enter_lgetxattr", "name"},
		{"sys_enter_lremovexattr", "name"},
		{"sys_enter_lsetxattr", "name"},
		{"sys_enter_mount", "data"},
		{"sys_enter_mount", "type"},
		{"sys_enter_prctl", "arg2"},
		{"sys_enter_prctl", "arg5"},
		{"sys_enter_removexattr", "name"},
		{"sys_enter_request_key", "callout_info"},
		{"sys_enter_request_key", "description"},
		{"sys_enter_request_key", "type"},
		{"sys_enter_setxattr", "name"},
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (strcmp(all[i].event, event) == 0)
			mark_string(fields, all[i].argument);
}

/* A struct is recognised by the names of its first two members, or of the only one. */
static const struct form {
	enum kt_struct_form form;
	const char *first, *second;
	const char *all;      /* members in strace's order; NULL: as in the kernel */
	const char *brief;    /* the same without -v; NULL: all */
	const char *optional; /* those which other members decide about; NULL: none */
} forms[] = {
	{KT_STRUCT_CAPABILITIES, "effective", "permitted", NULL, NULL, NULL},
	{KT_STRUCT_CLONE_ARGS, "flags", "pidfd", NULL, NULL,
	 "pidfd child_tid parent_tid tls set_tid set_tid_size cgroup"},
	{KT_STRUCT_EPOLL_EVENT, "events", "data", NULL, NULL, NULL},
	{KT_STRUCT_FLOCK, "l_type", "l_whence", NULL, NULL, NULL},
	{KT_STRUCT_FSID, "val", NULL, NULL, NULL, NULL},
	{KT_STRUCT_OPEN_HOW, "flags", "mode", "flags mode resolve", NULL, "mode"},
	{KT_STRUCT_POLLFD, "fd", "events", NULL, NULL, "events revents"},
	{KT_STRUCT_RUSAGE, "ru_utime", "ru_stime", NULL, "ru_utime ru_stime", NULL},
	{KT_STRUCT_SCHED_PARAM, "sched_priority", NULL, NULL, NULL, NULL},
	{KT_STRUCT_SIGACTION, "sa_handler", "sa_flags", "sa_handler sa_mask sa_flags sa_restorer",
	 NULL, "sa_restorer"},
	{KT_STRUCT_SIGEVENT, "sigev_value", "sigev_signo", NULL, NULL, NULL},
	{KT_STRUCT_STAT, "st_dev", "st_ino",
	 "st_dev st_ino st_mode st_nlink st_uid st_gid st_blksize st_blocks st_rdev st_size "
	 "st_atime st_atime_nsec st_mtime st_mtime_nsec st_ctime st_ctime_nsec",
	 "st_mode st_rdev st_size", "st_rdev st_size"},
	{KT_STRUCT_STATX, "stx_mask", "stx_blksize", NULL,
	 "stx_mask stx_attributes stx_mode stx_size", NULL},
	{KT_STRUCT_TIMEX, "modes", "offset", NULL, NULL, NULL},
	{KT_STRUCT_UTSNAME, "sysname", "nodename", NULL, "sysname nodename", NULL},
};

static const struct form *find_form(const struct kt_record_layout *s)
{
	size_t k = s->n_members > 1 && s->members[1].pads ? 2 : 1;
	const char *second = k < s->n_members ? s->members[k].name : NULL;
	const struct form *f = forms, *end = forms + sizeof(forms) / sizeof(*forms);

	while (f < end && (strcmp(f->first, s->members[0].name) != 0 || !f->second != !second ||
			   (second && strcmp(f->second, second) != 0)))
		f++;
	return f < end ? f : NULL;
}

/* Calls take(s, member) for each member in a list of names. */
static void take_named(struct kt_record_layout *s, const char *names,
		       void take(struct kt_record_layout *s, size_t member))
{
	const struct kt_member *m;
	char name[32];
	size_t len;

	for (; names && *names; names += len, names += *names == ' ') {
		len = strcspn(names, " ");
		memcpy(name, names, len);
		name[len] = '\0';
		m = kt_record_layout_find(s, name);
		if (m)
			take(s, m - s->members);
	}
}

static void take_whole(struct kt_record_layout *s, size_t member)
{
	s->order[s->n_all++] = member;
}

static void take_brief(struct kt_record_layout *s, size_t member)
{
	s->order[s->n_all + s->n_brief++] = member;
}

static void mark_optional(struct kt_record_layout *s, size_t member)
{
	s->members[member].is_optional = true;
}

int kt_struct_form_find(struct kt_record_layout *s)
{
	const struct form *f = s->n_members ? find_form(s) : NULL;
	size_t i;

	s->order = calloc(2 * s->n_members + 1, sizeof(*s->order));
	if (!s->order)
		return -ENOMEM;
	s->form = f ? f->form : KT_STRUCT_PLAIN;
	take_named(s, f ? f->all : NULL, take_whole);
	for (i = 0; i < s->n_members && !(f && f->all); i++)
		if (!s->members[i].pads)
			take_whole(s, i);
	take_named(s, f ? f->brief : NULL, take_brief);
	take_named(s, f ? f->optional : NULL, mark_optional);
	return 0;
}
