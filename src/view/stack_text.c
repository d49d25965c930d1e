// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/stack_text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/hex.h"
#include "bpf/callstacks.h"
#include "trace/read/binaries_reader.h"
#include "trace/read/metadata_reader.h"
#include "trace/read/stacks_reader.h"
#include "trace/read/stream_reader.h"
#include "values/json_text.h"
#include "values/text.h"

/* Functions between a hit and its program begin with these, and so does the program. */
static const char *const of_tracing[] = {
	"bpf_prog_",        "bpf_trampoline_",    "__bpf_prog_", "bpf_trace_run", "__bpf_trace_",
	"__traceiter_",     "trace_call_bpf",     "perf_trace_", "kprobe_",       "opt_pre_handler",
	"aggr_pre_handler", "optimized_callback", "fprobe_",     "ftrace_",       "function_graph_",
	"arch_ftrace_",     "arch_rethook_",      "rethook_",    "kretprobe_",    "__kretprobe_",
	"bpf_get_stack",    "return_to_handler",
};

static bool is_of_tracing(const struct kt_symbol *s)
{
	size_t i = 0, n = sizeof(of_tracing) / sizeof(*of_tracing);

	while (i < n && strncmp(s->name, of_tracing[i], strlen(of_tracing[i])) != 0)
		i++;
	return i < n;
}

/*
 * Nothing calls from the padding before a function: the frame is where an interrupt came, at the
 * function's first instruction.
 */
static const struct kt_symbol *find_kernel(uint64_t at, size_t frame,
					   const struct kt_symbols *symbols)
{
	static const char padding[] = "__pfx_";
	const struct kt_symbol *found = kt_symbols_find(symbols, kt_callstack_code(at, frame));

	return found && !strncmp(found->name, padding, strlen(padding))
		       ? kt_symbols_find(symbols, at)
		       : found;
}

/* Returns the symbol of a frame's function; or NULL. */
static const struct kt_symbol *find_symbol(const struct kt_hit_stack *s, size_t frame,
					   const struct kt_symbols *symbols)
{
	const struct kt_frame *f = &s->frames[frame];

	if (f->binary)
		return kt_symbols_find(&f->binary->functions, kt_callstack_code(f->at, frame));
	return symbols ? find_kernel(f->at, frame, symbols) : NULL;
}

size_t kt_stack_known(const struct kt_hit_stack *s, const struct kt_symbols *symbols)
{
	size_t n = s->n;

	while (!symbols && n > 1 && !s->frames[n - 1].binary)
		n--;
	return n;
}

/* A program may have no symbol. */
size_t kt_stack_first(const struct kt_hit_stack *s, const struct kt_symbols *symbols)
{
	const struct kt_symbol *symbol;
	size_t i, first = 0;

	for (i = 0; symbols && i < s->n; i++) {
		symbol = find_symbol(s, i, symbols);
		if (symbol && !is_of_tracing(symbol))
			break;
		if (symbol)
			first = i + 1;
	}
	return first;
}

/* Writes what tells which file a binary is. Returns the length. */
static size_t write_file(const struct kt_named_binary *b, char text[KT_STACK_FRAME_MAX])
{
	enum { MAX = KT_STACK_FRAME_MAX - KT_SYMBOL_MAX };
	int n = snprintf(text, MAX, "%s%s", b->path ? "" : "build_id:",
			 b->path       ? b->path
			 : b->build_id ? b->build_id
				       : "");

	return n < MAX ? n : MAX - 1;
}

static size_t write_function(const struct kt_symbol *symbol, const struct kt_frame *f,
			     char text[KT_STACK_FRAME_MAX])
{
	size_t n = kt_symbol_write(symbol, f->at, text);

	if (!f->binary)
		return n;
	n += sprintf(text + n, " (");
	n += write_file(f->binary, text + n);
	text[n++] = ')';
	return n;
}

size_t kt_stack_frame(const struct kt_hit_stack *s, size_t frame, const struct kt_symbols *symbols,
		      char text[KT_STACK_FRAME_MAX])
{
	const struct kt_symbol *symbol = find_symbol(s, frame, symbols);
	const struct kt_frame *f = &s->frames[frame];
	size_t n = 0;

	if (symbol)
		return write_function(symbol, f, text);
	if (f->binary) {
		n = write_file(f->binary, text);
		text[n++] = '+';
	}
	return kt_hex_write(text + n, f->at) - text;
}

size_t kt_stack_function(const struct kt_hit_stack *s, size_t frame,
			 const struct kt_symbols *symbols, char text[KT_STACK_FRAME_MAX])
{
	const struct kt_symbol *symbol = find_symbol(s, frame, symbols);
	const struct kt_named_binary *b = s->frames[frame].binary;
	char file[KT_STACK_FRAME_MAX], *base = file;

	if (symbol)
		return sprintf(text, "%s", symbol->name);
	if (!b)
		return symbols ? kt_stack_frame(s, frame, symbols, text)
			       : (size_t)sprintf(text, "[unknown]");
	file[write_file(b, file)] = '\0';
	if (strrchr(file, '/'))
		base = strrchr(file, '/') + 1;
	return snprintf(text, KT_STACK_FRAME_MAX, "[%s]", base);
}

