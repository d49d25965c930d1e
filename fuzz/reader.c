// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A libFuzzer target: reads and prints a damaged trace in every form. Checks that reading ends and
 * needs little memory; that hits are in the order of time; that output is valid UTF-8 without
 * control characters, one line per hit; and that JSON is valid. It mutates one file at a time.
 *
 *	reader DIR		# fuzz with this corpus; the seed traces are added to it
 *	reader FILE		# repeat a finding
 */
#include <errno.h>
#include <json-c/json.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <wchar.h>

#include <cmocka.h>

#include "fuzz/changes.h"
#include "fuzz/pack.h"
#include "fuzz/traces.h"
#include "trace/event_counts.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/trace_reader.h"
#include "values/text.h"
#include "view/event_json.h"
#include "view/folded_stacks.h"
#include "view/ftrace_line.h"
#include "view/report/report_json.h"
#include "view/report/report_text.h"
#include "view/report/trace_report.h"
#include "view/stack_text.h"
#include "view/syscall_json.h"
#include "view/syscall_lines.h"
#include "view/syscall_table.h"

/* Address space in bytes, on top of that at the start. */
enum { MEMORY_MAX = 512 << 20 };

/* Bytes of a hole in a file: more than a record may have, and several windows of a packet. */
enum { HOLE = 5 << 18 };

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t room);
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned int seed);

static struct directory trace;

static void must(bool is, const char *what)
{
	if (is)
		return;
	fprintf(stderr, "reader: %s\n", what);
	abort();
}

/* What check_text() has seen: number of lines, and an incomplete character. */
static struct shown {
	mbstate_t character;
	uint64_t lines;
} shown;

/* A stdio write function. The witness for UTF-8 is the C library's decoder. */
static ssize_t check_text(void *cookie, const char *bytes, size_t size)
{
	struct shown *s = cookie;
	wchar_t c;
	size_t i;

	for (i = 0; i < size; i++) {
		switch (mbrtowc(&c, bytes + i, 1, &s->character)) {
		case (size_t)-1:
			must(false, "text that is not UTF-8");
			break;
		case (size_t)-2:
			continue;
		}
		must(c == '\n' || (c >= 0x20 && c < 0x7f) || c >= 0xa0, "a control character");
		s->lines += c == '\n';
	}
	return size;
}

static void flush(struct kt_text *text)
{
	kt_text_flush(text);
	fflush(text->to);
}

static void check_message(const struct kt_error *err)
{
	must(err->code > 0 && *err->text, "an error without a message");
	check_text(&(struct shown){0}, err->text, strlen(err->text));
	must(!strchr(err->text, '\n'), "a message of several lines");
}

