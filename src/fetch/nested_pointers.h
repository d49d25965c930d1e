/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pointers within a struct that an argument points to: a struct user_msghdr has an address, buffers
 * and control messages.
 *
 *	kt_nested_pointers_add_all(event, btf);	// its last field: "__msg_val"
 *	puts(event->fields[5].name);		// __msg_name_val, of the member msg_name
 *
 * Their data are fields like those of arguments (fetch/pointed_data.h), after the struct, and
 * named after the struct's members.
 */
#ifndef KT_FETCH_NESTED_POINTERS_H
#define KT_FETCH_NESTED_POINTERS_H

#include <stdbool.h>
#include <stdio.h>

struct kt_btf;
struct kt_event;

/* Returns whether pointers within "struct user_msghdr" are known, and fit this kernel. */
bool kt_nested_pointers_is_there(const char *type, struct kt_btf *btf);

/* Adds a field for each pointer of the struct in the last field. Returns 0 or -ENOMEM. */
int kt_nested_pointers_add_all(struct kt_event *event, struct kt_btf *btf);

/*
 * Writes the expression (ctypes/recipe_expr.h) of the field named after that member; nothing if the
 * event has no struct with it.
 */
void kt_nested_pointers_write(FILE *out, const struct kt_event *event, const char *member);

#endif
