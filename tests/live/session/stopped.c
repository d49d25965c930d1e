// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `ktrace record` with the smallest rings, and stopped for a while: on each CPU the calls that were
 * made there are those that babeltrace2 finds in the trace, those that the filter left out, and
 * those that are said to be lost; not one more or less.
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

enum { KEPT = 20000, LEFT_OUT = 7000 }; /* calls on the first CPU, each time */

/* A thread that makes calls on a CPU of its own: each with a number one higher, some to be kept. */
struct worker {
	pthread_t thread;
	size_t cpu;
	int number, last; /* of its last call; of the last that was found in the trace */
	uint64_t kept, left_out, found;
};

static void *work(void *arg)
{
	struct worker *w = arg;
	size_t kept = KEPT + w->cpu, left_out = LEFT_OUT + 3 * w->cpu, i;
	bool is_kept;

	pin(w->cpu);
	for (i = 0; i < kept + left_out; i++) {
		is_kept = i % 2 || i >= 2 * left_out;
		syscall(SYS_sched_rr_get_interval, ++w->number, is_kept ? 1L : 0L);
		w->kept += is_kept;
		w->left_out += !is_kept;
	}
	return NULL;
}

static void work_on_all(struct worker *workers, size_t n)
{
	size_t k;

	for (k = 0; k < n; k++)
		assert_int_equal(pthread_create(&workers[k].thread, NULL, work, &workers[k]), 0);
	for (k = 0; k < n; k++)
		pthread_join(workers[k].thread, NULL);
}

struct recorder {
	pid_t pid;
	FILE *said;
};

/* Returns once it says that it records. */
static struct recorder start(const char *path)
{
	const char *ktrace = getenv("KTRACE");
	struct recorder r;
	char line[256];
	int said[2];

	assert_non_null(ktrace);
	assert_int_equal(pipe(said), 0);
	r.pid = fork();
	assert_true(r.pid >= 0);
	if (r.pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* stopped or not, when a test fails */
		dup2(said[1], STDERR_FILENO);
		close(said[0]);
		close(said[1]);
		execl(ktrace, ktrace, "record", "-e", names[ENTER], "-f", "interval == 1", "-b",
		      "8K", "-o", path, NULL);
		_exit(127);
	}
	close(said[1]);
	r.said = fdopen(said[0], "r");
	while (fgets(line, sizeof(line), r.said))
		if (strstr(line, ": recording "))
			return r;
	fail_msg("it says nothing of recording");
	return r;
}

static void finish(struct recorder *r)
{
	char line[256];
	int status;

	while (fgets(line, sizeof(line), r->said))
		print_message("# %s", line);
	fclose(r->said);
	assert_int_equal(waitpid(r->pid, &status, 0), r->pid);
	assert_int_equal(status, 0);
}

static void halt(const struct recorder *r)
{
	int status;

	kill(r->pid, SIGSTOP);
	assert_int_equal(waitpid(r->pid, &status, WUNTRACED), r->pid);
	assert_true(WIFSTOPPED(status));
}

static struct worker *worker_on(struct worker *workers, size_t n, uint32_t cpu)
{
	size_t k;

	for (k = 0; k < n && workers[k].cpu != cpu; k++)
		;
	if (k == n)
		fail_msg("calls on CPU %u", cpu);
	return &workers[k];
}

/* What babeltrace2 finds, in the order in which it was called. */
static void find(const struct directory *trace, struct worker *workers, size_t n)
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
		w = worker_on(workers, n, atoi(cpu + strlen("cpu_id = ")));
		assert_in_range(atoi(number + strlen(" pid = ")), w->last + 1, w->number);
		w->last = atoi(number + strlen(" pid = "));
		w->found++;
	}
	free(text);
}

static struct kt_event_counts *balance_of(const struct directory *trace)
{
	struct kt_error err;
	struct kt_trace_reader *reader = kt_trace_reader_open(trace->path, &err);
	struct kt_event_counts *b = reader ? kt_trace_reader_counts(reader, &err) : NULL;

	if (!b)
		fail_msg("%s", err.text);
	kt_trace_reader_free(reader);
	return b;
}

static void check(const struct directory *trace, struct worker *workers, size_t n)
{
	struct kt_event_counts *b = balance_of(trace);
	const struct kt_outcome *o;
	struct worker *w;
	size_t i;

	find(trace, workers, n);
	assert_int_equal(b->n, n);
	for (i = 0; i < b->n; i++) {
		o = &b->rows[i].outcome;
		w = worker_on(workers, n, b->rows[i].cpu);
		print_message("# CPU %zu: %lu calls = %lu found + %lu left out + %lu lost\n",
			      w->cpu, w->kept + w->left_out, w->found, o->filtered,
			      kt_outcome_lost(o));
		assert_int_equal(o->hits, w->kept);
		assert_int_equal(o->filtered, w->left_out);
		assert_int_equal(o->records, w->found);
		assert_int_equal(kt_outcome_lost(o), w->kept - w->found);
		assert_int_equal(kt_outcome_lost(o), o->lost[KT_LOST_FULL]);
		assert_true(w->found > 0 && w->found < w->kept);
	}
	kt_event_counts_free(b);
}

static void stopped(void **state)
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

	r = start(trace.path);
	work_on_all(workers, n);
	for (k = 0; k < 2; k++) {
		halt(&r);
		work_on_all(workers, n);
		if (k == 0)
			kill(r.pid, SIGCONT);
		work_on_all(workers, n);
	}
	kill(r.pid, SIGINT);
	kill(r.pid, SIGCONT);
	finish(&r);

	trace.fd = open(trace.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	check(&trace, workers, n);
	remove_directory(&trace);
	remove_directory(&above);
	free(workers);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(stopped),
	};

	return cmocka_run_group_tests_name("stopped", tests, read_ids, NULL);
}
