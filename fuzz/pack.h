/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All files of a trace in one buffer, as libFuzzer mutates one buffer. A line with its name
 * precedes each file.
 *
 *	=== metadata
 *	trace { major = 1; …
 *	=== cpu0
 *	…
 */
#ifndef KT_FUZZ_PACK_H
#define KT_FUZZ_PACK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { METADATA, CPU0, CPU1, COUNTS, TASK_NAMES, STACKS, BINARIES, N_FILES };

/* Bytes of all files, and of one when it is made. */
enum { PACK_MAX = 32 << 10, FILE_MAX = 8 << 10 };

static const char *const file_names[N_FILES] = {
	[METADATA] = "metadata",
	[CPU0] = "cpu0",
	[CPU1] = "cpu1",
	[COUNTS] = "ktrace/counts.jsonl",
	[TASK_NAMES] = "ktrace/tasks.jsonl",
	[STACKS] = "ktrace/stacks.jsonl",
	[BINARIES] = "ktrace/binaries.jsonl",
};

static inline bool is_stream(size_t file)
{
	return file == CPU0 || file == CPU1;
}

/* Address and size of each file; NULL: missing. */
struct pack {
	struct {
		const uint8_t *bytes;
		size_t size;
	} files[N_FILES];
};

static inline size_t format_header(size_t file, char head[32])
{
	return sprintf(head, "=== %s\n", file_names[file]);
}

/* A file out of order counts as part of the file before it. */
static inline void unpack(const uint8_t *bytes, size_t size, struct pack *p)
{
	const uint8_t *at = bytes, *end = bytes + size, *found;
	size_t i, len, last = N_FILES;
	char head[32];

	memset(p, 0, sizeof(*p));
	for (i = 0; i < N_FILES; i++) {
		len = format_header(i, head);
		found = memmem(at, end - at, head, len);
		if (!found)
			continue;
		if (last < N_FILES)
			p->files[last].size = found - p->files[last].bytes;
		at = found + len;
		p->files[i].bytes = at;
		p->files[i].size = end - at;
		last = i;
	}
}

static inline size_t pack_size(const struct pack *p)
{
	size_t i, size = 0;
	char head[32];

	for (i = 0; i < N_FILES; i++)
		if (p->files[i].bytes)
			size += format_header(i, head) + p->files[i].size;
	return size;
}

/* Returns the size. Omits all files from the first that does not fit. */
static inline size_t pack(const struct pack *p, uint8_t *bytes, size_t room)
{
	size_t i, len, size = 0;
	char head[32];

	for (i = 0; i < N_FILES; i++) {
		if (!p->files[i].bytes)
			continue;
		len = format_header(i, head);
		if (size + len + p->files[i].size > room)
			break;
		memcpy(bytes + size, head, len);
		memcpy(bytes + size + len, p->files[i].bytes, p->files[i].size);
		size += len + p->files[i].size;
	}
	return size;
}

#endif
