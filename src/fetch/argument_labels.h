/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Labels and notations of the numbers that system calls take and return: by the argument's name,
 * and by the call where the name alone is ambiguous.
 *
 *	kt_argument_label(event);	// of sys_enter_openat: mode in octal
 */
#ifndef KT_FETCH_ARGUMENT_LABELS_H
#define KT_FETCH_ARGUMENT_LABELS_H

struct kt_event;

/*
 * Gives the fields of a system call's event labels (constants/constants.h) and notations; fields
 * without a rule keep theirs. The fields must have the sizes of their types. File descriptors
 * become signed ints.
 */
void kt_argument_label(struct kt_event *event);

#endif
