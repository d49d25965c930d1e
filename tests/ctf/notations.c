// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers and addresses, printed as by the kernel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/ctf/made_trace.h"
#include "tests/ctf/view.h"

/* An unusable print format: the fields are printed by name. */
static const char numbers_format[] = FORMAT(
	"numbers",
	"\tfield:u8 x8;\toffset:8;\tsize:1;\tsigned:0;\n"
	"\tfield:s16 sx16;\toffset:10;\tsize:2;\tsigned:1;\n"
	"\tfield:u64 x64;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:s64 sx64;\toffset:24;\tsize:8;\tsigned:1;\n"
	"\tfield:__u16 mode;\toffset:32;\tsize:2;\tsigned:0;\n"
	"\tfield:int omode;\toffset:36;\tsize:4;\tsigned:1;\n"
	"\tfield:unsigned long args[2];\toffset:40;\tsize:16;\tsigned:0;\n"
	"\tfield:unsigned long address;\toffset:56;\tsize:8;\tsigned:0;\n"
	"\tfield:u32 state;\toffset:64;\tsize:4;\tsigned:0;\n"
	"\tfield:dev_t dev;\toffset:68;\tsize:4;\tsigned:0;\n",
	" \"%x %04x %llx %llx 0%o %o (%lx, %lx) %p %s %x %d,%d\", REC->x8, REC->sx16, REC->x64, "
	"(unsigned long long)REC->sx64, REC->mode, REC->omode, REC->args[0], REC->args[1], "
	"(void *)REC->address, __print_symbolic(REC->state, {1, \"ON\"}), REC->state, "
	"((unsigned int) ((REC->dev) >> 20)), "
	"((unsigned int) ((REC->dev) & ((1U << 20) - 1))), \"an argument too many\"");

struct numbers {
	uint8_t x8;
	int16_t sx16;
	uint64_t x64;
	int64_t sx64;
	uint16_t mode;
	int32_t omode;
	uint64_t args[2];
	uint64_t address;
	uint32_t state;
	uint32_t dev;
} __attribute__((packed));

/*
 * In JSON numbers are numbers; pointers and devices are strings. babeltrace2 makes the sign one bit
 * too long if a digit has three bits.
 */
static const struct {
	struct numbers record;
	struct shown shown;
} numbers[] = {
	{{0xff, -1, UINT64_MAX, INT64_MIN, 0100644, -1, {0, 0xabc}, UINT64_MAX, 1, UINT32_MAX},
	 {"x8=0xff sx16=0xffff x64=0xffffffffffffffff sx64=0x8000000000000000 mode=0100644 "
	  "omode=037777777777 args={0x0,0xabc} address=0xffffffffffffffff state=ON "
	  "dev=4095,1048575",
	  "{'x8':255,'sx16':-1,'x64':18446744073709551615,'sx64':-9223372036854775808,"
	  "'mode':33188,'omode':-1,'args':[0,2748],'address':'0xffffffffffffffff','state':1,'dev':'"
	  "4095,1048575'},"
	  "'labels':{'state':'ON'}}",
	  "{ x8 = 0xFF, sx16 = 0xFFFF, x64 = 0xFFFFFFFFFFFFFFFF, sx64 = 0x8000000000000000, "
	  "mode = 0100644, omode = 077777777777, args = [ [0] = 0x0, [1] = 0xABC ], "
	  "address = 0xFFFFFFFFFFFFFFFF, state = ( \"ON\" : container = 0x1 ), "
	  "dev = 0xFFFFFFFF }"}},
	{{0, 0x7fff, 0x1234, 1, 0, 8, {1, 2}, 0, 0xf0, 8 << 20 | 16},
	 {"x8=0x0 sx16=0x7fff x64=0x1234 sx64=0x1 mode=0 omode=010 args={0x1,0x2} address=0x0 "
	  "state=0xf0 dev=8,16",
	  "{'x8':0,'sx16':32767,'x64':4660,'sx64':1,'mode':0,'omode':8,'args':[1,2],"
	  "'address':'0x0','state':240,'dev':'8,16'}}",
	  "{ x8 = 0x0, sx16 = 0x7FFF, x64 = 0x1234, sx64 = 0x1, mode = 00, omode = 010, "
	  "args = [ [0] = 0x1, [1] = 0x2 ], address = 0x0, "
	  "state = ( <unknown> : container = 0xF0 ), dev = 0x800010 }"}},
};

enum { N_NUMBERS = sizeof(numbers) / sizeof(*numbers) };

static void number_notations(void **state)
{
	struct shown shown[N_NUMBERS];
	struct made *m = *state;
	size_t i;

	replace_event(m, NUMBER, numbers_format);
	begin(m, 1000, 0);
	for (i = 0; i < N_NUMBERS; i++) {
		record(m, NUMBER, 1000, &numbers[i].record, sizeof(numbers[i].record));
		shown[i] = numbers[i].shown;
	}
	assert_int_equal(end(m, 1000), 0);
	assert_shown(m, "numbers", shown, N_NUMBERS);
}

