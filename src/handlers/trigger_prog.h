/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits a program that records nothing, and reports the first hit of an event's trigger at once.
 *
 *	struct kt_reserve r = {
 *		.enable = kt_enable_word_fd(enable), .globs = -1, .event = 0, .freezing = {true, 0},
 *	};
 *
 *	kt_emit_trigger_prog(a, r, kt_wakeup_map(wakeup), event);
 *
 * A hit costs what the trigger's filter costs; after the first one a load and a branch, until the
 * enable word is armed again.
 */
#ifndef KT_HANDLERS_TRIGGER_PROG_H
#define KT_HANDLERS_TRIGGER_PROG_H

#include "generate/reserve.h"

struct kt_asm;
struct kt_event;

/*
 * Notes the hit in the enable word's map, as kt_emit_trigger() does, then wakes the processes that
 * wait for that map (hook/wakeup.h). In an NMI the kernel may fail to wake, so a waiter must also
 * poll now and then. Other members of r, and event->freezes, are ignored.
 */
void kt_emit_trigger_prog(struct kt_asm *a, struct kt_reserve r, int wakeup,
			  const struct kt_event *event);

#endif
