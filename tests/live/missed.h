/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hits that the kernel gives to no BPF program, as it has them itself while it changes a map: for
 * each new element it allocates memory, a hit of kmem:kmalloc.
 */
#ifndef KT_TESTS_MISSED_H
#define KT_TESTS_MISSED_H

#include <stdint.h>
#include <string.h>

#include <bpf/bpf.h>

/* A map for so many; or -errno where the machine has none of this kind, as is said. */
static inline int map_to_change(int n)
{
	int map = bpf_map_create(BPF_MAP_TYPE_DEVMAP, "test", 4, 4, n, NULL);

	if (map < 0)
		print_message("# no map of devices: %s\n", strerror(-map));
	return map;
}

/* From that element on so many, each for the first time. */
static inline void change_map(int map, int from, int n)
{
	uint32_t device = 1;
	int i;

	for (i = from; i < from + n; i++)
		assert_int_equal(bpf_map_update_elem(map, &i, &device, BPF_ANY), 0);
}

#endif
