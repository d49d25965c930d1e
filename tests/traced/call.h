/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any system call with any arguments, for traced programs. */
#ifndef KT_TESTS_CALL_H
#define KT_TESTS_CALL_H

#include <sys/syscall.h>
#include <unistd.h>

#define NOWHERE 0x10L               // no pointer leads there, nor there:
#define KERNEL  0xffff888000000000L // of the kernel
#define ENDLESS 0x7fffffffffffffffL // a length

// What a call has is six registers, whatever the type of what is in them.
#pragma GCC diagnostic ignored "-Wint-conversion"
#define call(name, ...) make_call((const long[7]){SYS_##name, __VA_ARGS__})

static char room[65536] __attribute__((unused));    // for whatever a call gives
static const int none __attribute__((unused)) = -1; // a descriptor

static inline long make_call(const long call[7])
{
	return syscall(call[0], call[1], call[2], call[3], call[4], call[5], call[6]);
}

#endif
