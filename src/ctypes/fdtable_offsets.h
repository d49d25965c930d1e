/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Member offsets for the walk from a task to the path of one of its open files, or to its socket.
 *
 *	struct kt_fdtable_offsets files;
 *
 *	// current + files.task.files holds a pointer to the task's files_struct
 *	kt_fdtable_offsets_find(btf, &files, &err);
 *
 * Each member is an offset in bytes within the struct that its group is named after.
 */
#ifndef KT_CTYPES_FDTABLE_OFFSETS_H
#define KT_CTYPES_FDTABLE_OFFSETS_H

struct kt_btf;
struct kt_error;

/*
 * The walk reads the first KT_FDTABLE_DENTRY bytes of a struct dentry at once. It also relies on
 * two pairs of members: in struct path, mnt is followed by dentry; in struct mount, mnt_parent is
 * followed by mnt_mountpoint.
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
		unsigned int path, inode, private;
	} file;
	struct {
		unsigned int pwd;
	} fs;
	struct {
		unsigned int parent, vfsmount, root; /* offset of mnt_root within the vfsmount */
	} mount;
	struct {
		unsigned int seq, pprev, parent, len, name; /* members that are read at once */
		unsigned int inode, sb;
	} dentry;
	struct {
		unsigned int magic;
	} sb;
	struct {
		unsigned int ino, private, mode;
	} inode;
	struct {
		unsigned int sk;
	} socket;
	struct {
		unsigned int family, protocol;
	} sock;
	struct {
		unsigned int ops, name; /* offset of the name within the ops */
	} ns;
};

/* Finds all offsets. Returns 0 or -errno: -EOPNOTSUPP if the kernel's structs differ in kind. */
int kt_fdtable_offsets_find(struct kt_btf *btf, struct kt_fdtable_offsets *found,
			    struct kt_error *err);

#endif
