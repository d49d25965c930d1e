/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the numbers mean that system calls are given, and that they return: by the arguments' names,
 * which mean the same in most calls, and by the call where they do not.
 *
 *	kt_argument_label(event);	// of sys_enter_openat: mode in octal
 */
#ifndef KT_FETCH_ARGUMENT_LABELS_H
#define KT_FETCH_ARGUMENT_LABELS_H

struct kt_event;

/*
 * Gives the fields of an event of one, as large as their types are, labels (constants/constants.h)
 * and a notation; others keep theirs. Numbers of open files get the size and the sign of an int.
 */
void kt_argument_label(struct kt_event *event);

#endif
