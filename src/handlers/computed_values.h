/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits the computation of event->curated->computed, values that other expressions refer to
 * (KT_MEMBER_PATH_COMPUTED): once per hit, before filters and the record.
 *
 *	kt_emit_curated_globals(a, event);
 *	kt_emit_computed(a, event, unreadable);
 *	kt_emit_filter_check(a, &r, event);
 */
#ifndef KT_HANDLERS_COMPUTED_VALUES_H
#define KT_HANDLERS_COMPUTED_VALUES_H

#include "generate/reserve.h"

struct kt_asm;
struct kt_event;

/*
 * Stores the values on the stack. Jumps to `unreadable` if one of them cannot be read from user
 * space. Clobbers r0 to r7; nothing is emitted if there are no such values.
 */
void kt_emit_computed(struct kt_asm *a, const struct kt_event *event, int unreadable);

/*
 * Emits a program that may sleep (hook/program.h), and reads the user memory that another program
 * of the same event is about to read: what is not in memory is there then. (A program that records
 * may not sleep itself: it would use a buffer set after its swap.) r is that of the other program.
 */
void kt_emit_page_in(struct kt_asm *a, struct kt_reserve r, const struct kt_event *event);

#endif
