// SPDX-License-Identifier: GPL-2.0-or-later
#include "stacks/user_stacks.h"

#include <errno.h>
#include <limits.h>
#include <search.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/number_set.h"
#include "base/pids.h"
#include "elf/elf_file.h"
#include "stacks/binaries.h"
#include "stacks/build_id_paths.h"
#include "stacks/installed_files.h"
#include "stacks/mapped_file.h"
#include "stacks/mapping_log.h"
#include "stacks/process_maps.h"
#include "stacks/recent_mappings.h"

/* Maps of processes that are kept, each at its number modulo this. */
enum { KEPT = 64, KEPT_NS = 1000000000 };

/* A file by which its build id is found. */
struct file {
	uint64_t device, inode;
	bool has_build_id;
	uint8_t build_id[KT_BUILD_ID_SIZE];
};

struct kept_maps {
	pid_t pid;
	uint64_t read; /* when */
	struct kt_process_maps maps;
};

struct kt_user_stacks {
	struct kt_binaries *binaries;
	struct kt_mapping_log *log; /* NULL: files are not watched */
	struct kt_build_id_paths paths;
	struct kt_recent_mappings recent;
	bool knows_pids;               /* programs and this process have the same numbers */
	struct kt_number_set searched; /* processes whose files' build ids are in paths */
	size_t n_searched; /* binaries that were searched everywhere, if their path is unknown */
	void *files;       /* those that were read, by tsearch(3) */
	struct kept_maps kept[KEPT];
};

struct kt_user_stacks *kt_user_stacks_new(bool watch, struct kt_error *err)
{
	struct kt_user_stacks *u = calloc(1, sizeof(*u));

	if (u)
		u->binaries = kt_binaries_new();
	if (!u || !u->binaries) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		kt_user_stacks_free(u);
		return NULL;
	}
	u->knows_pids = kt_pids_are_the_kernels();
	if (watch)
		u->log = kt_mapping_log_new(err);
	if (u->log || !watch)
		return u;
	kt_user_stacks_free(u);
	return NULL;
}

void kt_user_stacks_free(struct kt_user_stacks *u)
{
	size_t i;

	if (!u)
		return;
	for (i = 0; i < KEPT; i++)
		kt_process_maps_clear(&u->kept[i].maps);
	tdestroy(u->files, free);
	kt_number_set_clear(&u->searched);
	kt_recent_mappings_clear(&u->recent);
	kt_build_id_paths_clear(&u->paths);
	kt_mapping_log_free(u->log);
	kt_binaries_free(u->binaries);
	free(u);
}

static void note_mapping(void *with, const struct kt_logged_mapping *m)
{
	struct kt_user_stacks *u = with;

	struct kt_build_id_path path = {.pid = m->pid, m->begin, m->end, m->path};

	memcpy(path.build_id, m->build_id, KT_BUILD_ID_SIZE);
	if (m->has_build_id)
		kt_build_id_paths_set(&u->paths, &path);
	kt_recent_mappings_add(&u->recent, m);
}

void kt_user_stacks_watch(struct kt_user_stacks *u)
{
	if (u->log)
		kt_mapping_log_read(u->log, note_mapping, u);
}

/* As the kernel's: a shorter one with 0 behind it. Returns whether the text is a build id. */
static bool parse_build_id(const char *text, uint8_t id[KT_BUILD_ID_SIZE])
{
	size_t i;

	memset(id, 0, KT_BUILD_ID_SIZE);
	for (i = 0; i < KT_BUILD_ID_SIZE && text[2 * i]; i++)
		sscanf(text + 2 * i, "%2hhx", &id[i]);
	return *text;
}

static int compare_files(const void *a, const void *b)
{
	return memcmp(a, b, offsetof(struct file, has_build_id));
}

/* Reads the build id of a mapped file, and notes where it is. */
static void read_file(struct kt_user_stacks *u, struct file *file, pid_t pid,
		      const struct kt_mapping *m)
{
	struct kt_build_id_path path = {.pid = pid, m->begin, m->end, m->path};
	int fd = kt_mapped_file_open(pid, m->begin, m->end, m->path);
	struct kt_elf_file *f = NULL;
	struct kt_error ignored;

	if (fd < 0)
		return;
	f = kt_mapped_file_elf(fd, &ignored);
	close(fd);
	file->has_build_id = f && parse_build_id(kt_elf_file_build_id(f), file->build_id);
	kt_elf_file_close(f);
	memcpy(path.build_id, file->build_id, KT_BUILD_ID_SIZE);
	if (file->has_build_id)
		kt_build_id_paths_set(&u->paths, &path);
}

