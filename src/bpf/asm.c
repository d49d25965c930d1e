// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/asm.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "bpf/insn.h"

enum { UNPLACED = -1 };

struct label {
	const char *name;
	long at; /* index of the next instruction, or UNPLACED */
};

struct note {
	size_t at;
	char *text;
};

struct jump {
	size_t at;
	size_t label;
};

/* The instruction that loads a function's address. */
struct reference {
	size_t at;
	size_t function;
};

struct kt_asm {
	struct bpf_insn *insns; /* after linking followed by those of the functions */
	struct label *labels;
	struct note *notes;
	struct jump *jumps;
	struct reference *references;
	struct kt_asm **functions;
	size_t n_insns, n_labels, n_notes, n_jumps, n_references, n_functions;
	size_t n_own;     /* once linked: number without the functions */
	size_t at;        /* for a function: its first instruction in the linked program */
	const char *name; /* of a function */
	bool linked;
	int failed;        /* the first error, a positive errno value; or 0 */
	const char *where; /* the label with the error, or NULL */
};

static void set_error(struct kt_asm *a, int code, const char *where)
{
	if (a->failed)
		return;
	a->failed = code;
	a->where = where;
}

/* Returns the next element of *array, after its n elements; NULL without memory. */
static void *append_element(struct kt_asm *a, void *array, size_t *n, size_t size)
{
	void **elements = array, *larger;

	if (a->failed)
		return NULL;
	larger = kt_grow(*elements, *n, size);
	if (!larger) {
		set_error(a, ENOMEM, NULL);
		return NULL;
	}
	*elements = larger;
	return memset((char *)larger + (*n)++ * size, 0, size);
}

static void add_insn(struct kt_asm *a, struct bpf_insn insn)
{
	struct bpf_insn *place = append_element(a, &a->insns, &a->n_insns, sizeof(insn));

	if (place)
		*place = insn;
}

static void add_jump(struct kt_asm *a, struct bpf_insn insn, int label)
{
	struct jump *jump;

	if (label < 0 || (size_t)label >= a->n_labels) {
		set_error(a, EINVAL, NULL);
		return;
	}
	jump = append_element(a, &a->jumps, &a->n_jumps, sizeof(*jump));
	if (jump)
		*jump = (struct jump){a->n_insns, label};
	add_insn(a, insn);
}

/* Adds the one instruction of two slots: a 64-bit value, or what the kernel puts in its place. */
static void add_wide(struct kt_asm *a, int dst, int kind, uint64_t value)
{
	add_insn(a, (struct bpf_insn){.code = BPF_LD | BPF_IMM | BPF_DW,
				      .dst_reg = dst,
				      .src_reg = kind,
				      .imm = (int32_t)value});
	add_insn(a, (struct bpf_insn){.imm = (int32_t)(value >> 32)});
}

struct kt_asm *kt_asm_new(void)
{
	return calloc(1, sizeof(struct kt_asm));
}

void kt_asm_free(struct kt_asm *a)
{
	size_t i;

	if (!a)
		return;
	for (i = 0; i < a->n_notes; i++)
		free(a->notes[i].text);
	for (i = 0; i < a->n_functions; i++)
		kt_asm_free(a->functions[i]);
	free(a->functions);
	free(a->references);
	free(a->insns);
	free(a->labels);
	free(a->notes);
	free(a->jumps);
	free(a);
}

void kt_asm_note(struct kt_asm *a, const char *fmt, ...)
{
	struct note *note = append_element(a, &a->notes, &a->n_notes, sizeof(*note));
	va_list args;

	if (!note)
		return;
	note->at = a->n_insns;
	va_start(args, fmt);
	if (vasprintf(&note->text, fmt, args) < 0) {
		note->text = NULL;
		set_error(a, ENOMEM, NULL);
	}
	va_end(args);
}

int kt_asm_label(struct kt_asm *a, const char *name)
{
	struct label *label = append_element(a, &a->labels, &a->n_labels, sizeof(*label));

	if (!label)
		return -1;
	*label = (struct label){name, UNPLACED};
	return a->n_labels - 1;
}

void kt_asm_place(struct kt_asm *a, int label)
{
	if (label < 0 || (size_t)label >= a->n_labels)
		set_error(a, EINVAL, NULL);
	else if (a->labels[label].at != UNPLACED)
		set_error(a, EINVAL, a->labels[label].name);
	else
		a->labels[label].at = a->n_insns;
}

void kt_asm_move(struct kt_asm *a, int dst, int src)
{
	kt_asm_alu(a, BPF_MOV, dst, src);
}

void kt_asm_move_imm(struct kt_asm *a, int dst, int32_t imm)
{
	kt_asm_alu_imm(a, BPF_MOV, dst, imm);
}

void kt_asm_move_imm64(struct kt_asm *a, int dst, uint64_t imm)
{
	add_wide(a, dst, 0, imm);
}

