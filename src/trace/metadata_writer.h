/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a trace says of itself: doc/trace.md.
 *
 *	struct kt_metadata_writer m = {.version = "0.1.0", .events = events, .n_events = n};
 *
 *	kt_metadata_writer_here(&m, &err);
 *	kt_metadata_writer_write(&m, dir, &err);		// dir/metadata
 *
 * is to be done before its first packet is written. What lies at the kernel's addresses in the
 * records is known only when all are there:
 *
 *	m.symbols = symbols;				// constants/symbols.h
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

struct kt_metadata_writer {
	uint8_t uuid[16];    /* of the trace */
	uint8_t boot[16];    /* of the boot that its times belong to */
	int64_t since_1970;  /* ns to add to them */
	struct utsname host; /* where it was recorded */
	const char *version; /* of ktrace */
	bool follows;        /* hits of followed processes alone */
	struct kt_provenance from;
	uint64_t one_since; /* not 0: it is the same trace as any of this boot that says so */
	const struct kt_event *const *events; /* an event's index here is its id in the trace */
	size_t n_events;                      /* at most KT_EVENTS_MAX (bpf/ring_layout.h) */
	bool keeps;                           /* it has streams of the kept channel */
	const struct kt_time_span *complete;  /* by index: all hits are there; NULL: always */
	const struct kt_symbols *symbols;     /* or NULL: not known */
};

/* Of what has that origin, which is to outlive it. */
struct kt_metadata_writer kt_metadata_writer_of(const struct kt_trace_source *origin,
						const char *version);

/* Fills in a uuid, of its own unless it is one of many, and this boot, clock and host. 0 or -errno.
 */
int kt_metadata_writer_here(struct kt_metadata_writer *m, struct kt_error *err);

/* Makes the file in the directory dir. -EEXIST where there is one. */
int kt_metadata_writer_write(const struct kt_metadata_writer *m, int dir, struct kt_error *err);

/* Writes the text that is in there. 0 or -errno; whether it could be written the file tells. */
int kt_metadata_writer_print(const struct kt_metadata_writer *m, FILE *to, struct kt_error *err);

/* Puts another in its place, at once: who reads it finds the one or the other. */
int kt_metadata_writer_replace(const struct kt_metadata_writer *m, int dir, struct kt_error *err);

#endif