/* Returns what is known about the file of a mapping; or NULL without memory. */
static const struct file *find_file(struct kt_user_stacks *u, pid_t pid, const struct kt_mapping *m)
{
	struct file *file = calloc(1, sizeof(*file)), **found;

	if (!file)
		return NULL;
	file->device = m->device;
	file->inode = m->inode;
	found = tsearch(file, &u->files, compare_files);
	if (!found || *found != file)
		free(file);
	else
		read_file(u, file, pid, m);
	return found ? *found : NULL;
}

/* Returns the maps of a process as they are now, or were since when nothing was mapped. */
static const struct kt_process_maps *get_maps(struct kt_user_stacks *u, pid_t pid)
{
	struct kept_maps *kept = &u->kept[pid % KEPT];
	uint64_t now = kt_clock_now();

	if (kept->pid == pid && now - kept->read < KEPT_NS &&
	    kt_recent_mappings_none(&u->recent, pid, kept->read, 0, UINT64_MAX))
		return &kept->maps;
	kt_process_maps_read(&kept->maps, pid);
	kept->pid = pid;
	kept->read = now;
	return &kept->maps;
}

/* Notes the build ids of the files that a process has mapped, each file once. */
static void search_process(struct kt_user_stacks *u, pid_t pid)
{
	const struct kt_process_maps *maps;
	size_t i;

	if (!u->knows_pids || kt_number_set_add(&u->searched, pid) <= 0)
		return;
	maps = get_maps(u, pid);
	for (i = 0; i < maps->n; i++)
		if (*maps->of[i].path == '/')
			find_file(u, pid, &maps->of[i]);
}

/* Notes the path of a binary. Returns whether it is known. */
static bool set_path(struct kt_user_stacks *u, const uint8_t id[KT_BUILD_ID_SIZE])
{
	const struct kt_build_id_path *path = kt_build_id_paths_find(&u->paths, id);

	if (path)
		kt_binaries_set_path(u->binaries, path);
	return path;
}

/* The processes that began before the log have their files in no log. */
static size_t find_by_build_id(struct kt_user_stacks *u, const struct kt_user_frame *frame,
			       pid_t pid)
{
	size_t i = kt_binaries_of_build_id(u->binaries, frame->build_id);

	if (!i || kt_binaries_at(u->binaries, i)->path || set_path(u, frame->build_id))
		return i;
	search_process(u, pid);
	set_path(u, frame->build_id);
	return i;
}

/* Returns the place of an address in a binary with that build id, or of that path. */
static struct kt_place make_place(struct kt_user_stacks *u, uint64_t address,
				  const struct kt_mapping *m, const uint8_t *build_id)
{
	struct kt_place place = {.at = address};

	place.binary = build_id ? kt_binaries_of_build_id(u->binaries, build_id)
				: kt_binaries_of_path(u->binaries, m->path, m->inode);
	if (!place.binary)
		return place;
	if (build_id)
		set_path(u, build_id);
	place.at = address - m->begin + m->offset;
	return place;
}

/* The log has the latest mapping, unless it is from before the log, or was forgotten. */
static struct kt_place find_in_log(struct kt_user_stacks *u, const struct kt_user_callstack *s,
				   uint64_t address)
{
	const struct kt_logged_mapping *l =
		kt_recent_mappings_find(&u->recent, s->pid, s->time, address);
	struct kt_mapping m;

	if (!l || (!l->has_build_id && !l->inode && *l->path != '['))
		return (struct kt_place){KT_BINARY_NONE, address};
	m = (struct kt_mapping){
		.begin = l->begin, .offset = l->offset, .inode = l->inode, .path = l->path};
	return make_place(u, address, &m, l->has_build_id ? l->build_id : NULL);
}

