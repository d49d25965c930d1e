// SPDX-License-Identifier: GPL-2.0-or-later
/* How long disk requests, interrupts, softirqs and timers take, from events made by tests. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/ctf/made_trace.h"
#include "trace/read/trace_reader.h"
#include "view/report/span_times.h"

enum { BEGIN = NUMBER, END = KINDS, OTHER_BEGIN = VARYING, OTHER_END = LABELLED };

#define DEV    "\tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n"
#define SECTOR "\tfield:sector_t sector;\toffset:16;\tsize:8;\tsigned:0;\n"
#define RWBS   "\tfield:char rwbs[4];\toffset:24;\tsize:4;\tsigned:0;\n"
#define IRQ    "\tfield:int irq;\toffset:8;\tsize:4;\tsigned:1;\n"
#define VEC    "\tfield:unsigned int vec;\toffset:8;\tsize:4;\tsigned:0;\n"

static void set_up_trace(struct made *m)
{
	rewrite_metadata(m);
	begin_cpu(m, 0, 100);
}

static void put_request(struct made *m, unsigned int event, uint64_t time, uint32_t dev,
			uint64_t sector, const char *rwbs)
{
	struct {
		uint32_t dev;
		uint64_t sector;
		char rwbs[4];
	} __attribute__((packed)) fields = {dev, sector, ""};

	memcpy(fields.rwbs, rwbs, strlen(rwbs));
	record(m, event, time, &fields, sizeof(fields));
}

static void put_number(struct made *m, unsigned int event, uint64_t time, uint32_t number)
{
	record(m, event, time, &number, sizeof(number));
}

/* Asserts lines like "0 254:0 read 2: 30/20": kind, name, count, total and longest time. */
static void assert_spans(struct made *m, const char *expected)
{
	struct kt_trace_reader *r = kt_trace_reader_open(m->dir.path, &m->err);
	struct kt_span_times s;
	struct kt_hit hit;
	char text[512] = "";
	size_t i, len = 0;

	assert_non_null(r);
	kt_span_times_begin(&s, r);
	while (kt_trace_reader_next(r, &hit, &m->err) > 0)
		assert_true(kt_span_times_add(&s, r, &hit));
	kt_span_times_end(&s);
	for (i = 0; i < s.n; i++)
		len += sprintf(text + len, "%d %s %" PRIu64 ": %" PRIu64 "/%" PRIu64 "\n",
			       s.rows[i]->kind, s.rows[i]->name, s.rows[i]->count, s.rows[i]->total,
			       s.rows[i]->longest);
	for (i = 0; i < KT_SPAN_KINDS; i++)
		if (s.unpaired[i])
			len += sprintf(text + len, "%zu unpaired %" PRIu64 "\n", i, s.unpaired[i]);
	assert_string_equal(text, expected);
	kt_span_times_free(&s);
	kt_trace_reader_free(r);
}

#define DISK(major, minor) ((major) << 20 | (minor))

/* By device and operation, whatever CPU ends them; a request that was requeued begins again. */
static void disk_requests(void **state)
{
	struct made *m = *state;

	put_event(m, BEGIN, "block", FORMAT("block_rq_issue", DEV SECTOR RWBS));
	put_event(m, END, "block", FORMAT("block_rq_complete", DEV SECTOR RWBS));
	set_up_trace(m);
	put_request(m, BEGIN, 110, DISK(254, 1), 8, "R");
	put_request(m, BEGIN, 111, DISK(8, 0), 8, "WS");
	put_request(m, BEGIN, 112, DISK(254, 1), 16, "RA");
	put_request(m, END, 120, DISK(254, 1), 16, "RA");
	put_request(m, END, 121, DISK(254, 1), 24, "R"); /* issued before the trace */
	put_request(m, BEGIN, 130, DISK(8, 0), 0, "FF");
	put_request(m, BEGIN, 131, DISK(8, 0), 32, "FWS"); /* a write after a flush */
	put_request(m, END, 132, DISK(8, 0), 0, "FF");
	put_request(m, BEGIN, 133, DISK(8, 0), 40, "D");
	put_request(m, BEGIN, 134, DISK(8, 0), 48, "N");
	put_request(m, BEGIN, 140, DISK(254, 1), 64, "R");
	put_request(m, BEGIN, 150, DISK(254, 1), 64, "R");
	put_request(m, END, 155, DISK(254, 1), 64, "R");
	assert_int_equal(end(m, 200), 0);
	begin_cpu(m, 1, 100);
	put_request(m, END, 141, DISK(254, 1), 8, "R");
	put_request(m, END, 142, DISK(8, 0), 8, "WS");
	put_request(m, END, 143, DISK(8, 0), 32, "FWS");
	put_request(m, END, 144, DISK(8, 0), 40, "D");
	assert_int_equal(end(m, 200), 0);
	assert_spans(m, "0 254:1 read 3: 44/31\n"
			"0 8:0 write 2: 43/31\n"
			"0 8:0 discard 1: 11/11\n"
			"0 8:0 flush 1: 2/2\n"
			"0 8:0 other 0: 0/0\n"
			"0 unpaired 1\n");
}

