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

struct kt_table_name kt_table_name(const char *name)
{
	struct kt_table_name n;

	snprintf(n.table, sizeof(n.table), KT_TABLES "/%s", name);
	snprintf(n.link, sizeof(n.link), KT_TABLES "/%s:link", name);
	return n;
}

int kt_table_make(struct kt_error *err)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_PROG_ARRAY, "kt_calls", sizeof(uint32_t),
				sizeof(uint32_t), KT_SEATS, NULL);

	return fd < 0 ? kt_rights_fail(err, -fd, "cannot make a BPF map of programs") : fd;
}

bool kt_table_is(int fd)
{
	struct bpf_map_info info;

	return kt_map_is(fd, BPF_MAP_TYPE_PROG_ARRAY, &info) && info.max_entries == KT_SEATS;
}

bool kt_seat_has(const struct kt_seat *p)
{
	uint32_t program;

	return bpf_map_lookup_elem(p->table, &p->number, &program) == 0;
}

int kt_seat_take(struct kt_seat *p, int program, struct kt_error *err)
{
	int ret = bpf_map_update_elem(p->table, &p->number, &program, BPF_ANY);

	if (ret < 0)
		return kt_rights_fail(err, -ret, "cannot put a program into a table");
	p->is_taken = true;
	return 0;
}

void kt_seat_leave(struct kt_seat *p)
{
	if (p->is_taken)
		bpf_map_delete_elem(p->table, &p->number);
	*p = KT_NO_SEAT;
}

/* First the name: whoever is killed behind it leaves nothing that would not be found. */
int kt_seat_pin(struct kt_seat *p, int program, const char *name, int dir, struct kt_error *err)
{
	char text[sizeof(p->name) + sizeof(":4294967295")];

	snprintf(text, sizeof(text), "%s:%" PRIu32, p->name, p->number);
	if (kt_bpffs_note(dir, name, text, err) < 0 ||
	    (!p->is_taken && kt_seat_take(p, program, err) < 0))
		return -err->code;
	*p = KT_NO_SEAT;
	return 0;
}

/* What a name says, but for the table's descriptor. */
static bool read_seat(struct kt_seat *p, const char *name, int dir)
{
	char text[64], end;

	*p = KT_NO_SEAT;
	return kt_bpffs_noted(dir, name, text, sizeof(text)) &&
	       sscanf(text, "%7[^:]:%" SCNu32 "%c", p->name, &p->number, &end) == 2;
}

/* Opens its table. */
static bool open_table(struct kt_seat *p, int dir)
{
	struct kt_error ignored;

	p->table = kt_bpffs_get(dir, kt_table_name(p->name).table, &ignored);
	return p->table >= 0;
}

int kt_seat_unpin(const char *name, int dir, struct kt_error *err)
{
	struct kt_seat p;

	if (read_seat(&p, name, dir) && open_table(&p, dir)) {
		if (kt_table_is(p.table))
			bpf_map_delete_elem(p.table, &p.number);
		close(p.table);
	}
	return kt_bpffs_drop(dir, name, err);
}

bool kt_seat_is_lost(const char *name, int dir)
{
	struct kt_seat p;
	bool is_there;

	if (!read_seat(&p, name, dir))
		return false;
	is_there = open_table(&p, dir) && kt_table_is(p.table) && kt_seat_has(&p) &&
		   kt_bpffs_has(dir, kt_table_name(p.name).link);
	if (p.table >= 0)
		close(p.table);
	return !is_there;
}
