/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The times that utimensat, utimes and futimesat give a file, as strace prints them: UTIME_NOW, or
 * a struct and its date, {tv_sec=1, tv_nsec=5} and 1970-01-01T00:00:01.000000005+0000 as a comment.
 */
#ifndef KT_VALUES_FILE_TIME_H
#define KT_VALUES_FILE_TIME_H

#include <stdbool.h>

struct kt_member;
struct kt_record_layout;
struct kt_text;

/* Returns whether a member is such structs, each of two numbers. */
bool kt_file_time_is(const struct kt_member *m);

/* Prints the name of one that only says now, or to leave the file's time. Returns whether it did.
 */
bool kt_file_time_put_name(struct kt_text *t, const struct kt_record_layout *layout,
			   const char *at);

/* Prints the date of one, if it is a date, as a comment; with -X verbose, also such a name. */
void kt_file_time_put_date(struct kt_text *t, const struct kt_record_layout *layout,
			   const char *at);

#endif