/* Checks that the text is one JSON object on one line. */
static void check_object(const char *text, size_t size)
{
	static struct json_tokener *t;
	struct json_object *o;

	if (!t) {
		t = json_tokener_new();
		json_tokener_set_flags(t, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	}
	must(size > 0 && memchr(text, '\n', size) == text + size - 1, "an object on no line");
	json_tokener_reset(t);
	o = json_tokener_parse_ex(t, text, size - 1);
	must(o && json_object_is_type(o, json_type_object), "no JSON");
	must(json_tokener_get_parse_end(t) == size - 1, "more than an object");
	json_object_put(o);
}

/* Buffer for one printed object. */
static struct object {
	FILE *file;
	char *text;
	size_t size;
} object;

static void check_printed(int ret)
{
	must(ret == 0, "an object that could not be made");
	fflush(object.file);
	check_object(object.text, object.size);
	rewind(object.file);
}

/* Checks the objects that were put, one per line; there may be none. */
static void check_objects(struct kt_text *objects, int ret)
{
	const char *at, *end, *line;

	must(ret == 0, "an object that could not be made");
	flush(objects);
	end = object.text + object.size;
	for (at = object.text; at < end; at = line + 1) {
		line = memchr(at, '\n', end - at);
		must(line, "an object on no line");
		check_object(at, line + 1 - at);
	}
	rewind(object.file);
}

static void check_hit(struct kt_text *text, const struct kt_hit *hit)
{
	static struct kt_text objects;

	kt_ftrace_line_print(text, hit);
	objects.to = object.file;
	check_objects(&objects, kt_event_json_print(&objects, hit));
}

/* Returns the lines of a hit: its own, and one for each frame, or that a stack is lost. */
static size_t count_lines(const struct kt_hit *hit)
{
	const struct kt_hit_stack *s = hit->stacks;
	size_t i, n = 1;

	for (i = 0; hit->event && i < KT_CALLSTACK_KINDS; i++)
		if (hit->event->stacks[i].is_there)
			n += s[i].id && !s[i].n
				     ? 1
				     : s[i].is_cut + s[i].n -
					       kt_stack_first(&s[i], hit->event->stacks[i].symbols);
	return n;
}

/* Reads all hits as 'print' and 'report' do. */
static void read_all(struct kt_trace_report *report, struct kt_trace_reader *r,
		     struct kt_text *text)
{
	uint64_t time = 0, n = 0, lines = shown.lines;
	struct kt_error err;
	struct kt_hit hit;
	int ret;

	must(kt_report_times_begin(&report->times, r), "no memory");
	must(kt_report_counts_begin(&report->summary, r), "no memory");
	while ((ret = kt_trace_reader_next(r, &hit, &err)) != 0) {
		if (ret < 0) {
			check_message(&err);
			continue;
		}
		must(hit.time >= time, "time steps back");
		time = hit.time;
		n += count_lines(&hit);
		check_hit(text, &hit);
		must(kt_report_counts_add(&report->summary, &hit), "no memory");
		must(kt_report_times_add(&report->times, r, &hit), "no memory");
	}
	must(kt_report_times_end(&report->times, r) && kt_report_counts_end(&report->summary, r),
	     "no memory");
	flush(text);
	must(shown.lines - lines == n, "hits that are not a line each, and one for each frame");
}

static void show_report(struct kt_trace_report *report, struct kt_trace_reader *r,
			struct kt_text *text)
{
	struct kt_error err;

	if (!kt_trace_reader_extent(r, KT_MAIN, &report->extent))
		return;
	report->is_growing = kt_trace_reader_is_growing(r);
	report->counts = kt_trace_reader_counts(r, &err);
	if (!report->counts)
		check_message(&err);
	must(kt_report_text_print(text, report) == 0, "no tables");
	flush(text);
	check_printed(kt_report_json_print(object.file, report));
	kt_event_counts_free(report->counts);
}

/* The other output forms of 'print': paired calls, strace's format, and its table (-c). */
struct forms {
	struct kt_syscall_lines *paired[4];
	struct kt_syscall_table *counted;
	struct kt_syscall_json *calls;
	struct kt_folded_stacks *stacks;
	struct kt_text objects; /* of calls */
};

static void open_forms(struct forms *f, const struct kt_metadata *s)
{
	static const char *const paths[] = {"/etc/passwd", "a", "", NULL};
	static const struct kt_strace_form strace = {.prefix = {.absolute = KT_TIME_CLOCK},
						     .spent = true,
						     .spent_digits = 9,
						     .return_column = 40},
					   failed = {.prefix = {.relative = true,
								.relative_digits = 3},
						     .hidden = KT_SUCCESSFUL},
					   chosen = {.prefix = {.comms = true},
						     .numbers = true,
						     .paths = paths};

	f->paired[0] = kt_syscall_lines_new(s, NULL);
	f->paired[1] = kt_syscall_lines_new(s, &strace);
	f->paired[2] = kt_syscall_lines_new(s, &failed);
	f->paired[3] = kt_syscall_lines_new(s, &chosen);
	f->counted = kt_syscall_table_new(s);
	f->calls = kt_syscall_json_new(s);
	f->stacks = kt_folded_stacks_new();
	f->objects.to = object.file;
}

static void close_forms(struct forms *f, struct kt_text *text)
{
	static const struct kt_syscall_table_form table = {
		.by = KT_SYSCALL_TABLE_TOTAL,
		.columns = {KT_SYSCALL_TABLE_TOTAL, KT_SYSCALL_TABLE_NAME},
		.n = 2};
	size_t i;

	for (i = 0; i < 4; i++) {
		must(kt_syscall_lines_end(f->paired[i], text) == 0, "no memory");
		kt_syscall_lines_free(f->paired[i]);
	}
	must(kt_syscall_table_print(f->counted, text, &table) == 0, "no memory");
	kt_syscall_table_free(f->counted);
	kt_folded_stacks_print(f->stacks, text);
	kt_folded_stacks_free(f->stacks);
	check_objects(&f->objects, kt_syscall_json_end(f->calls, &f->objects));
	kt_syscall_json_free(f->calls);
	flush(text);
}

/* Prints the trace in the other forms; a reader reads a trace once, so this opens its own. */
static void show_forms(struct kt_text *text)
{
	struct kt_error err;
	struct kt_trace_reader *r = kt_trace_reader_open(trace.path, &err);
	static struct forms f;
	struct kt_hit hit;
	size_t i;
	int ret;

	must(r, "a trace that was there");
	open_forms(&f, kt_trace_reader_metadata(r));
	while ((ret = kt_trace_reader_next(r, &hit, &err)) != 0) {
		for (i = 0; ret > 0 && i < 4; i++) {
			text->names = i % (KT_NAMES_VERBOSE + 1);
			text->escapes = i;
			must(kt_syscall_lines_print(f.paired[i], text, &hit) == 0, "no memory");
		}
		text->names = KT_NAMES_ABBREV;
		text->escapes = KT_ESCAPE_CONTROLS;
		must(ret < 0 || kt_syscall_table_add(f.counted, &hit) == 0, "no memory");
		must(ret < 0 || kt_folded_stacks_add(f.stacks, &hit) == 0, "no memory");
		if (ret > 0)
			check_objects(&f.objects, kt_syscall_json_print(f.calls, &f.objects, &hit));
	}
	close_forms(&f, text);
	kt_trace_reader_free(r);
}

static void show(struct kt_trace_reader *r, bool each_task)
{
	struct kt_trace_report report = {.path = "ktrace.out", .reader = r, .each_task = each_task};
	static struct kt_text text;

	if (!text.to)
		text.to = fopencookie(&shown, "w", (cookie_io_functions_t){.write = check_text});
	read_all(&report, r, &text);
	show_forms(&text);
	show_report(&report, r, &text);
	kt_report_counts_free(&report.summary);
	kt_report_times_free(&report.times);
}

/* Writes a file whose end is a hole (zeros) of that size. */
static void write_file(const char *name, const uint8_t *bytes, size_t size, size_t hole)
{
	int fd = openat(trace.fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	must(fd >= 0 && write(fd, bytes, size) == (ssize_t)size && ftruncate(fd, size + hole) == 0,
	     "cannot write the trace");
	close(fd);
}

/* Writes the trace's files. With holes, packets and records may reach into zeros. */
static void write_trace(const struct pack *p, bool has_holes)
{
	size_t i;

	for (i = 0; i < N_FILES; i++) {
		if (p->files[i].bytes)
			write_file(file_names[i], p->files[i].bytes, p->files[i].size,
				   has_holes && is_stream(i) ? HOLE : 0);
		else
			unlinkat(trace.fd, file_names[i], 0);
	}
}

/* Parses metadata in a buffer of its exact size: other tests read it with a NUL at the end. */
static void parse(const void *text, size_t size)
{
	struct kt_error err;
	char *copy = malloc(size);
	struct kt_metadata *s;

	if (size > 0)
		memcpy(copy, text, size);
	s = kt_metadata_parse(copy, size, &err);
	if (!s)
		check_message(&err);
	kt_metadata_free(s);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct kt_error err;
	struct kt_trace_reader *r;
	struct pack p;

	unpack(bytes, size, &p);
	parse(p.files[METADATA].bytes, p.files[METADATA].size);
	write_trace(&p, (size & 12) == 12);
	must(flock(trace.fd, size & 2 ? LOCK_EX : LOCK_UN) == 0, "flock"); /* as a recorder would */
	r = kt_trace_reader_open(trace.path, &err);
	if (r)
		show(r, size & 1);
	else
		check_message(&err);
	kt_trace_reader_free(r);
	return 0;
}

/* Mutates file i; half of the mutations are libFuzzer's. */
static size_t change(size_t i, uint8_t *bytes, size_t size, size_t room, unsigned int *seed)
{
	switch (rand_r(seed) % 8) {
	case 0:
	case 1:
	case 2:
		return is_stream(i) ? change_words(bytes, size, seed)
				    : change_number(bytes, size, room, seed);
	case 3:
		return is_stream(i) ? cut_packet(bytes, size, seed) : rand_r(seed) % (size + 1);
	default:
		return LLVMFuzzerMutate(bytes, size, room);
	}
}

/* Restores all files but file i: an error in one file would hide the others from the reader. */
static void restore_others(struct pack *p, size_t i, unsigned int *seed)
{
	const struct packed *whole = &traces[rand_r(seed) % N_WHOLE];
	struct pack mended;

	unpack(whole->bytes, whole->size, &mended);
	mended.files[i] = p->files[i];
	*p = mended;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned int seed)
{
	static uint8_t whole[PACK_MAX], file[PACK_MAX];
	size_t i = rand_r(&seed) % N_FILES, n, more;
	struct pack p;

	must(room <= PACK_MAX, "-max_len is more than PACK_MAX");
	memcpy(whole, bytes, size);
	unpack(whole, size, &p);
	if (rand_r(&seed) % 2)
		restore_others(&p, i, &seed);
	n = p.files[i].size;
	if (n > 0)
		memcpy(file, p.files[i].bytes, n);
	more = pack_size(&p) < room ? room - pack_size(&p) : 0;
	p.files[i].bytes = file;
	p.files[i].size = change(i, file, n, n + more, &seed);
	return pack(&p, bytes, room);
}

/* Limits the address space, but for the terabytes that a sanitizer reserves. */
static void limit_memory(void)
{
	unsigned long pages = 0;
	struct rlimit limit;
	FILE *f = fopen("/proc/self/statm", "re");

	must(f && fscanf(f, "%lu", &pages) == 1, "cannot read /proc/self/statm");
	fclose(f);
	limit.rlim_cur = limit.rlim_max = pages * sysconf(_SC_PAGESIZE) + MEMORY_MAX;
	must(setrlimit(RLIMIT_AS, &limit) == 0, "cannot limit memory");
}

static void remove_trace(void)
{
	remove_directory(&trace);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	int i, dir;

	must(setlocale(LC_CTYPE, "C.UTF-8"), "no locale");
	make_traces();
	for (i = 1; i < *argc; i++) {
		dir = open((*argv)[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (dir < 0)
			continue;
		add_traces(dir);
		close(dir);
	}
	open_directory(&trace);
	must(mkdirat(trace.fd, "ktrace", 0700) == 0, "mkdir");
	atexit(remove_trace);
	object.file = open_memstream(&object.text, &object.size);
	limit_memory();
	return 0;
}
