// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/read/json_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

/* Longer than any line that ktrace writes. */
enum { LINE_SIZE = 32 << 10 };

int kt_json_lines_open(struct kt_json_lines *l, int dir, const char *name, struct kt_error *err)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	*l = (struct kt_json_lines){.name = name};
	if (fd < 0)
		return kt_fail(err, errno, "%s: %s", name, strerror(errno));
	l->file = fdopen(fd, "r");
	l->tokener = json_tokener_new();
	if (l->file && l->tokener)
		return 0;
	if (!l->file)
		close(fd);
	kt_json_lines_close(l);
	return kt_fail(err, ENOMEM, "%s: %s", name, strerror(ENOMEM));
}

void kt_json_lines_close(struct kt_json_lines *l)
{
	if (l->tokener)
		json_tokener_free(l->tokener);
	if (l->file)
		fclose(l->file);
	*l = (struct kt_json_lines){0};
}

int kt_json_lines_fail(const struct kt_json_lines *l, const char *why, struct kt_error *err)
{
	return kt_fail(err, EPROTO, "%s, line %zu: %s", l->name, l->line, why);
}

int kt_json_lines_next(struct kt_json_lines *l, struct json_object **o, struct kt_error *err)
{
	char line[LINE_SIZE];
	size_t size;

	clearerr(l->file);
	if (!fgets(line, sizeof(line), l->file))
		return ferror(l->file) ? kt_fail(err, errno, "%s: %s", l->name, strerror(errno))
				       : 0;
	l->line++;
	size = strlen(line);
	l->cut = feof(l->file);
	if (!size || line[size - 1] != '\n')
		return kt_json_lines_fail(l, "cut off, or too long", err);
	json_tokener_reset(l->tokener);
	*o = json_tokener_parse_ex(l->tokener, line, size);
	if (json_object_is_type(*o, json_type_object))
		return 1;
	json_object_put(*o);
	return kt_json_lines_fail(l, "not a JSON object", err);
}
