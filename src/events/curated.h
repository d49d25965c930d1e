/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the fields of a curated event come from: an expression for each, over what its tracepoint
 * is called with. fetch/curate.h sets event->curated.
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

/* Text behind a pointer that is longer than this, with the 0 at its end, does not fit. */
enum { KT_CURATED_TEXT_MAX = 255 };

/* Bytes copied of anything at most, and of a string without its 0: no longer path is taken. */
enum { KT_CURATED_POINTED_MAX = 4096, KT_CURATED_STRING_MAX = 4095 };

/* Such fields that an event has at most. */
enum { KT_CURATED_POINTED_FIELDS_MAX = 6 };

/* Of strings that pointers in a list lead to, so many. */
enum { KT_CURATED_STRINGS_MAX = 512 };

struct kt_curated {
	uint32_t btf_id;            /* what a program that follows pointers is loaded for; or 0 */
	bool takes[KT_BTF_GLOBALS]; /* which of them some expression begins with */
	struct kt_member_path page; /* where it takes vmemmap: from current to a page of file 0 */
	uint64_t page_size;         /* and the size of its struct */
	uint64_t vmemmap;           /* and what it is: whoever loads the program sets it */
	bool notes_late;            /* its return is to copy the text that is not in memory yet */
	int states;                 /* where it does, or takes entered or late, the same: a map
				     * (generate/task_state.h) */
	struct kt_fdtable_offsets files; /* where paths are; all 0: it has none of them */
	bool is_call;                    /* a system call's: its tracepoint is that of all calls */
	enum kt_side side;               /* of it */
	bool adds;               /* the event has fields that no record of the kernel's has */
	struct kt_expr *foreign; /* where it is not 0 a hit is not the event's; NULL: nowhere */
	size_t text_max;         /* bytes of the field that varies, with its 0; or 0 */
	size_t n_pointees; /* fields that are STRING, BYTES, PADDED, STRINGS, choices of these: the
			      last */
	size_t bytes_max;  /* elements of BYTES that may be any number: of bytes, or others; and
			      of STRINGS */
	size_t n;          /* fields of the event */
	struct kt_expr *exprs[]; /* for each a number, a list of them, or text */
};

/*
 * Undoes kt_curate and kt_curate_as (fetch/curate.h), but for the types of a system call's fields.
 */
void kt_uncurate(struct kt_event *event);
void kt_curated_free(struct kt_curated *c);

/* The most bytes that a hit has of its fields that vary, in rings of that geometry. */
size_t kt_curated_data_max(const struct kt_curated *c, struct kt_geometry geometry);

/*
 * The same of one that is copied from a process's memory, a field of c->exprs, without the 0 that a
 * string may have behind them; what is longer is cut there, behind a whole element. Those that are
 * a few numbers have all of them, the others equal parts of the rest.
 */
size_t kt_curated_pointee_max(const struct kt_curated *c, size_t field,
			      struct kt_geometry geometry);

/*
 * Whether all that a hit has of such fields is text that was not in memory at the entry: of most
 * there is none.
 */
bool kt_curated_is_late(const struct kt_curated *c);

/* Bytes of one element of what an expression copies: it is never cut. */
size_t kt_curated_element_size(const struct kt_expr *e);

/* Whether an expression copies a fixed number of bytes, or one of several: the most of them. */
bool kt_curated_is_fixed(const struct kt_expr *e, size_t *most);

/* Whether a struct's members, or those of an array of structs, lead to that field. */
bool kt_curated_is_led(const struct kt_curated *c, size_t field);

/* Whether members of that struct lead to what the fields behind it have. */
bool kt_curated_leads(const struct kt_curated *c, size_t field);

/* The most strings that are copied of STRINGS, whatever their bytes. */
size_t kt_curated_strings_max(const struct kt_curated *c);

#endif
