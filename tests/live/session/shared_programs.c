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
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fetch/curate.h"
#include "tests/live/kernel.h"
#include "tests/live/session.h"

enum { SUBBUF_SHIFT = 12, N_SUBBUFS = 2, EVENTS_MAX = 2048 };

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

/* Sums up the programs of calls after the given one. */
static size_t count_programs(uint32_t last, uint64_t *verified)
{
	size_t n = 0;
	int fd;

	for (*verified = 0; bpf_prog_get_next_id(last, &last) == 0;) {
		struct bpf_prog_info info = {};
		uint32_t size = sizeof(info);

		fd = bpf_prog_get_fd_by_id(last);
		assert_true(fd >= 0);
		assert_int_equal(bpf_obj_get_info_by_fd(fd, &info, &size), 0);
		close(fd);
		if (strncmp(info.name, "kt_syscalls", 11) != 0)
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
