/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows on a terminal how much of a trace was read, if that takes more than a second.
 *
 *	struct read_progress progress = {.reader = r};
 *
 *	while (kt_trace_reader_next(r, &hit, &err) > 0)
 *		read_progress_step(&progress);
 *	read_progress_end(&progress);
 *	print_what_was_read();
 */
#ifndef KT_APP_CLI_READ_PROGRESS_H
#define KT_APP_CLI_READ_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct kt_trace_reader;

struct read_progress {
	const struct kt_trace_reader *reader;
	bool prints; /* events are printed meanwhile: nothing is shown unless that is to a file */
	uint64_t steps; /* the rest is internal */
	uint64_t shown_at;
	bool is_shown, is_off;
};

/* Declares that a record was read. */
void read_progress_step(struct read_progress *p);

/* Erases what is shown. */
void read_progress_end(struct read_progress *p);

#endif
