// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Data of a message's members in a trace, and as printed: complete, partial and absent; and
 * metadata that only resembles it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "tests/unit/metadata.h"
#include "tests/unit/parsed.h"
#include "trace/read/stream_reader.h"
#include "values/record/field_text.h"
#include "values/text.h"

#define TYPES                                                                      \
	ALIAS(INTEGER(64, false), "pointer64")                                     \
	ALIAS(INTEGER(32, false), "u32")                                           \
	ALIAS(INTEGER(32, true), "s32")                                            \
	ALIAS(INTEGER(8, false), "buffers")                                        \
	ALIAS(INTEGER(8, false), "sockaddr")                                       \
	ALIAS(INTEGER(8, false), "control")                                        \
	"struct iovec { pointer64 _iov_base; u64 _iov_len; }; "                    \
	"struct message { pointer64 _msg_name; s32 _msg_namelen; u32 _msg_flags; " \
	"pointer64 _msg_iov; u64 _msg_iovlen; }; "                                 \
	"struct last { u64 _a; pointer64 _msg_name; }; "                           \
	"struct plain { u64 _msg_name; u64 _msg_namelen; }; "                      \
	"struct many { pointer64 _msg_name; u64 _n[2]; }; "                        \
	"struct within { pointer64 _msg_name; struct plain _n; }; "                \
	"struct control { pointer64 _msg_control; u64 _msg_controllen; };\n"
#define MESSAGE(type) "u8 _k; struct " type " ___msg_val[_k]; "
#define NAME          "u8 _l; sockaddr ___msg_name_val[_l]; "
#define VECTOR        "u8 _n; struct iovec ___msg_iov_val[_n]; u8 _m; buffers ___msg_iov_data[_m];"

#define CONTROL "u8 _l; control ___msg_control_val[_l]; "

enum { GIVEN, TAKEN, LOOKS_SO, CONTROLLED = LOOKS_SO + 9, N_EVENTS };

#define EVENTS                                                                              \
	EVENT(0, "syscalls:sys_enter_a", "pointer64 _msg; " MESSAGE("message") NAME VECTOR) \
	EVENT(1, "syscalls:sys_exit_a", "s64 _ret; " MESSAGE("message") NAME VECTOR)        \
	EVENT(2, "syscalls:b2", "pointer64 _msg; " MESSAGE("last") NAME)                    \
	EVENT(3, "syscalls:b3", "pointer64 _msg; " MESSAGE("plain") NAME)                   \
	EVENT(4, "syscalls:b4", "pointer64 _msg; " MESSAGE("many") NAME)                    \
	EVENT(5, "syscalls:b5", "pointer64 _msg; " NAME MESSAGE("message"))                 \
	EVENT(6, "syscalls:b6", MESSAGE("message") NAME)                                    \
	EVENT(7, "syscalls:b7",                                                             \
	      "pointer64 _msg; " MESSAGE("message") "sockaddr ___msg_name_val[2];")         \
	EVENT(8, "syscalls:b8",                                                             \
	      "pointer64 _msg; " MESSAGE("message") "u8 _l; buffers ___msg_name_val[_l];")  \
	EVENT(9, "syscalls:b9", "pointer64 _msg; " MESSAGE("within") NAME)                  \
	EVENT(10, "syscalls:b10", "pointer64 _msg; u8 _l; buffers ___msg_val[_l];")         \
	EVENT(11, "syscalls:c", "pointer64 _msg; " MESSAGE("control") CONTROL)

static int open_parsed(void **state)
{
	static const char text[] = HEAD ENV("") STREAM TYPES EVENTS;

	(void)state;
	return parse(text);
}

struct message {
	uint64_t name;
	int32_t namelen;
	uint32_t flags;
	uint64_t iov, iovlen;
};

/* What the trace has of the members' data. */
struct parts {
	const char *name;
	size_t n_name, n_vector;
	struct {
		uint64_t base, length;
	} vector[2];
	size_t n_data;
	const char *data;
};

static const struct parts whole = {
	"\1\0/a", 4, 2, {{0x3000, 2}, {0x4000, 3}}, 13, "\2\0\0\0xy\3\0\0\0abc"};
static const struct parts nothing;

struct record {
	char bytes[256];
	struct kt_value values[8];
	struct kt_hit hit;
};

static char *put(char *at, const void *bytes, size_t n)
{
	return n ? mempcpy(at, bytes, n) : at;
}

