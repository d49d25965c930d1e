/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fuzzer's seed traces: together they have every kind of record and file. */
#ifndef KT_FUZZ_TRACES_H
#define KT_FUZZ_TRACES_H

#include "constants/symbols.h"
#include "ctypes/struct_layout.h"
#include "fetch/argument_labels.h"
#include "fuzz/pack.h"
#include "tests/ctf/sched_events.h"
#include "tests/ctf/stacks.h"
#include "tests/ctf/task_names.h"
#include "trace/event_counts.h"
#include "trace/event_counts_file.h"

enum { N_WHOLE = 3, N_TRACES = 7 };

/* Packed traces; complete ones are first. */
static struct packed {
	const char *name;
	size_t size;
	uint8_t bytes[PACK_MAX];
} traces[N_TRACES];

/* Packs the files of a made trace and removes it. */
static inline void pack_trace(struct packed *to, const char *name, struct made *m)
{
	static char bytes[N_FILES][FILE_MAX];
	struct pack p = {};
	void *state = m;
	size_t i;

	for (i = 0; i < N_FILES; i++) {
		if (faccessat(m->dir.fd, file_names[i], F_OK, 0) < 0)
			continue;
		p.files[i].size = load(m, file_names[i], bytes[i], sizeof(bytes[i]));
		p.files[i].bytes = (uint8_t *)bytes[i];
	}
	to->name = name;
	to->size = pack(&p, to->bytes, sizeof(to->bytes));
	tear_down(&state);
}

static inline void write_counts(struct made *m)
{
	static struct kt_row rows[] = {
		{NUMBER, 0, {.hits = 7, .filtered = 3, .records = 7}},
		{NUMBER, 3, {.hits = 63, .records = 0, .lost = {1, 2, 4, 8, 16, 32}}},
		{NUMBER, KT_NO_CPU, {.hits = 9, .lost[KT_LOST_MISSED] = 9}},
	};
	const struct kt_event_counts b = {2, 4, 3, true, rows, sizeof(rows) / sizeof(*rows)};

	assert_int_equal(kt_event_counts_file_make(m->dir.fd, b.n, &m->err), 0);
	assert_int_equal(kt_event_counts_file_write(&b, &m->metadata, m->dir.fd, &m->err), 0);
}

/* An event that its print format prints. */
static const char printed_format[] = FORMAT(
	"printed",
	"\tfield:u8 vec;\toffset:8;\tsize:1;\tsigned:0;\n"
	"\tfield:s16 ret;\toffset:10;\tsize:2;\tsigned:1;\n"
	"\tfield:int flags;\toffset:12;\tsize:4;\tsigned:1;\n"
	"\tfield:u64 state;\toffset:16;\tsize:8;\tsigned:0;\n",
	"\"%s %-*d|%s %#llx%s\", __print_symbolic(REC->vec, {0, \"HI\"}, {3, \"NET RX\"}), "
	"REC->vec, REC->ret >> 1, __print_flags(REC->flags, \"|\", {3UL, \"AB\"}, {1UL, \"A\"}), "
	"(unsigned long long)REC->state & 0xff, REC->state & 256 ? \"+\" : \"\"");

/* Puts a terminal escape sequence into a label; no recording writes one. */
static inline void put_escape(struct made *m, const char *label)
{
	char bytes[PACK_MAX], *at;
	size_t size = load(m, "metadata", bytes, sizeof(bytes));

	at = memmem(bytes, size, label, strlen(label));
	assert_non_null(at);
	*at = '\x1b';
	store(m, "metadata", bytes, size);
}

