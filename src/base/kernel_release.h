/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_BASE_KERNEL_RELEASE_H
#define KT_BASE_KERNEL_RELEASE_H

#include <stdbool.h>

/*
 * Returns whether a kernel release, as uname(2) reports it, is at least that version: 6.10-rc1 is
 * at least 6.7. Returns false for text that is not a release.
 */
bool kt_kernel_release_is_since(const char *release, unsigned int major, unsigned int minor);

#endif
