// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/signal_log.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "bpf/asm.h"
#include "events/curated.h"
#include "events/event.h"
#include "fetch/curate.h"
#include "handlers/signal_log_prog.h"
#include "hook/ask/own_tgid.h"
#include "hook/map.h"
#include "hook/probe.h"

enum { PARENT, CHILD };

enum { MS = 1000000 }; /* ns */

enum { TRIES = 10, PAUSE = 2 * MS, APART = 50 * MS };

struct kt_signal_log {
	struct kt_map map;
	struct kt_probe probe;
	int self; /* program */
};

static struct kt_signal_targets *get_targets(const struct kt_signal_log *log)
{
	return log->map.memory;
}

static int attach_program(struct kt_signal_log *log, const struct kt_event *event,
			  struct kt_error *err)
{
	struct kt_asm *a = kt_asm_new();
	int ret;

	if (!a)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	kt_emit_signal_log(a, log->map.fd, event);
	ret = kt_probe_attach(&log->probe, event, a, err);
	kt_asm_free(a);
	return ret;
}

static int attach_typed(struct kt_signal_log *log, struct kt_btf *btf, struct kt_error *err)
{
	static const struct kt_field fields[] = {
		{.name = "sig", .size = 4, .width = 4},
		{.name = "pid", .size = 4, .width = 4},
	};
	struct kt_event event = {
		.system = "signal",
		.name = "signal_generate",
		.n_fields = 2,
		.fields = fields,
	};
	int ret = kt_curate_as(&event, "sig=sig; pid=task->tgid", btf, err);

	if (ret == 0)
		ret = attach_program(log, &event, err);
	kt_uncurate(&event);
	return ret;
}

static int add_self(struct kt_signal_log *log, int as, struct kt_error *err)
{
	uint32_t self;

	if (kt_own_tgid_number(log->self, &self, err) < 0)
		return -err->code;
	__atomic_store_n(&get_targets(log)->targets[as].pid, self, __ATOMIC_RELAXED);
	return 0;
}

struct kt_signal_log *kt_signal_log_new(struct kt_btf *btf, struct kt_error *err)
{
	struct kt_signal_log *log = malloc(sizeof(*log));

	if (!log) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	*log = (struct kt_signal_log){.probe = KT_NO_PROBE};
	log->self = kt_own_tgid_load(err);
	if (log->self >= 0 &&
	    kt_map_make(&log->map, "kt_signals", sizeof(struct kt_signal_targets), 1, err) == 0 &&
	    add_self(log, PARENT, err) == 0 && attach_typed(log, btf, err) == 0)
		return log;
	kt_signal_log_free(log);
	return NULL;
}

void kt_signal_log_free(struct kt_signal_log *log)
{
	if (!log)
		return;
	kt_probe_close(&log->probe);
	if (log->self >= 0)
		close(log->self);
	kt_map_free(&log->map);
	free(log);
}

int kt_signal_log_add_child(struct kt_signal_log *log, struct kt_error *err)
{
	return add_self(log, CHILD, err);
}

/* Acquire: pairs with the program's atomic exchange of the sender (handlers/signal_log_prog.c). */
static struct kt_signal_sent read_sent(const struct kt_signal_log *log, int target, int signal)
{
	const struct kt_signal_sent *sent = &get_targets(log)->targets[target].signals[signal];
	struct kt_signal_sent copy;

	copy.sender = __atomic_load_n(&sent->sender, __ATOMIC_ACQUIRE);
	copy.time = __atomic_load_n(&sent->time, __ATOMIC_RELAXED);
	return copy;
}

static bool is_shared_by_now(const struct kt_signal_log *log, int signal)
{
	struct kt_signal_sent parent = read_sent(log, PARENT, signal),
			      child = read_sent(log, CHILD, signal);
	uint64_t apart =
		parent.time > child.time ? parent.time - child.time : child.time - parent.time;

	return parent.time && child.time && parent.sender == child.sender && apart < APART;
}

bool kt_signal_log_is_shared(const struct kt_signal_log *log, int signal)
{
	const struct timespec pause = {0, PAUSE};
	int i;

	for (i = 0; i < TRIES; i++) {
		if (is_shared_by_now(log, signal))
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}
