/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An element of a map, found by its number.
 *
 *	kt_asm_move_map(a, BPF_REG_1, map_fd);
 *	kt_emit_map_lookup(a, slot, absent);
 *
 * r0 is the element of the map in r1 whose number is the u32 at r10 + slot; where there is none it
 * goes to the label absent. Of array maps the kernel makes some five instructions, no call.
 */
#ifndef KT_BPF_MAP_LOOKUP_H
#define KT_BPF_MAP_LOOKUP_H

struct kt_asm;

void kt_emit_map_lookup(struct kt_asm *a, int slot, int absent);

#endif
