// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/cli/read_progress.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "trace/read/trace_reader.h"

#define FIRST UINT64_C(1000000000) /* ns until it is shown */
#define NEXT  UINT64_C(200000000)

enum { STEPS = 1 << 14 };

/* Returns whether standard output can be written to without disturbing the terminal. */
static bool is_to_file(void)
{
	struct stat st;

	return fstat(STDOUT_FILENO, &st) == 0 && (S_ISREG(st.st_mode) || S_ISCHR(st.st_mode)) &&
	       !isatty(STDOUT_FILENO);
}

static void start(struct read_progress *p)
{
	p->is_off = !isatty(STDERR_FILENO) || (p->prints && !is_to_file());
	p->shown_at = kt_clock_now() + FIRST - NEXT;
}

static void show(struct read_progress *p)
{
	uint64_t now = kt_clock_now();
	unsigned int per_mille;

	if (now < p->shown_at + NEXT)
		return;
	p->shown_at = now;
	p->is_shown = true;
	per_mille = kt_trace_reader_progress(p->reader);
	fprintf(stderr, "\r  %u.%u %% read\033[K", per_mille / 10, per_mille % 10);
}

void read_progress_step(struct read_progress *p)
{
	if (p->steps == 0)
		start(p);
	if (++p->steps % STEPS == 0 && !p->is_off)
		show(p);
}

void read_progress_end(struct read_progress *p)
{
	if (p->is_shown)
		fputs("\r\033[K", stderr);
	p->is_shown = false;
}
