/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What to advise when the kernel refuses something for want of a capability.
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
 * Whether the process is in the initial user namespace. In others all its capabilities hold for
 * what belongs to the namespace alone, which tracing does not. True where /proc is not mounted.
 */
bool kt_privilege_is_initial(void);

/* Returns what the user must do, as a static string without a full stop. */
const char *kt_privilege_advice(void);

#endif
