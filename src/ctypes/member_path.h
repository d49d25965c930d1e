/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How to get at a value from what a tracepoint is called with, written as in C:
 *
 *	struct kt_member_path path;
 *	struct kt_scan s = kt_scan_of("p->thread_info.cpu", &err);
 *
 *	kt_member_path_find(&path, tp, &s);
 *
 *	// the argument p, and what it points to at byte 16: 4 bytes, unsigned
 *	// { .arg = 0, .n = 1, .offsets = { 16 }, .size = 4 }
 *
 * Names of arguments and members, their places and sizes are those of the BTF, so of the kernel
 * that it describes. 'current' is the task that runs, 'jiffies' the kernel's clock of ticks and
 * 'vmemmap' its struct pages, where no argument has that name. A '*' before it all goes one pointer
 * further, to a number, and so does '[2]' behind a pointer, to the third: such a pointer is one
 * that the kernel lets no program load through.
 *
 * 'skb_shinfo(skb)', of an argument that is a packet, is the struct skb_shared_info which lies
 * where the packet's buffer ends. From Linux 6.2 on the kernel has a function by which a program
 * may take a number for such a pointer.
 */
#ifndef KT_CTYPES_MEMBER_PATH_H
#define KT_CTYPES_MEMBER_PATH_H

#include <stdbool.h>
#include <stdint.h>

struct kt_btf_tracepoint;
struct kt_scan;

/* Arguments from KT_MEMBER_PATH_GLOBALS on are those of enum kt_btf_global. */
enum { KT_MEMBER_PATH_MAX = 6, KT_MEMBER_PATH_GLOBALS = 256 };

/* The argument itself; or what the last of n pointers, the first of which it is, leads to. */
struct kt_member_path {
	unsigned int arg; /* of the tracepoint, from 0; or a global */
	unsigned int n;   /* pointers, 0 to KT_MEMBER_PATH_MAX */
	unsigned int
		offsets[KT_MEMBER_PATH_MAX]; /* from each to the next, from the last to the value */
	unsigned int size;                   /* of the value, in bytes */
	unsigned int bit, bits;              /* of the value those are it, from bit on; 0: all */
	bool is_signed, is_array, is_pointer;
	bool is_text;    /* an array of bytes, or a pointer to them */
	bool is_guarded; /* has a '*' or '[' */
	uint32_t to;     /* what it is a pointer to, by its type; or 0 */
	uint32_t as, by; /* the second pointer is made: one to that type, by that function; or 0 */
	unsigned int plus; /* of that and what lies behind the first one there, 4 bytes */
};

/*
 * The path that comes next in the text, which is taken. 0, or -errno, and where in the text: ENOENT
 * for an argument or member that is not there, EINVAL for what is no path, EOPNOTSUPP for a value
 * that is no number, pointer or array, ERANGE for what lies too far off.
 */
int kt_member_path_find(struct kt_member_path *path, const struct kt_btf_tracepoint *tp,
			struct kt_scan *scan);

#endif
