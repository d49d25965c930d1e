/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the kernel has what a process's descriptor leads to, and how that is called.
 *
 *	struct kt_fdtable_offsets files;
 *
 *	kt_fdtable_offsets_find(btf, &files, &err);	// current + files.files is a pointer to its
 *table
 *
 * All are bytes from the beginning of the structure in whose name they stand.
 */
#ifndef KT_CTYPES_FDTABLE_OFFSETS_H
#define KT_CTYPES_FDTABLE_OFFSETS_H

struct kt_btf;
struct kt_error;

/*
 * What the walk reads of a struct dentry at once begins at its first byte and has so many; and of a
 * struct path the mount comes first, the dentry is the next pointer, as in a struct mount that
 * which it is mounted on comes behind the mount that has it.
 */
enum { KT_FDTABLE_DENTRY = 56 };

struct kt_fdtable_offsets {
	struct {
		unsigned int files, fs;
	} task;
	struct {
		unsigned int fdt;
	} table;
	struct {
		unsigned int max_fds, fd;
	} fdtable;
	struct {
		unsigned int path;
	} file;
	struct {
		unsigned int pwd;
	} fs;
	struct {
		unsigned int parent, vfsmount, root; /* that of the vfsmount */
	} mount;
	struct {
		unsigned int seq, pprev, parent, len, name; /* those are read at once */
		unsigned int inode, sb;
	} dentry;
	struct {
		unsigned int magic;
	} sb;
	struct {
		unsigned int ino, private;
	} inode;
	struct {
		unsigned int ops, name; /* that of the ops */
	} ns;
};

/* 0, or -errno: EOPNOTSUPP for a kernel whose structures are of another kind. */
int kt_fdtable_offsets_find(struct kt_btf *btf, struct kt_fdtable_offsets *found,
			    struct kt_error *err);

#endif
