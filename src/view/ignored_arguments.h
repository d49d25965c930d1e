/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which arguments of quotactl and mount the kernel ignores, by the command or flags of the call:
 * strace leaves those of quotactl out, and prints mount's as addresses.
 */
#ifndef KT_VIEW_IGNORED_ARGUMENTS_H
#define KT_VIEW_IGNORED_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

struct kt_call;
struct kt_text;

/* Returns whether the call, of the form KT_CALL_QUOTA, ignores argument i of its entry. */
bool kt_ignored_arguments_quota(const struct kt_call *call, size_t i);

/* Returns whether the call, of the form KT_CALL_MOUNT, ignores the text of argument i. */
bool kt_ignored_arguments_mount(const struct kt_call *call, size_t i);

/*
 * Prints the message that a call should have received: only how much room the address has. Returns
 * false if the argument is no such message, or was unreadable.
 */
bool kt_ignored_arguments_put_unreceived(struct kt_text *t, const struct kt_call *call, size_t i);

#endif