/* By CPU; an interrupt may come during a softirq. */
static void interrupts(void **state)
{
	struct made *m = *state;

	put_event(m, BEGIN, "irq",
		  FORMAT("softirq_entry", VEC, ", __print_symbolic(REC->vec, {1, \"TIMER\"})"));
	put_event(m, END, "irq", FORMAT("softirq_exit", VEC));
	put_event(m, OTHER_BEGIN, "irq", FORMAT("irq_handler_entry", IRQ));
	put_event(m, OTHER_END, "irq", FORMAT("irq_handler_exit", IRQ));
	set_up_trace(m);
	put_number(m, END, 101, 1);
	put_number(m, BEGIN, 110, 1);
	put_number(m, OTHER_BEGIN, 120, 24);
	put_number(m, OTHER_END, 123, 24);
	put_number(m, END, 130, 1);
	put_number(m, BEGIN, 131, 9);
	put_number(m, END, 132, 9);
	put_number(m, BEGIN, 140, 1);
	put_number(m, END, 150, 9); /* another one's */
	put_number(m, END, 151, 1);
	assert_int_equal(end(m, 200), 0);
	begin_cpu(m, 1, 100);
	put_number(m, BEGIN, 115, 1);
	put_number(m, END, 120, 1);
	assert_int_equal(end(m, 200), 0);
	assert_spans(m, "2 TIMER 2: 25/20\n"
			"1 24 1: 3/3\n"
			"2 9 1: 1/1\n"
			"2 unpaired 3\n");
}

/* A time between whose ends records were lost on any CPU is unknown. */
static void losses(void **state)
{
	struct made *m = *state;

	put_event(m, BEGIN, "irq", FORMAT("softirq_entry", VEC));
	put_event(m, END, "irq", FORMAT("softirq_exit", VEC));
	set_up_trace(m);
	put_number(m, BEGIN, 110, 1);
	put_number(m, END, 120, 1);
	put_number(m, BEGIN, 130, 1);
	lose(m, 140, 2);
	put_number(m, END, 150, 1);
	put_number(m, BEGIN, 160, 1);
	put_number(m, END, 165, 1);
	assert_int_equal(end(m, 200), 0);
	assert_spans(m, "2 1 2: 15/10\n"
			"2 unpaired 1\n");
}

/* An event without its counterpart, or without the fields that pair them. */
static void without_pairs(void **state)
{
	struct made *m = *state;

	put_event(m, BEGIN, "irq", FORMAT("softirq_entry", VEC));
	put_event(m, OTHER_BEGIN, "block", FORMAT("block_rq_issue", DEV RWBS));
	put_event(m, OTHER_END, "block", FORMAT("block_rq_complete", DEV SECTOR RWBS));
	set_up_trace(m);
	put_number(m, BEGIN, 110, 1);
	put_request(m, OTHER_END, 120, DISK(8, 0), 8, "R");
	assert_int_equal(end(m, 200), 0);
	assert_spans(m, "");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(disk_requests, set_up, tear_down),
		cmocka_unit_test_setup_teardown(interrupts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(losses, set_up, tear_down),
		cmocka_unit_test_setup_teardown(without_pairs, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
