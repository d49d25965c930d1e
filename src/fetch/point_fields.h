/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of a point's event (events/point.h): the function's arguments, or what it returns.
 *
 *	kt_point_fields_add(event, &err);	// arg0 to arg5; or ret, and duration
 *
 * They come from the registers that the platform's calling convention gives them at the function's
 * first instruction, and after its return; so a point inside a function has none. Of a function
 * with fewer arguments, or with ones of other types than integers and pointers, some registers have
 * no meaning.
 */
#ifndef KT_FETCH_POINT_FIELDS_H
#define KT_FETCH_POINT_FIELDS_H

#include <stdbool.h>

struct kt_btf;
struct kt_error;
struct kt_event;
struct kt_event_name;
struct kt_member_path;
struct kt_point;

/* Number of registers that have arguments. */
#if defined(__x86_64__) || defined(__aarch64__)
enum { KT_POINT_REGISTERS = 6 };
#endif

/*
 * Makes an event of a point; kt_point_fields_add() adds its fields, unless they are those of a
 * function of the kernel that has types (fetch/function_fields.h). The caller frees it. Returns
 * NULL on error.
 */
struct kt_event *kt_point_event(const struct kt_event_name *name, const struct kt_point *point,
				struct kt_btf *btf, struct kt_error *err);

/* Adds the fields, and sets event->curated. Returns 0, or -ENOMEM. */
int kt_point_fields_add(struct kt_event *event, struct kt_error *err);

/* Returns whether kt_point_use_registers() would keep all fields. */
bool kt_point_is_in_registers(const struct kt_event *event);

/*
 * Makes a curated event of a function of the kernel take its arguments from the registers, those of
 * its filters too, sets point->by_registers, and removes the fields that are not there.
 */
void kt_point_use_registers(struct kt_event *event);

/*
 * Makes a path of such a function's arguments start in their registers; its `arg` becomes
 * KT_MEMBER_PATH_NOWHERE if it is in none.
 */
void kt_point_path_use_registers(const struct kt_event *event, struct kt_member_path *path);

/*
 * Finds event->curated->awaited, for a return. Returns 0 or -errno: -ENOENT if the kernel has no
 * such members.
 */
int kt_point_awaited_find(struct kt_event *event, struct kt_btf *btf, struct kt_error *err);

#endif
