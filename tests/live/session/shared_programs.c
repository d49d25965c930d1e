// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The programs of all system calls, as the kernel counts them: how long a command takes to start
 * depends on them, and on little else.
 */
#include <bpf/bpf.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fetch/curate.h"
#include "tests/live/kernel.h"
#include "tests/live/session.h"

enum { SUBBUF_SHIFT = 12, N_SUBBUFS = 2, EVENTS_MAX = 2048, MAPS_MAX = 64 };

/* Returns the id of an open map; 0: the descriptor is no map's. */
static uint32_t get_map_id(int fd)
{
	char path[64], link[64] = "";
	struct bpf_map_info info = {};
	uint32_t size = sizeof(info);

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (readlink(path, link, sizeof(link) - 1) < 0 || strcmp(link, "anon_inode:bpf-map") != 0)
		return 0;
	assert_int_equal(bpf_obj_get_info_by_fd(fd, &info, &size), 0);
	return info.id;
}

/* Returns whether one of the program's maps is open here: other processes load programs, too. */
static bool is_ours(const uint32_t *maps, uint32_t n)
{
	int fd, limit = getdtablesize() < 1024 ? getdtablesize() : 1024;
	uint32_t i, id;

	for (fd = 3; fd < limit; fd++) {
		id = get_map_id(fd);
		for (i = 0; id && i < n; i++)
			if (maps[i] == id)
				return true;
	}
	return false;
}

static uint32_t find_last_program(void)
{
	uint32_t id = 0;

	while (bpf_prog_get_next_id(id, &id) == 0)
		;
	return id;
}

static void add_call(struct kt_session *s, const char *name)
{
	struct kt_event *event = read_event("syscalls", name);
	struct kt_error err;

	if (kt_curate(event, kernel.btf, &err) < 0 || kt_session_add(s, event, &err) < 0)
		fail_msg("%s: %s", name, err.text);
}

/* Adds all system calls of this kernel to the session. Returns the number of events. */
static size_t add_all_calls(struct kt_session *s)
{
	int fd = openat(kernel.tracefs, "events/syscalls", O_RDONLY | O_DIRECTORY);
	DIR *events = fdopendir(fd);
	size_t n = 0;

	assert_non_null(events);
	for (struct dirent *e; (e = readdir(events));) {
		if (strncmp(e->d_name, "sys_", 4) != 0)
			continue;
		add_call(s, e->d_name);
		n++;
	}
	closedir(events);
	return n;
}

/* Sums up our programs of calls after the given one. */
static size_t count_programs(uint32_t last, uint64_t *verified)
{
	uint32_t maps[MAPS_MAX];
	size_t n = 0;
	int fd;

	for (*verified = 0; bpf_prog_get_next_id(last, &last) == 0;) {
		struct bpf_prog_info info = {.map_ids = (uintptr_t)maps, .nr_map_ids = MAPS_MAX};
		uint32_t size = sizeof(info);

		fd = bpf_prog_get_fd_by_id(last);
		if (fd < 0) /* another process's, which is gone */
			continue;
		assert_int_equal(bpf_obj_get_info_by_fd(fd, &info, &size), 0);
		close(fd);
		if (strncmp(info.name, "kt_syscalls", 11) != 0 || !is_ours(maps, info.nr_map_ids))
			continue;
		*verified += info.verified_insns;
		n++;
	}
	return n;
}

/* Linux 6.18 has 720 events; they share 234 programs, of 120501 verified instructions. */
static void all_calls(void **state)
{
	uint32_t last = find_last_program();
	struct kt_session *s;
	struct kt_error err;
	uint64_t verified;
	size_t n, programs;

	(void)state;
	skip_where_refused();
	s = kt_session_new((struct kt_geometry){SUBBUF_SHIFT, N_SUBBUFS}, EVENTS_MAX, NULL, &err);
	assert_non_null(s);
	assert_int_equal(kt_session_add_dispatch(s, kernel.tracefs, kernel.btf, 32, &err), 0);
	n = add_all_calls(s);
	programs = count_programs(last, &verified);
	print_message("%zu events, %zu programs, %lu verified instructions\n", n, programs,
		      verified);
	assert_in_range(programs, 2, n / 2);
	assert_in_range(verified, n, 250 * n);
	kt_session_free(s);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {cmocka_unit_test(all_calls)};

	return cmocka_run_group_tests_name("shared_programs", tests, open_kernel, close_kernel);
}
