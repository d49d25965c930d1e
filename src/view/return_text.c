// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/return_text.h"

#include <stddef.h>
#include <string.h>

#include "constants/constants.h"
#include "constants/labels.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/stream_reader.h"
#include "trace/read/syscall_pairs.h"
#include "values/bitmap.h"
#include "values/number.h"
#include "values/number_forms.h"
#include "values/text.h"

/* A value with names, of a call or only of one of its operations. */
static const struct meaning {
	const char *call, *operation; /* name of an argument's value; NULL: any */
	const char *constants;
	const char *before; /* "flags " */
	bool in_hex;
	bool is_styled; /* -X applies to it, which strace does not do everywhere */
} meanings[] = {
	{"adjtimex", NULL, "clock_state", "", false, false},
	{"clock_adjtime", NULL, "clock_state", "", false, false},
	{"fcntl", "F_GETFD", "fd", "flags ", true, true},
	{"fcntl", "F_GETFL", "open", "flags ", true, false},
	{"fcntl", "F_GETLEASE", "lock", "", true, false},
	{"fcntl", "F_GETSIG", "signal", "", false, false},
	{"fcntl", "F_GET_SEALS", "seals", "seals ", true, false},
	{"personality", NULL, "personality", "", true, true},
	{"prctl", "PR_GET_DUMPABLE", "dumpable", "", false, false},
	{"prctl", "PR_GET_SECUREBITS", "secure", "", true, false},
	{"rt_sigtimedwait", NULL, "signal", "", false, false},
	{"sched_getscheduler", NULL, "sched", "", false, false},
};

/* Returns whether an argument has this label. */
static bool has_operation(const struct kt_call *call, const char *operation)
{
	const struct kt_record_layout *fields = &call->entry->event->fields;
	const struct kt_member *m;
	struct kt_labelled found;
	size_t i;

	for (i = 0; i < fields->n_members; i++) {
		m = &fields->members[i];
		if (!m->labels || m->labels->are_flags || !kt_member_is_number(m))
			continue;
		kt_labels_of(m->labels, kt_value_number(m, &call->entry->values[i], 0), &found);
		if (found.n && strcmp(found.text[0], operation) == 0)
			return true;
	}
	return false;
}

static const struct meaning *find_meaning(const struct kt_call *call)
{
	const struct meaning *m;

	for (m = meanings; m < meanings + sizeof(meanings) / sizeof(*meanings); m++)
		if (strcmp(m->call, call->kind->name) == 0 &&
		    (!m->operation || (call->entry && has_operation(call, m->operation))))
			return m;
	return NULL;
}

static void put_names(struct kt_text *t, const struct kt_labelled *found)
{
	size_t i;

	for (i = 0; i < found->n; i++) {
		if (i > 0)
			kt_text_char(t, '|');
		kt_text_string(t, found->text[i]);
	}
	if (!found->rest)
		return;
	kt_text_char(t, '|');
	kt_text_hex(t, found->rest);
}

static void put_number_of(struct kt_text *t, const struct meaning *m, int64_t n)
{
	if (m->in_hex)
		kt_text_bits(t, n);
	else
		kt_text_signed(t, n);
}

/* Prints the names in brackets, or the number again, as -X says. */
static void put_meaning(struct kt_text *t, const struct meaning *m, int64_t n,
			const struct kt_labelled *found)
{
	enum kt_names names = m->is_styled ? t->names : KT_NAMES_ABBREV;

	kt_text_string(t, " (");
	kt_text_string(t, m->before);
	if (names != KT_NAMES_ABBREV)
		put_number_of(t, m, n);
	if (names == KT_NAMES_VERBOSE)
		kt_text_string(t, " /* ");
	if (names != KT_NAMES_RAW)
		put_names(t, found);
	if (names == KT_NAMES_VERBOSE)
		kt_text_string(t, " */");
	kt_text_char(t, ')');
}

static bool put_io_priority(struct kt_text *t, int64_t ret)
{
	if (t->names == KT_NAMES_RAW)
		return false;
	kt_text_signed(t, ret);
	kt_text_string(t, " (");
	kt_number_form_put_io_priority(t, ret);
	kt_text_char(t, ')');
	return true;
}

