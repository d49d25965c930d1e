// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/flight/flight_point.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "events/point.h"

/* Numbers of a site, and of an argument. */
enum { SITE_NUMBERS = 3, ARGUMENT_NUMBERS = 8 };

/* Returns an array of n numbers; NULL without memory. */
static struct json_object *write_numbers(const int64_t *numbers, size_t n)
{
	struct json_object *array = json_object_new_array();
	size_t i;

	for (i = 0; i < n; i++) {
		if (kt_json_append(array, json_object_new_int64(numbers[i])))
			continue;
		json_object_put(array);
		return NULL;
	}
	return array;
}

static bool append_numbers(struct json_object *array, const int64_t *numbers, size_t n)
{
	return kt_json_append(array, write_numbers(numbers, n));
}

static struct json_object *write_sites(const struct kt_point *p)
{
	struct json_object *array = json_object_new_array();
	const struct kt_point_site *site;
	bool ok = array;

	for (site = p->sites; ok && site < p->sites + p->n; site++)
		ok = append_numbers(array, (int64_t[]){site->offset, site->semaphore, site->row},
				    SITE_NUMBERS);
	if (ok)
		return array;
	json_object_put(array);
	return NULL;
}

static struct json_object *write_arguments(const struct kt_point *p)
{
	struct json_object *array = json_object_new_array();
	const struct kt_usdt_argument *a = p->arguments, *end = a + p->n_rows * p->n_arguments;
	bool ok = array;

	for (; ok && a < end; a++)
		ok = append_numbers(array,
				    (int64_t[]){a->place, a->size, a->is_signed, a->base, a->index,
						a->scale, a->first_bit, a->number},
				    ARGUMENT_NUMBERS);
	if (ok)
		return array;
	json_object_put(array);
	return NULL;
}

static bool add_mark(struct json_object *o, const struct kt_point *p)
{
	return kt_json_add_number(o, "mark", 1) &&
	       kt_json_add_number(o, "n_arguments", p->n_arguments) &&
	       kt_json_add_number(o, "n_rows", p->n_rows) &&
	       kt_json_add(o, "arguments", write_arguments(p));
}

static bool add_function(struct json_object *o, const struct kt_point *p)
{
	return kt_json_add_text(o, "function", p->function) &&
	       (!p->module || kt_json_add_text(o, "module", p->module)) &&
	       (!p->by_registers || kt_json_add_number(o, "by_registers", 1));
}

static bool add_file(struct json_object *o, const struct kt_point *p)
{
	return kt_json_add_text(o, "path", p->path) &&
	       kt_json_add_number(o, "device", p->file.device) &&
	       kt_json_add_number(o, "inode", p->file.inode) &&
	       kt_json_add_number(o, "size", p->file.size) &&
	       kt_json_add_number(o, "changed", p->file.changed);
}

struct json_object *kt_flight_point_write(const struct kt_point *p)
{
	struct json_object *o = json_object_new_object();

	if ((p->function ? add_function : add_file)(o, p) &&
	    (!p->is_return || kt_json_add_number(o, "return", 1)) &&
	    (!p->is_inside || kt_json_add_number(o, "inside", 1)) &&
	    (!p->is_mark || add_mark(o, p)) && kt_json_add(o, "sites", write_sites(p)))
		return o;
	json_object_put(o);
	return NULL;
}

static bool get_flag(const struct json_object *o, const char *key)
{
	uint64_t flag = 0;

	return kt_json_get_number(o, key, 1, &flag) && flag;
}

/* Returns the array of that name; NULL if there is none. */
static struct json_object *get_array(const struct json_object *o, const char *key)
{
	struct json_object *array;

	return json_object_object_get_ex(o, key, &array) &&
			       json_object_is_type(array, json_type_array)
		       ? array
		       : NULL;
}

