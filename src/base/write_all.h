/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_BASE_WRITE_ALL_H
#define KT_BASE_WRITE_ALL_H

#include <sys/uio.h>

/*
 * writev(2) until all of it is written, which moves the vectors: 0, or -errno with part of it
 * written.
 */
int kt_write_all(int fd, struct iovec *iov, int n);

#endif
