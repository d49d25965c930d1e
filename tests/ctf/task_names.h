/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Task names of a trace made by a test. */
#ifndef KT_TESTS_TASK_NAMES_H
#define KT_TESTS_TASK_NAMES_H

#include <sys/stat.h>

#include "tests/ctf/made_trace.h"

#define FILE_NAME "ktrace/tasks.jsonl"
#define HEAD      "{\"trace\":\"01020300-0000-0000-0000-000000000000\"}\n"

#define NAMED(time, tid, more, comm) \
	"{\"time\":" #time ",\"tid\":" #tid ",\"pid\":1," more "\"comm\":\"" comm "\"}\n"
#define ROW(time, tid, comm)      NAMED(time, tid, "", comm)
#define BEGUN(time, tid, comm)    NAMED(time, tid, "\"begun\":true,", comm)
#define FOLLOWED(time, tid, comm) NAMED(time, tid, "\"followed\":true,", comm)

/* Writes a file of the trace's subdirectory. */
static inline void write_beside(struct made *m, const char *name, const char *text)
{
	int fd;

	mkdirat(m->dir.fd, "ktrace", 0777);
	fd = openat(m->dir.fd, name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static inline void write_task_names(struct made *m, const char *text)
{
	write_beside(m, FILE_NAME, text);
}

#endif
