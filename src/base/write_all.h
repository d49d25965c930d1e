/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_BASE_WRITE_ALL_H
#define KT_BASE_WRITE_ALL_H

#include <sys/uio.h>

/*
 * Calls writev(2) until everything is written; modifies the vectors. Returns 0, or -errno after
 * writing a part.
 */
int kt_write_all(int fd, struct iovec *iov, int n);

#endif