static bool put_time(struct kt_text *t, int64_t seconds)
{
	char date[KT_DATE_MAX];
	size_t n = kt_number_form_date(seconds, 0, 9, date);

	if (!n)
		return false;
	kt_text_signed(t, seconds);
	kt_text_string(t, " (");
	kt_text_put(t, date, n);
	kt_text_char(t, ')');
	return true;
}

/* Returns the call's answer of that struct type: the exit's copy whose struct has the member. */
static const struct kt_member *find_answer(const struct kt_hit *exit, const char *member)
{
	const struct kt_record_layout *fields = &exit->event->fields;
	size_t i;

	for (i = 0; i < fields->n_members; i++)
		if (fields->members[i].of &&
		    kt_is_copied(kt_record_layout_copied(fields, exit->values, i)) &&
		    kt_record_layout_find_number(fields->members[i].of, member))
			return &fields->members[i];
	return NULL;
}

static void put_number(struct kt_text *t, const struct kt_record_layout *of, const char *name,
		       const char *at)
{
	const struct kt_member *m = kt_record_layout_find_number(of, name);
	struct kt_value v = {at + kt_record_layout_offset(of, m), 1};

	kt_text_string(t, name);
	kt_text_char(t, '=');
	kt_number_show(t, m, &v, 0);
}

/* Prints the descriptors that are ready: [{fd=3, revents=POLLIN}]; dots, if not all of them. */
static void put_ready(struct kt_text *t, const struct kt_member *m, const struct kt_value *v,
		      int64_t all)
{
	const struct kt_member *revents = kt_record_layout_find_number(m->of, "revents");
	const char *at = v->data, *end = at + v->n * m->width;
	int64_t n = 0;

	kt_text_char(t, '[');
	for (; at < end && (int64_t)kt_text_limited(t, n + 1) > n; at += m->width) {
		if (!kt_record_layout_number(m->of, at, revents - m->of->members))
			continue;
		kt_text_string(t, n++ > 0 ? ", {" : "{");
		put_number(t, m->of, "fd", at);
		kt_text_string(t, ", ");
		put_number(t, m->of, "revents", at);
		kt_text_char(t, '}');
	}
	if (n < all)
		kt_text_string(t, n > 0 ? ", ..." : "...");
	kt_text_char(t, ']');
}

/* Prints what is left of the time to wait, in that unit. */
static void put_left_in(struct kt_text *t, const struct kt_hit *exit, const char *unit,
			const char *before)
{
	const struct kt_member *m = find_answer(exit, unit);
	const char *at = m ? exit->values[m - exit->event->fields.members].data : NULL;

	if (!m || !kt_record_layout_find_number(m->of, "tv_sec"))
		return;
	kt_text_string(t, before);
	kt_text_string(t, "left {");
	put_number(t, m->of, "tv_sec", at);
	kt_text_string(t, ", ");
	put_number(t, m->of, unit, at);
	kt_text_char(t, '}');
}

static void put_left(struct kt_text *t, const struct kt_hit *exit, const char *before)
{
	put_left_in(t, exit, "tv_nsec", before);
	put_left_in(t, exit, "tv_usec", before);
}

/* Prints how many descriptors are ready. Returns false if none are. */
static bool begin_answer(struct kt_text *t, int64_t ret)
{
	kt_text_signed(t, ret);
	kt_text_string(t, ret ? " (" : " (Timeout)");
	return ret;
}

/* Prints a set of descriptors, at most n, if it has any. Returns how many are left of n. */
static int64_t put_selected(struct kt_text *t, const struct kt_hit *exit, const char *copy,
			    const char *before, int64_t n)
{
	const struct kt_member *m = kt_record_layout_find(&exit->event->fields, copy);
	size_t k = m ? m - exit->event->fields.members : 0, i, size;

	if (!m || m->notation != KT_BITMAP)
		return n;
	size = kt_bitmap_size(exit, k);
	i = kt_bitmap_next(&exit->values[k], size, 0);
	if (n <= 0 || i == size)
		return n;
	kt_text_string(t, before);
	for (; i < size && n > 0; i = kt_bitmap_next(&exit->values[k], size, i + 1), n--) {
		kt_text_number(t, i);
		if (n > 1 && kt_bitmap_next(&exit->values[k], size, i + 1) < size)
			kt_text_char(t, ' ');
	}
	kt_text_char(t, ']');
	return n;
}

