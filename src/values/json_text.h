/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes JSON as output text, token by token: several times faster than json-c, which builds
 * objects first (base/json.h). Escapes as kt_json_print() does.
 *
 *	kt_text_char(t, '{');
 *	kt_json_text_key(t, "irq", true);
 *	kt_text_number(t, 42);
 *	kt_json_text_key(t, "name", false);
 *	kt_json_text_string(t, "eth0", 4);
 *	kt_text_char(t, '}');				// {"irq":42,"name":"eth0"}
 */
#ifndef KT_VALUES_JSON_TEXT_H
#define KT_VALUES_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct json_object;
struct kt_text;

/* Puts a string of any bytes; a byte that is not UTF-8 becomes U+FFFD. */
void kt_json_text_string(struct kt_text *t, const char *s, size_t n);

/* Puts a string if the bytes are UTF-8, else an array of numbers, as kt_json_bytes(). */
void kt_json_text_bytes(struct kt_text *t, const char *s, size_t n, bool is_cut);

/* Puts a key and its colon, after a comma unless it is the first one of its object. */
void kt_json_text_key(struct kt_text *t, const char *name, bool is_first);

/* Puts a value that json-c built, and frees it. Returns 0, or -ENOMEM if it is NULL. */
int kt_json_text_object(struct kt_text *t, struct json_object *o);

#endif