/* Packets on two CPUs, with losses between them. */
static inline void make_kinds(struct packed *to)
{
	static const struct labelled labelled = {3, 5, 7, 258};
	static const struct kinds kinds = {.s8 = -1, .comm = "h\xc3\xa9\x1b", .ip = {127, 0, 0, 1}};
	static const struct called called = {1, 0x1010, 0x2000, 0x1010};
	struct kt_symbols symbols = {};
	struct made *m;

	assert_int_equal(kt_symbols_add(&symbols, 0x1000, 0x10ff, "f [mod]"), 0);
	assert_int_equal(kt_symbols_add(&symbols, 0x1100, 0x1fff, "g"), 0);
	set_up((void **)&m);
	put_event(m, NOTHING, "test", called_format);
	put_event(m, LABELLED, "test", printed_format);
	m->metadata.symbols = &symbols;
	strcpy(m->metadata.host.nodename, "h\x1bre\xff");
	rewrite_metadata(m);
	put_escape(m, "NET RX");
	go_to_cpu(m, 1);
	begin(m, 1000, 0);
	record(m, KINDS, 1000, &kinds, sizeof(kinds));
	record(m, NOTHING, 1001, &called, sizeof(called));
	record(m, VARYING, 1002, &some, sizeof(some));
	assert_int_equal(end(m, 1003), 0);
	begin(m, 2000, 5);
	record(m, LABELLED, 2000, &labelled, sizeof(labelled));
	number(m, 2001, 7);
	assert_int_equal(end(m, 2003), 0);
	go_to_cpu(m, 0);
	begin(m, 1001, 0);
	number(m, 1001, 1);
	assert_int_equal(end(m, 2001), 0);
	write_task_names(m,
			 HEAD ROW(900, 100, "a\\u00e9\\u001b") "{\"time\":1001,\"lost\":2}\n" ROW(
				 1500, 7, "name"));
	write_counts(m);
	pack_trace(to, "kinds", m);
	kt_symbols_clear(&symbols);
}

static inline struct kt_struct_layout *make_composite(const char *name, struct kt_struct_layout *of)
{
	struct kt_struct_layout *c = calloc(1, sizeof(*c));

	assert_non_null(c);
	c->name = strdup(name);
	c->n = 2;
	c->fields = calloc(c->n, sizeof(*c->fields));
	c->fields[0] = (struct kt_field){.name = strdup("a"),
					 .type = "char[]",
					 .size = 2,
					 .width = 1,
					 .flags = KT_FIELD_ARRAY};
	c->fields[1] = (struct kt_field){
		.name = strdup("b"), .type = "int", .width = of ? of->size : 2, .of = of};
	c->fields[1].size = of ? 2 * of->size : 2;
	c->fields[1].flags = of ? KT_FIELD_ARRAY : KT_FIELD_SIGNED;
	c->size = c->fields[0].size + c->fields[1].size;
	return c;
}

/* A call with a pointer to nested structs, and a number whose meaning another argument selects. */
static inline void put_call(struct made *m, size_t i)
{
	put_event(m, i, "syscalls",
		  FORMAT("sys_enter_mremap",
			 "\tfield:u64 p;\toffset:8;\tsize:8;\tsigned:0;\n"
			 "\tfield:u64 flags;\toffset:16;\tsize:8;\tsigned:0;\n"
			 "\tfield:u64 new_addr;\toffset:24;\tsize:8;\tsigned:0;\n"));
	kt_argument_label(m->events[i]);
	assert_int_equal(kt_event_add_structs(m->events[i], "__p_val",
					      make_composite("o", make_composite("i", NULL))),
			 0);
}

/* The return of that call; without error names, which would be most of the metadata. */
static inline void put_return(struct made *m, size_t i)
{
	put_event(m, i, "syscalls",
		  FORMAT("sys_exit_mremap", "\tfield:long ret;\toffset:8;\tsize:8;\tsigned:1;\n"));
}

/* Switches of tasks, some of them followed; and a call. */
static inline void make_switches(struct packed *to)
{
	static const uint32_t tids[] = {0, 7, 8, 7};
	static const int64_t error = -2;
	struct made *m;
	size_t i;

	set_up((void **)&m);
	put_event(m, SWITCH, "sched", FORMAT("sched_switch", SWITCH_FIELDS));
	put_call(m, KINDS);
	put_return(m, NOTHING);
	m->metadata.n_events = 3;
	m->metadata.follows = true;
	m->metadata.from =
		(struct kt_provenance){"f", {1005, "a", "b", "c"}, 1010, {1001, "a", "b", "d"}, -7};
	rewrite_metadata(m);
	go_to_cpu(m, 1);
	begin(m, 1000, 0);
	for (i = 0; i < 3; i++)
		put_switch(m, 1000 + i, tids[i], i, tids[i + 1]);
	assert_int_equal(end(m, 1010), 0);
	go_to_cpu(m, 0);
	begin(m, 900, 0);
	for (i = 0; i < 3; i++)
		put_switch(m, 1003 + i, tids[i], 0x100, tids[i + 1]);
	record_of_task(m, KINDS, 1006, 7, "address\0\2\0\0\0\0\0\0\0new_addr\1\0aaaabbbbcc", 36);
	record_of_task(m, NOTHING, 1007, 7, &error, sizeof(error));
	record_of_task(m, NOTHING, 1008, 8, &error, sizeof(error));
	assert_int_equal(end(m, 1020), 0);
	write_task_names(m,
			 HEAD FOLLOWED(800, 7, "seven") ROW(900, 8, "eight") ROW(1001, 7, "left"));
	write_counts(m);
	pack_trace(to, "switches", m);
}

