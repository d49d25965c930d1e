/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The directory of a new trace, in whose place an older trace may lie.
 *
 *	struct kt_trace_directory d;
 *
 *	if (kt_trace_directory_make(&d, "ktrace.out", &err) < 0)
 *		return say_error(NAME, &err);
 *	recording = kt_recording_new(&origin, "0.1.0", d.fd, &err);
 *	...
 *	kt_trace_directory_close(&d);
 *
 * An older trace is moved to ktrace.out.old, and the one that was there is removed. Nothing else is
 * ever moved, removed or written into, nor a trace that is still being recorded.
 *
 * A trace holds what nobody but its owner may see, and root records in directories that others can
 * write to. So a trace goes only into a directory that belongs to the effective user and that
 * nobody else may write to; its mode becomes 0700 and that of the files 0600; and from the first
 * check on, all names are those below open directories (base/resolved_path.h).
 */
#ifndef KT_TRACE_TRACE_DIRECTORY_H
#define KT_TRACE_TRACE_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/resolved_path.h"
#include "bpf/ring_layout.h"

struct kt_error;

/* What a trace has beside metadata and streams lies in a directory of its own in it. */
#define KT_TRACE_DIRECTORY_KTRACE "ktrace"
#define KT_TRACE_DIRECTORY_COUNTS "balance.jsonl" /* sheet.h */
#define KT_TRACE_DIRECTORY_NAMES  "tasks.jsonl"   /* roster.h */
#define KT_TRACE_DIRECTORY_DRAFT  "metadata.new"  /* metadata.h */

struct kt_trace_directory {
	int fd; /* locked: while it is open, the trace counts as being recorded */
	bool is_new;
	struct kt_resolved_path place;
};

/*
 * Makes the directory, or takes an empty one. A path that ends in a link leads to where the link
 * does, and the older trace is moved there, too. -EEXIST: the directory holds something else than a
 * trace of ktrace's; -EBUSY: a trace is being recorded into it, or it is a mount point, which
 * cannot be moved; -EACCES: it belongs to another user, or others may write to it.
 */
int kt_trace_directory_make(struct kt_trace_directory *d, const char *path, struct kt_error *err);
void kt_trace_directory_close(struct kt_trace_directory *d);

/*
 * Waits until the trace's files are on the disk, and the names that lead to them. 0 or -errno, and
 * some may not be. Costs what the disk takes; file systems without fsync are taken as they are.
 */
int kt_trace_directory_sync(const struct kt_trace_directory *d, struct kt_error *err);

/* Removes the files of a trace that could not be begun, and the directory if it was made. */
void kt_trace_directory_discard(struct kt_trace_directory *d);

/* Tells whether kt_trace_directory_make() would probably succeed, without making anything. 0 or
 * -errno.
 */
int kt_trace_directory_check(const char *path, struct kt_error *err);

/*
 * Opens the directory KT_TRACE_DIRECTORY_KTRACE of the trace's directory dir to write into it:
 * never through a link, and never another user's. Returns its descriptor, the caller's, or -errno.
 */
int kt_trace_directory_open_ktrace(int dir);

/*
 * Makes one of the files in KT_TRACE_DIRECTORY_KTRACE, and that directory first. Returns the file's
 * descriptor, the caller's, for writing, or -errno.
 */
int kt_trace_directory_add(int dir, const char *name);

/* What a CPU's stream is called there: cpu3; or of the kept channel kept3. */
void kt_trace_directory_name_stream(char *name, size_t size, enum kt_channel channel,
				    unsigned int cpu);

/* Whether a file of that name in a trace's directory is a stream that ktrace has written. */
bool kt_trace_directory_is_stream(const char *name);

/*
 * Whether it is one in any CTF trace: all but directories, metadata and what is hidden. Somebody
 * may have renamed it.
 */
bool kt_trace_directory_may_be_stream(int dir, const char *name);

/* Whether a trace is being recorded into that directory. */
bool kt_trace_directory_is_busy(int dir);

#endif
