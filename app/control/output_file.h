/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens a file named by the user (-o FILE).
 *
 *	FILE *to = output_file_open(path, &err);
 *
 *	if (!to)
 *		return report_error(NAME, &err);
 *
 * Root runs ktrace in directories that others can write to: no link of another user is followed,
 * and no file or pipe of theirs is written to, even if it appears meanwhile.
 */
#ifndef KT_APP_CONTROL_OUTPUT_FILE_H
#define KT_APP_CONTROL_OUTPUT_FILE_H

#include <stdio.h>

struct kt_error;

/*
 * Creates the file with mode 0600, or truncates an existing one, whose mode remains. Terminals,
 * pipes and /dev/stdout are written to as they are. The caller closes the file. Returns NULL on
 * error.
 */
FILE *output_file_open(const char *path, struct kt_error *err);

/* The same, but keeps what an existing file has, and writes after it. */
FILE *output_file_append(const char *path, struct kt_error *err);

#endif
