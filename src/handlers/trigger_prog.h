/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program that records nothing, and tells of the first hit of an event's trigger at once.
 *
 *	struct kt_reserve r = {
 *		.gate = kt_enable_word_fd(gate), .globs = -1, .event = 0, .freezing = {true, 0},
 *	};
 *
 *	kt_emit_trigger_prog(a, r, kt_wakeup_map(wakeup), event);
 *
 * A hit costs what the trigger's filter takes, and once there was a first one a load and a branch,
 * until the gate is armed anew.
 */
#ifndef KT_HANDLERS_TRIGGER_PROG_H
#define KT_HANDLERS_TRIGGER_PROG_H

#include "generate/reserve.h"

struct kt_asm;
struct kt_event;

/*
 * Says so in the gate, as kt_emit_trigger does, and behind that wakes whoever waits for that map
 * (hook/wakeup.h). In an NMI the kernel may not be able to, so he is to look now and then. Of r no
 * more is looked at than is said above, and the event's event->freezes neither.
 */
void kt_emit_trigger_prog(struct kt_asm *a, struct kt_reserve r, int wakeup,
			  const struct kt_event *event);

#endif
