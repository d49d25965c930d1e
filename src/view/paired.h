/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hits as lines, the two of a system call as one, in strace's words: doc/view.md.
 *
 *	struct kt_paired *p = kt_paired_new(schema);
 *
 *	while (kt_reader_next(r, &hit, &err) > 0)
 *		kt_paired_print(p, &text, &hit);	// … openat(AT_FDCWD, "x", O_RDONLY) = 3
 *<0.000034000> kt_paired_flush(p, &text); kt_paired_free(p);
 *
 * A call's line is held back until there is another hit.
 */
#ifndef KT_VIEW_PAIRED_H
#define KT_VIEW_PAIRED_H

struct kt_hit;
struct kt_paired;
struct kt_schema;
struct kt_text;

/* Of a trace that has that schema, which is to outlive it. Where there is no memory NULL. */
struct kt_paired *kt_paired_new(const struct kt_schema *schema);
void kt_paired_free(struct kt_paired *p);

/* Other hits as kt_line_print has them. 0 or -ENOMEM. */
int kt_paired_print(struct kt_paired *p, struct kt_text *to, const struct kt_hit *hit);

/* What was held back: a call that has not returned. */
void kt_paired_flush(struct kt_paired *p, struct kt_text *to);

#endif
