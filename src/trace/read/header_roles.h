/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the members of headers by name, for example a packet's CPU or a record's time
 * (trace/read/metadata_reader.h).
 *
 *	kt_header_roles_find(metadata, &tsdl);		// after all heads were read
 *	metadata->roles[KT_ROLE_CPU].offset;
 */
#ifndef KT_TRACE_READ_HEADER_ROLES_H
#define KT_TRACE_READ_HEADER_ROLES_H

#include <stdbool.h>

#include "trace/read/metadata_reader.h"

struct kt_tsdl;

/* Returns a head's name in the metadata: "packet.header". */
const char *kt_header_roles_head_name(enum kt_head head);

/* Finds the members of all roles. Returns false if a head lacks one, which the tsdl's err says. */
bool kt_header_roles_find(struct kt_metadata *metadata, struct kt_tsdl *t);

#endif
