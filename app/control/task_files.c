// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/control/task_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/descriptors.h"
#include "app/control/output_file.h"
#include "base/resolved_path.h"
#include "values/text.h"

enum { OPEN_MAX_EVER = 4096 }; /* each has a buffer of 4 KiB */

struct task_file {
	FILE *to;     /* NULL: closed */
	bool is_made; /* it has lines of this trace */
};

/* Checks that there is a directory for them. */
static int check_place(const char *path, struct kt_error *err)
{
	struct kt_resolved_path place;
	struct kt_error why;

	if (kt_resolved_path_find(&place, path, &why) < 0)
		return kt_fail(err, why.code, "cannot write to %s", why.text);
	kt_resolved_path_close(&place);
	return 0;
}

FILE *task_files_open(struct task_files *f, const char *path, bool appends, struct kt_error *err)
{
	*f = (struct task_files){
		.path = path,
		.appends = appends,
		.files.size = sizeof(struct task_file),
	};
	if (check_place(path, err) < 0)
		return NULL;
	f->nowhere = fopen("/dev/null", "we");
	if (!f->nowhere)
		kt_fail(err, errno, "/dev/null: %s", strerror(errno));
	return f->nowhere;
}

/* Notes an error of writing to a task's file, unless there was one before. */
static void fail_write(struct task_files *f, uint32_t tid)
{
	if (f->err.code == 0)
		kt_fail(&f->err, errno, "cannot write to %s.%u: %s", f->path, tid, strerror(errno));
}

static void close_files(struct task_files *f)
{
	struct task_file *file;
	uint32_t tid;

	for (tid = 0; (file = kt_task_table_next(&f->files, &tid)); tid++) {
		if (!file->to)
			continue;
		if (fclose(file->to) != 0)
			fail_write(f, tid);
		file->to = NULL;
	}
	f->n_open = 0;
}

void task_files_close(struct task_files *f)
{
	close_files(f);
	kt_task_table_clear(&f->files, NULL);
	if (f->nowhere)
		fclose(f->nowhere);
}

/* Takes half of the descriptors that are free now: the recording may need more itself. */
static void find_limit(struct task_files *f)
{
	int lowest = fcntl(fileno(f->nowhere), F_DUPFD_CLOEXEC, 0);
	size_t half;

	if (lowest < 0)
		return;
	half = (files_limit() - lowest) / 2;
	f->open_max = half < OPEN_MAX_EVER ? half : OPEN_MAX_EVER;
	close(lowest);
}

static FILE *open_path(struct task_files *f, const struct task_file *file, const char *path)
{
	return file->is_made || f->appends ? output_file_append(path, &f->err)
					   : output_file_open(path, &f->err);
}

/* Opens a task's file unless it is open. Returns NULL on error, which is noted. */
static FILE *open_file(struct task_files *f, int tid)
{
	struct task_file *file = kt_task_table_make(&f->files, tid);
	char path[PATH_MAX];

	if (!file) {
		kt_fail(&f->err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	if (file->to)
		return file->to;
	if (f->n_open == 0)
		find_limit(f);
	if (f->n_open >= f->open_max)
		close_files(f);
	if (snprintf(path, sizeof(path), "%s.%d", f->path, tid) >= PATH_MAX)
		kt_fail(&f->err, ENAMETOOLONG, "cannot write to %s.%d: %s", f->path, tid,
			strerror(ENAMETOOLONG));
	if (f->err.code != 0)
		return NULL;
	file->to = open_path(f, file, path);
	if (!file->to && f->err.code == EMFILE && f->n_open > 0) {
		f->err.code = 0;
		close_files(f);
		if (f->err.code == 0)
			file->to = open_path(f, file, path);
	}
	file->is_made |= file->to != NULL;
	f->n_open += file->to != NULL;
	return file->to;
}

void task_files_choose(void *files, struct kt_text *text, int tid)
{
	struct task_files *f = files;
	FILE *to = NULL;

	kt_text_flush(text);
	if (ferror(text->to))
		fail_write(f, f->tid);
	if (f->err.code == 0)
		to = open_file(f, tid);
	text->to = to ? to : f->nowhere;
	f->tid = tid;
}

int task_files_flush(struct task_files *f, struct kt_error *err)
{
	struct task_file *file;
	uint32_t tid;

	for (tid = 0; (file = kt_task_table_next(&f->files, &tid)); tid++)
		if (file->to && (fflush(file->to) != 0 || ferror(file->to)))
			fail_write(f, tid);
	if (f->err.code == 0)
		return 0;
	*err = f->err;
	return -err->code;
}
