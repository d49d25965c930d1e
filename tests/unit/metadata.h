/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces of a trace's metadata: HEAD ENV("") STREAM, and EVENT for each event. */
#ifndef KT_TESTS_UNIT_METADATA_H
#define KT_TESTS_UNIT_METADATA_H

#define INTEGER(bits, sign)   "integer { size = " #bits "; align = 8; signed = " #sign "; }"
#define ALIAS(integer, alias) "typealias " integer " := " alias ";\n"

#define NUMBERS                          \
	ALIAS(INTEGER(8, false), "u8")   \
	ALIAS(INTEGER(64, false), "u64") \
	ALIAS(INTEGER(64, true), "s64")  \
	ALIAS(INTEGER(8, false), "byte")
#define HEAD                                                                         \
	"/* CTF 1.8 */\n" NUMBERS "trace { major = 1; minor = 8; byte_order = le;\n" \
	"uuid = \"01020304-0506-0708-090a-0b0c0d0e0f10\";\n"                         \
	"packet.header := struct { u64 magic; u8 uuid[16]; u8 stream_id; }; };\n"

#define ENV(more) "env { tracer_name = \"ktrace\"; hostname = \"h\"; " more " };\n"

#define HEADER "struct { u8 id; " INTEGER(48, false) " timestamp; }"
#define STREAM                                                                             \
	"clock { name = m; freq = 1000000000; offset_s = 0; offset = 5; };\n"              \
	"stream { id = 0;\n"                                                               \
	"packet.context := struct { u64 cpu_id; u64 timestamp_begin;\n"                    \
	"u64 timestamp_end; u64 content_size; u64 packet_size; u64 events_discarded; };\n" \
	"event.header := " HEADER " align(64);\n"                                          \
	"event.context := struct { u64 _tid; }; };\n"

#define EVENT(id, name, fields)                                      \
	"event { name = \"" name "\"; id = " #id "; stream_id = 0; " \
	"fields := struct { " fields " }; };\n"

/* The field of a call's return value. */
#define ERRORS "enum : s64 { \"-ERESTARTSYS\" = -512, \"-ENOENT\" = -2 } _ret;"

#endif
