/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The BPF file system, where a name keeps a map, a program or a link alive.
 *
 *	int bpffs = kt_bpffs_open(true, &err);
 *	int dir = kt_bpffs_enter(bpffs, "ktrace", true, &err);
 *
 *	kt_bpffs_pin(dir, "gate", gate, &err);			// stays when we end
 *	...
 *	gate = kt_bpffs_get(dir, "gate", &err);			// in another process
 *	...
 *	kt_bpffs_clear(dir, &err);				// and all is gone
 *
 * Directories are named by their descriptors, so what happens to names meanwhile does no harm. A
 * name may have letters, digits and signs, but no dot and no slash. Needs /proc.
 */
#ifndef KT_HOOK_BPFFS_H
#define KT_HOOK_BPFFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kt_error;

#define KT_BPFFS "/sys/fs/bpf" /* where it is, on every machine */

/*
 * It, to be closed by the caller. Where none is mounted there: mounted, for root alone, if that is
 * wanted; -ENOENT if not. Else -errno.
 */
int kt_bpffs_open(bool mount, struct kt_error *err);

/*
 * A directory in one, to be closed by the caller; made, for its owner alone, where it is not there
 * and that is wanted. -EPERM for one that somebody else could have put things into. -errno.
 */
int kt_bpffs_enter(int dir, const char *name, bool make, struct kt_error *err);

/* Gives the object that name too. -EEXIST where something has it. 0 or -errno. */
int kt_bpffs_pin(int dir, const char *name, int fd, struct kt_error *err);

/* Whether something has that name. */
bool kt_bpffs_has(int dir, const char *name);

/*
 * A descriptor of what has that name, of whatever kind, to be closed by the caller; or -errno:
 * -EPROTO where that is no BPF object.
 */
int kt_bpffs_get(int dir, const char *name, struct kt_error *err);

/* Gives a short text a name, as a symbolic link has one. -EEXIST as above. 0 or -errno. */
int kt_bpffs_note(int dir, const char *name, const char *text, struct kt_error *err);

/* Whether that name has such a text, shorter than size; and what it is, with a 0 behind it. */
bool kt_bpffs_noted(int dir, const char *name, char *text, size_t size);

/*
 * The names in a directory, sorted, each with a 0 behind it, and an empty one at the end; for the
 * caller to free. On error NULL.
 */
char *kt_bpffs_names(int dir, struct kt_error *err);

/* Bytes that the objects in a directory and in those within it take, as the kernel counts them. */
uint64_t kt_bpffs_memory(int dir);

/* Takes the name away, of a directory with all in it; it is well if there was none. 0 or -errno. */
int kt_bpffs_drop(int dir, const char *name, struct kt_error *err);

/* Gives what has the one name, a directory too, the other one, which nothing has. 0 or -errno. */
int kt_bpffs_rename(int dir, const char *from, const char *to, struct kt_error *err);

/*
 * All names in a directory, and the directories in it. Goes on where one cannot be taken away, and
 * returns the last such -errno; else 0.
 */
int kt_bpffs_clear(int dir, struct kt_error *err);

#endif
