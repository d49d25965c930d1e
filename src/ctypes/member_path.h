/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A path from the arguments of a tracepoint or function to a value, written as in C.
 *
 *	struct kt_member_path path;
 *	struct kt_scan s = kt_scan_of("p->thread_info.cpu", &err);
 *
 *	kt_member_path_find(&path, tp, &s);
 *
 *	// the argument p, and 4 unsigned bytes at byte 16 of what it points to:
 *	// { .arg = 0, .n = 1, .offsets = { 16 }, .size = 4 }
 *
 * Names, offsets and sizes come from the kernel's BTF. 'arg0' is the first argument, as is its
 * name. Unless an argument has that name, 'current' is the current task, 'jiffies' the
 * kernel's tick counter, and 'vmemmap' its array of struct pages. At a function's return 'ret' is
 * what it returns, and 'duration' the ns since its entry. A pointer to numbers is
 * dereferenced by a leading '*', or by '[2]' after it. The kernel lets no program load through
 * such a pointer, so it must be probed.
 *
 * 'skb_shinfo(skb)' is the struct skb_shared_info at the end of a packet's buffer. From Linux 6.2
 * on, a kernel function lets programs treat a number as such a pointer (bpf_rdonly_cast).
 */
#ifndef KT_CTYPES_MEMBER_PATH_H
#define KT_CTYPES_MEMBER_PATH_H

#include <stdbool.h>
#include <stdint.h>

struct kt_btf_target;
struct kt_scan;

/*
 * Argument numbers from KT_MEMBER_PATH_GLOBALS on mean an enum kt_btf_global, and from
 * KT_MEMBER_PATH_COMPUTED on a value that was computed before (events/curated.h). A program that
 * gets the registers does not have all arguments.
 */
enum {
	KT_MEMBER_PATH_MAX = 6,
	KT_MEMBER_PATH_GLOBALS = 256,
	KT_MEMBER_PATH_COMPUTED = 512,
	KT_MEMBER_PATH_NOWHERE = 1024,
};

/* Where the value is: in the argument itself (n = 0), or where the last of n pointers leads. */
struct kt_member_path {
	unsigned int arg; /* place of the argument in the program's context, in words of 8 bytes;
			     or a global */
	unsigned int n;   /* pointers to follow, 0 to KT_MEMBER_PATH_MAX */
	unsigned int offsets[KT_MEMBER_PATH_MAX]; /* offset from each pointer */
	unsigned int size;                        /* of the value, in bytes */
	unsigned int bit,
		bits; /* for a bit field: its first bit in the value, and its width; 0: all bits */
	bool is_signed, is_array, is_pointer;
	bool is_text;      /* text: an array of bytes, or a pointer to bytes */
	bool is_guarded;   /* the path has a '*' or '[' */
	uint32_t to;       /* the type that the value points to; or 0 */
	uint32_t as, by;   /* the second pointer is cast to type `as` by function `by`; or 0 */
	unsigned int plus; /* offset from the first pointer of a u32 that is added to the second */
};

/*
 * Parses the path that comes next. Returns 0 or -errno, with the place in the text: -ENOENT if an
 * argument or member does not exist, -EINVAL for a syntax error, -EOPNOTSUPP if the value is not a
 * number, pointer or array, -ERANGE if an offset is too large.
 */
int kt_member_path_find(struct kt_member_path *path, const struct kt_btf_target *tp,
			struct kt_scan *scan);

#endif
