/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events that the kernel hides from BPF programs because they occur while it changes a map: it
 * allocates memory for each new element, which is a kmem:kmalloc event.
 */
#ifndef KT_TESTS_MISSED_H
#define KT_TESTS_MISSED_H

#include <stdint.h>
#include <string.h>

#include <bpf/bpf.h>

/* Creates a map for n elements; skips the test if this machine has none of this kind. */
static inline int create_map(int n)
{
	int map = bpf_map_create(BPF_MAP_TYPE_DEVMAP, "test", 4, 4, n, NULL);

	if (map < 0)
		print_message("# no map of devices: %s\n", strerror(-map));
	return map;
}

/* Inserts n new elements. */
static inline void insert_elements(int map, int from, int n)
{
	uint32_t device = 1;
	int i;

	for (i = from; i < from + n; i++)
		assert_int_equal(bpf_map_update_elem(map, &i, &device, BPF_ANY), 0);
}

#endif
