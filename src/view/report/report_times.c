// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/report/report_times.h"

#include "trace/read/stream_reader.h"
#include "trace/read/trace_reader.h"
#include "view/syscall_table.h"

bool kt_report_times_begin(struct kt_report_times *t, const struct kt_trace_reader *r)
{
	*t = (struct kt_report_times){0};
	kt_cpu_time_begin(&t->cpu, r);
	kt_task_waits_begin(&t->waits, r);
	kt_span_times_begin(&t->spans, r);
	t->calls = kt_syscall_table_new(kt_trace_reader_metadata(r));
	return t->calls;
}

bool kt_report_times_add(struct kt_report_times *t, const struct kt_trace_reader *r,
			 const struct kt_hit *hit)
{
	bool in_interrupt = kt_span_times_in_interrupt(&t->spans, r, hit->cpu);

	return kt_cpu_time_add(&t->cpu, r, hit) &&
	       kt_task_waits_add(&t->waits, r, hit, in_interrupt) &&
	       kt_span_times_add(&t->spans, r, hit) && kt_syscall_table_add(t->calls, hit) == 0;
}

/* Adds tasks that waited and never ran to those that did. */
static bool add_waiting_tasks(struct kt_report_times *t)
{
	size_t i;

	for (i = 0; t->cpu.known && i < t->waits.n; i++)
		if (!kt_count_table_add(&t->cpu.tasks, t->waits.tasks[i].task, 0))
			return false;
	return true;
}

bool kt_report_times_end(struct kt_report_times *t, const struct kt_trace_reader *r)
{
	kt_span_times_end(&t->spans);
	return kt_task_waits_end(&t->waits, r) && add_waiting_tasks(t) &&
	       kt_cpu_time_end(&t->cpu, r);
}

void kt_report_times_free(struct kt_report_times *t)
{
	kt_cpu_time_free(&t->cpu);
	kt_task_waits_free(&t->waits);
	kt_span_times_free(&t->spans);
	kt_syscall_table_free(t->calls);
}
