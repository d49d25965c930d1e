/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each ring of a flight holds and records, as CTF packets (doc/trace.md) that are read once,
 * and are in memory until then.
 *
 *	struct fs_packets *p = fs_packets_new(&err);
 *
 *	for (; fs_packets_follow(p, ring, flight, tracefs, &err) == 0; sleep(1))
 *		while ((n = fs_packets_read(p, ring, 65536, &bytes, &err)) > 0)
 *			fwrite(bytes, 1, n, stdout);
 *	fs_packets_release(p);			// before the flight is freed
 *	fs_packets_unref(p);
 */
#ifndef KT_APP_FS_FS_PACKETS_H
#define KT_APP_FS_FS_PACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct kt_error;
struct kt_flight;
struct fs_packets;

/* Creates it, without packets; the last fs_packets_unref() frees it. Returns NULL on error. */
struct fs_packets *fs_packets_new(struct kt_error *err);
struct fs_packets *fs_packets_ref(struct fs_packets *p);
void fs_packets_unref(struct fs_packets *p);

/*
 * Appends what the ring held and has recorded since, whichever buffer set was active; the flight
 * keeps it. Each record is appended once; what was overwritten counts as lost. Must be called with
 * the same flight, as fs_text_follow(). Takes as much memory as the ring until it is read. Returns
 * 0; or -errno, and the rest follows with the next call: -ENOMEM; -EAGAIN if the flight must be
 * opened again.
 */
int fs_packets_follow(struct fs_packets *p, size_t ring, const struct kt_flight *f, int tracefs,
		      struct kt_error *err);

/* Closes everything of the flight; unread packets remain. */
void fs_packets_release(struct fs_packets *p);

/*
 * Reads the next part of a ring's packets, up to a size: whole packets if one fits, else part of
 * one, whose rest comes with the next call, by itself. It is valid until the next call for any
 * ring. Returns its bytes, 0 at the end for now; or -errno.
 */
ssize_t fs_packets_read(struct fs_packets *p, size_t ring, size_t size, const char **bytes,
			struct kt_error *err);

/* Returns whether everything was read. */
bool fs_packets_are_read(const struct fs_packets *p, size_t ring);

#endif
