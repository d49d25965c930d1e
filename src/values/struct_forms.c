// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/struct_forms.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include "constants/constants.h"
#include "constants/labels.h"
#include "ctypes/struct_layout.h"
#include "trace/record_layout.h"
#include "values/text.h"

static uint64_t get_number(const struct kt_record_layout *layout, const char *at, const char *name)
{
	const struct kt_member *m = kt_record_layout_find_number(layout, name);

	return m ? kt_record_layout_number(layout, at, m - layout->members) : 0;
}

typedef bool is_member_meant(const struct kt_record_layout *layout, const char *at,
			     const char *name);

/* A device file has a number, other files have a size. */
static bool is_of_stat(const struct kt_record_layout *layout, const char *at, const char *name)
{
	uint64_t mode = get_number(layout, at, "st_mode");
	bool is_device = S_ISCHR(mode) || S_ISBLK(mode);

	if (strcmp(name, "st_rdev") == 0)
		return is_device;
	return strcmp(name, "st_size") != 0 || !is_device;
}

/* Only a file that may be created has a mode, unless one is given. */
static bool is_of_open_how(const struct kt_record_layout *layout, const char *at, const char *name)
{
	uint64_t flags = get_number(layout, at, "flags");

	return strcmp(name, "mode") != 0 || (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ||
	       get_number(layout, at, "mode");
}

/* The restorer is there if a flag says so. */
static bool is_of_sigaction(const struct kt_record_layout *layout, const char *at, const char *name)
{
	enum { SA_RESTORER = 0x04000000 };

	return strcmp(name, "sa_restorer") != 0 ||
	       (get_number(layout, at, "sa_flags") & SA_RESTORER);
}

/* A negative descriptor is not polled. */
static bool is_of_pollfd(const struct kt_record_layout *layout, const char *at, const char *name)
{
	return strcmp(name, "fd") == 0 || (int32_t)get_number(layout, at, "fd") >= 0;
}

/* A struct is recognised by its first two members' names. */
static const struct form {
	const char *first, *second;
	const char *all;           /* members in strace's order; NULL: as in the kernel */
	const char *brief;         /* the same without -v; NULL: all */
	is_member_meant *is_meant; /* returns whether it is printed; NULL: always */
} forms[] = {
	{"fd", "events", "fd events revents", NULL, is_of_pollfd},
	{"flags", "mode", "flags mode resolve", NULL, is_of_open_how},
	{"ru_utime", "ru_stime", NULL, "ru_utime ru_stime", NULL},
	{"sa_handler", "sa_flags", "sa_handler sa_mask sa_flags sa_restorer", NULL,
	 is_of_sigaction},
	{"st_dev", "st_ino",
	 "st_dev st_ino st_mode st_nlink st_uid st_gid st_blksize st_blocks st_rdev st_size "
	 "st_atime st_atime_nsec st_mtime st_mtime_nsec st_ctime st_ctime_nsec",
	 "st_mode st_rdev st_size", is_of_stat},
	{"stx_mask", "stx_blksize", NULL, "stx_mask stx_attributes stx_mode stx_size", NULL},
	{"sysname", "nodename", NULL, "sysname nodename", NULL},
};

static const struct form *find_form(const struct kt_record_layout *layout)
{
	size_t i;

	for (i = 0; layout->n_members > 1 && i < sizeof(forms) / sizeof(*forms); i++)
		if (strcmp(forms[i].first, layout->members[0].name) == 0 &&
		    strcmp(forms[i].second, layout->members[1].name) == 0)
			return &forms[i];
	return NULL;
}

static size_t add_named(const struct form *form, const struct kt_record_layout *layout,
			const char *at, const char *names, uint16_t *order)
{
	const struct kt_member *m;
	char name[32];
	size_t len, n = 0;

	for (; *names; names += len, names += *names == ' ') {
		len = strcspn(names, " ");
		memcpy(name, names, len);
		name[len] = '\0';
		m = kt_record_layout_find(layout, name);
		if (m && (!form->is_meant || form->is_meant(layout, at, name)))
			order[n++] = m - layout->members;
	}
	return n;
}

size_t kt_struct_form_order(const struct kt_record_layout *layout, const char *at, bool brief,
			    uint16_t *order, bool *more)
{
	const struct form *form = find_form(layout);
	size_t i, n = 0;

	*more = brief && form && form->brief;
	if (*more)
		return add_named(form, layout, at, form->brief, order);
	if (form && form->all)
		return add_named(form, layout, at, form->all, order);
	for (i = 0; i < layout->n_members; i++)
		if (!kt_struct_layout_pads(layout->members[i].name))
			order[n++] = i;
	return n;
}

/* Prints a number of 64 bits that users may mean as one of 32. */
static void put_epoll_data(struct kt_text *t, uint64_t n)
{
	kt_text_string(t, "{u32=");
	kt_text_number(t, (uint32_t)n);
	kt_text_string(t, ", u64=");
	kt_text_number(t, n);
	kt_text_char(t, '}');
}

/* Prints the two halves of a file system's number. */
static void put_fsid(struct kt_text *t, const char *at)
{
	kt_text_char(t, '[');
	kt_text_bits(t, kt_load(at, 4));
	kt_text_string(t, ", ");
	kt_text_bits(t, kt_load(at + 4, 4));
	kt_text_char(t, ']');
}

bool kt_struct_form_put(struct kt_text *t, const struct kt_record_layout *layout, const char *at,
			size_t i)
{
	const struct kt_member *m = &layout->members[i];

	if (i == 1 && strcmp(m->name, "data") == 0 && kt_member_is_number(m) && m->width == 8 &&
	    strcmp(layout->members[0].name, "events") == 0)
		put_epoll_data(t, kt_record_layout_number(layout, at, i));
	else if (layout->n_members == 1 && strcmp(m->name, "val") == 0 && m->array &&
		 m->width == 4 && m->count == 2)
		put_fsid(t, at);
	else
		return false;
	return true;
}

static void put_label(struct kt_text *t, const char *table, uint64_t n)
{
	const struct kt_labels *labels = kt_constants_find(table);
	struct kt_labelled found;

	kt_labels_of(labels, n, &found);
	if (!found.n || t->names != KT_NAMES_ABBREV)
		labels->unnamed ? kt_text_bits(t, n) : kt_text_number(t, n);
	if (t->names == KT_NAMES_RAW)
		return;
	if (found.n && t->names == KT_NAMES_ABBREV)
		kt_text_string(t, found.text[0]);
	else if (found.n || labels->unnamed)
		kt_text_comment(t, found.n ? found.text[0] : labels->unnamed);
}

static void put_pointer(struct kt_text *t, uint64_t n)
{
	if (n)
		kt_text_hex(t, n);
	else
		kt_text_string(t, "NULL");
}

/* Prints a struct sigevent: what its kind of notification uses. */
static void put_sigevent(struct kt_text *t, const char *at)
{
	uint64_t value = kt_load(at, 8), notify = kt_load(at + 12, 4);

	kt_text_char(t, '{');
	if (value) {
		kt_text_string(t, "sigev_value={sival_int=");
		kt_text_signed(t, (int32_t)value);
		kt_text_string(t, ", sival_ptr=");
		kt_text_hex(t, value);
		kt_text_string(t, "}, ");
	}
	kt_text_string(t, "sigev_signo=");
	put_label(t, "signal", kt_load(at + 8, 4));
	kt_text_string(t, ", sigev_notify=");
	put_label(t, "notify", notify);
	if (notify == SIGEV_THREAD_ID) {
		kt_text_string(t, ", sigev_notify_thread_id=");
		kt_text_signed(t, (int32_t)kt_load(at + 16, 4));
	} else if (notify == SIGEV_THREAD) {
		kt_text_string(t, ", sigev_notify_function=");
		put_pointer(t, kt_load(at + 16, 8));
		kt_text_string(t, ", sigev_notify_attributes=");
		put_pointer(t, kt_load(at + 24, 8));
	}
	kt_text_char(t, '}');
}

bool kt_struct_form_put_whole(struct kt_text *t, const struct kt_record_layout *layout,
			      const char *at)
{
	if (!layout->n_members || strcmp(layout->members[0].name, "sigev_value") != 0 ||
	    kt_record_layout_size(layout) < 32)
		return false;
	put_sigevent(t, at);
	return true;
}

bool kt_struct_form_is_answer(const struct kt_record_layout *layout)
{
	return layout->n_members && (strcmp(layout->members[0].name, "modes") == 0 ||
				     strcmp(layout->members[0].name, "l_type") == 0);
}

bool kt_struct_form_is_bare(const struct kt_record_layout *layout)
{
	return layout->n_members == 1 && strcmp(layout->members[0].name, "sched_priority") == 0;
}