static const char addresses_format[] =
	FORMAT("addresses",
	       "\tfield:__u8 v4[4];\toffset:8;\tsize:4;\tsigned:0;\n"
	       "\tfield:__u8 v6[16];\toffset:12;\tsize:16;\tsigned:0;\n"
	       "\tfield:unsigned char mac[6];\toffset:28;\tsize:6;\tsigned:0;\n"
	       "\tfield:char id[16];\toffset:34;\tsize:16;\tsigned:0;\n"
	       "\tfield:__u8 from[28];\toffset:50;\tsize:28;\tsigned:0;\n"
	       "\tfield:__u8 odd[3];\toffset:78;\tsize:3;\tsigned:0;\n"
	       "\tfield:__data_loc __u8[] to;\toffset:84;\tsize:4;\tsigned:0;\n",
	       " \"%pI4 %pI6c %pM %pU %pISpc %pI4 %pISpc\", &REC->v4, REC->v6, REC->mac, REC->id, "
	       "(struct sockaddr *)REC->from, REC->odd, __get_sockaddr(to)");

struct addresses {
	uint8_t v4[4], v6[16], mac[6];
	char id[16];
	uint8_t from[28], odd[3];
	uint16_t to_length;
	uint8_t to[28];
} __attribute__((packed));

static const struct addresses addresses[] = {
	{
		{10, 0, 0, 1},
		{0xfe, 0x80, [15] = 1},
		{2, 0x42, 0xac, 0x11, 0, 2},
		"0123456789abcdef",
		{2, 0, 0, 80, 127, 0, 0, 1},
		{1, 2, 3},
		28,
		{10, 0, 1, 0xbb, [8] = 0x20, 1, 0xd, 0xb8, [23] = 7},
	},
	{.from = {1}, .to_length = 2, .to = {2}},
};

static void address_notations(void **state)
{
	static const char begin_of_lines[] = "           <...>-100     [003]     0.000001000: "
					     "addresses: ";
	static const char begin_of_objects[] = "{\"time\":1000,\"cpu\":3,\"tid\":100,\"system\":"
					       "\"test\",\"event\":\"addresses\",\"fields\":";
	struct made *m = *state;
	char lines[2048], objects[2048], *text;

	replace_event(m, NUMBER, addresses_format);
	begin(m, 1000, 0);
	record(m, NUMBER, 1000, &addresses[0], sizeof(addresses[0]));
	record(m, NUMBER, 1000, &addresses[1], offsetof(struct addresses, to) + 2);
	assert_int_equal(end(m, 1000), 0);
	snprintf(lines, sizeof(lines),
		 "%sv4=10.0.0.1 v6=fe80::1 mac=02:42:ac:11:00:02 "
		 "id=30313233-3435-3637-3839-616263646566 from=127.0.0.1:80 odd={1,2,3} "
		 "to=[2001:db8::7]:443\n"
		 "%sv4=0.0.0.0 v6=:: mac=00:00:00:00:00:00 "
		 "id=00000000-0000-0000-0000-000000000000 from={1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"
		 "0,0,0,0,0,0,0,0,0,0,0,0} odd={0,0,0} to={2,0}\n",
		 begin_of_lines, begin_of_lines);
	snprintf(objects, sizeof(objects),
		 "%s{\"v4\":\"10.0.0.1\",\"v6\":\"fe80::1\",\"mac\":\"02:42:ac:11:00:02\","
		 "\"id\":\"30313233-3435-3637-3839-616263646566\",\"from\":\"127.0.0.1:80\","
		 "\"odd\":[1,2,3],\"to\":\"[2001:db8::7]:443\"}}\n"
		 "%s{\"v4\":\"0.0.0.0\",\"v6\":\"::\",\"mac\":\"00:00:00:00:00:00\","
		 "\"id\":\"00000000-0000-0000-0000-000000000000\",\"from\":[1,0,0,0,0,0,0,0,0,0,0,"
		 "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],\"odd\":[0,0,0],\"to\":[2,0]}}\n",
		 begin_of_objects, begin_of_objects);
	assert_views(m, lines, objects);

	text = babeltrace(&m->dir, "");
	assert_non_null(strstr(text, "{ v4 = [ [0] = 10, [1] = 0, [2] = 0, [3] = 1 ], v6 = "));
	assert_non_null(strstr(text, "mac = [ [0] = 0x2, [1] = 0x42, [2] = 0xAC, [3] = 0x11, "));
	assert_non_null(strstr(text, "_to_length = 2, "));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(number_notations, set_up, tear_down),
		cmocka_unit_test_setup_teardown(address_notations, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