/* Makes an entry with this message, or a return; NULL: unreadable. */
static const struct kt_hit *make_event(struct record *r, int event, int64_t first,
				       const struct message *message, const struct parts *p)
{
	char *at = mempcpy(r->bytes, &first, 8);

	*at++ = message ? 1 : 0;
	at = put(at, message, message ? sizeof(*message) : 0);
	*at++ = (char)p->n_name;
	at = put(at, p->name, p->n_name);
	*at++ = (char)p->n_vector;
	at = put(at, p->vector, p->n_vector * sizeof(p->vector[0]));
	*at++ = (char)p->n_data;
	put(at, p->data, p->n_data);
	assert_true(kt_record_layout_read(&parsed->events[event].fields, r->bytes, sizeof(r->bytes),
					  r->values) >= 0);
	r->hit = (struct kt_hit){.event = &parsed->events[event], .values = r->values};
	return &r->hit;
}

static struct kt_text text;
static char *written;
static size_t written_size;

static void begin(void)
{
	text = (struct kt_text){.escapes = KT_ESCAPE_OCTAL};
	text.to = open_memstream(&written, &written_size);
	assert_non_null(text.to);
}

static void assert_written(const char *expected)
{
	kt_text_flush(&text);
	fclose(text.to);
	assert_string_equal(written, expected);
	free(written);
}

static void assert_given(const struct message *message, const struct parts *p, const char *expected)
{
	static struct record entry;

	begin();
	kt_field_text_show(&text, make_event(&entry, GIVEN, 0x10, message, p), 0);
	assert_written(expected);
}

static void messages_given(void **state)
{
	static const struct message message = {0x1000, 4, 1, 0x2000, 2};
	static const struct message none = {0x1000, 0, 0, 0, 0}, less = {0x1000, -1, 0, 0x2000, 0};
	struct parts p = whole;

	(void)state;
	assert_given(&message, &whole,
		     "{msg_name={sa_family=AF_UNIX, sun_path=\"/a\"}, msg_namelen=4, msg_flags=1, "
		     "msg_iov=[{iov_base=\"xy\", iov_len=2}, {iov_base=\"abc\", iov_len=3}], "
		     "msg_iovlen=2}");
	assert_given(&message, &nothing,
		     "{msg_name=0x1000, msg_namelen=4, msg_flags=1, msg_iov=0x2000, msg_iovlen=2}");
	p.n_vector = 1;
	p.n_data = 5;
	assert_given(&message, &p,
		     "{msg_name={sa_family=AF_UNIX, sun_path=\"/a\"}, msg_namelen=4, msg_flags=1, "
		     "msg_iov=[{iov_base=\"x\"..., iov_len=2}, ...], msg_iovlen=2}");
	assert_given(&none, &nothing,
		     "{msg_name=0x1000, msg_namelen=0, msg_flags=0, msg_iov=NULL, msg_iovlen=0}");
	assert_given(&less, &whole,
		     "{msg_name=0x1000, msg_namelen=-1, msg_flags=0, "
		     "msg_iov=[{iov_base=\"xy\", iov_len=2}, {iov_base=\"abc\", iov_len=3}], "
		     "msg_iovlen=0}");
	assert_given(NULL, &whole, "0x10");
}

/* The message at a return, printed alone and together with the entry's. */
static void assert_return(int64_t ret, const struct message *before, const struct message *after,
			  const struct parts *p, const char *alone, const char *both)
{
	static struct record entry, exit;
	const struct kt_hit *hit = make_event(&exit, TAKEN, ret, after, p);

	begin();
	kt_field_text_copy(&text, hit, 1);
	assert_written(alone);
	begin();
	kt_field_text_change(&text, make_event(&entry, GIVEN, 0x10, before, &nothing), 0, hit, 1);
	assert_written(both);
}

