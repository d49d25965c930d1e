/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An event: its fields; for a tracepoint also its id, from its format file in tracefs.
 *
 *	struct kt_event_name name = {"sched", "sched_switch"};
 *	struct kt_event *event = kt_event_read_file(tracefs, &name, &err);
 *	char decl[256];
 *
 *	for (i = 0; i < event->n_fields; i++) {
 *		kt_field_declare(&event->fields[i], decl, sizeof(decl));
 *		puts(decl);						// char prev_comm[16]
 *	}
 *	kt_event_free(event);
 *
 * Reading an event takes about 0.1 ms.
 */
#ifndef KT_EVENTS_EVENT_H
#define KT_EVENTS_EVENT_H

#include <stdbool.h>
#include <stddef.h>

#include "bpf/ring_layout.h"
#include "constants/notation.h"
#include "ctypes/field.h"
#include "events/event_names.h"

struct kt_struct_layout;
struct kt_labels;
struct kt_ctype;
struct kt_point;

struct kt_event {
	const char *system;
	const char *name;
	unsigned int id; /* common_type of its records; changes at each boot */
	size_t n_fields;
	const struct kt_field *fields; /* in the order of the record, without the common_ fields */
	struct kt_curated *curated;    /* other source of the fields (events/curated.h), or NULL */
	struct kt_filter *filter;      /* which hits to record (events/filter.h); NULL: all */
	struct kt_filter *trigger; /* which hits freeze the rings; NULL: all, if freezes is set */
	bool is_trigger;           /* hits of this event freeze the rings */
	bool paths;                /* also record the paths of a call's descriptors */
	bool no_data;              /* without the data that a call reads and writes */
	unsigned int stacks;       /* which stacks are recorded (bpf/callstacks.h) */
	enum kt_channel channel;   /* which rings the records go to */
	char *print; /* the text after "print fmt:"; NULL for system calls, or if there is none */
	struct kt_event *call;  /* for a return (event_reader.h), the call's entry; or NULL */
	struct kt_point *point; /* where its hits are (events/point.h); NULL: at a tracepoint */
};

/*
 * Reads an event from its own file, the return of a call without the entry (events/event_reader.h);
 * the caller frees it. Returns NULL on error.
 */
struct kt_event *kt_event_read_file(int tracefs, const struct kt_event_name *name,
				    struct kt_error *err);

/* Makes an event from the text of a format file, as kt_event_read_file(). */
struct kt_event *kt_event_parse(const char *system, const char *format, struct kt_error *err);

/*
 * Makes an event from the text of a format file, under another name, and a copy of its point, as
 * kt_event_parse().
 */
struct kt_event *kt_event_parse_point(const struct kt_event_name *name, const char *format,
				      const struct kt_point *point, struct kt_error *err);

/*
 * Makes an event without fields from its name and a copy of its point; fetch/curate.h adds the
 * fields. Returns NULL without memory.
 */
struct kt_event *kt_event_of_point(const struct kt_event_name *name, const struct kt_point *point);

/*
 * Returns a copy of a tracepoint's event as it was read, without what was changed or added since;
 * or NULL without memory. Takes some µs. Either can be freed first.
 */
struct kt_event *kt_event_copy(const struct kt_event *event);

void kt_event_free(struct kt_event *event);

/*
 * Return where the fields begin in a record, after struct kt_record (bpf/ring_layout.h) and the ids
 * of stacks; its size up to the last field; and that of the varying data after it, as the record
 * states.
 */
size_t kt_event_fields_offset(const struct kt_event *event);
size_t kt_event_record_size(const struct kt_event *event);
size_t kt_event_data_size(const struct kt_event *event, const void *record);

/* Returns the maximum room that a record takes in rings of that geometry. */
size_t kt_event_record_max(const struct kt_event *event, struct kt_geometry geometry);

/* Removes all fields but the first n of an event to which none were added. */
void kt_event_keep_fields(struct kt_event *event, size_t n);

/* Returns whether its filter or trigger tests a field that it no longer has. */
bool kt_event_tests_missing(const struct kt_event *event);

/* Returns the fields for modification, by callers that know more than the format file says. */
struct kt_field *kt_event_fields(struct kt_event *event);

/*
 * Append a field that the kernel's record lacks: a copy of another field, or varying text, bytes,
 * numbers or structs; at most KT_EVENT_ADDED_MAX. kt_event_remove_added() removes all of them.
 * Return 0 or -ENOMEM. The event owns the struct layout, on error too.
 */
enum { KT_EVENT_ADDED_MAX = 16 };
int kt_event_add_field(struct kt_event *event, const struct kt_field *like);
int kt_event_add_text(struct kt_event *event, const char *name);
int kt_event_add_bytes(struct kt_event *event, const char *name, enum kt_notation notation);
int kt_event_add_numbers(struct kt_event *event, const char *name, const struct kt_ctype *type,
			 enum kt_notation notation, const struct kt_labels *labels);
int kt_event_add_structs(struct kt_event *event, const char *name, struct kt_struct_layout *of);
void kt_event_remove_added(struct kt_event *event);
bool kt_event_has_added(const struct kt_event *event);

/* Returns the field of that name, or NULL. */
const struct kt_field *kt_event_field(const struct kt_event *event, const char *name);

/* Returns the first field of varying length, or NULL. */
const struct kt_field *kt_event_varying(const struct kt_event *event);

#endif
