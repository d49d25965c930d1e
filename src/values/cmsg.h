/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints control messages of sockets: descriptors, credentials, timestamps, addresses.
 *
 *	kt_cmsg_put(t, &value, pointer, copied);
 *
 *	// [{cmsg_len=20, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS, cmsg_data=[3]}]
 *
 * Data of unknown types is printed as bytes; data too short for its type is not printed.
 */
#ifndef KT_VALUES_CMSG_H
#define KT_VALUES_CMSG_H

#include "trace/record_layout.h"

struct json_object;
struct kt_text;

/*
 * Prints a list of messages as strace does; v is at least a struct cmsghdr. Dots follow the last
 * message if only part of the data was copied, or is of messages, with the address of the rest;
 * pointer: the data's own, 0 if it is unknown. A limited text (values/text.h) cuts lists.
 */
void kt_cmsg_put(struct kt_text *t, const struct kt_value *v, uint64_t pointer,
		 enum kt_copied copied);

/* Returns an array of objects, or NULL without memory. */
struct json_object *kt_cmsg_object(const struct kt_value *v);

#endif
