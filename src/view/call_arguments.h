/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which members of a system call's two events are its arguments, and what the call wrote. */
#ifndef KT_VIEW_CALL_ARGUMENTS_H
#define KT_VIEW_CALL_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

struct kt_call;
struct kt_hit;

/*
 * Returns whether a member of the entry is an argument: not the call's number, and not what the
 * call ignores with these other arguments, or always: the upper half of a file position (pos_h).
 */
bool kt_call_argument_is(const struct kt_call *call, size_t i);

/*
 * Returns whether the call wrote the data of an argument, and it is known: nothing is written
 * through NULL. The exit's member call->kind->given[i] has it. The exit may be NULL.
 */
bool kt_call_argument_is_given(const struct kt_call *call, const struct kt_hit *exit, size_t i);

/*
 * Returns whether an argument's text was in memory only at the return. The exit's member
 * call->kind->late[i] has it.
 */
bool kt_call_argument_is_late(const struct kt_call *call, const struct kt_hit *exit, size_t i);

#endif
