/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How large a recording's rings are unless the user says.
 *
 *	kt_geometry_of(kt_ring_size_default());		// 16 MiB on most machines
 *
 * 16 MiB last for 80 ms of a loop of one system call: longer than a disk that others write to has
 * let the recorder wait (56 ms seen). All rings together take a 64th of the machine's memory at
 * most, for which the size is halved, down to 1 MiB.
 */
#ifndef KT_RING_RING_SIZE_H
#define KT_RING_RING_SIZE_H

#include <stddef.h>
#include <stdint.h>

/* Returns the bytes of each ring on a machine with this many bytes of memory and CPUs. */
uint64_t kt_ring_size_for(uint64_t memory, size_t n_cpus);

/* Returns the same for this machine. */
uint64_t kt_ring_size_default(void);

#endif