static bool has_stacks(const struct kt_hit *hit)
{
	return hit->event->context_size;
}

const struct kt_hit *kt_stack_text_choose(const struct kt_hit *entry, const struct kt_hit *exit)
{
	return !exit || (entry && has_stacks(entry)) ? entry : exit;
}

static bool is_lost(const struct kt_hit_stack *s)
{
	return s->id && !s->n;
}

/* Returns the file's part, or what there is instead of one. Returns the length. */
static size_t write_strace_file(const struct kt_frame *f, const struct kt_symbols *symbols,
				char text[KT_STACK_FRAME_MAX])
{
	if (f->binary)
		return write_file(f->binary, text);
	return sprintf(text, symbols ? "[kernel]" : "[unknown]");
}

/* Writes a frame as strace does: "FILE(FUNCTION+0x1d) [0xf81bd]". Returns the length. */
static size_t write_strace_frame(const struct kt_hit_stack *s, size_t frame,
				 const struct kt_symbols *symbols, char text[KT_STACK_FRAME_MAX])
{
	const struct kt_symbol *symbol = find_symbol(s, frame, symbols);
	const struct kt_frame *f = &s->frames[frame];
	size_t n = write_strace_file(f, symbols, text);

	if (f->binary || symbols)
		text[n++] = '(';
	if (symbol)
		n += sprintf(text + n, "%s+", symbol->name);
	if (symbol)
		n = kt_hex_write(text + n, f->at - symbol->first) - text;
	if (f->binary || symbols)
		text[n++] = ')';
	n += sprintf(text + n, " [");
	n = kt_hex_write(text + n, f->at) - text;
	text[n++] = ']';
	return n;
}

/* How the frames of a stack are printed, each on a line of its own. */
struct form {
	const char *begin; /* of each line */
	size_t (*write)(const struct kt_hit_stack *s, size_t frame,
			const struct kt_symbols *symbols, char text[KT_STACK_FRAME_MAX]);
};

static void put_lines(struct kt_text *to, const struct form *form, const struct kt_hit_stack *s,
		      const struct kt_symbols *symbols)
{
	char text[KT_STACK_FRAME_MAX];
	size_t i, n;

	if (is_lost(s)) {
		kt_text_string(to, form->begin);
		kt_text_string(to, "<lost>\n");
	}
	for (i = kt_stack_first(s, symbols); i < s->n; i++) {
		kt_text_string(to, form->begin);
		n = form->write(s, i, symbols, text);
		kt_text_escaped(to, text, n);
		kt_text_char(to, '\n');
	}
	if (s->is_cut) {
		kt_text_string(to, form->begin);
		kt_text_string(to, "...\n");
	}
}

static void put_all_lines(struct kt_text *to, const struct form *form, const struct kt_hit *hit)
{
	enum kt_callstack_kind kind;

	for (kind = 0; kind < KT_CALLSTACK_KINDS; kind++)
		if (hit->event->stacks[kind].is_there)
			put_lines(to, form, &hit->stacks[kind], hit->event->stacks[kind].symbols);
}

void kt_stack_text_lines(struct kt_text *to, const struct kt_hit *hit)
{
	static const struct form ftrace = {" => ", kt_stack_frame};

	put_all_lines(to, &ftrace, hit);
}

void kt_stack_text_strace_lines(struct kt_text *to, const struct kt_hit *hit)
{
	static const struct form strace = {" > ", write_strace_frame};

	put_all_lines(to, &strace, hit);
}

static void put_json(struct kt_text *to, const struct kt_hit_stack *s,
		     const struct kt_symbols *symbols)
{
	char text[KT_STACK_FRAME_MAX];
	size_t first = kt_stack_first(s, symbols), i, n;

	if (is_lost(s)) {
		kt_text_string(to, "null");
		return;
	}
	kt_text_char(to, '[');
	for (i = first; i < s->n; i++) {
		if (i > first)
			kt_text_char(to, ',');
		n = kt_stack_frame(s, i, symbols, text);
		kt_json_text_string(to, text, n);
	}
	if (s->is_cut)
		kt_text_string(to, first < s->n ? ",\"...\"" : "\"...\"");
	kt_text_char(to, ']');
}

void kt_stack_text_json(struct kt_text *to, const struct kt_hit *hit)
{
	enum kt_callstack_kind kind;

	for (kind = 0; kind < KT_CALLSTACK_KINDS; kind++) {
		if (!hit->event->stacks[kind].is_there)
			continue;
		kt_text_string(to, ",\"");
		kt_text_string(to, kt_callstack_name(kind));
		kt_text_string(to, "\":");
		put_json(to, &hit->stacks[kind], hit->event->stacks[kind].symbols);
	}
}
