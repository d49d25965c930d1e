/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints values of socket options (getsockopt, setsockopt), and of ioctl arguments by request.
 *
 *	kt_sockopt_put(t, kt_sockopt_at(entry, i), &value, copied);	// {l_onoff=1, l_linger=5}
 *
 * A table knows options whose values are structs, text or flags. Other values of four bytes are
 * numbers, the rest is bytes. A return does not know the option: the entry has it.
 */
#ifndef KT_VALUES_SOCKOPT_H
#define KT_VALUES_SOCKOPT_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/record_layout.h"

struct json_object;
struct kt_hit;
struct kt_text;

/*
 * Return the name of the option or request: from the argument before that one, or for the pointer
 * to a copy. NULL if it has none.
 */
const char *kt_sockopt_at(const struct kt_hit *entry, size_t argument);
const char *kt_sockopt_copied(const struct kt_hit *hit, size_t copy);

/* Returns whether the value has parts that are known. The name may be NULL. */
bool kt_sockopt_is_known(const char *name);

/*
 * Returns whether a value that a call was given is as long as the option's, and readable: otherwise
 * the kernel refuses it, and strace prints a pointer. The name may be NULL.
 */
bool kt_sockopt_is_whole(const char *name, const struct kt_value *v, enum kt_copied copied);

/*
 * Prints a value as strace does: [1], {l_onoff=1, l_linger=5}, "lo\0"; dots follow if it was cut,
 * and part of a struct's member is in hex. The name may be NULL.
 */
void kt_sockopt_put(struct kt_text *t, const char *name, const struct kt_value *v,
		    enum kt_copied copied);

/* Returns a number, an object, a text, or an array of bytes; NULL without memory. */
struct json_object *kt_sockopt_object(const char *name, const struct kt_value *v,
				      enum kt_copied copied);

#endif
