// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/ask/rcu_wait.h"

#include <bpf/bpf.h>
#include <stdint.h>
#include <unistd.h>

#include "base/error.h"
#include "hook/capabilities.h"
#include "hook/map_of_maps.h"

static int report_error(int code, struct kt_error *err)
{
	return kt_capabilities_fail(err, -code, "cannot wait for programs");
}

static int change_map(int map, int within, struct kt_error *err)
{
	uint32_t key = 0;
	int ret = bpf_map_update_elem(map, &key, &within, BPF_ANY);

	return ret < 0 ? report_error(ret, err) : 0;
}

static int wait_by_map(int within, struct kt_error *err)
{
	int map = kt_map_of_maps_make("kt_grace", within, 1, err), ret;

	if (map < 0)
		return kt_fail_because(err, "cannot wait for programs");
	ret = change_map(map, within, err);
	close(map);
	return ret;
}

int kt_rcu_wait(struct kt_error *err)
{
	int within = bpf_map_create(BPF_MAP_TYPE_ARRAY, "kt_grace", sizeof(uint32_t),
				    sizeof(uint64_t), 1, NULL);
	int ret;

	if (within < 0)
		return report_error(within, err);
	ret = wait_by_map(within, err);
	close(within);
	return ret;
}
