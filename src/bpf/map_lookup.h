/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits a lookup of a map element by its index.
 *
 *	kt_asm_move_map(a, BPF_REG_1, map_fd);
 *	kt_emit_map_lookup(a, slot, absent);
 *
 * The map is in r1, the index is the u32 at r10 + slot. r0 becomes the element's address; if there
 * is none, the program jumps to `absent`. The kernel inlines lookups in array maps: about five
 * instructions, no call.
 */
#ifndef KT_BPF_MAP_LOOKUP_H
#define KT_BPF_MAP_LOOKUP_H

struct kt_asm;

void kt_emit_map_lookup(struct kt_asm *a, int slot, int absent);

#endif
