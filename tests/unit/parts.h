/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of metadata, in as few lines as possible. */
#ifndef KT_TESTS_UNIT_PARTS_H
#define KT_TESTS_UNIT_PARTS_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/metadata_types.h"

#define BEGIN            "/* CTF 1.8 */\n"
#define INTEGER(bits)    "integer { size = " #bits "; align = 8; signed = false; }"
#define TYPE(bits, name) "typealias " INTEGER(bits) " := " name ";\n"
#define TYPES            TYPE(8, "u8") TYPE(64, "u64")
#define TRACE_WITH(members)                                  \
	"trace { major = 1; minor = 8; byte_order = le;\n"   \
	"uuid = \"01020304-0506-0708-090a-0b0c0d0e0f10\";\n" \
	"packet.header := struct { " members " }; };\n"
#define TRACE TRACE_WITH("u64 magic; u8 uuid[16]; u8 stream_id;")
#define ENV   "env { tracer_name = \"ktrace\"; hostname = \"h\"; more = 1; };\n"
#define CLOCK "clock { name = m; freq = 1000000000; offset_s = -1; offset = 5; };\n"
#define STREAM(id)                                                                         \
	"stream { id = " #id ";\n"                                                         \
	"packet.context := struct { u64 cpu_id; u64 timestamp_begin;\n"                    \
	"u64 timestamp_end; u64 content_size; u64 packet_size; u64 events_discarded; };\n" \
	"event.header := struct { u8 id; " INTEGER(                                        \
		48) " timestamp; } align(64);\n"                                           \
		    "event.context := struct { u64 _tid; }; };\n"
#define HEADS                   BEGIN TYPES TRACE ENV CLOCK STREAM(0)
#define EVENT(id, name, fields) EVENT_OF(0, id, name, fields)
#define EVENT_IN(id, name, context)                                  \
	"event { name = \"" name "\"; id = " #id "; stream_id = 0; " \
	"context := " context "; fields := struct { u8 n; }; };\n"
#define EVENT_OF(stream, id, name, fields)                                     \
	"event { name = \"" name "\"; id = " #id "; stream_id = " #stream "; " \
	"fields := struct { " fields " }; };\n"
#define SYMBOLS "enum kernel_symbols : " INTEGER(64) " { "

static struct kt_error err;

static inline void assert_refused(const char *text, const char *why)
{
	char expected[256];

	assert_null(kt_metadata_parse(text, strlen(text), &err));
	assert_int_equal(err.code, EPROTO);
	snprintf(expected, sizeof(expected), "metadata%s", why);
	assert_string_equal(err.text, expected);
}

#endif
