// SPDX-License-Identifier: GPL-2.0-or-later
/* Members that a view finds by name, in traces that declare them with another type. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/lines.h"
#include "tests/unit/metadata.h"

#define TYPES                                  \
	ALIAS(INTEGER(64, false), "pointer64") \
	ALIAS(INTEGER(8, false), "sockaddr")   \
	"struct pair { u8 _a; u64 _b; u8 _c[7]; };\n"

enum { ENTER_FEW, EXIT_FEW, ENTER_ACCEPT, EXIT_ACCEPT, SIGNAL, EXITED };

#define EVENTS                                                                        \
	TYPES                                                                         \
	EVENT(0, "syscalls:sys_enter_few", "u64 _a;")                                 \
	EVENT(1, "syscalls:sys_exit_few", "u8 __ret_length; s64 _ret[__ret_length];") \
	EVENT(2, "syscalls:sys_enter_accept",                                         \
	      "pointer64 _upeer_sockaddr; pointer64 _upeer_addrlen; u8 _n; "          \
	      "struct pair ___upeer_addrlen_val[_n];")                                \
	EVENT(3, "syscalls:sys_exit_accept",                                          \
	      "s64 _ret; u8 _n; sockaddr ___upeer_sockaddr_val[_n];")                 \
	EVENT(4, "signal:signal_deliver", "u8 _n; struct pair _sig[_n]; s64 _code;")  \
	EVENT(5, "sched:sched_process_exit", "u8 _n; struct pair _exit_code[_n];")

static void begin(unsigned int hidden)
{
	struct kt_strace_form form = {.hidden = hidden, .return_column = 40};

	begin_lines(HEAD ENV("") STREAM EVENTS, &form);
}

/* Puts a record with these bytes, and as many bytes of ones after it. */
static void put(int id, const void *bytes, size_t n)
{
	char record[256];

	memset(record, 0xff, sizeof(record));
	memcpy(record, bytes, n);
	put_record(id, record, sizeof(record));
}

static void end(const char *expected)
{
	assert_int_equal(kt_syscall_lines_end(paired, &text), 0);
	end_lines();
	assert_string_equal(written, expected);
	free_lines();
}

/* An empty sequence of results is neither success nor failure, whatever bytes follow. */
static void ret_is_a_sequence(void **state)
{
	(void)state;
	begin(KT_SUCCESSFUL);
	put(EXIT_FEW, "\0", 1);
	end("");
	begin(KT_FAILED);
	put(EXIT_FEW, "\0", 1);
	end("");
	begin(0);
	put(EXIT_FEW, "\0", 1);
	end("7     sys_exit_few: ret={}\n");
}

/* The buffer's size is unknown: the whole address is printed. */
static void room_is_a_struct(void **state)
{
	static const char entry[33] = "\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\1\1";
	static const char exit[25] = "\3\0\0\0\0\0\0\0\20\2\0\0\120\177\0\0\1";

	(void)state;
	begin(0);
	put(ENTER_ACCEPT, entry, sizeof(entry));
	put(EXIT_ACCEPT, exit, sizeof(exit));
	end("7     accept({sa_family=AF_INET, sin_port=htons(80), "
	    "sin_addr=inet_addr(\"127.0.0.1\")}, "
	    "{a=1, b=0, c=[0, 0, 0, 0, 0, 0, 0]}) = 3\n");
}

/* Printed like any other event. */
static void signals_without_their_numbers(void **state)
{
	(void)state;
	begin(0);
	put(SIGNAL, "\1\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 25);
	put(EXITED, "\1\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 17);
	end("7     signal_deliver: sig={a=1, b=0, c=[0, 0, 0, 0, 0, 0, 0]} code=0\n"
	    "7     sched_process_exit: exit_code={a=1, b=0, c=[0, 0, 0, 0, 0, 0, 0]}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ret_is_a_sequence),
		cmocka_unit_test(room_is_a_struct),
		cmocka_unit_test(signals_without_their_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
