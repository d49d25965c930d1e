/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes how long disk requests, softirqs, interrupt handlers and timers took, from the pairs of
 * events that begin and end them (doc/view.md).
 *
 *	struct kt_span_times s;
 *
 *	kt_span_times_begin(&s, r);
 *	while (kt_trace_reader_next(r, &hit, &err) > 0)
 *		kt_span_times_add(&s, r, &hit);
 *	kt_span_times_end(&s);
 *	for (i = 0; i < s.n; i++)
 *		printf("%s: %lu ns\n", s.rows[i]->name, s.rows[i]->total);
 *	kt_span_times_free(&s);
 *
 * A pair between whose events records may be missing has no time. Memory grows with the number of
 * disks, interrupts and requests in progress. Takes some 100 ns per event.
 */
#ifndef KT_VIEW_REPORT_SPAN_TIMES_H
#define KT_VIEW_REPORT_SPAN_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time_span.h"

struct kt_event_class;
struct kt_hit;
struct kt_member;
struct kt_trace_reader;

enum kt_span_kind {
	KT_SPAN_DISK,      /* block_rq_issue to block_rq_complete */
	KT_SPAN_INTERRUPT, /* irq_handler_entry to _exit */
	KT_SPAN_SOFTIRQ,   /* softirq_entry to _exit */
	KT_SPAN_HRTIMER,   /* hrtimer_expire_entry to _exit */
	KT_SPAN_TIMER,     /* timer_expire_entry to _exit */
	KT_SPAN_KINDS
};

/* Times of one interrupt, softirq, or of a disk's reads. */
struct kt_span_row {
	enum kt_span_kind kind;
	uint64_t id; /* device and operation, or number */
	char *name;  /* "254:0 read", "24 virtio0-input", "NET_RX", "tick_nohz_handler" */
	uint64_t count;
	uint64_t total, longest; /* ns */
};

/* The events of a kind, and the fields that identify a span and its row. */
struct kt_span_events {
	const struct kt_event_class *begin, *end;
	const struct kt_member *keys[2][2]; /* of both events; NULL: none */
	const struct kt_member *name;       /* of the begin; NULL: none */
	struct kt_time_span complete;       /* of both */
};

struct kt_span_times {
	struct kt_span_events events[KT_SPAN_KINDS];
	uint64_t unpaired[KT_SPAN_KINDS]; /* ends without a known begin */
	struct kt_span_row **rows;        /* by total, longest first, after the end */
	size_t n;
	void *requests, *index;   /* trees of open requests and of rows */
	struct kt_span_cpu *cpus; /* by number */
	size_t n_cpus;
};

/* Starts with a reader, which must outlive s. */
void kt_span_times_begin(struct kt_span_times *s, const struct kt_trace_reader *r);

/* Adds the hit that the reader returned last. Returns false without memory. */
bool kt_span_times_add(struct kt_span_times *s, const struct kt_trace_reader *r,
		       const struct kt_hit *hit);

/* Returns whether a CPU is in an interrupt, softirq or timer, as far as these are in the trace. */
bool kt_span_times_in_interrupt(const struct kt_span_times *s, const struct kt_trace_reader *r,
				unsigned int cpu);

/* Sorts the rows. */
void kt_span_times_end(struct kt_span_times *s);

void kt_span_times_free(struct kt_span_times *s);

#endif
