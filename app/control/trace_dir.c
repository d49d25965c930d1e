// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/control/trace_dir.h"

#include <errno.h>
#include <stdio.h>

#include "app/cli/command.h"
#include "base/error.h"
#include "trace/read/trace_reader.h"
#include "trace/recording.h"

struct kt_trace_reader *open_trace(const char *command, const char *dir)
{
	struct kt_error err;
	struct kt_trace_reader *r = kt_trace_reader_open(dir ? dir : TRACE_DIR, &err);

	if (r)
		return r;
	report_error(command, &err);
	if (!dir && err.code == ENOENT)
		fputs("  create one with 'ktrace record', or name another directory\n", stderr);
	return NULL;
}

void add_names(const char *command, struct kt_recording *r, int dir)
{
	struct kt_error err;

	if (kt_recording_add_names(r, dir, &err) == 0)
		return;
	kt_fail_because(&err, "kernel addresses remain numbers");
	report_error(command, &err);
}
