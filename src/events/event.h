/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One tracepoint: its id and its fields, as its format file gives them.
 *
 *	struct kt_event *event = kt_event_read(tracefs, &(struct kt_event_name){"sched",
 *"sched_switch"}, &err); char decl[256];
 *
 *	for (i = 0; i < event->n_fields; i++) {
 *		kt_field_declare(&event->fields[i], decl, sizeof(decl));
 *		puts(decl);						// char prev_comm[16]
 *	}
 *	kt_event_free(event);
 *
 * Reading one takes about 0.1 ms, that of a system call's return twice that.
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

struct kt_event {
	const char *system;
	const char *name;
	unsigned int id; /* common_type of its records; another number after each boot */
	size_t n_fields;
	const struct kt_field *fields; /* in the order of the record, without the common_ ones */
	struct kt_curated *curated;    /* another way to their values (events/curated.h), or NULL */
	struct kt_filter *filter;      /* which of its hits count (events/filter.h); NULL: all */
	struct kt_filter *trigger; /* which of its hits freeze the rings; NULL: all, if any do */
	bool freezes;              /* some do */
	bool paths;                /* of a call's descriptors their files' paths are wanted, too */
	enum kt_channel channel;   /* where its records go */
	char *print;               /* what follows "print fmt:"; NULL: a system call, or none */
	struct kt_event *call;     /* of a call's return its entry, read with it; or NULL */
};

/* The event of that name. The caller frees what is returned. On error NULL. */
struct kt_event *kt_event_read(int tracefs, const struct kt_event_name *name, struct kt_error *err);

/* The same from a format file's text. */
struct kt_event *kt_event_parse(const char *system, const char *format, struct kt_error *err);

void kt_event_free(struct kt_event *event);

/*
 * What a record of it takes in a ring (struct kt_record of bpf/ring_layout.h) up to its last field;
 * and what follows there of the elements of its fields that vary, as that record says.
 */
size_t kt_event_record_size(const struct kt_event *event);
size_t kt_event_data_size(const struct kt_event *event, const void *record);

/* The most that a record of it takes in rings of that geometry, up to the next one. */
size_t kt_event_record_max(const struct kt_event *event, struct kt_geometry geometry);

/* Its fields, for who knows more of them than the format file says. */
struct kt_field *kt_event_fields(struct kt_event *event);

/*
 * A field like that one, or text that varies, or bytes, numbers or structs that do, behind its last
 * field, which no record of the kernel's has; at most KT_EVENT_ADDED_MAX of them.
 * They are there until all are taken away again. 0, or -ENOMEM. The composite is the event's from
 * then on, on error too.
 */
enum { KT_EVENT_ADDED_MAX = 16 };
int kt_event_add_field(struct kt_event *event, const struct kt_field *like);
int kt_event_add_text(struct kt_event *event, const char *name);
int kt_event_add_bytes(struct kt_event *event, const char *name, enum kt_notation notation);
int kt_event_add_numbers(struct kt_event *event, const char *name, const struct kt_ctype *type,
			 enum kt_notation notation, const struct kt_labels *labels);
int kt_event_add_structs(struct kt_event *event, const char *name, struct kt_struct_layout *of);
void kt_event_take_added(struct kt_event *event);
bool kt_event_has_added(const struct kt_event *event);

/* Its field of that name, or NULL. */
const struct kt_field *kt_event_field(const struct kt_event *event, const char *name);

/* Its first field that varies, or NULL. */
const struct kt_field *kt_event_varying(const struct kt_event *event);

#endif
