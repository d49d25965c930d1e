/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_HOOK_ASK_PREEMPTION_H
#define KT_HOOK_ASK_PREEMPTION_H

#include <stdbool.h>

/*
 * Returns whether the kernel preempts itself, and so programs attached to its functions
 * (doc/points.md): if it was built so, or was told so at boot or later (preempt=full, lazy). True
 * if that cannot be known. Found once in a process: by uname(2); else by what debugfs says, or the
 * kernel's own variable, which a program reads; 60 ms at most.
 */
bool kt_kernel_preempts(void);

#endif
