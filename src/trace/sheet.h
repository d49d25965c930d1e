/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace's balance as a file in it: doc/trace.md.
 *
 *	kt_sheet_make(dir, n_events * n_cpus, &err);
 *	...
 *	kt_sheet_write(balance, kt_recording_metadata(recording), dir, &err);
 *	...
 *	balance = kt_sheet_read(dir, schema, &err);		// another day
 *
 * Some 100 bytes a row; reading takes a few µs each.
 */
#ifndef KT_TRACE_SHEET_H
#define KT_TRACE_SHEET_H

#include <stddef.h>

struct kt_balance;
struct kt_error;
struct kt_metadata;
struct kt_schema;

/*
 * Makes it in the trace's directory, empty, with room on the disk for so many rows: what was lost
 * is to be in the trace even if the rest of it fills the disk. 0 or -errno.
 */
int kt_sheet_make(int dir, size_t rows, struct kt_error *err);

/* Fills it. It is empty still where it cannot be written whole. 0 or -errno. */
int kt_sheet_write(const struct kt_balance *b, const struct kt_metadata *metadata, int dir,
		   struct kt_error *err);

/*
 * For kt_balance_free. ENOENT in err: there is none, or an empty one: the recording has not come to
 * its end. EPROTO: not a whole one, or not that of this trace. On error NULL.
 */
struct kt_balance *kt_sheet_read(int dir, const struct kt_schema *schema, struct kt_error *err);

#endif
