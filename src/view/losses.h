/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints how many hits were lost, and why. */
#ifndef KT_VIEW_LOSSES_H
#define KT_VIEW_LOSSES_H

#include "trace/event_counts.h"

struct kt_text;

/* Returns the cause in words, which follow a number of hits: "for want of room in a ring (-b)" */
const char *kt_loss_why(enum kt_loss loss);

/* Prints "lost 5 of 70: 3 for want of room in a ring (-b), 2 not written to the trace" */
void kt_losses_put(struct kt_text *t, const struct kt_outcome *o);

/*
 * Prints notes about the counts, each on a line after a prefix: what missed forks mean, and that
 * there may be losses which the kernel does not report.
 */
void kt_losses_put_notes(struct kt_text *t, const struct kt_event_counts *b, const char *prefix);

#endif
