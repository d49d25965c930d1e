/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names that a filter may use besides pid, tid, comm and cpu: fields of an event, or what a
 * trace has of a system call.
 *
 *	struct kt_filter_scope scope;
 *
 *	kt_filter_scope_of_event(&scope, event);
 *	f = kt_filter_parse_in(&scope, "prev_prio < 100", &err);	// f->field: index of a name
 *	kt_filter_scope_clear(&scope);
 */
#ifndef KT_FILTER_FILTER_SCOPE_H
#define KT_FILTER_FILTER_SCOPE_H

#include <stdbool.h>
#include <stddef.h>

struct kt_event;
struct kt_labels;

/* A name of one number or one text. */
struct kt_filter_name {
	const char *name;
	unsigned int bits; /* of the number; 0: text */
	bool is_signed;
	bool is_time;                   /* a number of ns, which may be written with a unit */
	bool is_address;                /* constants have no place here */
	const struct kt_labels *labels; /* names of values, or NULL */
	size_t text_max;                /* maximum bytes of a text */
	size_t text;         /* for a pointer: 1 + the index of the name with its text; or 0 */
	const char *why_not; /* why filters cannot test it: "is an array; ..."; NULL: they can */
};

struct kt_filter_scope {
	struct kt_filter_name *names;
	size_t n;
	const char *system, *event; /* for error messages: names are listed by 'ktrace list -v' */
	const struct kt_event *of; /* whose arguments can be followed, as those of a function of the
				      kernel that has types; or NULL */
};

/* Makes the scope of an event, which must outlive it. Returns 0 or -ENOMEM. */
int kt_filter_scope_of_event(struct kt_filter_scope *scope, const struct kt_event *event);

void kt_filter_scope_clear(struct kt_filter_scope *scope);

#endif
