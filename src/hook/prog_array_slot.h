/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a program stands in a table of programs: its seat, which has a number.
 *
 *	struct kt_prog_array_slot seat = {.table = table, .number = 257};
 *
 *	kt_prog_array_slot_take(&seat, program, &err);		// from here on it runs
 *	...
 *	kt_prog_array_slot_leave(&seat);				// from here on not
 *
 * or, in a directory of bpffs where the table is pinned and what stands there is to stay:
 *
 *	kt_prog_array_slot_pin(&seat, program, "link/syscalls:sys_enter_openat:1", dir, &err);
 *	...
 *	kt_prog_array_slot_unpin("link/syscalls:sys_enter_openat:1", dir, &err);	// in
 *another process
 *
 * The pin is a symbolic link that leads nowhere, and whose text names table and number.
 */
#ifndef KT_HOOK_PROG_ARRAY_SLOT_H
#define KT_HOOK_PROG_ARRAY_SLOT_H

#include <stdbool.h>
#include <stdint.h>

struct kt_error;

/* How many a table has: twice as many as there are system calls in 2026. */
enum { KT_PROG_ARRAY_SLOTS = 1024 };

/* The directory where tables are pinned, and what runs their programs. */
#define KT_TABLES "calls"

struct kt_prog_array_slot {
	int table;     /* somebody else's; or -1: there is no seat */
	char name[8];  /* of the table, where it may be pinned */
	bool is_taken; /* by the program, which runs */
	uint32_t number;
};

#define KT_NO_PROG_ARRAY_SLOT ((struct kt_prog_array_slot){.table = -1})

/* What the pin of a table is called, and that of the link that makes the kernel look there. */
struct kt_prog_array_name {
	char table[sizeof(KT_TABLES) + 8], link[sizeof(KT_TABLES) + 16];
};

struct kt_prog_array_name kt_prog_array_name(const char *name);

/* An empty table. A descriptor; or -errno. */
int kt_prog_array_make(struct kt_error *err);

/* Whether a descriptor is a table's. */
bool kt_prog_array_is(int fd);

/* Whether a program stands there. */
bool kt_prog_array_slot_has(const struct kt_prog_array_slot *p);

/* Puts the program there, in place of what was there. 0 or -errno. */
int kt_prog_array_slot_take(struct kt_prog_array_slot *p, int program, struct kt_error *err);

/* Takes it out, if it is in. It may still be running on another CPU when this returns. */
void kt_prog_array_slot_leave(struct kt_prog_array_slot *p);

/*
 * Has that name say where the program stands, and puts it there if it does not yet; it stays there,
 * and the seat is no more the caller's. 0 or -errno.
 */
int kt_prog_array_slot_pin(struct kt_prog_array_slot *p, int program, const char *name, int dir,
			   struct kt_error *err);

/* Takes the program out, and the name away. It is well if there was none. 0 or -errno. */
int kt_prog_array_slot_unpin(const char *name, int dir, struct kt_error *err);

/* Whether that name says so, but the program is not there any more, or nothing looks there. */
bool kt_prog_array_slot_is_lost(const char *name, int dir);

#endif