/* Prints the answer of select: 2 (in [3], out [4]). Returns false if there is none. */
static bool put_selection(struct kt_text *t, const struct kt_hit *exit, int64_t ret)
{
	static const struct {
		const char *copy, *first, *next;
	} sets[] = {
		{"__inp_val", "in [", ""},
		{"__outp_val", "out [", ", out ["},
		{"__exp_val", "except [", ", except ["},
	};
	int64_t left = ret;
	size_t i;

	if (ret < 0)
		return false;
	if (!begin_answer(t, ret))
		return true;
	for (i = 0; i < sizeof(sets) / sizeof(*sets); i++)
		left = put_selected(t, exit, sets[i].copy,
				    left < ret ? sets[i].next : sets[i].first, left);
	put_left(t, exit, left < ret ? ", " : "");
	kt_text_char(t, ')');
	return true;
}

/* Prints the answer of poll. Returns false if it is unknown. */
static bool put_answer(struct kt_text *t, const struct kt_hit *exit, int64_t ret)
{
	const struct kt_member *m = find_answer(exit, "revents");

	if (ret < 0 || (ret > 0 && (!m || !kt_record_layout_find_number(m->of, "fd"))))
		return false;
	if (!begin_answer(t, ret))
		return true;
	put_ready(t, m, &exit->values[m - exit->event->fields.members], ret);
	put_left(t, exit, ", ");
	kt_text_char(t, ')');
	return true;
}

/* Prints a value with the names that it has in this call. */
static bool put_named(struct kt_text *t, const struct kt_call *call, int64_t ret)
{
	const struct meaning *m = find_meaning(call);
	struct kt_labelled found;

	if (!m)
		return false;
	kt_labels_of(kt_constants_find(m->constants), ret, &found);
	if (!found.n)
		return false;
	put_number_of(t, m, ret);
	put_meaning(t, m, ret, &found);
	return true;
}

bool kt_return_text_put(struct kt_text *t, const struct kt_call *call, const struct kt_hit *exit,
			int64_t ret)
{
	switch (call->kind->form) {
	case KT_CALL_ANSWERS:
		return put_answer(t, exit, ret);
	case KT_CALL_SELECTS:
		return put_selection(t, exit, ret);
	case KT_CALL_IO_PRIORITY:
		return put_io_priority(t, ret);
	case KT_CALL_MEANS:
		return put_named(t, call, ret);
	case KT_CALL_TIME:
		return put_time(t, ret);
	default:
		return false;
	}
}

struct restart {
	const char *name, *text;
};

static const struct restart *find_restart(const char *name)
{
	static const struct restart all[] = {
		{"ERESTARTSYS", "To be restarted if SA_RESTART is set"},
		{"ERESTARTNOINTR", "To be restarted"},
		{"ERESTARTNOHAND", "To be restarted if no handler"},
		{"ERESTART_RESTARTBLOCK", "Interrupted by signal"},
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (strcmp(all[i].name, name) == 0)
			return &all[i];
	return NULL;
}

void kt_return_text_put_error(struct kt_text *t, int error, const char *name)
{
	const struct restart *restart = find_restart(name);
	const char *own = strerrorname_np(error), *text = NULL;

	if (restart)
		text = restart->text;
	else if (own && strcmp(own, name) == 0)
		text = strerrordesc_np(error);
	if (!restart)
		kt_text_color(t, KT_COLOR_ERROR);
	kt_text_string(t, restart ? "? " : "-1 ");
	kt_text_escaped_string(t, name);
	if (text) {
		kt_text_string(t, " (");
		kt_text_string(t, text);
		kt_text_char(t, ')');
	}
	if (!restart)
		kt_text_color_end(t);
}