#define REQUEST_FIELDS                                               \
	"\tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n"        \
	"\tfield:sector_t sector;\toffset:16;\tsize:8;\tsigned:0;\n" \
	"\tfield:char rwbs[4];\toffset:24;\tsize:4;\tsigned:0;\n"

static inline void put_request(struct made *m, unsigned int event, uint64_t time)
{
	record(m, event, time, "\1\0\200\17\10\0\0\0\0\0\0\0RA\0", 16);
}

/* A task that waits for a disk, and is woken on another CPU; with losses. */
static inline void make_waits(struct packed *to)
{
	struct made *m;

	set_up((void **)&m);
	put_sched_events(m);
	put_event(m, VARYING, "block", FORMAT("block_rq_issue", REQUEST_FIELDS));
	m->events[NOTHING]->stacks =
		KT_CALLSTACK_BIT(KT_CALLSTACK_KERNEL) | KT_CALLSTACK_BIT(KT_CALLSTACK_USER);
	put_event(m, LABELLED, "block", FORMAT("block_rq_complete", REQUEST_FIELDS));
	rewrite_metadata(m);
	go_to_cpu(m, 1);
	begin(m, 1000, 0);
	put_request(m, VARYING, 1001);
	put_switch(m, 1002, 7, 2, 0);
	put_switch(m, 1010, 0, 0, 7);
	assert_int_equal(end(m, 1010), 0);
	begin(m, 1020, 3);
	put_switch(m, 1021, 7, 16, 0);
	assert_int_equal(end(m, 1030), 0);
	begin_cpu(m, 0, 900);
	put_request(m, LABELLED, 1007);
	put_waking(m, 1008, 9, 7);
	record(m, NOTHING, 1009, "\x07\0\0\0\0\0\0\0\x08\0\0\0\0\0\0\0", 16);
	record(m, NOTHING, 1010, "\x01\0\0\0\0\0\0\0\x08\0\0\0\0\0\0\0", 16);
	assert_int_equal(end(m, 1030), 0);
	write_stacks(m, HEAD "{\"stack\":7,\"frames\":[18446744071583795564,4097,4097]}\n"
			     "{\"binary\":1,\"build_id\":\"0b9f\"}\n"
			     "{\"stack\":8,\"cut\":true,\"frames\":[[1,17],4097,[1,33]]}\n");
	write_beside(m, BINARIES_NAME,
		     HEAD "{\"binary\":1,\"path\":\"/b\"}\n"
			  "{\"binary\":1,\"first\":16,\"last\":31,\"function\":\"f\"}\n"
			  "{\"binary\":1,\"first\":32,\"last\":33,\"function\":\"g\"}\n");
	write_task_names(m, HEAD ROW(1001, 7, "left"));
	write_counts(m);
	pack_trace(to, "waits", m);
}

/* Metadata that starts as a trace of another format, for the error message. */
static inline void make_other(struct packed *to, const char *name, const char *metadata)
{
	to->name = name;
	to->size = sprintf((char *)to->bytes, "=== metadata\n/* CTF 1.8 */%s", metadata);
}

static inline void make_traces(void)
{
	make_kinds(&traces[0]);
	make_switches(&traces[1]);
	make_waits(&traces[2]);
	make_other(&traces[3], "control", "\x1b[2J\xff");
	make_other(&traces[4], "escape", "\"\\");
	make_other(&traces[5], "comment", "/*");
	make_other(&traces[6], "number", "trace 7");
}

/* Writes the seed traces to the corpus. */
static inline void add_traces(int dir)
{
	size_t i;
	int fd;

	for (i = 0; i < N_TRACES; i++) {
		fd = openat(dir, traces[i].name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
		assert_int_equal(write(fd, traces[i].bytes, traces[i].size), traces[i].size);
		close(fd);
	}
}

#endif
