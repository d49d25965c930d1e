/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The points of a program or library that a pattern adds to the names of events.
 *
 *	struct kt_file_points p = {.names = names, .matches = &matches};
 *	struct kt_file_pattern pattern;
 *
 *	kt_file_pattern_split(&pattern, "uprobe:bash:readline", "function", &err);
 *	kt_file_points_open(&p, &pattern, "", &err);
 *	...					// find points in p.file
 *	kt_file_points_add(&p, KT_UPROBE_SYSTEM, "readline", &point, &err);
 *	kt_file_points_close(&p);		// matches has the index of uprobe:bash:readline
 */
#ifndef KT_FILTER_FILE_POINTS_H
#define KT_FILTER_FILE_POINTS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct kt_elf_file;
struct kt_error;
struct kt_event_names;
struct kt_point;
struct kt_point_matches;

/* A pattern SYSTEM:FILE:REST, in parts. */
struct kt_file_pattern {
	const char *typed; /* as the user typed it; the caller's */
	char *copy;        /* which the parts point into */
	char *file, *rest;
};

/*
 * Splits a pattern; `missing` says what REST is, and how it is written. Returns 0; -EINVAL, with
 * the place, without file or rest; or -ENOMEM.
 */
int kt_file_pattern_split(struct kt_file_pattern *p, const char *typed, const char *missing,
			  struct kt_error *err);
void kt_file_pattern_free(struct kt_file_pattern *p);

struct kt_file_points {
	struct kt_event_names *names;     /* the caller's, as the matches */
	struct kt_point_matches *matches; /* indices of all that were added */
	char path[PATH_MAX];
	const char *called; /* the file's name in names of points: its last name, or its path if
			       points of another file have that name */
	struct kt_elf_file *file, *debug; /* debug: NULL without a debug file */
};

/*
 * Finds and opens the pattern's file, as kt_binary_lookup() and kt_elf_file_open() do, and its
 * debug file. Returns 0 or -errno, with the place and nothing to close.
 */
int kt_file_points_open(struct kt_file_points *p, const struct kt_file_pattern *of,
			const char *root, struct kt_error *err);
void kt_file_points_close(struct kt_file_points *p);

/*
 * Adds a point of this file: `point` needs neither path nor identity of the file. Its name becomes
 * that of the file, a colon, and `name`, in ASCII. Returns 0 or -errno, as kt_event_names_add().
 */
int kt_file_points_add(struct kt_file_points *p, const char *system, const char *name,
		       const struct kt_point *point, struct kt_error *err);

#endif
