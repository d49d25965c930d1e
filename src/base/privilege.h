/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What to advise when the kernel refuses an operation for lack of a capability.
 *
 *	kt_fail(&err, EPERM, "CAP_BPF is missing: %s", kt_privilege_advice());
 *
 *	// CAP_BPF is missing: run as root
 *	// CAP_BPF is missing: run as root outside this user namespace (/proc/self/uid_map)
 */
#ifndef KT_BASE_PRIVILEGE_H
#define KT_BASE_PRIVILEGE_H

#include <stdbool.h>

/*
 * Returns whether the process is in the initial user namespace. In others its capabilities apply
 * only to what belongs to the namespace, which tracing does not. Returns true without /proc.
 */
bool kt_privilege_is_initial(void);

/* Returns what the user must do, as a static string without a full stop. */
const char *kt_privilege_advice(void);

#endif
