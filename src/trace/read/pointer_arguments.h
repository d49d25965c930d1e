/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds which argument of a system call points to which pointed-to data, among the fields of a
 * trace.
 *
 *	kt_pointer_arguments_find(&event->fields);
 *	if (m->pointed)
 *		copied = kt_record_layout_copied(&event->fields, values, m->pointed);
 */
#ifndef KT_TRACE_READ_POINTER_ARGUMENTS_H
#define KT_TRACE_READ_POINTER_ARGUMENTS_H

struct kt_record_layout;

/*
 * Sets what the members of a record's layout say about pointers (trace/record_layout.h), by the
 * names of the fields (fetch/pointed_data.h). Whatever the names are, the result is sound:
 * - by and ret are numbers;
 * - the reported length is a number, or a copy of numbers;
 * - a struct that points to buffers is a pointer and a number;
 * - a struct that points to other data comes before that data.
 */
void kt_pointer_arguments_find(struct kt_record_layout *fields);

#endif
