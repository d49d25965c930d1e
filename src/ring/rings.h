/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rings of a session: one for each CPU that is online, or for some of them; and where some
 * events are to be kept, one more of each for these (doc/ring.md, "Channels").
 *
 *	struct kt_rings *rings = kt_rings_new(geometry, NULL, &err);
 *
 *	kt_rings_keep(rings, &err);
 *	kt_rings_place(rings, NULL, &err);
 *
 *	r.rings = kt_rings_fd(rings, event->channel);	// programs find their own
 *	...
 *	for (i = 0; i < kt_rings_count(rings); i++) {
 *		ring = kt_rings_at(rings, i);
 *		if (ring)
 *			read it
 *	}
 *
 * Pinned they can be found again, by another process.
 */
#ifndef KT_RING_RINGS_H
#define KT_RING_RINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/ring_layout.h"

struct kt_error;
struct kt_ring;
struct kt_rings;

/* For those CPUs, which are online (base/cpus.h); NULL: for all that are. On error NULL. */
struct kt_rings *kt_rings_new(struct kt_geometry geometry, const bool *cpus, struct kt_error *err);

/* Those of the kept channel too (kt_geometry_kept), of the same CPUs: once. 0 or -errno. */
int kt_rings_keep(struct kt_rings *rings, struct kt_error *err);

/*
 * As many again, of the same CPUs, in the other bank of the same maps (doc/ring.md): programs can
 * be sent there and back (session/enable_word.h). To be freed too, in any order. On error NULL.
 */
struct kt_rings *kt_rings_beside(const struct kt_rings *rings, struct kt_error *err);

/*
 * Puts them, and those beside them where they are given, to where programs find them: until then
 * hits are lost. Some 10 ms a channel, as kt_rings_settle. 0 or -errno.
 */
int kt_rings_place(const struct kt_rings *rings, const struct kt_rings *beside,
		   struct kt_error *err);

/*
 * Those of a bank that kt_rings_pin has left in a directory; keeps: with those of the kept channel.
 * -ENOENT: none; -EPROTO: not those that programs write to. On error NULL.
 */
struct kt_rings *kt_rings_from(int dir, uint32_t bank, struct kt_geometry geometry, bool keeps,
			       struct kt_error *err);
void kt_rings_free(struct kt_rings *rings);

/*
 * The BPF map of a channel's rings, -1 where it has none; and where in it that of CPU 0 stands, the
 * others by number behind it.
 */
int kt_rings_fd(const struct kt_rings *rings, enum kt_channel channel);
uint32_t kt_rings_row(const struct kt_rings *rings);

/* Which bank these are, 0 to KT_BUFFER_SETS - 1, and what those of a channel have in common. */
size_t kt_rings_bank(const struct kt_rings *rings);
struct kt_geometry kt_rings_geometry(const struct kt_rings *rings, enum kt_channel channel);

/*
 * Pins each as dir/bank0/cpuN, or bank1 (hook/bpffs.h), and those of the kept channel as keptN; and
 * with those of the first bank the maps as dir/rings and dir/kept. All appear at once, or none. 0
 * or -errno.
 */
int kt_rings_pin(struct kt_rings *rings, int dir, struct kt_error *err);

/* Whether it is these of a bank that are, and not others by now; NULL: whether none are. */
bool kt_rings_are_pinned(const struct kt_rings *rings, int dir, uint32_t bank);

/* Whether these are still those of their bank that are written, pinned or not. */
bool kt_rings_are_placed(const struct kt_rings *rings);

/*
 * The other way round, for those of a bank that nobody writes, and also all at once. To be tidied
 * then; 0 or -errno.
 */
int kt_rings_unpin(const struct kt_rings *rings, int dir, struct kt_error *err);

/*
 * To be said before kt_rings_beside is called for rings that are pinned: whoever is killed then
 * before the others are pinned too has left what is to be tidied. 0 or -errno.
 */
int kt_rings_announce(int dir, struct kt_error *err);

/*
 * Removes what was left by who was killed, and what has been unpinned, of the bank beside; is_gone:
 * that is to have no rings. Where there are such, 10 ms for each. 0 or -errno.
 */
int kt_rings_tidy(const struct kt_rings *rings, bool is_gone, int dir, struct kt_error *err);

/*
 * Returns when every program that ran at the time of the call, on whatever CPU, has ended. Some
 * 10 ms: the kernel's own wait for it (synchronize_rcu).
 */
void kt_rings_settle(const struct kt_rings *rings);

/*
 * Once they are settled, of each: kt_ring_flush, also one that was killed at it, kt_ring_rewind,
 * and kt_ring_clear.
 */
void kt_rings_flush(const struct kt_rings *rings);
void kt_rings_rewind(const struct kt_rings *rings);
void kt_rings_clear(const struct kt_rings *rings);

/*
 * Rings are 0 to kt_rings_count - 1, by channel, and those of each by CPU, of which there are
 * kt_rings_cpus. CPUs without a ring have NULL.
 */
size_t kt_rings_count(const struct kt_rings *rings);
size_t kt_rings_cpus(const struct kt_rings *rings);
struct kt_ring *kt_rings_at(const struct kt_rings *rings, size_t i);

/* Returns the bytes of all of them. */
uint64_t kt_rings_size(const struct kt_rings *rings);

#endif
