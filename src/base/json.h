/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON Lines: builds, prints and reads objects. json-c does the work.
 *
 *	struct json_object *o = json_object_new_object();
 *	bool ok = kt_json_add(o, "name", kt_json_text("irq", 3)) &&
 *		  kt_json_add(o, "irq", json_object_new_uint64(42));
 *
 *	kt_json_print(ok ? o : NULL, stdout);		// {"name":"irq","irq":42}
 *	json_object_put(o);
 *
 * Building fails only for lack of memory; NULL is passed on, so one check at the end is enough.
 */
#ifndef KT_BASE_JSON_H
#define KT_BASE_JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Adds a value and takes ownership of it. Returns false if the value is NULL or memory is lacking.
 * The key must outlive the object and must not be in it yet.
 */
bool kt_json_add(struct json_object *o, const char *key, struct json_object *value);
bool kt_json_append(struct json_object *array, struct json_object *value);

/* Adds a null. */
bool kt_json_add_null(struct json_object *o, const char *key);

/*
 * Makes a string of any bytes; a byte that is not UTF-8 becomes U+FFFD. Returns NULL without
 * memory.
 */
struct json_object *kt_json_text(const char *s, size_t n);

/*
 * Makes a string if the bytes are UTF-8, else an array of numbers, as systemd's journal does. If
 * the bytes were cut (is_cut), an incomplete last character is left out. Returns NULL without
 * memory.
 */
struct json_object *kt_json_bytes(const char *s, size_t n, bool is_cut);

/* Add a text or a number, as kt_json_add(). */
bool kt_json_add_text(struct json_object *o, const char *key, const char *text);
bool kt_json_add_number(struct json_object *o, const char *key, uint64_t n);

/* Adds tenths as a decimal fraction: 41 as 4.1. */
bool kt_json_add_tenths(struct json_object *o, const char *key, uint64_t tenths);

/*
 * Get a number from 0 to max, a boolean or a text. A missing key leaves the result unchanged (text:
 * ""). Return false (text: "") if the value has another type or is out of range.
 */
bool kt_json_get_number(const struct json_object *o, const char *key, uint64_t max, uint64_t *n);
bool kt_json_get_bool(const struct json_object *o, const char *key, bool *is);
const char *kt_json_get_text(const struct json_object *o, const char *key);

/*
 * Prints the object as one line; escapes what a terminal would obey (base/utf8.h). Returns 0 or
 * -ENOMEM; ferror(to) reports write errors.
 */
int kt_json_print(struct json_object *o, FILE *to);

#endif
