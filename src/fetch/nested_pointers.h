/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the pointers in a struct lead to that an argument of a system call points to: of a struct
 * user_msghdr an address, buffers, and control messages.
 *
 *	kt_nested_pointers_add_all(event, btf);		// its last field: "__msg_val"
 *	puts(event->fields[5].name);		// __msg_name_val, of the member msg_name
 *
 * They are fields as copies of what arguments point to (fetch/pointed_data.h), behind that of the
 * struct, and named by its members as those are by arguments.
 */
#ifndef KT_FETCH_NESTED_POINTERS_H
#define KT_FETCH_NESTED_POINTERS_H

#include <stdbool.h>
#include <stdio.h>

struct kt_btf;
struct kt_event;

/* Of "struct user_msghdr": whether anything is known of its pointers, as this kernel has it. */
bool kt_nested_pointers_is_there(const char *type, struct kt_btf *btf);

/* Adds a field for each of these, behind the one of such a struct. 0 or -ENOMEM. */
int kt_nested_pointers_add_all(struct kt_event *event, struct kt_btf *btf);

/*
 * The expression (ctypes/recipe_expr.h) of such a field, of that member's name; nothing where the
 * event has no struct with it.
 */
void kt_nested_pointers_write(FILE *out, const struct kt_event *event, const char *member);

#endif
