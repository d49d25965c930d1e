// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/struct_forms.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include "constants/constants.h"
#include "constants/labels.h"
#include "trace/record_layout.h"
#include "values/text.h"

static uint64_t get_number(const struct kt_record_layout *layout, const char *at, const char *name)
{
	const struct kt_member *m = kt_record_layout_find_number(layout, name);

	return m ? kt_record_layout_number(layout, at, m - layout->members) : 0;
}

/* Returns whether clone3 uses the member. */
static bool is_used_by_clone(const struct kt_record_layout *layout, const char *at,
			     const char *name)
{
	static const struct {
		const char *name;
		uint64_t flags;
		const char *other; /* a member that is printed with it; or NULL */
	} members[] = {
		{"pidfd", CLONE_PIDFD, NULL},
		{"child_tid", CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID, NULL},
		{"parent_tid", CLONE_PARENT_SETTID, NULL},
		{"tls", CLONE_SETTLS, NULL},
		{"set_tid", 0, "set_tid_size"},
		{"set_tid_size", 0, "set_tid"},
		{"cgroup", 1ull << 33 /* CLONE_INTO_CGROUP */, "cgroup"},
	};
	size_t i = 0;

	while (i < sizeof(members) / sizeof(*members) && strcmp(members[i].name, name) != 0)
		i++;
	if (i == sizeof(members) / sizeof(*members))
		return true;
	return (get_number(layout, at, "flags") & members[i].flags) ||
	       (members[i].other &&
		(get_number(layout, at, members[i].other) || get_number(layout, at, name)));
}

bool kt_struct_form_has(const struct kt_record_layout *layout, const char *at, size_t i)
{
	enum { SA_RESTORER = 0x04000000 };
	uint64_t n;

	switch (layout->form) {
	case KT_STRUCT_CLONE_ARGS:
		return is_used_by_clone(layout, at, layout->members[i].name);
	case KT_STRUCT_OPEN_HOW: /* a file that may be created has a mode, or one is given */
		n = get_number(layout, at, "flags");
		return (n & O_CREAT) || (n & O_TMPFILE) == O_TMPFILE ||
		       get_number(layout, at, "mode");
	case KT_STRUCT_POLLFD: /* a negative descriptor is not polled */
		return (int32_t)get_number(layout, at, "fd") >= 0;
	case KT_STRUCT_SIGACTION:
		return get_number(layout, at, "sa_flags") & SA_RESTORER;
	case KT_STRUCT_STAT: /* a device file has a number, other files have a size */
		n = get_number(layout, at, "st_mode");
		return (S_ISCHR(n) || S_ISBLK(n)) ==
		       (strcmp(layout->members[i].name, "st_rdev") == 0);
	default:
		return true;
	}
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

	if (layout->form == KT_STRUCT_EPOLL_EVENT && i == 1 && kt_member_is_number(m) &&
	    m->width == 8)
		put_epoll_data(t, kt_record_layout_number(layout, at, i));
	else if (layout->form == KT_STRUCT_FSID && m->array && m->width == 4 && m->count == 2)
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

/* Prints 32 capabilities from that number on, as bits: 1<<CAP_KILL. */
static void put_capability_bits(struct kt_text *t, uint32_t set, unsigned int from)
{
	const struct kt_labels *labels = kt_constants_find("capability");
	const char *between = "";
	struct kt_labelled found;
	uint32_t rest = 0;
	unsigned int i;

	for (i = 0; i < 32; i++) {
		if (!(set >> i & 1))
			continue;
		kt_labels_of(labels, from + i, &found);
		if (!found.n) {
			rest |= 1u << i;
			continue;
		}
		kt_text_string(t, between);
		kt_text_string(t, "1<<");
		kt_text_string(t, found.text[0]);
		between = "|";
	}
	if (!rest)
		return;
	kt_text_string(t, between);
	kt_text_bits(t, rest);
	if (rest == set)
		kt_text_comment(t, labels->unnamed);
}

static void put_capability_word(struct kt_text *t, uint32_t set, unsigned int from)
{
	if (t->names != KT_NAMES_ABBREV || !set)
		kt_text_bits(t, set);
	if (t->names == KT_NAMES_RAW || !set)
		return;
	if (t->names == KT_NAMES_VERBOSE)
		kt_text_string(t, " /* ");
	put_capability_bits(t, set, from);
	if (t->names == KT_NAMES_VERBOSE)
		kt_text_string(t, " */");
}

bool kt_struct_form_put_capabilities(struct kt_text *t, const struct kt_record_layout *layout,
				     const char *at)
{
	size_t i, size = kt_record_layout_size(layout);
	uint32_t low, high;

	for (i = 0; i < layout->n_members; i++)
		if (!kt_member_is_number(&layout->members[i]))
			return false;
	kt_text_char(t, '{');
	for (i = 0; i < layout->n_members; i++) {
		low = kt_record_layout_number(layout, at, i);
		high = kt_record_layout_number(layout, at + size, i);
		kt_text_separator(t, i);
		kt_text_string(t, layout->members[i].name);
		kt_text_char(t, '=');
		if (low || !high)
			put_capability_word(t, low, 0);
		if (low && high)
			kt_text_char(t, '|');
		if (high)
			put_capability_word(t, high, 32);
	}
	kt_text_char(t, '}');
	return true;
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

bool kt_struct_form_put_sigevent(struct kt_text *t, const struct kt_record_layout *layout,
				 const char *at)
{
	if (kt_record_layout_size(layout) < 32)
		return false;
	put_sigevent(t, at);
	return true;
}

bool kt_struct_form_is_answer(const struct kt_record_layout *layout)
{
	return layout->form == KT_STRUCT_TIMEX || layout->form == KT_STRUCT_FLOCK;
}
