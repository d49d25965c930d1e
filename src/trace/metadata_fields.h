/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of events, as the metadata of a trace declares them.
 *
 *	kt_metadata_declare_types(f, symbols);
 *	if (kt_metadata_declare_named(f, events, n) < 0)
 *		return -ENOMEM;
 *	fputs("event { … fields := struct {\n", f);
 *	kt_metadata_declare_fields(f, events[0]);		// s32 _prev_pid;
 *
 * doc/trace.md has the names of the types.
 */
#ifndef KT_TRACE_METADATA_FIELDS_H
#define KT_TRACE_METADATA_FIELDS_H

#include <stddef.h>
#include <stdio.h>

struct kt_event;
struct kt_symbols;

/* Of numbers, text and times; and of addresses, with symbols where they are known. */
void kt_metadata_declare_types(FILE *f, const struct kt_symbols *symbols);

/*
 * What fields of the events have in common: names of numbers, and structs; and what a field is by
 * another one. 0 or -ENOMEM.
 */
int kt_metadata_declare_named(FILE *f, const struct kt_event *const *events, size_t n);

/* Those of one event, each on a line: all of fixed length first, and how many those are that vary.
 */
void kt_metadata_declare_fields(FILE *f, const struct kt_event *event);

#endif
