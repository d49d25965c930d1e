// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 'ktrace record' with the smallest rings, suspended for a while: on each CPU, the calls made are
 * those in the trace (by babeltrace2), those filtered and those reported lost; not one more or
 * less.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "tests/ctf/babeltrace.h"
#include "tests/live/calls.h"
#include "trace/event_counts.h"
#include "trace/read/trace_reader.h"

enum { MATCHING = 20000, FILTERED = 7000 }; /* calls per round on the first CPU */

/* A thread that makes numbered calls on a CPU of its own, some of which match the filter. */
struct worker {
	pthread_t thread;
	size_t cpu;
	int number, last; /* of its last call; of the last one found in the trace */
	uint64_t matching, filtered, found;
};

static void *make_calls(void *arg)
{
	struct worker *w = arg;
	size_t matching = MATCHING + w->cpu, filtered = FILTERED + 3 * w->cpu, i;
	bool is_matching;

	pin(w->cpu);
	for (i = 0; i < matching + filtered; i++) {
		is_matching = i % 2 || i >= 2 * filtered;
		syscall(SYS_sched_rr_get_interval, ++w->number, is_matching ? 1L : 0L);
		w->matching += is_matching;
		w->filtered += !is_matching;
	}
	return NULL;
}

static void run_workers(struct worker *workers, size_t n)
{
	size_t k;

	for (k = 0; k < n; k++)
		assert_int_equal(pthread_create(&workers[k].thread, NULL, make_calls, &workers[k]),
				 0);
	for (k = 0; k < n; k++)
		pthread_join(workers[k].thread, NULL);
}

struct recorder {
	pid_t pid;
	FILE *messages;
};

/* Starts the recorder; returns once it records. */
static struct recorder start_recorder(const char *path)
{
	const char *ktrace = getenv("KTRACE");
	struct recorder r;
	char line[256];
	int messages[2];

	assert_non_null(ktrace);
	assert_int_equal(pipe(messages), 0);
	r.pid = fork();
	assert_true(r.pid >= 0);
	if (r.pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* even if suspended, when a test fails */
		dup2(messages[1], STDERR_FILENO);
		close(messages[0]);
		close(messages[1]);
		execl(ktrace, ktrace, "record", "-e", names[ENTER], "-f", "interval == 1", "-b",
		      "8K", "-o", path, NULL);
		_exit(127);
	}
	close(messages[1]);
	r.messages = fdopen(messages[0], "r");
	while (fgets(line, sizeof(line), r.messages))
		if (strstr(line, ": recording "))
			return r;
	fail_msg("it does not record");
	return r;
}

static void end_recorder(struct recorder *r)
{
	char line[256];
	int status;

	while (fgets(line, sizeof(line), r->messages))
		print_message("# %s", line);
	fclose(r->messages);
	assert_int_equal(waitpid(r->pid, &status, 0), r->pid);
	assert_int_equal(status, 0);
}

static void suspend_recorder(const struct recorder *r)
{
	int status;

	kill(r->pid, SIGSTOP);
	assert_int_equal(waitpid(r->pid, &status, WUNTRACED), r->pid);
	assert_true(WIFSTOPPED(status));
}

static struct worker *find_worker(struct worker *workers, size_t n, uint32_t cpu)
{
	size_t k;

	for (k = 0; k < n && workers[k].cpu != cpu; k++)
		;
	if (k == n)
		fail_msg("calls on CPU %u", cpu);
	return &workers[k];
}

/* Finds the calls in babeltrace2's output, in order. */
static void find_calls(const struct directory *trace, struct worker *workers, size_t n)
{
	char *text = babeltrace(trace, "2>/dev/null"), *line, *next;
	const char *cpu, *number, *interval;
	struct worker *w;

	for (line = text; (next = strchr(line, '\n')); line = next + 1) {
		*next = '\0';
		cpu = strstr(line, "cpu_id = ");
		number = strstr(line, " pid = ");
		interval = strstr(line, "interval = 0x1 ");
		if (!cpu || !number || !interval)
			fail_msg("%s", line);
		w = find_worker(workers, n, atoi(cpu + strlen("cpu_id = ")));
		assert_in_range(atoi(number + strlen(" pid = ")), w->last + 1, w->number);
		w->last = atoi(number + strlen(" pid = "));
		w->found++;
	}
	free(text);
}

static struct kt_event_counts *read_counts(const struct directory *trace)
{
	struct kt_error err;
	struct kt_trace_reader *reader = kt_trace_reader_open(trace->path, &err);
	struct kt_event_counts *b = reader ? kt_trace_reader_counts(reader, &err) : NULL;

	if (!b)
		fail_msg("%s", err.text);
	kt_trace_reader_free(reader);
	return b;
}

static void check_counts(const struct directory *trace, struct worker *workers, size_t n)
{
	struct kt_event_counts *b = read_counts(trace);
	const struct kt_outcome *o;
	struct worker *w;
	size_t i;

	find_calls(trace, workers, n);
	assert_int_equal(b->n, n);
	for (i = 0; i < b->n; i++) {
		o = &b->rows[i].outcome;
		w = find_worker(workers, n, b->rows[i].cpu);
		print_message("# CPU %zu: %lu calls = %lu found + %lu filtered + %lu lost\n",
			      w->cpu, w->matching + w->filtered, w->found, o->filtered,
			      kt_outcome_lost(o));
		assert_int_equal(o->hits, w->matching);
		assert_int_equal(o->filtered, w->filtered);
		assert_int_equal(o->records, w->found);
		assert_int_equal(kt_outcome_lost(o), w->matching - w->found);
		assert_int_equal(kt_outcome_lost(o), o->lost[KT_LOST_FULL]);
		assert_true(w->found > 0 && w->found < w->matching);
	}
	kt_event_counts_free(b);
}

static void suspended_recorder(void **state)
{
	struct directory above, trace;
	size_t cpus[CPU_SETSIZE], n = our_cpus(cpus), k;
	struct worker *workers;
	struct recorder r;

	(void)state;
	skip_where_refused();
	workers = calloc(n, sizeof(*workers));
	for (k = 0; k < n; k++)
		workers[k] = (struct worker){.cpu = cpus[k], .number = k << 24, .last = k << 24};
	open_directory(&above);
	snprintf(trace.path, sizeof(trace.path), "%.32s/t", above.path);

	r = start_recorder(trace.path);
	run_workers(workers, n);
	for (k = 0; k < 2; k++) {
		suspend_recorder(&r);
		run_workers(workers, n);
		if (k == 0)
			kill(r.pid, SIGCONT);
		run_workers(workers, n);
	}
	kill(r.pid, SIGINT);
	kill(r.pid, SIGCONT);
	end_recorder(&r);

	trace.fd = open(trace.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	check_counts(&trace, workers, n);
	remove_directory(&trace);
	remove_directory(&above);
	free(workers);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(suspended_recorder),
	};

	return cmocka_run_group_tests_name("stopped", tests, read_ids, NULL);
}
