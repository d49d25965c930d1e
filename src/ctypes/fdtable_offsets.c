// SPDX-License-Identifier: GPL-2.0-or-later
#include "ctypes/fdtable_offsets.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "ctypes/btf.h"

/*
 * Each member's offset is added to its variable: a struct within another contributes its own
 * offset.
 */
#define MEMBER(to, of, member)                                      \
	{                                                           \
		offsetof(struct kt_fdtable_offsets, to), of, member \
	}

static const struct {
	size_t to;
	const char *of, *member;
} members[] = {
	MEMBER(task.files, "task_struct", "files"),
	MEMBER(task.fs, "task_struct", "fs"),
	MEMBER(table.fdt, "files_struct", "fdt"),
	MEMBER(fdtable.max_fds, "fdtable", "max_fds"),
	MEMBER(fdtable.fd, "fdtable", "fd"),
	MEMBER(file.path, "file", "f_path"),
	MEMBER(file.inode, "file", "f_inode"),
	MEMBER(file.private, "file", "private_data"),
	MEMBER(fs.pwd, "fs_struct", "pwd"),
	MEMBER(mount.parent, "mount", "mnt_parent"),
	MEMBER(mount.vfsmount, "mount", "mnt"),
	MEMBER(mount.root, "vfsmount", "mnt_root"),
	MEMBER(dentry.seq, "dentry", "d_seq"),
	MEMBER(dentry.pprev, "dentry", "d_hash"),
	MEMBER(dentry.pprev, "hlist_bl_node", "pprev"),
	MEMBER(dentry.parent, "dentry", "d_parent"),
	MEMBER(dentry.len, "dentry", "d_name"),
	MEMBER(dentry.len, "qstr", "len"),
	MEMBER(dentry.name, "dentry", "d_name"),
	MEMBER(dentry.name, "qstr", "name"),
	MEMBER(dentry.inode, "dentry", "d_inode"),
	MEMBER(dentry.sb, "dentry", "d_sb"),
	MEMBER(sb.magic, "super_block", "s_magic"),
	MEMBER(inode.ino, "inode", "i_ino"),
	MEMBER(inode.private, "inode", "i_private"),
	MEMBER(inode.mode, "inode", "i_mode"),
	MEMBER(socket.sk, "socket", "sk"),
	MEMBER(sock.family, "sock", "__sk_common"),
	MEMBER(sock.family, "sock_common", "skc_family"),
	MEMBER(sock.protocol, "sock", "sk_protocol"),
	MEMBER(ns.ops, "ns_common", "ops"),
	MEMBER(ns.name, "proc_ns_operations", "name"),
};

static int add_offset(struct kt_btf *btf, struct kt_fdtable_offsets *files, size_t i,
		      struct kt_error *err)
{
	unsigned int offset;
	int ret = kt_btf_offset(btf, members[i].of, members[i].member, &offset, err);

	if (ret == 0)
		*(unsigned int *)((char *)files + members[i].to) += offset;
	return ret;
}

/* Checks that the second pointer follows the first. */
static int check_pair(struct kt_btf *btf, const char *of, const char *first, const char *second,
		      struct kt_error *err)
{
	unsigned int a, b;

	if (kt_btf_offset(btf, of, first, &a, err) < 0 ||
	    kt_btf_offset(btf, of, second, &b, err) < 0)
		return -err->code;
	return b == a + sizeof(uint64_t)
		       ? 0
		       : kt_fail(err, EOPNOTSUPP, "in 'struct %s' '%s' does not follow '%s'", of,
				 second, first);
}

/* Checks that all members lie within the bytes that are read. */
static int check_dentry(const struct kt_fdtable_offsets *files, struct kt_error *err)
{
	const unsigned int ends[] = {
		files->dentry.seq + sizeof(uint32_t),    files->dentry.pprev + sizeof(uint64_t),
		files->dentry.parent + sizeof(uint64_t), files->dentry.len + sizeof(uint32_t),
		files->dentry.name + sizeof(uint64_t),
	};
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (ends[i] > KT_FDTABLE_DENTRY)
			return kt_fail(err, EOPNOTSUPP, "'struct dentry' is not as it was");
	return 0;
}

int kt_fdtable_offsets_find(struct kt_btf *btf, struct kt_fdtable_offsets *found,
			    struct kt_error *err)
{
	int ret = 0;
	size_t i;

	*found = (struct kt_fdtable_offsets){0};
	for (i = 0; i < sizeof(members) / sizeof(*members) && ret == 0; i++)
		ret = add_offset(btf, found, i, err);
	if (ret == 0)
		ret = check_dentry(found, err);
	if (ret == 0)
		ret = check_pair(btf, "path", "mnt", "dentry", err);
	if (ret == 0)
		ret = check_pair(btf, "mount", "mnt_parent", "mnt_mountpoint", err);
	return ret;
}
