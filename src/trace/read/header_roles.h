/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the members of packets' and records' heads mean: where a packet has its CPU, and a record
 * its time (trace/read/metadata_reader.h).
 *
 *	kt_header_roles_find(schema, &tsdl);		// all heads have been read
 *	schema->roles[KT_ROLE_CPU].offset;
 */
#ifndef KT_TRACE_READ_HEADER_ROLES_H
#define KT_TRACE_READ_HEADER_ROLES_H

#include <stdbool.h>

#include "trace/read/metadata_reader.h"

struct kt_tsdl;

/* As metadata has it: "packet.header". */
const char *kt_head_name(enum kt_head head);

/* False where a head has no such member, which the tsdl's err says. */
bool kt_header_roles_find(struct kt_metadata *schema, struct kt_tsdl *t);

#endif
