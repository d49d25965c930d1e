// SPDX-License-Identifier: GPL-2.0-or-later
#include "stacks/binaries.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"
#include "elf/elf_file.h"
#include "elf/function_table.h"
#include "stacks/build_id_paths.h"
#include "stacks/mapped_file.h"

enum { OPEN_MAX_OTHER = 256 }; /* files of other roots that are held open */

struct kt_binaries {
	size_t n, n_open;
	struct kt_binary *of;
};

struct kt_binaries *kt_binaries_new(void)
{
	return calloc(1, sizeof(struct kt_binaries));
}

void kt_binaries_free(struct kt_binaries *b)
{
	size_t i;

	if (!b)
		return;
	for (i = 0; i < b->n; i++) {
		free(b->of[i].path);
		if (b->of[i].fd >= 0)
			close(b->of[i].fd);
		kt_number_feed_clear(&b->of[i].used);
		kt_symbols_clear(&b->of[i].functions);
		kt_function_table_free(b->of[i].table);
	}
	free(b->of);
	free(b);
}

static size_t add(struct kt_binaries *b, const struct kt_binary *binary)
{
	struct kt_binary *larger = kt_grow(b->of, b->n, sizeof(*b->of));

	if (!larger)
		return KT_BINARY_NONE;
	b->of = larger;
	b->of[b->n++] = *binary;
	return b->n;
}

/* Returns the index of the binary with this build id; or KT_BINARY_NONE. */
static size_t find_build_id(const struct kt_binaries *b, const uint8_t id[KT_BUILD_ID_SIZE])
{
	size_t i = b->n;

	while (i > 0 && (!b->of[i - 1].has_build_id ||
			 memcmp(b->of[i - 1].build_id, id, KT_BUILD_ID_SIZE) != 0))
		i--;
	return i;
}

size_t kt_binaries_of_build_id(struct kt_binaries *b, const uint8_t id[KT_BUILD_ID_SIZE])
{
	struct kt_binary binary = {.has_build_id = true, .fd = -1};
	size_t i = find_build_id(b, id);

	memcpy(binary.build_id, id, KT_BUILD_ID_SIZE);
	return i ? i : add(b, &binary);
}

size_t kt_binaries_of_path(struct kt_binaries *b, const char *path, uint64_t inode)
{
	struct kt_binary binary = {.inode = inode, .fd = -1};
	size_t i = b->n;

	while (i > 0 && (b->of[i - 1].has_build_id || b->of[i - 1].inode != inode ||
			 strcmp(b->of[i - 1].path, path) != 0))
		i--;
	if (i)
		return i;
	binary.path = strdup(path);
	if (binary.path)
		i = add(b, &binary);
	if (!i)
		free(binary.path);
	return i;
}

size_t kt_binaries_count(const struct kt_binaries *b)
{
	return b->n;
}

const struct kt_binary *kt_binaries_at(const struct kt_binaries *b, size_t i)
{
	return &b->of[i - 1];
}

/* Returns whether the process has another root, or other mounts, than this one. */
static bool has_other_files(pid_t pid)
{
	char path[64];
	struct stat mine, other;

	snprintf(path, sizeof(path), "/proc/%d/ns/mnt", pid);
	if (stat("/proc/self/ns/mnt", &mine) < 0 || stat(path, &other) < 0)
		return false;
	if (mine.st_ino != other.st_ino)
		return true;
	snprintf(path, sizeof(path), "/proc/%d/root", pid);
	return stat("/", &mine) == 0 && stat(path, &other) == 0 &&
	       (mine.st_dev != other.st_dev || mine.st_ino != other.st_ino);
}

static bool is_deleted(const char *path)
{
	static const char suffix[] = " (deleted)";
	size_t n = strlen(path);

	return n >= strlen(suffix) && !strcmp(path + n - strlen(suffix), suffix);
}

/* Opens the file by a process's mapping: later the process may be gone. */
static void hold_open(struct kt_binaries *b, struct kt_binary *binary,
		      const struct kt_build_id_path *from)
{
	if (b->n_open == OPEN_MAX_OTHER || (!is_deleted(from->path) && !has_other_files(from->pid)))
		return;
	binary->fd = kt_mapped_file_open(from->pid, from->begin, from->end, from->path);
	b->n_open += binary->fd >= 0;
}

void kt_binaries_set_path(struct kt_binaries *b, const struct kt_build_id_path *path)
{
	size_t i = find_build_id(b, path->build_id);
	struct kt_binary *binary;

	if (!i || b->of[i - 1].path)
		return;
	binary = &b->of[i - 1];
	binary->path = strdup(path->path);
	if (binary->path)
		hold_open(b, binary, path);
}

void kt_binaries_use(struct kt_binaries *b, size_t i, uint64_t offset)
{
	if (offset)
		kt_number_feed_add(&b->of[i - 1].used, offset);
}

/* A build id that is shorter has 0 behind it here. */
static bool is_file(const struct kt_binary *binary, const struct kt_elf_file *file)
{
	char expected[2 * KT_BUILD_ID_SIZE + 1];
	const char *id = kt_elf_file_build_id(file);
	size_t i;

	if (!binary->has_build_id)
		return !*id && kt_elf_file_identity(file).inode == binary->inode;
	for (i = 0; i < KT_BUILD_ID_SIZE; i++)
		sprintf(expected + 2 * i, "%02x", binary->build_id[i]);
	return *id && strlen(id) < sizeof(expected) && !strncmp(id, expected, strlen(id)) &&
	       strspn(expected + strlen(id), "0") == sizeof(expected) - 1 - strlen(id);
}

static struct kt_elf_file *open_file(const struct kt_binary *binary)
{
	struct kt_elf_file *file;
	struct kt_error ignored;

	file = binary->fd < 0 ? kt_elf_file_open(binary->path, &ignored)
			      : kt_mapped_file_elf(binary->fd, &ignored);
	if (!file || is_file(binary, file))
		return file;
	kt_elf_file_close(file);
	return NULL;
}

/* Reads the functions, if the file is still there. */
static void read_table(struct kt_binary *binary)
{
	struct kt_elf_file *file = open_file(binary), *debug;
	struct kt_error ignored;

	binary->is_read = true;
	if (!file)
		return;
	debug = kt_elf_file_open_debug(file, "");
	binary->table = kt_function_table_read(file, debug, &ignored);
	kt_elf_file_close(debug);
	kt_elf_file_close(file);
}

static void forget_table(struct kt_binary *binary)
{
	kt_function_table_free(binary->table);
	binary->table = NULL;
	binary->is_read = false;
}

static bool has_new_offsets(const struct kt_binary *binary)
{
	return binary->path && *binary->path == '/' && binary->used.fresh.n > 0;
}

static void find_functions(struct kt_binary *binary)
{
	const uint64_t *offsets;
	size_t n;

	if (!binary->is_read)
		read_table(binary);
	offsets = kt_number_feed_take(&binary->used, &n);
	if (binary->table)
		kt_function_table_find(binary->table, offsets, n, &binary->functions);
}

void kt_binaries_find_functions(struct kt_binaries *b, bool again)
{
	size_t i;

	for (i = 0; i < b->n; i++) {
		kt_symbols_clear(&b->of[i].functions);
		if (has_new_offsets(&b->of[i]))
			find_functions(&b->of[i]);
		if (!again)
			forget_table(&b->of[i]);
	}
}
