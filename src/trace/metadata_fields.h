/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the fields of events as TSDL declarations in a trace's metadata.
 *
 *	kt_metadata_declare_types(f, symbols, tasks);
 *	if (kt_metadata_declare_named(f, events, n) < 0)
 *		return -ENOMEM;
 *	fputs("event { … fields := struct {\n", f);
 *	kt_metadata_declare_fields(f, events[0]);		// s32 _prev_pid;
 *
 * doc/trace.md lists the names of types.
 */
#ifndef KT_TRACE_METADATA_FIELDS_H
#define KT_TRACE_METADATA_FIELDS_H

#include <stddef.h>
#include <stdio.h>

struct kt_event;
struct kt_symbols;
struct kt_task_labels;

/*
 * Writes the types of numbers, text, times, addresses and tasks; with symbols and names of tasks,
 * if given.
 */
void kt_metadata_declare_types(FILE *f, const struct kt_symbols *symbols,
			       const struct kt_task_labels *tasks);

/*
 * Writes the types that fields share: names of numbers, structs, and variants of arguments. Returns
 * 0 or -ENOMEM.
 */
int kt_metadata_declare_named(FILE *f, const struct kt_event *const *events, size_t n);

/*
 * Writes the fields of an event, one per line: first all of fixed length, with the lengths of
 * varying ones.
 */
void kt_metadata_declare_fields(FILE *f, const struct kt_event *event);

#endif