void kt_asm_move_map(struct kt_asm *a, int dst, int map_fd)
{
	add_wide(a, dst, BPF_PSEUDO_MAP_FD, (uint32_t)map_fd);
}

void kt_asm_move_value(struct kt_asm *a, int dst, int map_fd)
{
	add_wide(a, dst, BPF_PSEUDO_MAP_VALUE, (uint32_t)map_fd);
}

void kt_asm_alu(struct kt_asm *a, int op, int dst, int src)
{
	add_insn(a,
		 (struct bpf_insn){.code = BPF_ALU64 | BPF_X | op, .dst_reg = dst, .src_reg = src});
}

void kt_asm_alu_imm(struct kt_asm *a, int op, int dst, int32_t imm)
{
	add_insn(a, (struct bpf_insn){.code = BPF_ALU64 | BPF_K | op, .dst_reg = dst, .imm = imm});
}

void kt_asm_negate(struct kt_asm *a, int dst)
{
	kt_asm_alu_imm(a, BPF_NEG, dst, 0);
}

void kt_asm_ntohs(struct kt_asm *a, int dst)
{
	add_insn(a, (struct bpf_insn){
			    .code = BPF_ALU | BPF_END | BPF_TO_BE, .dst_reg = dst, .imm = 16});
}

int kt_asm_size(unsigned int bytes)
{
	switch (bytes) {
	case 1:
		return BPF_B;
	case 2:
		return BPF_H;
	case 4:
		return BPF_W;
	default:
		return BPF_DW;
	}
}

void kt_asm_load(struct kt_asm *a, int size, int dst, int src, int16_t off)
{
	add_insn(a, (struct bpf_insn){.code = BPF_LDX | BPF_MEM | size,
				      .dst_reg = dst,
				      .src_reg = src,
				      .off = off});
}

void kt_asm_store(struct kt_asm *a, int size, int dst, int16_t off, int src)
{
	add_insn(a, (struct bpf_insn){.code = BPF_STX | BPF_MEM | size,
				      .dst_reg = dst,
				      .src_reg = src,
				      .off = off});
}

void kt_asm_store_imm(struct kt_asm *a, int size, int dst, int16_t off, int32_t imm)
{
	add_insn(a,
		 (struct bpf_insn){
			 .code = BPF_ST | BPF_MEM | size, .dst_reg = dst, .off = off, .imm = imm});
}

void kt_asm_atomic(struct kt_asm *a, int size, int op, int dst, int16_t off, int src)
{
	add_insn(a, (struct bpf_insn){.code = BPF_STX | BPF_ATOMIC | size,
				      .dst_reg = dst,
				      .src_reg = src,
				      .off = off,
				      .imm = op});
}

void kt_asm_jump(struct kt_asm *a, int label)
{
	add_jump(a, (struct bpf_insn){.code = BPF_JMP | BPF_JA}, label);
}

void kt_asm_jump_if(struct kt_asm *a, int op, int dst, int src, int label)
{
	add_jump(a, (struct bpf_insn){.code = BPF_JMP | BPF_X | op, .dst_reg = dst, .src_reg = src},
		 label);
}

void kt_asm_jump_imm(struct kt_asm *a, int op, int dst, int32_t imm, int label)
{
	add_jump(a, (struct bpf_insn){.code = BPF_JMP | BPF_K | op, .dst_reg = dst, .imm = imm},
		 label);
}

void kt_asm_jump_imm64(struct kt_asm *a, int op, int dst, uint64_t imm, int other, int label)
{
	if ((int64_t)imm == (int32_t)imm) {
		kt_asm_jump_imm(a, op, dst, imm, label);
		return;
	}
	kt_asm_move_imm64(a, other, imm);
	kt_asm_jump_if(a, op, dst, other, label);
}

void kt_asm_call(struct kt_asm *a, int helper)
{
	add_insn(a, (struct bpf_insn){.code = BPF_JMP | BPF_CALL, .imm = helper});
}

void kt_asm_call_kernel(struct kt_asm *a, int32_t function)
{
	add_insn(a, (struct bpf_insn){
			    .code = BPF_JMP | BPF_CALL,
			    .src_reg = BPF_PSEUDO_KFUNC_CALL,
			    .imm = function,
		    });
}

void kt_asm_exit(struct kt_asm *a)
{
	add_insn(a, (struct bpf_insn){.code = BPF_JMP | BPF_EXIT});
}

struct kt_asm *kt_asm_function(struct kt_asm *a, const char *name)
{
	struct kt_asm *f = kt_asm_new(), **place;

	place = f ? append_element(a, &a->functions, &a->n_functions, sizeof(f)) : NULL;
	if (!place) {
		set_error(a, ENOMEM, NULL);
		free(f);
		return a;
	}
	f->name = name;
	return *place = f;
}

