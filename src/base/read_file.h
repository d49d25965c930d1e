/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_BASE_READ_FILE_H
#define KT_BASE_READ_FILE_H

#include <stddef.h>

/*
 * All of a file, a 0 behind it, for the caller to free; size, which may be NULL, without that. 0 or
 * -errno, *text NULL: -EFBIG where it is max bytes or more.
 */
int kt_read_file(int fd, size_t max, char **text, size_t *size);

#endif
