/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes at the very end of readable memory, for views of bytes whose metadata gives no length.
 *
 *	assert_string_equal(written_by(kt_sockaddr_put, &a, sizeof(a)), "{sa_family=AF_UNIX}");
 */
#ifndef KT_TESTS_UNIT_EDGE_H
#define KT_TESTS_UNIT_EDGE_H

#include <json-c/json.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "trace/record_layout.h"
#include "values/text.h"

/* Returns a value of n bytes that end where readable memory does. */
static inline struct kt_value at_edge(const void *bytes, size_t n)
{
	static char *edge;
	size_t page = sysconf(_SC_PAGESIZE);

	if (!edge) {
		edge = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			    0);
		assert_ptr_not_equal(edge, MAP_FAILED);
		assert_int_equal(mprotect(edge + page, page, PROT_NONE), 0);
	}
	memcpy(edge + page - n, bytes, n);
	return (struct kt_value){edge + page - n, n};
}

/* Returns the text written for these bytes, valid up to the next call. */
static inline const char *written_by(void (*put)(struct kt_text *, const struct kt_value *),
				     const void *bytes, size_t n)
{
	static char text[4096];
	static struct kt_text t;
	struct kt_value v = at_edge(bytes, n);

	t.to = fmemopen(text, sizeof(text), "w");
	t.escapes = KT_ESCAPE_OCTAL;
	put(&t, &v);
	kt_text_flush(&t);
	fclose(t.to);
	return text;
}

/* Returns the JSON made for these bytes, valid up to the next call. */
static inline const char *made_by(struct json_object *(*make)(const struct kt_value *),
				  const void *bytes, size_t n)
{
	static char text[8192];
	struct kt_value v = at_edge(bytes, n);
	struct json_object *o = make(&v);

	assert_non_null(o);
	snprintf(text, sizeof(text), "%s", json_object_to_json_string_ext(o, 0));
	json_object_put(o);
	return text;
}

#endif
