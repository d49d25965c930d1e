/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the kernel's array of struct pages begins, one for each page of memory: by it a pointer to
 * one of them becomes the number of the page (pfn), as the kernel shows it.
 *
 *	kt_vmemmap_find(&curated->page, curated->page_size, &vmemmap, &err);
 *
 * The kernel tells it nobody, and it differs from boot to boot. But /proc/self/pagemap tells the
 * numbers of our own pages, and a program of ours finds the struct of the same page: a file in
 * memory is made, of one page, which the program comes to from the task that runs. Needs
 * CAP_SYS_ADMIN, besides what programs need. Takes about 1 ms, nothing is attached, nothing
 * remains.
 */
#ifndef KT_HOOK_VMEMMAP_H
#define KT_HOOK_VMEMMAP_H

#include <stddef.h>
#include <stdint.h>

struct kt_error;
struct kt_member_path;

/*
 * The path leads from 'current' to a pointer to the struct of the first page of the file whose
 * descriptor is 0: what is before its last pointer is an element of the array of files. Size is
 * that of the struct in bytes. Two pages must tell the same, and begin where x86-64 lets it begin.
 * 0, or -errno: EPERM where the number of a page is not told.
 */
int kt_vmemmap_find(const struct kt_member_path *page, size_t size, uint64_t *vmemmap,
		    struct kt_error *err);

#endif
