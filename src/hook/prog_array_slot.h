/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A slot of a dispatch table: a BPF program array, whose programs run by number.
 *
 *	struct kt_prog_array_slot slot = {.table = table, .number = 257};
 *
 *	kt_prog_array_slot_take(&slot, program, &err);	// runs from here on
 *	...
 *	kt_prog_array_slot_leave(&slot);		// no longer runs
 *
 * or, for a table that is pinned in a directory of bpffs:
 *
 *	kt_prog_array_slot_pin(&slot, program, "link/syscalls:sys_enter_openat:1", dir, &err);
 *	...
 *	// in another process
 *	kt_prog_array_slot_unpin("link/syscalls:sys_enter_openat:1", dir, &err);
 *
 * The pin is a dangling symbolic link whose text has the table and the number.
 */
#ifndef KT_HOOK_PROG_ARRAY_SLOT_H
#define KT_HOOK_PROG_ARRAY_SLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "generate/event_index.h"

struct kt_error;

/* Slots of a table: twice the number of system calls in 2026. */
enum { KT_PROG_ARRAY_SLOTS = KT_SHARED_CALLS };

/* The directory of pinned tables and the links of their dispatchers. */
#define KT_TABLES "calls"

struct kt_prog_array_slot {
	int table;    /* descriptor, not owned; or -1: no slot */
	char name[8]; /* of the table, if it may be pinned */
	bool is_used; /* the program is in the slot */
	uint32_t number;
};

#define KT_NO_PROG_ARRAY_SLOT ((struct kt_prog_array_slot){.table = -1})

/* Names of the pins of a table, and of its dispatcher's link. */
struct kt_prog_array_name {
	char table[sizeof(KT_TABLES) + 8], link[sizeof(KT_TABLES) + 16];
};

struct kt_prog_array_name kt_prog_array_name(const char *name);

/* Creates an empty table. Returns a descriptor, or -errno. */
int kt_prog_array_make(struct kt_error *err);

/* Returns whether a descriptor is a table. */
bool kt_prog_array_is(int fd);

/* Returns whether the slot holds a program. */
bool kt_prog_array_slot_has(const struct kt_prog_array_slot *p);

/* Puts a program into the slot, in place of another. Returns 0 or -errno. */
int kt_prog_array_slot_take(struct kt_prog_array_slot *p, int program, struct kt_error *err);

/* Empties the slot, if it is taken. The program may still be running on another CPU on return. */
void kt_prog_array_slot_leave(struct kt_prog_array_slot *p);

/*
 * Pins the slot under a name and puts the program into it; the slot is no longer the caller's.
 * Returns 0 or -errno.
 */
int kt_prog_array_slot_pin(struct kt_prog_array_slot *p, int program, const char *name, int dir,
			   struct kt_error *err);

/* Empties a pinned slot and removes its pin. A missing pin is not an error. Returns 0 or -errno. */
int kt_prog_array_slot_unpin(const char *name, int dir, struct kt_error *err);

/*
 * Tables that are pinned in a directory, opened when they are first asked for, and again if their
 * pins have been replaced. All zeros at first.
 */
struct kt_prog_array_tables {
	struct {
		char name[8];
		uint64_t pin; /* inode number */
		int table;
	} opened[4]; /* of entries and returns, two each */
	size_t n;
};

void kt_prog_array_tables_close(struct kt_prog_array_tables *t);

/*
 * Returns whether the pin exists, but its program has gone, or the table has no dispatcher any
 * more. All calls with the same tables must have the same directory.
 */
bool kt_prog_array_slot_is_lost(const char *name, int dir, struct kt_prog_array_tables *tables);

#endif
