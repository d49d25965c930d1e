/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of named fields of events and calls, as texts by which they are grouped and as numbers
 * that are summed: fields as filters know them (trace/select/hit_names.h); `comm`, `pid`, `tid` and
 * `cpu` of the event or entry; `event`, a call's name without its side; `error`, the name of the
 * error that a call returned; `kernel_stack` and `user_stack`, and `stack`, which is both.
 *
 *	struct kt_group_fields *f = kt_group_fields_new(metadata, names, 2);
 *
 *	kt_group_fields_select(f, call, entry, exit);
 *	kt_group_fields_text(f, 0, &text);			// puts "make"
 *	if (kt_group_fields_number(f, 1, &number))
 *		sum += number;
 *	kt_group_fields_free(f);
 */
#ifndef KT_VIEW_GROUPS_GROUP_FIELDS_H
#define KT_VIEW_GROUPS_GROUP_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

struct kt_call_kind;
struct kt_group_fields;
struct kt_hit;
struct kt_metadata;
struct kt_text;

/* Creates n fields. Names and metadata must outlive them. Returns NULL without memory. */
struct kt_group_fields *kt_group_fields_new(const struct kt_metadata *metadata,
					    const char *const *names, size_t n);
void kt_group_fields_free(struct kt_group_fields *f);

/*
 * Selects an event (entry; call and exit are NULL) or a call, of which one side may be NULL. The
 * hits must stay valid for the calls below. Returns 0 or -ENOMEM.
 */
int kt_group_fields_select(struct kt_group_fields *f, const struct kt_call_kind *call,
			   const struct kt_hit *entry, const struct kt_hit *exit);

/* Returns whether the call failed. */
bool kt_group_fields_failed(const struct kt_group_fields *f);

/* What a text says. */
enum kt_group_text { KT_GROUP_NONE, KT_GROUP_TEXT, KT_GROUP_NUMBER, KT_GROUP_STACK };

/*
 * Prints the i-th field, without quotes and on one line; nothing if it is missing. A stack is its
 * functions, innermost first, with ';' between them.
 */
enum kt_group_text kt_group_fields_text(struct kt_group_fields *f, size_t i, struct kt_text *to);

/*
 * Gets the number of the i-th field. Returns false if it is missing, or text, or the return value
 * of a call that failed.
 */
bool kt_group_fields_number(struct kt_group_fields *f, size_t i, __int128 *number);

/* Return whether any event or call selected so far has the i-th field; a number in it; and ns. */
bool kt_group_fields_is_known(const struct kt_group_fields *f, size_t i);
bool kt_group_fields_is_number(const struct kt_group_fields *f, size_t i);
bool kt_group_fields_is_time(const struct kt_group_fields *f, size_t i);

#endif
