/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rings of a session: one per CPU, for all CPUs or some; with rare-event rings, one more for
 * each (doc/ring.md, "Channels").
 *
 *	struct kt_rings *rings = kt_rings_new(geometry, NULL, &err);
 *
 *	kt_rings_add_rare(rings, &err);
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
 * Pinned rings can be opened by another process.
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

/*
 * Creates rings for these CPUs, which must be online (base/cpus.h), or for all (NULL). Returns NULL
 * on error.
 */
struct kt_rings *kt_rings_new(struct kt_geometry geometry, const bool *cpus, struct kt_error *err);

/*
 * Adds rare-event rings (kt_geometry_rare) for the same CPUs; may be called once. Returns 0 or
 * -errno.
 */
int kt_rings_add_rare(struct kt_rings *rings, struct kt_error *err);

/*
 * Creates as many rings for the other buffer set in the same maps (doc/ring.md), for the same CPUs:
 * programs can be switched there and back (session/enable_word.h). They are freed separately, in
 * any order. Returns NULL on error.
 */
struct kt_rings *kt_rings_new_spare(const struct kt_rings *rings, struct kt_error *err);

/*
 * Puts the rings, and those of the other set if given, into the maps where programs find them;
 * until then hits are lost. Takes about 10 ms per channel, as kt_rings_settle(). Returns 0 or
 * -errno.
 */
int kt_rings_place(const struct kt_rings *rings, const struct kt_rings *also, struct kt_error *err);

/*
 * Opens the rings of a buffer set that kt_rings_pin() left in a directory; has_rare: with
 * rare-event rings. Returns NULL on error: ENOENT if there are none, EPROTO if programs write to
 * others.
 */
struct kt_rings *kt_rings_from(int dir, uint32_t set, struct kt_geometry geometry, bool has_rare,
			       struct kt_error *err);
void kt_rings_free(struct kt_rings *rings);

/*
 * Return the map of a channel's rings, -1 if it has none; and the row of CPU 0 in it, which the
 * other CPUs follow by number.
 */
int kt_rings_fd(const struct kt_rings *rings, enum kt_channel channel);
uint32_t kt_rings_row(const struct kt_rings *rings);

/* Return the buffer set, 0 to KT_BUFFER_SETS - 1; and the geometry of a channel's rings. */
size_t kt_rings_buffer_set(const struct kt_rings *rings);
struct kt_geometry kt_rings_geometry(const struct kt_rings *rings, enum kt_channel channel);

/*
 * Pins each ring as dir/bank0/cpuN or dir/bank1/cpuN (hook/bpffs.h), rare-event rings as keptN, and
 * with the first set the maps as dir/rings and dir/kept. Either all appear at once, or none.
 * Returns 0 or -errno.
 */
int kt_rings_pin(struct kt_rings *rings, int dir, struct kt_error *err);

/* Returns whether exactly these rings are pinned for the set; for NULL, whether none are. */
bool kt_rings_are_pinned(const struct kt_rings *rings, int dir, uint32_t set);

/*
 * Returns whether these rings are still the ones that programs of their set write to, pinned or
 * not.
 */
bool kt_rings_are_placed(const struct kt_rings *rings);

/*
 * Removes the pins of a set that nobody writes, all at once; kt_rings_remove_leftovers() must
 * follow. Returns 0 or -errno.
 */
int kt_rings_unpin(const struct kt_rings *rings, int dir, struct kt_error *err);

/*
 * Must be called before kt_rings_new_spare() for pinned rings: marks that rings may be left over,
 * if the process is killed before they are pinned. Returns 0 or -errno.
 */
int kt_rings_mark_pending(int dir, struct kt_error *err);

/*
 * Removes what a killed process left over, and what has been unpinned, of the other set; is_gone:
 * that set should have no rings. Takes 10 ms for each left-over set. Returns 0 or -errno.
 */
int kt_rings_remove_leftovers(const struct kt_rings *rings, bool is_gone, int dir,
			      struct kt_error *err);

/*
 * Returns when every program that was running at the call, on any CPU, has ended: about 10 ms, the
 * kernel's own wait (synchronize_rcu).
 */
void kt_rings_settle(const struct kt_rings *rings);

/*
 * Call kt_ring_flush() (after completing an interrupted one), kt_ring_rewind() and kt_ring_clear()
 * for each ring. The rings must be settled.
 */
void kt_rings_flush(const struct kt_rings *rings);
void kt_rings_rewind(const struct kt_rings *rings);
void kt_rings_clear(const struct kt_rings *rings);

/*
 * Return the number of ring indices, and of CPUs. Index i runs over channels, then CPUs.
 * kt_rings_at() returns NULL for a CPU without a ring.
 */
size_t kt_rings_count(const struct kt_rings *rings);
size_t kt_rings_cpus(const struct kt_rings *rings);
struct kt_ring *kt_rings_at(const struct kt_rings *rings, size_t i);

/* Returns the bytes of all rings. */
uint64_t kt_rings_size(const struct kt_rings *rings);

#endif
