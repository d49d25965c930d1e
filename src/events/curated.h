/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A curated event: an expression for each field, over its tracepoint's arguments, so that the
 * kernel's own record need not be made. fetch/curate.h sets event->curated.
 */
#ifndef KT_EVENTS_CURATED_H
#define KT_EVENTS_CURATED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/ring_layout.h"
#include "ctypes/btf.h"
#include "ctypes/fdtable_offsets.h"
#include "ctypes/recipe_expr.h"
#include "events/syscall_names.h"

struct kt_event;

/* Longest text at a pointer, with its NUL; a longer one does not fit. */
enum { KT_CURATED_TEXT_MAX = 255 };

/* Maximum bytes copied of any data, and of a string without its NUL: the longest path. */
enum { KT_CURATED_POINTED_MAX = 4096, KT_CURATED_STRING_MAX = 4095 };

/* Maximum bytes copied of netlink messages, whatever bytes_max says. */
enum { KT_CURATED_MESSAGES_MAX = 4096 };

/* Maximum number of fields with pointed-to data in an event. */
enum { KT_CURATED_POINTED_FIELDS_MAX = 6 };

/* Maximum number of values that are computed first: the arguments of a USDT mark, and its site. */
enum { KT_CURATED_COMPUTED_MAX = 13 };

/* Maximum number of strings copied from an array of pointers. */
enum { KT_CURATED_STRINGS_MAX = 512 };

/* Offsets of the number of returns that a thread awaits, current->utask->depth. */
struct kt_awaited {
	unsigned int utask, depth;
};

/*
 * How calls of a function of the kernel are measured by a program that runs at both ends: offsets
 * in struct task_struct, and functions of the kernel by their BTF ids; 0 if the kernel has none.
 */
struct kt_call_timing {
	unsigned int start_time, nvcsw, nivcsw;
	uint32_t is_return, cookie;
	bool has_room; /* for all calls under way, if it is a kprobe.session, since Linux 6.14 */
};

struct kt_curated {
	uint32_t btf_id; /* BTF id of the tracepoint, for programs that follow pointers, or of the
			    function of the kernel; or 0 */
	bool takes[KT_BTF_GLOBALS]; /* globals that the expressions use */
	struct kt_btf_cast regs;    /* if the registers are used */
	struct kt_member_path page; /* if vmemmap is used: path from current to a page of file 0 */
	uint64_t page_size;         /* size of struct page */
	uint64_t vmemmap;           /* value of vmemmap, set by the loader of the program */
	unsigned int n_register_words; /* words of a function's arguments that are in registers */
	bool notes_late; /* this entry marks texts that are not in memory yet for its return */
	int states; /* map of task states (generate/task_state.h), if the event marks late texts or
		       reads globals from it */
	struct kt_fdtable_offsets
		files;             /* offsets for files of descriptors; all 0 if there are none */
	struct kt_awaited awaited; /* of a function's return (events/point.h) */
	struct kt_call_timing timing; /* of such a return */
	struct kt_btf_target target;  /* of a function of the kernel that has types, for filters: as
					 long as its BTF exists */
	bool is_timed_by_session;     /* by such a program, since it was attached */
	bool is_call;                 /* a system call's event, whose tracepoint all calls share */
	enum kt_side side;            /* entry or return of the call */
	bool adds;                    /* the event has fields that the kernel's record lacks */
	struct kt_expr
		*foreign; /* a hit belongs to another kind of call if this is not 0; or NULL */
	size_t text_max;  /* maximum bytes of the text field, with its NUL; or 0 */
	size_t n_pointed; /* number of fields with pointed-to data, which stand last */
	size_t bytes_max; /* maximum elements of BYTES and STRINGS whose number is not fixed */
	size_t n_computed;
	struct kt_expr *computed[KT_CURATED_COMPUTED_MAX]; /* values for the other expressions, each
							      computed once (handlers/
							      computed_values.h) */
	bool reads_user;         /* some of them are read from user space */
	size_t n;                /* number of the event's fields */
	struct kt_expr *exprs[]; /* by field: a number, a list of numbers, or text */
};

/*
 * Undoes kt_curate() and kt_curate_as() (fetch/curate.h). A system call's fields keep their types.
 */
void kt_uncurate(struct kt_event *event);
void kt_curated_free(struct kt_curated *c);

/* Returns the index of the field that says which kind of socket it is; or n. */
size_t kt_curated_socket(const struct kt_curated *c);

/* Returns the maximum bytes of varying data in a record, in rings of that geometry. */
size_t kt_curated_data_max(const struct kt_curated *c, struct kt_geometry geometry);

/*
 * Returns the maximum bytes copied for one field with pointed-to data, without a string's NUL.
 * Longer data is cut after a whole element. Fields of fixed size are always whole; the others
 * share the rest equally.
 */
size_t kt_curated_pointed_max(const struct kt_curated *c, size_t field,
			      struct kt_geometry geometry);

/*
 * Returns whether all pointed-to fields are texts that were not in memory at the entry. Most hits
 * have no such text.
 */
bool kt_curated_is_late(const struct kt_curated *c);

/* Returns the bytes of one element of what an expression copies. An element is never cut. */
size_t kt_curated_element_size(const struct kt_expr *e);

/*
 * Returns whether an expression copies a fixed number of bytes, or one of several; stores the
 * largest.
 */
bool kt_curated_is_fixed(const struct kt_expr *e, size_t *most);

/*
 * Returns whether the field is data that members of a struct, or of an array of structs, point to.
 */
bool kt_curated_is_led(const struct kt_curated *c, size_t field);

/* Returns whether members of the struct in this field point to the data in the fields after it. */
bool kt_curated_leads(const struct kt_curated *c, size_t field);

/* Returns the maximum number of strings copied for a STRINGS field. */
size_t kt_curated_strings_max(const struct kt_curated *c);

#endif
