/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_BASE_READ_FILE_H
#define KT_BASE_READ_FILE_H

#include <stddef.h>

/*
 * Reads a whole file into *text and adds a NUL; the caller frees it. Stores the length without the
 * NUL in *size unless that is NULL. Returns 0; or -errno with *text NULL: -EFBIG for max bytes or
 * more.
 */
int kt_read_file(int fd, size_t max, char **text, size_t *size);

#endif
