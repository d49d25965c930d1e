/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What options of sockets are set to, as programs hand it to setsockopt and get it from getsockopt;
 * and what they do to ioctl, by its request.
 *
 *	kt_sockopt_put(t, kt_sockopt_at(entry, i), &value, copied);	// {l_onoff=1, l_linger=5}
 *
 * Some have structs, text, or flags, by their names; others are numbers where they have four bytes,
 * and of the rest the bytes are shown. A return by itself does not know which one it was.
 */
#ifndef KT_VALUES_SOCKOPT_H
#define KT_VALUES_SOCKOPT_H

#include <stddef.h>

#include "trace/record_layout.h"

struct json_object;
struct kt_hit;
struct kt_text;

/* The name that the argument before that one has, or the pointer to a copy; NULL: none. */
const char *kt_sockopt_at(const struct kt_hit *entry, size_t argument);
const char *kt_sockopt_copied(const struct kt_hit *hit, size_t copy);

/*
 * In strace's words: [1], {l_onoff=1, l_linger=5}, "lo\0". Behind a part of a struct, or of bytes,
 * there are dots. The name may be NULL.
 */
void kt_sockopt_put(struct kt_text *t, const char *name, const struct kt_value *v,
		    enum kt_copied copied);

/* A number, an object, a text, or an array of bytes; NULL where there is no memory. */
struct json_object *kt_sockopt_object(const char *name, const struct kt_value *v,
				      enum kt_copied copied);

#endif
