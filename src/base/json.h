/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is said to programs: one JSON object a line.
 *
 *	struct json_object *o = json_object_new_object();
 *	bool ok = kt_json_add(o, "name", kt_json_text("irq", 3)) &&
 *		  kt_json_add(o, "irq", json_object_new_uint64(42));
 *
 *	kt_json_print(ok ? o : NULL, stdout);		// {"name":"irq","irq":42}
 *	json_object_put(o);
 *
 * and read again. json-c does the work. All that can go wrong when it is made is want of memory,
 * which is made hard to overlook here.
 */
#ifndef KT_BASE_JSON_H
#define KT_BASE_JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Each takes the value. False where that is NULL, or there is no memory to add it. The key is to
 * outlive the object, and must not be in it.
 */
bool kt_json_add(struct json_object *o, const char *key, struct json_object *value);
bool kt_json_append(struct json_object *array, struct json_object *value);

/* The same of null. */
bool kt_json_add_null(struct json_object *o, const char *key);

/* Text of any origin; a byte that is not UTF-8 becomes U+FFFD. NULL where there is no memory. */
struct json_object *kt_json_text(const char *s, size_t n);

/*
 * Bytes as a string if they are UTF-8, else as an array of numbers, as systemd's journal has them.
 * If they were cut within their last character, the string ends before it. NULL: no memory.
 */
struct json_object *kt_json_bytes(const char *s, size_t n, bool is_cut);

/* kt_json_add of these. */
bool kt_json_add_text(struct json_object *o, const char *key, const char *text);
bool kt_json_add_number(struct json_object *o, const char *key, uint64_t n);

/* 41 of them as 4.1, as text has them. */
bool kt_json_add_tenths(struct json_object *o, const char *key, uint64_t tenths);

/*
 * A number from 0 to max, a boolean, text. What is not there is left as it is, text "" then. False
 * where it is there and is nothing of the kind; text is "" then, too.
 */
bool kt_json_get_number(const struct json_object *o, const char *key, uint64_t max, uint64_t *n);
bool kt_json_get_bool(const struct json_object *o, const char *key, bool *is);
const char *kt_json_get_text(const struct json_object *o, const char *key);

/*
 * Prints the object as a line, with what a terminal would obey (base/utf8.h) escaped. Returns 0 or
 * -ENOMEM; ferror(to) says whether it could be written.
 */
int kt_json_print(struct json_object *o, FILE *to);

#endif
