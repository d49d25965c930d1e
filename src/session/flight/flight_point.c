// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/flight/flight_point.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "events/point.h"

static struct json_object *write_sites(const struct kt_point *p)
{
	struct json_object *array = json_object_new_array();
	size_t i;

	for (i = 0; i < p->n; i++) {
		if (kt_json_append(array, json_object_new_uint64(p->sites[i].offset)))
			continue;
		json_object_put(array);
		return NULL;
	}
	return array;
}

struct json_object *kt_flight_point_write(const struct kt_point *p)
{
	struct json_object *o = json_object_new_object();

	if (kt_json_add_text(o, "path", p->path) &&
	    kt_json_add_number(o, "device", p->file.device) &&
	    kt_json_add_number(o, "inode", p->file.inode) &&
	    kt_json_add_number(o, "size", p->file.size) &&
	    kt_json_add_number(o, "changed", p->file.changed) &&
	    (!p->is_return || kt_json_add_number(o, "return", 1)) &&
	    (!p->is_inside || kt_json_add_number(o, "inside", 1)) &&
	    kt_json_add(o, "sites", write_sites(p)))
		return o;
	json_object_put(o);
	return NULL;
}

static bool get_flag(const struct json_object *o, const char *key)
{
	uint64_t flag = 0;

	return kt_json_get_number(o, key, 1, &flag) && flag;
}

static bool read_sites(struct kt_point *p, const struct json_object *o)
{
	struct json_object *array;
	size_t i;

	if (!json_object_object_get_ex(o, "sites", &array) ||
	    !json_object_is_type(array, json_type_array))
		return false;
	p->n = json_object_array_length(array);
	p->sites = p->n ? calloc(p->n, sizeof(*p->sites)) : NULL;
	for (i = 0; p->sites && i < p->n; i++)
		p->sites[i].offset = json_object_get_uint64(json_object_array_get_idx(array, i));
	return p->sites;
}

struct kt_point *kt_flight_point_read(const struct json_object *o)
{
	struct kt_point *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->path = strdup(kt_json_get_text(o, "path"));
	p->is_return = get_flag(o, "return");
	p->is_inside = get_flag(o, "inside");
	if (p->path && *p->path && read_sites(p, o) &&
	    kt_json_get_number(o, "device", UINT64_MAX, &p->file.device) &&
	    kt_json_get_number(o, "inode", UINT64_MAX, &p->file.inode) &&
	    kt_json_get_number(o, "size", UINT64_MAX, &p->file.size) &&
	    kt_json_get_number(o, "changed", UINT64_MAX, &p->file.changed))
		return p;
	kt_point_free(p);
	return NULL;
}
