/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which members of a struct strace prints, and in what order: of struct stat the size or the
 *device, and without -v only these and the mode.
 *
 *	uint16_t order[KT_MEMBERS_MAX];
 *	bool more;
 *	size_t i, n = kt_struct_form_order(layout, at, true, order, &more);
 *
 *	for (i = 0; i < n; i++)
 *		print(&layout->members[order[i]]);
 *	if (more)
 *		printf("...");
 */
#ifndef KT_VALUES_STRUCT_FORMS_H
#define KT_VALUES_STRUCT_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kt_record_layout;
struct kt_text;

/*
 * Stores the members that are printed of the struct at `at`; brief: as without -v. Stores whether
 * dots stand for others. Returns their number.
 */
size_t kt_struct_form_order(const struct kt_record_layout *layout, const char *at, bool brief,
			    uint16_t *order, bool *more);

/*
 * Prints a member in a form that belongs to its struct, such as both members of a union. Returns
 * false if it has none.
 */
bool kt_struct_form_put(struct kt_text *t, const struct kt_record_layout *layout, const char *at,
			size_t i);

/* Prints a whole struct in a form of its own. Returns false if it has none. */
bool kt_struct_form_put_whole(struct kt_text *t, const struct kt_record_layout *layout,
			      const char *at);

/* Returns whether the struct is printed only as it is after the call, not what changed. */
bool kt_struct_form_is_answer(const struct kt_record_layout *layout);

/* Returns whether the struct is printed without its members' names: [0] for a sched_param. */
bool kt_struct_form_is_bare(const struct kt_record_layout *layout);

#endif
