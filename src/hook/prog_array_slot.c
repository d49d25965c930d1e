// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/prog_array_slot.h"

#include <bpf/bpf.h>
#include <inttypes.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "hook/bpffs.h"
#include "hook/capabilities.h"
#include "hook/map.h"

struct kt_prog_array_name kt_prog_array_name(const char *name)
{
	struct kt_prog_array_name n;

	snprintf(n.table, sizeof(n.table), KT_TABLES "/%s", name);
	snprintf(n.link, sizeof(n.link), KT_TABLES "/%s:link", name);
	return n;
}

int kt_prog_array_make(struct kt_error *err)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_PROG_ARRAY, "kt_calls", sizeof(uint32_t),
				sizeof(uint32_t), KT_PROG_ARRAY_SLOTS, NULL);

	return fd < 0 ? kt_capabilities_fail(err, -fd, "cannot make a BPF map of programs") : fd;
}

bool kt_prog_array_is(int fd)
{
	struct bpf_map_info info;

	return kt_map_is(fd, BPF_MAP_TYPE_PROG_ARRAY, &info) &&
	       info.max_entries == KT_PROG_ARRAY_SLOTS;
}

bool kt_prog_array_slot_has(const struct kt_prog_array_slot *p)
{
	uint32_t program;

	return bpf_map_lookup_elem(p->table, &p->number, &program) == 0;
}

int kt_prog_array_slot_take(struct kt_prog_array_slot *p, int program, struct kt_error *err)
{
	int ret = bpf_map_update_elem(p->table, &p->number, &program, BPF_ANY);

	if (ret < 0)
		return kt_capabilities_fail(err, -ret, "cannot put a program into a table");
	p->is_used = true;
	return 0;
}

void kt_prog_array_slot_leave(struct kt_prog_array_slot *p)
{
	if (p->is_used)
		bpf_map_delete_elem(p->table, &p->number);
	*p = KT_NO_PROG_ARRAY_SLOT;
}

/* The pin first: a process killed after it leaves nothing that could not be found. */
int kt_prog_array_slot_pin(struct kt_prog_array_slot *p, int program, const char *name, int dir,
			   struct kt_error *err)
{
	char text[sizeof(p->name) + sizeof(":4294967295")];

	snprintf(text, sizeof(text), "%s:%" PRIu32, p->name, p->number);
	if (kt_bpffs_write_text(dir, name, text, err) < 0 ||
	    (!p->is_used && kt_prog_array_slot_take(p, program, err) < 0))
		return -err->code;
	*p = KT_NO_PROG_ARRAY_SLOT;
	return 0;
}

/* Reads a pin, except for the table's descriptor. */
static bool read_pin(struct kt_prog_array_slot *p, const char *name, int dir)
{
	char text[64], end;

	*p = KT_NO_PROG_ARRAY_SLOT;
	return kt_bpffs_read_text(dir, name, text, sizeof(text)) &&
	       sscanf(text, "%7[^:]:%" SCNu32 "%c", p->name, &p->number, &end) == 2;
}

/* Opens the pin's table. */
static bool open_table(struct kt_prog_array_slot *p, int dir)
{
	struct kt_error ignored;

	p->table = kt_bpffs_get(dir, kt_prog_array_name(p->name).table, &ignored);
	return p->table >= 0;
}

int kt_prog_array_slot_unpin(const char *name, int dir, struct kt_error *err)
{
	struct kt_prog_array_slot p;

	if (read_pin(&p, name, dir) && open_table(&p, dir)) {
		if (kt_prog_array_is(p.table))
			bpf_map_delete_elem(p.table, &p.number);
		close(p.table);
	}
	return kt_bpffs_drop(dir, name, err);
}

void kt_prog_array_tables_close(struct kt_prog_array_tables *t)
{
	while (t->n)
		close(t->opened[--t->n].table);
}

/* Returns the place of a table that is opened, or else an unused one. */
static size_t find_table(const struct kt_prog_array_tables *t, const char *name)
{
	size_t i = 0;

	while (i < t->n && strcmp(t->opened[i].name, name) != 0)
		i++;
	return i;
}

/* Opens a table to keep it. Returns a descriptor, or -1 if there is no such table. */
static int keep_table(struct kt_prog_array_tables *t, struct kt_prog_array_slot *p, int dir,
		      uint64_t pin)
{
	size_t at = find_table(t, p->name);

	if (at < t->n && t->opened[at].pin == pin)
		return t->opened[at].table;
	if (at == sizeof(t->opened) / sizeof(*t->opened) || !open_table(p, dir))
		return -1;
	if (!kt_prog_array_is(p->table)) {
		close(p->table);
		return -1;
	}
	if (at < t->n)
		close(t->opened[at].table);
	else
		t->n++;
	memcpy(t->opened[at].name, p->name, sizeof(p->name));
	t->opened[at].pin = pin;
	t->opened[at].table = p->table;
	return p->table;
}

bool kt_prog_array_slot_is_lost(const char *name, int dir, struct kt_prog_array_tables *tables)
{
	struct kt_prog_array_name pins;
	struct kt_prog_array_slot p;
	uint64_t pin;

	if (!read_pin(&p, name, dir))
		return false;
	pins = kt_prog_array_name(p.name);
	pin = kt_bpffs_inode(dir, pins.table);
	if (!pin || !kt_bpffs_has(dir, pins.link))
		return true;
	p.table = keep_table(tables, &p, dir, pin);
	return p.table < 0 || !kt_prog_array_slot_has(&p);
}
