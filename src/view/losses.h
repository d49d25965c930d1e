/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was lost, and why, in words. */
#ifndef KT_VIEW_LOSSES_H
#define KT_VIEW_LOSSES_H

#include "trace/event_counts.h"

struct kt_text;

/* To stand behind a number of hits: for want of room in a ring (-b). */
const char *kt_loss_why(enum kt_loss loss);

/* lost 5 of 70: 3 for want of room in a ring (-b), 2 not written to the trace */
void kt_losses_put(struct kt_text *t, const struct kt_outcome *o);

/*
 * What else is to be said of a balance, a line each behind a prefix: what it means that forks were
 * missed, and that there may be losses of which the kernel does not tell.
 */
void kt_losses_put_notes(struct kt_text *t, const struct kt_event_counts *b, const char *prefix);

#endif
