/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits the check of whose hit it is: unless the current task, or the one that the event is about,
 * is followed and passes the PID filter, the hit jumps to r->other.
 *
 *	kt_emit_begin(a, &r);
 *	kt_emit_process_check(a, &r, event);
 */
#ifndef KT_HANDLERS_PROCESS_CHECK_H
#define KT_HANDLERS_PROCESS_CHECK_H

#include <stdbool.h>

#include "generate/reserve.h"

struct kt_asm;
struct kt_event;

/* Returns whether there is anything to check. */
bool kt_reserve_checks_process(const struct kt_reserve *r);

/* Emits the check, between begin and enter. Costs nothing without such filters. */
void kt_emit_process_check(struct kt_asm *a, const struct kt_reserve *r,
			   const struct kt_event *event);

#endif