/* A process's maps now tell what they were at the hit if nothing was mapped there since. */
static struct kt_place find_in_maps(struct kt_user_stacks *u, const struct kt_user_callstack *s,
				    uint64_t address)
{
	const struct kt_mapping *m = kt_process_maps_find(get_maps(u, s->pid), address);
	const struct kt_place nowhere = {KT_BINARY_NONE, address};
	const struct file *file = NULL;

	if (!m || !*m->path)
		return nowhere;
	if (*m->path == '/')
		file = find_file(u, s->pid, m);
	kt_user_stacks_watch(u);
	if (!kt_mapping_log_is_complete(u->log) ||
	    !kt_recent_mappings_none(&u->recent, s->pid, s->time, m->begin, m->end))
		return nowhere;
	return make_place(u, address, m, file && file->has_build_id ? file->build_id : NULL);
}

static struct kt_place find_address(struct kt_user_stacks *u, const struct kt_user_callstack *s,
				    uint64_t address)
{
	struct kt_place place = {KT_BINARY_NONE, address};

	if (!u->knows_pids || !u->log)
		return place;
	place = find_in_log(u, s, address);
	return place.binary ? place : find_in_maps(u, s, address);
}

/*
 * Without frame pointers, what the kernel finds behind the innermost frame may be no address. And
 * for an address where nothing is mapped it gives the next file above, with a negative offset.
 */
static bool is_code(const struct kt_user_frame *frame, size_t i)
{
	enum { ADDRESS_BITS = 56, OFFSET_BITS = 63 };
	bool is_offset = frame->state == KT_USER_FRAME_IN_FILE;

	return i == 0 || frame->at >> (is_offset ? OFFSET_BITS : ADDRESS_BITS) == 0;
}

/* Returns the number of frames that are code. */
static size_t count_frames(const struct kt_user_callstack *s)
{
	size_t n = 0;

	while (n < KT_USER_CALLSTACK_FRAMES_MAX && s->frames[n].state != KT_USER_FRAME_END &&
	       is_code(&s->frames[n], n))
		n++;
	return n;
}

size_t kt_user_stacks_locate(struct kt_user_stacks *u, const struct kt_user_callstack *s,
			     struct kt_place *places, bool *is_cut)
{
	size_t i, n = count_frames(s);
	const struct kt_user_frame *frame;

	*is_cut = n == KT_USER_CALLSTACK_FRAMES_MAX && s->size > n * sizeof(uint64_t);
	for (i = 0; i < n; i++) {
		frame = &s->frames[i];
		places[i] = (struct kt_place){KT_BINARY_NONE, frame->at};
		if (frame->state == KT_USER_FRAME_IN_FILE)
			places[i].binary = find_by_build_id(u, frame, s->pid);
		else
			places[i] = find_address(u, s, frame->at);
		if (places[i].binary)
			kt_binaries_use(u->binaries, places[i].binary,
					kt_callstack_code(places[i].at, i));
	}
	return n;
}

struct kt_binaries *kt_user_stacks_binaries(struct kt_user_stacks *u)
{
	return u->binaries;
}

/*
 * Sets the paths that have become known. Returns whether all are, but for those that were searched
 * before.
 */
static bool set_paths(struct kt_user_stacks *u)
{
	size_t i, n = kt_binaries_count(u->binaries);
	const struct kt_binary *b;
	bool all = true;

	for (i = 1; i <= n; i++) {
		b = kt_binaries_at(u->binaries, i);
		all &= b->path || set_path(u, b->build_id) || i <= u->n_searched;
	}
	return all;
}

/* All once more, as they may have other files by now. */
static void search_processes(struct kt_user_stacks *u)
{
	DIR *processes = kt_pids_open(0);
	pid_t pid;

	kt_number_set_clear(&u->searched);
	while (processes && (pid = kt_pids_next(processes)))
		search_process(u, pid);
	if (processes)
		closedir(processes);
}

/* Returns whether to continue: a binary's path is still unknown. */
static bool note_installed(void *with, const char *path)
{
	struct kt_build_id_path found = {.pid = getpid(), .path = path};
	struct kt_user_stacks *u = with;
	struct kt_elf_file *f;
	struct kt_error ignored;

	f = kt_elf_file_open(path, &ignored);
	if (!f)
		return true;
	if (parse_build_id(kt_elf_file_build_id(f), found.build_id))
		kt_build_id_paths_set(&u->paths, &found);
	kt_elf_file_close(f);
	return !set_paths(u);
}

void kt_user_stacks_search_all(struct kt_user_stacks *u)
{
	if (set_paths(u))
		return;
	search_processes(u);
	if (!set_paths(u))
		kt_installed_files_visit(note_installed, u);
	u->n_searched = kt_binaries_count(u->binaries);
}
