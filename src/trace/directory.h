/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The place of a new trace, where an older one may lie.
 *
 *	bool is_new;
 *	int dir = kt_directory_make("ktrace.out", &is_new, &err);
 *
 * An older trace is moved to ktrace.out.old, and the one that was there is removed. Nothing else is
 * ever moved, removed or written into, nor a trace that is still being recorded.
 */
#ifndef KT_TRACE_DIRECTORY_H
#define KT_TRACE_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/layout.h"

struct kt_error;

/* What a trace has beside metadata and streams lies in a directory of its own in it. */
#define KT_DIRECTORY_KTRACE "ktrace"
#define KT_DIRECTORY_SHEET  "balance.jsonl" /* sheet.h */
#define KT_DIRECTORY_ROSTER "tasks.jsonl"   /* roster.h */
#define KT_DIRECTORY_DRAFT  "metadata.new"  /* metadata.h */

/*
 * Makes it, for its owner's eyes alone, or takes one that is empty: which, is_new says. Returns it
 * open: while it is, the trace counts as being recorded. -EEXIST: what is there is no trace of
 * ktrace's, -EBUSY: it is being recorded.
 */
int kt_directory_make(const char *path, bool *is_new, struct kt_error *err);

/* Whether that would probably go well, without doing it. 0 or -errno. */
int kt_directory_check(const char *path, struct kt_error *err);

/*
 * Makes one of these files in a trace's directory, for writing, and the directory that it lies in.
 * Its descriptor or -errno.
 */
int kt_directory_add(int dir, const char *name);

/* For a trace that could not be begun: removes its files, and the directory if that was made. */
void kt_directory_remove(const char *path, int dir, bool is_new);

/* What a CPU's stream is called there: cpu3; or of the kept channel kept3. */
void kt_directory_name_stream(char *name, size_t size, enum kt_channel channel, unsigned int cpu);

/* Whether a file of that name in a trace's directory is a stream. */
bool kt_directory_is_stream(const char *name);

/* Whether a trace is being recorded into that directory. */
bool kt_directory_is_busy(int dir);

#endif
