/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Patterns of functions of the kernel.
 *
 *	func:vfs_read			a function of the kernel, or of a module
 *	func:vfs_*			all whose names match
 *	func:nf_tables:nft_do_chain	of a module; "vmlinux" is the kernel itself
 *	func:vfs_read:return		its returns
 *
 * The name of a module's function begins with the module: nf_tables:nft_do_chain. Functions of one
 * name, which are local to their source files, are one event. A glob means only functions that the
 * kernel's list of traceable ones has, if that can be read.
 */
#ifndef KT_FILTER_FUNC_PATTERN_H
#define KT_FILTER_FUNC_PATTERN_H

struct kt_error;
struct kt_event_names;
struct kt_point_matches;

/* Adds the functions that a pattern means, as kt_point_pattern_add(). */
int kt_func_pattern_add(const char *pattern, struct kt_event_names *names,
			struct kt_point_matches *matches, struct kt_error *err);

#endif
