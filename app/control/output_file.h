/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that a command writes to, named by its user (-o FILE).
 *
 *	FILE *to = output_open(path, &err);
 *
 *	if (!to)
 *		return say_error(NAME, &err);
 *
 * Root runs ktrace in directories that others can write to: neither a link of another user is
 * followed, nor a file or pipe of theirs written to, whether it is there already or comes
 * meanwhile.
 */
#ifndef KT_APP_CONTROL_OUTPUT_FILE_H
#define KT_APP_CONTROL_OUTPUT_FILE_H

#include <stdio.h>

struct kt_error;

/*
 * Makes the file, with mode 0600, or empties the one that is there, whose mode stays. Terminals,
 * pipes and /dev/stdout are written to as they are. On success the caller closes it. NULL: see err.
 */
FILE *output_file_open(const char *path, struct kt_error *err);

#endif
