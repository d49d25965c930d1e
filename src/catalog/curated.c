// SPDX-License-Identifier: GPL-2.0-or-later
#include "catalog/curated.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "catalog/btf.h"
#include "catalog/event.h"

/*
 * Every field of the event, in the order of its record, and the path (catalog/path.h) to where the
 * kernel takes its value from. tests/live/curated.c holds each one against the kernel's own record.
 */
static const struct row {
	const char *event;
	const char *fields;
} rows[] = {
	{"block:block_dirty_buffer", "dev=bh->b_bdev->bd_dev sector=bh->b_blocknr size=bh->b_size"},
	{"block:block_touch_buffer", "dev=bh->b_bdev->bd_dev sector=bh->b_blocknr size=bh->b_size"},
	{"exceptions:page_fault_kernel", "address=address ip=regs->ip error_code=error_code"},
	{"exceptions:page_fault_user", "address=address ip=regs->ip error_code=error_code"},
	{"irq:softirq_entry", "vec=vec_nr"},
	{"irq:softirq_exit", "vec=vec_nr"},
	{"irq:softirq_raise", "vec=vec_nr"},
	{"kmem:kfree", "call_site=call_site ptr=ptr"},
	{"sched:sched_wakeup",
	 "comm=p->comm pid=p->pid prio=p->prio target_cpu=p->thread_info.cpu"},
	{"sched:sched_waking",
	 "comm=p->comm pid=p->pid prio=p->prio target_cpu=p->thread_info.cpu"},
	{"skb:skb_copy_datagram_iovec", "skbaddr=skb len=len"},
	{"timer:hrtimer_cancel", "hrtimer=hrtimer"},
	{"timer:hrtimer_expire_exit", "hrtimer=hrtimer"},
	{"timer:timer_cancel", "timer=timer"},
	{"timer:timer_expire_exit", "timer=timer"},
};

enum { N_ROWS = sizeof(rows) / sizeof(*rows) };

const char *kt_curated_name(size_t i)
{
	return i < N_ROWS ? rows[i].event : NULL;
}

static const struct row *find_row(const struct kt_event *e)
{
	size_t i, len = strlen(e->system);

	for (i = 0; i < N_ROWS; i++)
		if (strncmp(rows[i].event, e->system, len) == 0 && rows[i].event[len] == ':' &&
		    strcmp(rows[i].event + len + 1, e->name) == 0)
			return &rows[i];
	return NULL;
}

/* Whether the program can store what the path leads to as the field is stored. */
static int check(const struct kt_field *f, const struct kt_path *p, struct kt_error *err)
{
	bool whole = f->flags & KT_FIELD_ARRAY;

	if (kt_field_varies(f) || (whole && p->size != f->size) || (whole && p->n == 0) ||
	    (!whole && (p->size > 8 || (p->size & (p->size - 1)))))
		return kt_fail(err, EOPNOTSUPP, "%s: the kernel's value has %u bytes", f->name,
			       p->size);
	return 0;
}

static int fail_fields(struct kt_error *err)
{
	return kt_fail(err, EOPNOTSUPP, "this kernel's event has other fields");
}

/* One field, from its part of the row, "NAME=PATH". */
static int find_path(struct kt_path *path, const struct kt_field *f, const char *part,
		     const struct kt_btf_tracepoint *tp, struct kt_error *err)
{
	size_t len = strlen(f->name);

	if (!part || strncmp(part, f->name, len) != 0 || part[len] != '=')
		return fail_fields(err);
	if (kt_path_find(path, tp->btf, tp->proto, part + len + 1, err) < 0) {
		err->typed = NULL; /* it was no person who typed it */
		return kt_fail_because(err, "%s", part);
	}
	return check(f, path, err);
}

/* All of them, from a row's copy. */
static int find_paths(struct kt_curated *c, const struct kt_event *e, char *row,
		      const struct kt_btf_tracepoint *tp, struct kt_error *err)
{
	char *rest = row;
	size_t i;

	for (i = 0; i < e->n_fields; i++)
		if (find_path(&c->paths[i], &e->fields[i], strsep(&rest, " "), tp, err) < 0)
			return -err->code;
	return rest ? fail_fields(err) : 0;
}

static bool follows_pointers(const struct kt_curated *c, const struct kt_event *e)
{
	size_t i;

	for (i = 0; i < e->n_fields; i++)
		if (c->paths[i].n)
			return true;
	return false;
}

static int resolve(struct kt_event *e, const struct row *row, const struct kt_btf_tracepoint *tp,
		   struct kt_error *err)
{
	struct kt_curated *c = calloc(1, sizeof(*c) + e->n_fields * sizeof(*c->paths));
	char *copy = strdup(row->fields);
	int ret;

	ret = c && copy ? find_paths(c, e, copy, tp, err)
			: kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	free(copy);
	if (ret < 0) {
		free(c);
		return ret;
	}
	if (follows_pointers(c, e))
		c->btf_id = tp->id;
	kt_uncurate(e);
	e->curated = c;
	return 0;
}

int kt_curate(struct kt_event *e, struct kt_btf *btf, struct kt_error *err)
{
	const struct row *row = find_row(e);
	struct kt_btf_tracepoint tp;

	if (!row)
		return kt_fail(err, ENOENT, "nobody has written down where its fields come from");
	if (kt_btf_tracepoint(btf, e->name, &tp, err) < 0)
		return -err->code;
	return resolve(e, row, &tp, err);
}

void kt_uncurate(struct kt_event *e)
{
	free(e->curated);
	e->curated = NULL;
}
