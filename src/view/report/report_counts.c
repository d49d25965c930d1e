// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/report/report_counts.h"

#include <stdlib.h>

#include "trace/read/metadata_reader.h"
#include "trace/read/trace_reader.h"

bool kt_report_counts_begin(struct kt_report_counts *s, const struct kt_trace_reader *r)
{
	const struct kt_metadata *metadata = kt_trace_reader_metadata(r);
	size_t id;

	*s = (struct kt_report_counts){.metadata = metadata, .n_events = metadata->n_events};
	s->events = calloc(s->n_events + 1, sizeof(*s->events));
	for (id = 0; s->events && id < s->n_events; id++)
		s->events[id].key = id;
	return s->events;
}

bool kt_report_counts_add(struct kt_report_counts *s, const struct kt_hit *hit)
{
	if (!hit->event) {
		s->lost += hit->lost;
		return kt_count_table_add(&s->lost_on, hit->cpu, hit->lost);
	}
	if (hit->is_early) {
		s->early++;
		return kt_count_table_add(&s->early_of, hit->event - s->metadata->events, 1);
	}
	s->records++;
	s->events[hit->event - s->metadata->events].count++;
	return kt_count_table_add(&s->tasks, hit->task, 1) &&
	       kt_count_table_add(&s->on_cpu, hit->cpu, 1);
}

/* Removes unused ids: ids may have gaps. */
static void remove_unused_ids(struct kt_report_counts *s)
{
	size_t i, n = 0;

	for (i = 0; i < s->n_events; i++)
		if (s->metadata->events[i].system)
			s->events[n++] = s->events[i];
	s->n_events = n;
}

bool kt_report_counts_end(struct kt_report_counts *s, const struct kt_trace_reader *r)
{
	struct kt_stream_share share;
	size_t i;

	for (i = 0; kt_trace_reader_share(r, i, &share); i++)
		if (share.extent.end && !kt_count_table_add(&s->on_cpu, share.cpu, 0))
			return false;
	remove_unused_ids(s);
	kt_count_sort(s->events, s->n_events);
	kt_count_table_sort(&s->tasks);
	kt_count_table_sort(&s->on_cpu);
	kt_count_table_sort(&s->lost_on);
	return true;
}

void kt_report_counts_free(struct kt_report_counts *s)
{
	free(s->events);
	kt_count_table_free(&s->tasks);
	kt_count_table_free(&s->on_cpu);
	kt_count_table_free(&s->lost_on);
	kt_count_table_free(&s->early_of);
}
