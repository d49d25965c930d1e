/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One tracepoint: its id and its fields, as its format file gives them.
 *
 *	struct kt_event *event = kt_event_read(tracefs, &(struct kt_name){"sched", "sched_switch"},
 *					       &err);
 *	char decl[256];
 *
 *	for (i = 0; i < event->n_fields; i++) {
 *		kt_field_declare(&event->fields[i], decl, sizeof(decl));
 *		puts(decl);						// char prev_comm[16]
 *	}
 *	kt_event_free(event);
 *
 * Reading one takes about 0.1 ms, that of a system call's return twice that.
 */
#ifndef KT_CATALOG_EVENT_H
#define KT_CATALOG_EVENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/layout.h"
#include "base/notation.h"
#include "catalog/names.h"

struct kt_ctype;

enum kt_field_flags {
	KT_FIELD_SIGNED = 1 << 0,
	KT_FIELD_POINTER = 1 << 1,
	KT_FIELD_ARRAY = 1 << 2,    /* of fixed length, in place */
	KT_FIELD_DATA_LOC = 1 << 3, /* place and length of data from the record's start */
	KT_FIELD_REL_LOC = 1 << 4,  /* the same from the field's end */
	KT_FIELD_SYMBOL = 1 << 5,   /* an address that the kernel shows as a symbol of its own */
};

struct kt_field {
	const char *name;
	const char *type; /* the kernel's word for it: "pid_t", "char[16]", "__data_loc char[]" */
	unsigned int offset; /* from the record's start, in bytes */
	unsigned int size;   /* of the whole field, in bytes; of a _LOC the 4 of place and length */
	unsigned int width;  /* of one element, 1, 2, 4 or 8; bytes where it is something else */
	unsigned int flags;  /* KT_FIELD_* */
	enum kt_notation notation;      /* how a value, or an array of bytes, is to be shown */
	const struct kt_labels *labels; /* how its values are called (base/labels.h), or NULL */
};

struct kt_event {
	const char *system;
	const char *name;
	unsigned int id; /* common_type of its records; another number after each boot */
	size_t n_fields;
	const struct kt_field *fields; /* in the order of the record, without the common_ ones */
	struct kt_curated *curated; /* another way to their values (catalog/curated.h), or NULL */
	struct kt_filter *filter;   /* which of its hits count (catalog/filter.h); NULL: all */
	struct kt_filter *trigger;  /* which of its hits freeze the rings; NULL: all, if any do */
	bool freezes;               /* some do */
	enum kt_channel channel;    /* where its records go */
	struct kt_event *call;      /* of a call's return its entry, read with it; or NULL */
};

/* The event of that name. The caller frees what is returned. On error NULL. */
struct kt_event *kt_event_read(int tracefs, const struct kt_name *name, struct kt_error *err);

/* The same from a format file's text. */
struct kt_event *kt_event_parse(const char *system, const char *format, struct kt_error *err);

void kt_event_free(struct kt_event *event);

/*
 * What a record of it takes in a ring (struct kt_record of base/layout.h) up to its last field; and
 * what follows there of the elements of its fields that vary, as that record says.
 */
size_t kt_event_record_size(const struct kt_event *event);
size_t kt_event_data_size(const struct kt_event *event, const void *record);

/* The most that a record of it takes in rings of that geometry, up to the next one. */
size_t kt_event_record_max(const struct kt_event *event, struct kt_geometry geometry);

/* Its fields, for who knows more of them than the format file says. */
struct kt_field *kt_event_fields(struct kt_event *event);

/*
 * Text that varies, or bytes or numbers that do, behind its last field, which no record of the
 * kernel's has; at most KT_EVENT_ADDED_MAX of them. They are there until all are taken away again.
 * 0, or -ENOMEM.
 */
enum { KT_EVENT_ADDED_MAX = 6 };
int kt_event_add_text(struct kt_event *event, const char *name);
int kt_event_add_bytes(struct kt_event *event, const char *name);
int kt_event_add_numbers(struct kt_event *event, const char *name, const struct kt_ctype *type,
			 enum kt_notation notation);
void kt_event_take_added(struct kt_event *event);

/* Its field of that name, or NULL. */
const struct kt_field *kt_event_field(const struct kt_event *event, const char *name);

/* Its first field that varies, or NULL. */
const struct kt_field *kt_event_varying(const struct kt_event *event);

/* Whether its length differs from hit to hit (_LOC). */
bool kt_field_varies(const struct kt_field *field);

/* What it takes among the fields of a record. */
size_t kt_field_record_size(const struct kt_field *field);

/* Whether it is characters: "char[16]", "__data_loc char[]". */
bool kt_field_is_text(const struct kt_field *field);

/* The field as C would declare it, cut where longer than size. */
void kt_field_declare(const struct kt_field *field, char *text, size_t size);

#endif
