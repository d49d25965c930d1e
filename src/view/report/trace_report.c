// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/report/trace_report.h"

#include "trace/read/metadata_reader.h"
#include "trace/read/trace_reader.h"

#define SECOND UINT64_C(1000000000)

uint64_t kt_trace_report_length(const struct kt_trace_report *r)
{
	return r->extent.end - r->extent.begin;
}

uint64_t kt_trace_report_rate(const struct kt_trace_report *r, uint64_t n)
{
	uint64_t length = kt_trace_report_length(r);

	return length ? (unsigned __int128)n * SECOND * 10 / length : 0;
}

uint64_t kt_trace_report_early(const struct kt_trace_report *r, const struct kt_event_class *e)
{
	return kt_count_table_get(&r->summary.early_of, e - r->summary.metadata->events);
}

struct kt_time_span kt_trace_report_span(const struct kt_trace_report *r,
					 const struct kt_event_class *e)
{
	uint64_t kept_from = e->channel == KT_RARE ? kt_trace_reader_rare_from(r->reader) : 0;

	return kt_time_span_within(e->complete, (struct kt_time_span){kept_from, UINT64_MAX});
}

struct kt_time_span kt_trace_report_complete(const struct kt_trace_report *r,
					     const struct kt_event_class *e)
{
	uint64_t begin = r->extent.begin;
	struct kt_time_span all = {begin, r->extent.end};
	struct kt_time_span s = kt_time_span_within(kt_trace_report_span(r, e), all);

	return s.from < s.until ? (struct kt_time_span){s.from - begin, s.until - begin}
				: (struct kt_time_span){0, 0};
}

bool kt_trace_report_is_complete(const struct kt_trace_report *r, const struct kt_event_class *e)
{
	struct kt_time_span s = kt_trace_report_complete(r, e);

	return s.from == 0 && s.until == kt_trace_report_length(r);
}

bool kt_trace_report_is_followed(const struct kt_trace_report *r, uint32_t task)
{
	return kt_trace_reader_known(r->reader, task).followed_since != KT_NEVER;
}

bool kt_trace_report_is_unfollowed(const struct kt_trace_report *r, uint32_t task)
{
	return r->summary.metadata->follows && task &&
	       kt_trace_reader_known(r->reader, task).comm && !kt_trace_report_is_followed(r, task);
}

bool kt_trace_report_losses(const struct kt_trace_report *r, struct kt_count_table *losses)
{
	const struct kt_event_counts *b = r->counts;
	size_t i, cause;

	for (i = 0; b && i < b->n; i++)
		for (cause = 0; cause < KT_N_LOSSES; cause++)
			if (b->rows[i].outcome.lost[cause] &&
			    !kt_count_table_add(losses, i * KT_N_LOSSES + cause,
						b->rows[i].outcome.lost[cause]))
				return false;
	kt_count_table_sort(losses);
	return true;
}

const struct kt_row *kt_trace_report_row(const struct kt_trace_report *r,
					 const struct kt_count *loss)
{
	return &r->counts->rows[loss->key / KT_N_LOSSES];
}

enum kt_loss kt_trace_report_cause(const struct kt_count *loss)
{
	return loss->key % KT_N_LOSSES;
}
