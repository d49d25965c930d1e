/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The directory of a new trace, which may replace an older trace.
 *
 *	struct kt_trace_directory d;
 *
 *	if (kt_trace_directory_make(&d, "ktrace.out", &err) < 0)
 *		return say_error(NAME, &err);
 *	recording = kt_recording_new(&source, "0.1.0", d.fd, &err);
 *	...
 *	kt_trace_directory_close(&d);
 *
 * An older trace is moved to ktrace.out.old; what was there is removed. Nothing else is ever moved,
 * removed or written to, nor a trace that is still being recorded.
 *
 * A trace may hold secrets, and root records in directories that other users can write to. So a
 * trace only goes into a directory that belongs to the effective user and that nobody else may
 * write to; its mode becomes 0700, that of the files 0600; and after the first check all names are
 * resolved below open directories (base/resolved_path.h).
 */
#ifndef KT_TRACE_TRACE_DIRECTORY_H
#define KT_TRACE_TRACE_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/resolved_path.h"
#include "bpf/ring_layout.h"

struct kt_error;

/* Subdirectory for everything besides metadata and streams. */
#define KT_TRACE_DIRECTORY_KTRACE   "ktrace"
#define KT_TRACE_DIRECTORY_COUNTS   "counts.jsonl"   /* trace/event_counts_file.h */
#define KT_TRACE_DIRECTORY_NAMES    "tasks.jsonl"    /* trace/task_names_writer.h */
#define KT_TRACE_DIRECTORY_BINARIES "binaries.jsonl" /* trace/binaries_writer.h */
#define KT_TRACE_DIRECTORY_STACKS   "stacks.jsonl"   /* trace/stacks_writer.h */
#define KT_TRACE_DIRECTORY_DRAFT    "metadata.new"   /* trace/metadata_writer.h */

struct kt_trace_directory {
	int fd; /* locked: while it is open, the trace counts as being recorded */
	bool is_new;
	struct kt_resolved_path place;
};

/*
 * Creates the directory and those above it, or takes an empty one. A path that ends in a link means
 * the link's target, where an older trace is moved, too. Returns 0 or -errno: -EEXIST if the
 * directory holds something other than a trace of ktrace; -EBUSY if a trace is being recorded
 * there, or it is a mount point, which cannot be moved; -EACCES if it belongs to another user, or
 * others may write to it.
 */
int kt_trace_directory_make(struct kt_trace_directory *d, const char *path, struct kt_error *err);
void kt_trace_directory_close(struct kt_trace_directory *d);

/*
 * Waits until the files and the names that lead to them are on disk. Returns 0; or -errno, and some
 * may not be. File systems without fsync are accepted.
 */
int kt_trace_directory_sync(const struct kt_trace_directory *d, struct kt_error *err);

/* Removes the files of a trace that could not be started, and the directory if it was created. */
void kt_trace_directory_discard(struct kt_trace_directory *d);

/*
 * Returns whether kt_trace_directory_make() would probably succeed, without creating anything: 0 or
 * -errno.
 */
int kt_trace_directory_check(const char *path, struct kt_error *err);

/*
 * Opens the subdirectory KT_TRACE_DIRECTORY_KTRACE of a trace's directory for writing: never
 * through a link, never another user's. Returns a descriptor that the caller closes, or -errno.
 */
int kt_trace_directory_open_ktrace(int dir);

/*
 * Creates a file in that subdirectory, which it creates if necessary. Returns a descriptor for
 * writing that the caller closes, or -errno.
 */
int kt_trace_directory_add(int dir, const char *name);

/* Writes the name of a CPU's stream: cpu3; for rare events kept3. */
void kt_trace_directory_name_stream(char *name, size_t size, enum kt_channel channel,
				    unsigned int cpu);

/* Returns whether a file of that name is a stream written by ktrace. */
bool kt_trace_directory_is_stream(const char *name);

/*
 * Returns whether a file may be a stream of any CTF trace, under whatever name: everything but
 * directories, metadata and hidden files.
 */
bool kt_trace_directory_may_be_stream(int dir, const char *name);

/* Returns whether a trace is being recorded into the directory. */
bool kt_trace_directory_is_busy(int dir);

#endif
