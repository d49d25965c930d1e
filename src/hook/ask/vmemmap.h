/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the kernel's array of struct pages (vmemmap). With it a pointer to a struct page becomes
 * the page's number (pfn), as the kernel prints it.
 *
 *	kt_vmemmap_find(&curated->page, curated->page_size, &vmemmap, &err);
 *
 * The address differs from boot to boot, and the kernel reports it nowhere. But /proc/self/pagemap
 * has the numbers of our own pages, and a program finds the struct of such a page: that of a
 * one-page file in memory, which it reaches from the current task. Needs CAP_SYS_ADMIN in addition
 * to what programs need. Takes about 1 ms; nothing is attached, and nothing remains.
 */
#ifndef KT_HOOK_ASK_VMEMMAP_H
#define KT_HOOK_ASK_VMEMMAP_H

#include <stddef.h>
#include <stdint.h>

struct kt_error;
struct kt_member_path;

/*
 * The path leads from 'current' to a pointer to the struct of the first page of descriptor 0; the
 * element of the array of files stands before its last pointer. size is that of struct page in
 * bytes. Two pages must give the same result, at an address that x86-64 allows. Returns 0 or
 * -errno: -EPERM if page numbers are hidden.
 */
int kt_vmemmap_find(const struct kt_member_path *page, size_t size, uint64_t *vmemmap,
		    struct kt_error *err);

#endif
