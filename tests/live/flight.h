/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A flight recorder on a private bpffs, and processes that work on it. */
#ifndef KT_TESTS_FLIGHT_H
#define KT_TESTS_FLIGHT_H

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "events/event.h"
#include "hook/bpffs.h"
#include "ring/ring.h"
#include "ring/rings.h"
#include "session/flight/buffer_sets.h"
#include "session/flight/flight.h"
#include "tests/live/calls.h"
#include "tests/live/session.h"

#define NAME    "test"
#define PLACE   KT_BPFFS "/ktrace/" NAME
#define COMMAND "test --flight \"x\""

/* The private mounts disappear when this process ends. */
static inline int enter_namespace(void **state)
{
	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		snprintf(refused, sizeof(refused), "cannot have mounts of our own: %s",
			 strerror(errno));
	while (!refused[0] && umount2(KT_BPFFS, MNT_DETACH) == 0)
		;
	return refused[0] ? 0 : read_ids(state);
}

/* Pins the session as a flight and frees both. Returns 0 or -errno. */
static inline int pin_and_free(struct kt_flight *f, struct kt_session *s)
{
	struct kt_error err;
	int ret = kt_flight_start(f, s, "1.2.3", COMMAND, &err);

	kt_flight_free(f);
	kt_session_free(s);
	return ret;
}

/* The channel of the events. */
static enum kt_channel channel = KT_MAIN;

static inline int use_rare_channel(void **state)
{
	(void)state;
	channel = KT_RARE;
	return 0;
}

static inline int use_main_channel(void **state)
{
	(void)state;
	channel = KT_MAIN;
	return 0;
}

/* A test for each of the two channels. */
#define IN_BOTH_CHANNELS(test)                                                              \
	cmocka_unit_test(test),                                                             \
	{                                                                                   \
		.name = #test " (rare)", .test_func = test, .setup_func = use_rare_channel, \
		.teardown_func = use_main_channel,                                          \
	}

static inline void add_to_channel(struct kt_session *s, const char *system, const char *name)
{
	struct kt_event *event = read_event(system, name);
	struct kt_error err;

	event->channel = channel;
	if (kt_session_add(s, event, &err) < 0)
		fail_msg("%s", err.text);
}

/* Starts a flight as a separate process would. Returns 0 or -errno. */
static inline int start_flight_of(const char *system, const char *const *events, size_t n,
				  bool spare)
{
	struct kt_error err;
	struct kt_flight *f = kt_flight_new(NAME, &err);
	struct kt_session *s;
	size_t i;

	if (!f)
		return -err.code;
	s = session_of(12, channel == KT_RARE ? 16 : 4);
	assert_int_equal(kt_session_set_overwrite(s, &err), 0);
	if (channel == KT_RARE && kt_session_add_rare_rings(s, &err) < 0)
		fail_msg("%s", err.text);
	if (spare && kt_session_add_second_set(s, &err) < 0)
		fail_msg("%s", err.text);
	for (i = 0; i < n; i++)
		add_to_channel(s, system, events[i]);
	return pin_and_free(f, s);
}

/* With the first n events of the calls. */
static inline int start_events(size_t n, bool spare)
{
	return start_flight_of("syscalls", names, n, spare);
}

static inline int start_with(bool spare)
{
	return start_events(1, spare);
}

static inline int start_flight(void)
{
	return start_with(true);
}

static inline int remove_flight(void)
{
	struct kt_error err;

	return kt_flight_remove(NAME, &err);
}

/* Frees the flight before removing it. */
static inline void end_flight(struct kt_flight *f)
{
	kt_flight_free(f);
	assert_int_equal(remove_flight(), 0);
}

/* Runs 'work' in a child. */
static inline pid_t begin_process(int work(void))
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		_exit(-work());
	return pid;
}

/* Returns what 'work' returned, at least -255; -EINTR if it was killed. */
static inline int end_process(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
}

static inline void make_calls(int n)
{
	while (n--)
		call(NO_TASK);
}

/* Locks the existing flight. */
static inline struct kt_flight *lock_flight(void)
{
	struct kt_error err;
	struct kt_flight *f = kt_flight_lock(NAME, &err);

	if (!f)
		fail_msg("%s", err.text);
	return f;
}

/* Counts the records of an inactive buffer set. None is older than the set. */
static inline uint64_t count_records(const struct kt_buffer_sets *b, size_t set)
{
	struct kt_event *event = read_event("syscalls", names[ENTER]);
	size_t size = kt_record_size(kt_event_record_size(event)), i;
	const struct kt_rings *rings = kt_buffer_sets_rings(b, set);
	struct kt_packet packet;
	struct kt_ring *ring;
	struct kt_error err;
	uint64_t n = 0;

	kt_rings_rewind(rings);
	for (i = 0; i < kt_rings_count(rings); i++) {
		ring = kt_rings_at(rings, i);
		for (; ring && kt_ring_next(ring, &packet, &err) > 0; kt_ring_release(ring)) {
			assert_in_range(packet.begin, kt_buffer_sets_began(b, set), packet.end);
			assert_int_equal(packet.size % size, 0);
			n += packet.size / size;
		}
	}
	kt_event_free(event);
	return n;
}

/* Opens the flight without locking it; NULL with the reason in *code. */
static inline struct kt_flight *try_open_flight(int *code)
{
	struct kt_error err = {0};
	struct kt_flight *f = kt_flight_open(NAME, &err);

	*code = f ? 0 : err.code;
	return f;
}

/* Opens the existing flight without locking it. */
static inline struct kt_flight *open_flight(void)
{
	int code;
	struct kt_flight *f = try_open_flight(&code);

	if (!f)
		fail_msg("%s", strerror(code));
	return f;
}

static inline void kill_within(pid_t pid, unsigned int us)
{
	usleep(us);
	kill(pid, SIGKILL);
}

/* Returns how long 'work' takes if nobody kills it. */
static inline unsigned int time_work(int work(void))
{
	uint64_t began = kt_clock_now();

	assert_int_equal(end_process(begin_process(work)), 0);
	return (kt_clock_now() - began) / 1000;
}

#endif
