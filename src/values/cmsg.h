/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Control messages, as programs send and receive them beside the bytes of a message: descriptors,
 * who sent it, when it came, and to which address.
 *
 *	kt_cmsg_put(t, &value, copied);
 *
 *	// [{cmsg_len=20, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS, cmsg_data=[3]}]
 *
 * Of a type that is not known here, and of one that is cut, the bytes are shown.
 */
#ifndef KT_VALUES_CMSG_H
#define KT_VALUES_CMSG_H

#include "trace/record_layout.h"

struct json_object;
struct kt_text;

/*
 * In strace's words. It is a struct cmsghdr at least. Behind the last one of a part of them there
 * are dots; of a text that is limited (values/text.h) lists are cut.
 */
void kt_cmsg_put(struct kt_text *t, const struct kt_value *v, enum kt_copied copied);

/* An array of objects; NULL where there is no memory. */
struct json_object *kt_cmsg_object(const struct kt_value *v);

#endif
