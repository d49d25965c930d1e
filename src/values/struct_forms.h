/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints parts of structs in forms of strace's own (trace/print_forms.h): of struct stat the size
 * or the device; both members of a union.
 */
#ifndef KT_VALUES_STRUCT_FORMS_H
#define KT_VALUES_STRUCT_FORMS_H

#include <stdbool.h>
#include <stddef.h>

struct kt_record_layout;
struct kt_text;

/* Returns whether an optional member of the struct at `at` is printed. */
bool kt_struct_form_has(const struct kt_record_layout *layout, const char *at, size_t i);

/* Prints a member in a form that belongs to its struct. Returns false if it has none. */
bool kt_struct_form_put(struct kt_text *t, const struct kt_record_layout *layout, const char *at,
			size_t i);

/* Prints a struct sigevent: what its kind of notification uses. Returns false if it is too small.
 */
bool kt_struct_form_put_sigevent(struct kt_text *t, const struct kt_record_layout *layout,
				 const char *at);

/*
 * Prints two structs with 32 capabilities each as one with 64. Returns false if they have other
 * members than sets.
 */
bool kt_struct_form_put_capabilities(struct kt_text *t, const struct kt_record_layout *layout,
				     const char *at);

/* Returns whether the struct is printed only as it is after the call, not what changed. */
bool kt_struct_form_is_answer(const struct kt_record_layout *layout);

#endif
