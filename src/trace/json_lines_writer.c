// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/json_lines_writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "base/uuid.h"
#include "base/write_all.h"
#include "trace/trace_directory.h"

static int report_error(const struct kt_json_lines_writer *w, struct kt_error *err, int code)
{
	return kt_fail(err, code, KT_TRACE_DIRECTORY_KTRACE "/%s: %s", w->name, strerror(code));
}

static void put_head(struct kt_json_lines_writer *w, const uint8_t uuid[16])
{
	struct json_object *o = json_object_new_object();
	char text[KT_UUID_LEN + 1];

	kt_uuid_format(uuid, text);
	kt_json_lines_writer_put(w, o, kt_json_add_text(o, "trace", text));
}

int kt_json_lines_writer_make(struct kt_json_lines_writer *w, int dir, const char *name,
			      const uint8_t uuid[16], struct kt_error *err)
{
	*w = (struct kt_json_lines_writer){.name = name};
	w->fd = kt_trace_directory_add(dir, name);
	if (w->fd < 0)
		return report_error(w, err, -w->fd);
	kt_json_lines_writer_begin(w);
	put_head(w, uuid);
	if (kt_json_lines_writer_end(w, err) == 0)
		return 0;
	close(w->fd);
	return -err->code;
}

void kt_json_lines_writer_close(struct kt_json_lines_writer *w)
{
	close(w->fd);
}

void kt_json_lines_writer_begin(struct kt_json_lines_writer *w)
{
	w->buffer = NULL;
	w->text = open_memstream(&w->buffer, &w->text_size);
	w->ok = w->text;
}

void kt_json_lines_writer_put(struct kt_json_lines_writer *w, struct json_object *o, bool ok)
{
	w->ok = w->ok && ok && kt_json_print(o, w->text) == 0;
	json_object_put(o);
}

static int append_text(struct kt_json_lines_writer *w, struct kt_error *err)
{
	struct iovec iov = {w->buffer, w->text_size};
	int ret = kt_write_all(w->fd, &iov, 1);

	if (ret == 0) {
		w->size += w->text_size;
		return 0;
	}
	if (ftruncate(w->fd, w->size) == 0)
		lseek(w->fd, w->size, SEEK_SET);
	return report_error(w, err, -ret);
}

int kt_json_lines_writer_end(struct kt_json_lines_writer *w, struct kt_error *err)
{
	int ret;

	if (w->text && fclose(w->text) == EOF)
		w->ok = false;
	ret = w->ok ? append_text(w, err) : report_error(w, err, ENOMEM);
	free(w->buffer);
	return ret;
}