void kt_asm_move_function(struct kt_asm *a, int dst, const struct kt_asm *function)
{
	struct reference *r = append_element(a, &a->references, &a->n_references, sizeof(*r));

	if (!r)
		return;
	r->at = a->n_insns;
	while (r->function < a->n_functions && a->functions[r->function] != function)
		r->function++;
	if (r->function == a->n_functions)
		set_error(a, EINVAL, NULL);
	add_wide(a, dst, BPF_PSEUDO_FUNC, 0);
}

/* Computes every jump's distance: from the instruction after it to its label. */
static void resolve_jumps(struct kt_asm *a)
{
	const struct label *label;
	long distance;
	size_t i;

	for (i = 0; i < a->n_jumps && !a->failed; i++) {
		label = &a->labels[a->jumps[i].label];
		distance = label->at - (long)a->jumps[i].at - 1;
		if (label->at == UNPLACED)
			set_error(a, EINVAL, label->name);
		else if (distance < INT16_MIN || distance > INT16_MAX)
			set_error(a, ERANGE, label->name);
		else
			a->insns[a->jumps[i].at].off = distance;
	}
}

static void append_function(struct kt_asm *a, struct kt_asm *f)
{
	size_t i;

	resolve_jumps(f);
	if (f->failed)
		set_error(a, f->failed, f->where);
	f->at = a->n_insns;
	for (i = 0; i < f->n_insns; i++)
		add_insn(a, f->insns[i]);
}

/* The kernel finds a function by its distance from the slot after the first of the load's two. */
static void resolve_references(struct kt_asm *a)
{
	const struct reference *r;

	for (r = a->references; r < a->references + a->n_references; r++)
		a->insns[r->at].imm = a->functions[r->function]->at - r->at - 1;
}

static void link_all(struct kt_asm *a)
{
	size_t i;

	a->linked = true;
	resolve_jumps(a);
	a->n_own = a->n_insns;
	for (i = 0; i < a->n_functions; i++)
		append_function(a, a->functions[i]);
	if (!a->failed)
		resolve_references(a);
}

const struct bpf_insn *kt_asm_link(struct kt_asm *a, size_t *n_insns, struct kt_error *err)
{
	if (!a->linked)
		link_all(a);
	if (a->failed) {
		kt_fail(err, a->failed, "cannot assemble a BPF program: %s%s%s",
			a->where ? a->where : "", a->where ? ": " : "", strerror(a->failed));
		return NULL;
	}
	*n_insns = a->n_insns;
	return a->insns;
}

/* Returns a label's name; from the second label of a name on numbered, as "otherwise.2". */
static const char *format_label(const struct kt_asm *a, size_t label, char text[64])
{
	size_t i, number = 1;

	for (i = 0; i < label; i++)
		number += strcmp(a->labels[i].name, a->labels[label].name) == 0;
	if (number == 1)
		return a->labels[label].name;
	snprintf(text, 64, "%s.%zu", a->labels[label].name, number);
	return text;
}

size_t kt_asm_count_functions(const struct kt_asm *a)
{
	return a->n_functions;
}

size_t kt_asm_function_at(const struct kt_asm *a, size_t i)
{
	return a->functions[i]->at;
}

const char *kt_asm_function_name(const struct kt_asm *a, size_t i)
{
	return a->functions[i]->name;
}

/* Prints n instructions, the first as number `at`: a program without functions, or one of these. */
static void print_part(const struct kt_asm *a, size_t n, size_t at, FILE *out)
{
	size_t i, k, note = 0, jump = 0, reference = 0;
	char text[128], label[64];
	const char *target;

	for (i = 0; i < n; i++) {
		for (k = 0; k < a->n_labels; k++)
			if (a->labels[k].at == (long)i)
				fprintf(out, "%s:\n", format_label(a, k, label));
		for (; note < a->n_notes && a->notes[note].at == i; note++)
			fprintf(out, "; %s\n", a->notes[note].text);

		target = NULL;
		if (jump < a->n_jumps && a->jumps[jump].at == i)
			target = format_label(a, a->jumps[jump++].label, label);
		else if (reference < a->n_references && a->references[reference].at == i)
			target = a->functions[a->references[reference++].function]->name;
		kt_insn_text(&a->insns[i], target, text, sizeof(text));
		fprintf(out, "%4zu: %s\n", at + i, text);
		if (kt_insn_is_wide(&a->insns[i]))
			i++;
	}
}

void kt_asm_print(const struct kt_asm *a, FILE *out)
{
	size_t n = a->linked ? a->n_own : a->n_insns, i;
	const struct kt_asm *f;

	print_part(a, n, 0, out);
	for (i = 0; i < a->n_functions; i++, n += f->n_insns) {
		f = a->functions[i];
		fprintf(out, "%s():\n", f->name);
		print_part(f, f->n_insns, n, out);
	}
}