/* Reads the n numbers that are the i-th element of an array. */
static bool read_numbers(const struct json_object *array, size_t i, int64_t *to, size_t n)
{
	struct json_object *numbers = json_object_array_get_idx(array, i);

	if (!json_object_is_type(numbers, json_type_array) ||
	    json_object_array_length(numbers) != n)
		return false;
	for (i = 0; i < n; i++)
		to[i] = json_object_get_int64(json_object_array_get_idx(numbers, i));
	return true;
}

/* There is one row at least, which a mark without arguments has, too. */
static bool read_sites(struct kt_point *p, const struct json_object *o)
{
	struct json_object *array = get_array(o, "sites");
	int64_t site[SITE_NUMBERS];
	size_t i;

	p->n = array ? json_object_array_length(array) : 0;
	p->sites = p->n ? calloc(p->n, sizeof(*p->sites)) : NULL;
	for (i = 0; p->sites && i < p->n; i++) {
		if (!read_numbers(array, i, site, SITE_NUMBERS) || site[2] < 0 ||
		    (site[2] > 0 && (uint64_t)site[2] >= p->n_rows))
			return false;
		p->sites[i] = (struct kt_point_site){site[0], site[1], site[2]};
	}
	return p->sites;
}

static bool read_argument(struct kt_usdt_argument *a, const struct json_object *array, size_t i)
{
	int64_t n[ARGUMENT_NUMBERS];

	if (!read_numbers(array, i, n, ARGUMENT_NUMBERS) || n[0] < 0 || n[0] > KT_USDT_MEMORY ||
	    (n[1] != 1 && n[1] != 2 && n[1] != 4 && n[1] != 8))
		return false;
	*a = (struct kt_usdt_argument){n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]};
	return true;
}

static bool read_mark(struct kt_point *p, const struct json_object *o)
{
	struct json_object *array = get_array(o, "arguments");
	uint64_t columns, rows;
	size_t n, i;

	p->is_mark = get_flag(o, "mark");
	if (!p->is_mark)
		return true;
	if (!array || !kt_json_get_number(o, "n_arguments", KT_USDT_ARGUMENTS_MAX, &columns) ||
	    !kt_json_get_number(o, "n_rows", UINT32_MAX, &rows) ||
	    columns * rows != json_object_array_length(array))
		return false;
	p->n_arguments = columns;
	p->n_rows = rows;
	n = columns * rows;
	p->arguments = n > 0 ? calloc(n, sizeof(*p->arguments)) : NULL;
	for (i = 0; p->arguments && i < n; i++)
		if (!read_argument(&p->arguments[i], array, i))
			return false;
	return p->arguments || n == 0;
}

/* Reads a text. Without the key it is NULL. Returns false if it is empty, or without memory. */
static bool read_text(char **to, const struct json_object *o, const char *key)
{
	const char *text = kt_json_get_text(o, key);

	if (!json_object_object_get_ex(o, key, NULL))
		return true;
	*to = *text ? strdup(text) : NULL;
	return *to;
}

static bool read_function(struct kt_point *p, const struct json_object *o)
{
	p->by_registers = get_flag(o, "by_registers");
	return read_text(&p->module, o, "module");
}

static bool read_file(struct kt_point *p, const struct json_object *o)
{
	return read_text(&p->path, o, "path") && p->path &&
	       kt_json_get_number(o, "device", UINT64_MAX, &p->file.device) &&
	       kt_json_get_number(o, "inode", UINT64_MAX, &p->file.inode) &&
	       kt_json_get_number(o, "size", UINT64_MAX, &p->file.size) &&
	       kt_json_get_number(o, "changed", UINT64_MAX, &p->file.changed);
}

struct kt_point *kt_flight_point_read(const struct json_object *o)
{
	struct kt_point *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->is_return = get_flag(o, "return");
	p->is_inside = get_flag(o, "inside");
	if (read_text(&p->function, o, "function") &&
	    (p->function ? read_function : read_file)(p, o) && read_mark(p, o) && read_sites(p, o))
		return p;
	kt_point_free(p);
	return NULL;
}
