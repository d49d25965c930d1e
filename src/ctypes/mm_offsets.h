/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Member offsets for which address space a task has, and how much code is in it.
 *
 *	struct kt_mm_offsets mm;
 *
 *	// current + mm.of_task holds a pointer to the task's mm_struct, 0 of a task of the kernel
 *	kt_mm_offsets_find(btf, &mm, &err);
 */
#ifndef KT_CTYPES_MM_OFFSETS_H
#define KT_CTYPES_MM_OFFSETS_H

struct kt_btf;
struct kt_error;

struct kt_mm_offsets {
	unsigned int of_task;
	unsigned int id;         /* a number that no other address space ever has */
	unsigned int code_pages; /* mapped as code, of programs and libraries */
};

/* Finds all offsets. Returns 0 or -errno: -ENOENT on machines that do not number address spaces. */
int kt_mm_offsets_find(struct kt_btf *btf, struct kt_mm_offsets *found, struct kt_error *err);

#endif