static void messages_returned(void **state)
{
	static const struct message before = {0x1000, 64, 7, 0x2000, 2};
	static const struct message little = {0x1000, 3, 7, 0x2000, 2},
				    no = {0x1000, 1, 7, 0x2000, 2};
	static const struct message after = {0x1000, 4, 1, 0x2000, 2}, none = {0x1000, 0, 0, 0, 0};
	struct parts p = whole;

	(void)state;
	assert_return(5, &before, &after, &whole,
		      "{msg_name={sa_family=AF_UNIX, sun_path=\"/a\"}, msg_namelen=4, msg_flags=1, "
		      "msg_iov=[{iov_base=\"xy\", iov_len=2}, {iov_base=\"abc\", iov_len=3}], "
		      "msg_iovlen=2}",
		      "{msg_name={sa_family=AF_UNIX, sun_path=\"/a\"}, msg_namelen=64 => 4, "
		      "msg_flags=1, msg_iov=[{iov_base=\"xy\", iov_len=2}, {iov_base=\"abc\", "
		      "iov_len=3}], msg_iovlen=2}");
	p.n_data = 4 + 2 + 4;
	p.data = "\2\0\0\0xy\0\0\0\0";
	assert_return(2, &little, &after, &p,
		      "{msg_name={sa_family=AF_UNIX, sun_path=\"/a\"}, msg_namelen=4, msg_flags=1, "
		      "msg_iov=[{iov_base=\"xy\", iov_len=2}, {iov_base=\"\", iov_len=3}], "
		      "msg_iovlen=2}",
		      "{msg_name={sa_family=AF_UNIX, sun_path=\"/\"}, msg_namelen=3 => 4, "
		      "msg_flags=1, msg_iov=[{iov_base=\"xy\", iov_len=2}, {iov_base=\"\", "
		      "iov_len=3}], msg_iovlen=2}");
	p = nothing;
	p.name = whole.name;
	p.n_name = whole.n_name;
	assert_return(0, &no, &after, &p,
		      "{msg_name={sa_family=AF_UNIX, sun_path=\"/a\"}, msg_namelen=4, msg_flags=1, "
		      "msg_iov=0x2000, msg_iovlen=2}",
		      "{msg_name=0x1000, msg_namelen=1 => 4, msg_flags=1, msg_iov=0x2000, "
		      "msg_iovlen=2}");
	assert_return(0, &none, &none, &nothing,
		      "{msg_name=0x1000, msg_namelen=0, msg_flags=0, msg_iov=NULL, msg_iovlen=0}",
		      "{msg_name=0x1000, msg_namelen=0, msg_flags=0, msg_iov=NULL, msg_iovlen=0}");
}

static void other_events(void **state)
{
	const struct kt_member *m;
	size_t i, k;

	(void)state;
	m = parsed->events[GIVEN].fields.members;
	assert_true(m[1].leads && m[2].in == 1 && m[2].by == 0 && m[3].in == 1 && m[3].by == 3);
	for (i = LOOKS_SO; i < CONTROLLED; i++) {
		m = parsed->events[i].fields.members;
		for (k = 0; k < parsed->events[i].fields.n_members; k++)
			assert_true(!m[k].leads && !m[k].in);
	}
	assert_false(parsed->events[CONTROLLED - 1].fields.members[1].is_pointed);
}

/* A message with n bytes of its control messages. */
static void assert_control(uint64_t pointer, uint64_t length, size_t n, const char *expected)
{
	static struct record r;
	struct {
		uint64_t msg;
		uint8_t k;
		uint64_t pointer, length;
		uint8_t n;
		struct cmsghdr header;
		int fd;
	} __attribute__((packed))
	hit = {0x10, 1, pointer, length, n, {CMSG_LEN(4), SOL_SOCKET, SCM_RIGHTS}, 7};

	memcpy(r.bytes, &hit, sizeof(hit));
	assert_true(kt_record_layout_read(&parsed->events[CONTROLLED].fields, r.bytes, sizeof(hit),
					  r.values) >= 0);
	r.hit = (struct kt_hit){.event = &parsed->events[CONTROLLED], .values = r.values};
	begin();
	kt_field_text_show(&text, &r.hit, 0);
	assert_written(expected);
}

static void control_messages(void **state)
{
	(void)state;
	assert_control(0x1000, 20, 20,
		       "{msg_control=[{cmsg_len=20, cmsg_level=SOL_SOCKET, "
		       "cmsg_type=SCM_RIGHTS, cmsg_data=[7]}], msg_controllen=20}");
	assert_control(0x1000, 400, 20,
		       "{msg_control=[{cmsg_len=20, cmsg_level=SOL_SOCKET, "
		       "cmsg_type=SCM_RIGHTS, cmsg_data=[7]}, ...], msg_controllen=400}");
	assert_control(0x1000, -1, 0, "{msg_control=0x1000, msg_controllen=18446744073709551615}");
	assert_control(0x1000, 20, 15, "{msg_control=0x1000, msg_controllen=20}");
	assert_control(0, 20, 0, "{msg_control=NULL, msg_controllen=20}");
	assert_control(0x1000, 0, 0, "{msg_controllen=0}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_given),
		cmocka_unit_test(messages_returned),
		cmocka_unit_test(other_events),
		cmocka_unit_test(control_messages),
	};

	return cmocka_run_group_tests(tests, open_parsed, free_parsed);
}
