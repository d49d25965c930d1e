/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of the fields with pointed-to data (fetch/pointed_data.h).
 *
 *	kt_pointed_data_name("filename", name);			// "__filename_val"
 *	kt_pointed_data_argument("__filename_val", argument);	// "filename"
 */
#ifndef KT_FETCH_POINTED_DATA_NAMES_H
#define KT_FETCH_POINTED_DATA_NAMES_H

#include <stdbool.h>

/* Writes the name of an argument's copy, cut if too long. */
enum { KT_POINTED_DATA_NAME_MAX = 64 };
const char *kt_pointed_data_name(const char *argument, char name[KT_POINTED_DATA_NAME_MAX]);

/* Writes the argument of such a name. Returns false for other names. */
bool kt_pointed_data_argument(const char *name, char argument[KT_POINTED_DATA_NAME_MAX]);

/*
 * Extracts the argument from a name that consists of "__", the argument, and `end`. Returns false
 * for other names.
 */
bool kt_pointed_data_between(const char *name, const char *end,
			     char argument[KT_POINTED_DATA_NAME_MAX]);

/*
 * The number of pointers in an array up to a NULL is a field of the entry, too: "__argv_count" for
 * "argv"; and the number of entries of a directory one of the return. Write the name; and the
 * argument of such a name: returns false for other names.
 */
const char *kt_pointed_data_count_name(const char *argument, char name[KT_POINTED_DATA_NAME_MAX]);
bool kt_pointed_data_count_argument(const char *name, char argument[KT_POINTED_DATA_NAME_MAX]);

/* Write the name of what kind of socket a descriptor is; and the argument of such a name. */
const char *kt_pointed_data_socket_name(const char *argument, char name[KT_POINTED_DATA_NAME_MAX]);
bool kt_pointed_data_socket_argument(const char *name, char argument[KT_POINTED_DATA_NAME_MAX]);

/* Write the name of the data that a copy's structs point to; and the argument of such a name. */
const char *kt_pointed_data_buffers_name(const char *argument, char name[KT_POINTED_DATA_NAME_MAX]);
bool kt_pointed_data_buffers_argument(const char *name, char argument[KT_POINTED_DATA_NAME_MAX]);

#endif
