/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the members of headers by name, for example a packet's CPU or a record's time
 * (trace/read/metadata_reader.h).
 *
 *	kt_header_roles_find(metadata, &tsdl);		// after all headers were read
 *	metadata->roles[KT_ROLE_CPU].offset;
 */
#ifndef KT_TRACE_READ_HEADER_ROLES_H
#define KT_TRACE_READ_HEADER_ROLES_H

#include <stdbool.h>

#include "trace/read/metadata_reader.h"

struct kt_tsdl;

/* Returns a header's name in the metadata: "packet.header". */
const char *kt_header_name(enum kt_header header);

/*
 * Finds the members of all roles. Returns false if a header lacks one, with the reason in the
 * parser's err.
 */
bool kt_header_roles_find(struct kt_metadata *metadata, struct kt_tsdl *t);

#endif
