/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_BASE_KERNEL_RELEASE_H
#define KT_BASE_KERNEL_RELEASE_H

#include <stdbool.h>

/*
 * Whether a kernel's release, as uname has it, is that version or a later one: 6.10-rc1 is
 * since 6.7. False where it is no release.
 */
bool kt_kernel_release_is_since(const char *release, unsigned int major, unsigned int minor);

#endif
