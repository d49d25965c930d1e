/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the metadata of a trace (doc/trace.md).
 *
 *	struct kt_metadata_writer m = {.version = "0.1.0", .events = events, .n_events = n};
 *
 *	kt_metadata_writer_fill(&m, &err);
 *	kt_metadata_writer_write(&m, dir, &err);		// dir/metadata
 *
 * before the first packet is written. Which kernel addresses are in the records, and what tasks
 * were called, is known only at the end:
 *
 *	m.symbols = symbols;				// constants/symbols.h
 *	m.tasks = tasks;				// trace/task_labels.h
 *	kt_metadata_writer_replace(&m, dir, &err);
 */
#ifndef KT_TRACE_METADATA_WRITER_H
#define KT_TRACE_METADATA_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/utsname.h>

#include "base/provenance.h"

struct kt_error;
struct kt_event;
struct kt_trace_source;
struct kt_time_span;
struct kt_symbols;
struct kt_task_labels;

struct kt_metadata_writer {
	uint8_t uuid[16];    /* of the trace */
	uint8_t boot[16];    /* of the boot that its times belong to */
	int64_t since_1970;  /* ns to add to its times */
	struct utsname host; /* where it was recorded */
	const char *version; /* of ktrace */
	bool follows;        /* only hits of followed processes */
	struct kt_provenance from;
	uint64_t one_since; /* if not 0: the same trace as any other of this boot with this value */
	const struct kt_event *const *events; /* an event's index is its id in the trace */
	size_t n_events;                      /* at most KT_EVENTS_MAX (bpf/ring_layout.h) */
	bool has_rare;                        /* it has streams of rare events */
	const struct kt_time_span
		*complete;                  /* by index: when all hits are recorded; NULL: always */
	const struct kt_symbols *symbols;   /* NULL: not known */
	const struct kt_task_labels *tasks; /* NULL: not known */
};

/* Returns the metadata of a trace from that source, which must outlive it. */
struct kt_metadata_writer kt_metadata_writer_of(const struct kt_trace_source *source,
						const char *version);

/*
 * Fills in this boot, clock and host, and a UUID: a random one, or one derived from one_since.
 * Returns 0 or -errno.
 */
int kt_metadata_writer_fill(struct kt_metadata_writer *m, struct kt_error *err);

/* Creates the file in the directory dir. Returns 0 or -errno: -EEXIST if there is one. */
int kt_metadata_writer_write(const struct kt_metadata_writer *m, int dir, struct kt_error *err);

/* Writes the text. Returns 0 or -errno; ferror(to) reports write errors. */
int kt_metadata_writer_print(const struct kt_metadata_writer *m, FILE *to, struct kt_error *err);

/* Replaces the file atomically. Returns 0 or -errno. */
int kt_metadata_writer_replace(const struct kt_metadata_writer *m, int dir, struct kt_error *err);

#endif
