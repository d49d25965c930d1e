/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which argument of a system call is a pointer to what, among the fields that a trace has of it.
 *
 *	kt_pointer_arguments_find(&event->fields);
 *	if (m->pointee)
 *		copied = kt_record_layout_copied(&event->fields, values, m->pointee);
 */
#ifndef KT_TRACE_READ_POINTER_ARGUMENTS_H
#define KT_TRACE_READ_POINTER_ARGUMENTS_H

struct kt_record_layout;

/*
 * Sets pointee, path, is_pointee, counted, is_count, is_told, told, buffers, structs, leads, in,
 * by, is_lone and ret of the members, by their names (fetch/pointed_data.h). Whatever these are,
 * what is set is sound: by and ret are numbers, and told is one or a copy of some, structs that
 * lead to buffers are a pointer and a number each, and one that has members which lead anywhere
 * stands before what these lead to.
 */
void kt_pointer_arguments_find(struct kt_record_layout *fields);

#endif
