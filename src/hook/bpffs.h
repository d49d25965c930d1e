/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The BPF file system (bpffs): a pin there keeps a map, program or link alive.
 *
 *	int bpffs = kt_bpffs_open(true, &err);
 *	int dir = kt_bpffs_enter(bpffs, "ktrace", true, &err);
 *
 *	kt_bpffs_pin(dir, "enable", map, &err);			// outlives this process
 *	...
 *	map = kt_bpffs_get(dir, "enable", &err);			// in another process
 *	...
 *	kt_bpffs_clear(dir, &err);				// removes all pins
 *
 * Directories are given as descriptors, so renaming them meanwhile does no harm. A name must not
 * contain a dot or a slash. Needs /proc.
 */
#ifndef KT_HOOK_BPFFS_H
#define KT_HOOK_BPFFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kt_error;

#define KT_BPFFS "/sys/fs/bpf" /* its mount point on every machine */

/*
 * Opens the root of bpffs; the caller closes the descriptor. If none is mounted at KT_BPFFS, mounts
 * one for root only if `mount` is set, else returns -ENOENT. Returns -errno on error.
 */
int kt_bpffs_open(bool mount, struct kt_error *err);

/*
 * Opens a directory; the caller closes the descriptor. If it is missing and `make` is set, creates
 * it for its owner only. Returns -errno on error: -EPERM for a directory that another user could
 * have changed.
 */
int kt_bpffs_enter(int dir, const char *name, bool make, struct kt_error *err);

/* Pins an object. Returns 0 or -errno: -EEXIST if the name is taken. */
int kt_bpffs_pin(int dir, const char *name, int fd, struct kt_error *err);

/* Returns whether the name exists. */
bool kt_bpffs_has(int dir, const char *name);

/* Returns the inode number of the pin, which another one would not have; 0: none exists. */
uint64_t kt_bpffs_inode(int dir, const char *name);

/*
 * Opens a pinned object of any kind; the caller closes the descriptor. Returns -errno on error:
 * -EPROTO if the name is not a BPF object.
 */
int kt_bpffs_get(int dir, const char *name, struct kt_error *err);

/*
 * Stores a short text under a name, as the target of a symbolic link. Returns 0 or -errno: -EEXIST
 * if the name is taken.
 */
int kt_bpffs_write_text(int dir, const char *name, const char *text, struct kt_error *err);

/* Reads such a text with its NUL. Returns false if there is none shorter than size. */
bool kt_bpffs_read_text(int dir, const char *name, char *text, size_t size);

/*
 * Returns the names in a directory, sorted, each with a NUL, and an empty one at the end; the
 * caller frees them. Returns NULL on error.
 */
char *kt_bpffs_names(int dir, struct kt_error *err);

/*
 * Returns the memory of all objects in a directory and its subdirectories in bytes, as the kernel
 * accounts it.
 */
uint64_t kt_bpffs_memory(int dir);

/*
 * Removes a name; a directory with all its contents. A missing name is not an error. Returns 0 or
 * -errno.
 */
int kt_bpffs_drop(int dir, const char *name, struct kt_error *err);

/* Renames an object or a directory; `to` must not exist. Returns 0 or -errno. */
int kt_bpffs_rename(int dir, const char *from, const char *to, struct kt_error *err);

/* Removes everything in a directory. Continues after an error. Returns 0 or the last -errno. */
int kt_bpffs_clear(int dir, struct kt_error *err);

#endif
