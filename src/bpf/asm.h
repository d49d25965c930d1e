/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An assembler for BPF: one function call per instruction, jumps to labels.
 *
 *	struct kt_asm *a = kt_asm_new();
 *	int done = kt_asm_label(a, "done");
 *
 *	kt_asm_note(a, "only the first CPU");
 *	kt_asm_call(a, BPF_FUNC_get_smp_processor_id);
 *	kt_asm_jump_imm(a, BPF_JNE, BPF_REG_0, 0, done);
 *	...
 *	kt_asm_place(a, done);
 *	kt_asm_move_imm(a, BPF_REG_0, 0);
 *	kt_asm_exit(a);
 *
 *	insns = kt_asm_link(a, &n_insns, &err);
 *	kt_asm_print(a, stdout);
 *
 *	// ; only the first CPU
 *	//    0: call get_smp_processor_id
 *	//    1: if r0 != 0 goto done
 *	//    ...
 *	// done:
 *	//    7: r0 = 0
 *	//    8: exit
 *
 * Registers, operations and sizes are those of <linux/bpf.h>: BPF_REG_0 to _10, BPF_ADD, BPF_JEQ,
 * BPF_B (1 byte), BPF_H (2), BPF_W (4), BPF_DW (8). Arithmetic and comparisons have 64 bits. Errors
 * are kept until kt_asm_link(), which reports them; the other calls need no check.
 */
#ifndef KT_BPF_ASM_H
#define KT_BPF_ASM_H

#include <linux/bpf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct kt_asm;
struct kt_error;

/* Returns an empty program, or NULL without memory. */
struct kt_asm *kt_asm_new(void);
void kt_asm_free(struct kt_asm *a);

/* Adds a comment above the next instruction. */
void kt_asm_note(struct kt_asm *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Creates a label; kt_asm_place() puts it in front of the next instruction. The name must outlive
 * a.
 */
int kt_asm_label(struct kt_asm *a, const char *name);
void kt_asm_place(struct kt_asm *a, int label);

/* Emit dst = src, an immediate, or a map. */
void kt_asm_move(struct kt_asm *a, int dst, int src);
void kt_asm_move_imm(struct kt_asm *a, int dst, int32_t imm);
void kt_asm_move_imm64(struct kt_asm *a, int dst, uint64_t imm);
void kt_asm_move_map(struct kt_asm *a, int dst, int map_fd);
void kt_asm_move_value(struct kt_asm *a, int dst,
		       int map_fd); /* address of the map's first element */

/* Emit dst = dst op src. op is BPF_ADD, SUB, MUL, DIV, MOD, OR, AND, XOR, LSH, RSH or ARSH. */
void kt_asm_alu(struct kt_asm *a, int op, int dst, int src);
void kt_asm_alu_imm(struct kt_asm *a, int op, int dst, int32_t imm);

/* Emit dst = -dst; and dst = its lowest 16 bits in network byte order. */
void kt_asm_negate(struct kt_asm *a, int dst);
void kt_asm_ntohs(struct kt_asm *a, int dst);

/* Returns BPF_B, _H, _W or _DW for 1, 2, 4 or 8 bytes. */
int kt_asm_size(unsigned int bytes);

/* Emit a load from src + off to dst, zero-extended; and a store of src or imm to dst + off. */
void kt_asm_load(struct kt_asm *a, int size, int dst, int src, int16_t off);
void kt_asm_store(struct kt_asm *a, int size, int dst, int16_t off, int src);
void kt_asm_store_imm(struct kt_asm *a, int size, int dst, int16_t off, int32_t imm);

/*
 * Emits an atomic operation on the memory at dst + off, BPF_W or BPF_DW wide:
 *
 * - BPF_ADD, OR, AND, XOR: memory op= src; with | BPF_FETCH, src becomes the old value;
 * - BPF_XCHG: exchanges memory and src;
 * - BPF_CMPXCHG: stores src if memory equals r0; r0 becomes the old value.
 */
void kt_asm_atomic(struct kt_asm *a, int size, int op, int dst, int16_t off, int src);

/*
 * Emit a jump to the label; the others jump if dst op src: BPF_JEQ, JNE, JGT, JGE, JLT, JLE,
 * JSGT..., JSET.
 */
void kt_asm_jump(struct kt_asm *a, int label);
void kt_asm_jump_if(struct kt_asm *a, int op, int dst, int src, int label);
void kt_asm_jump_imm(struct kt_asm *a, int op, int dst, int32_t imm, int label);

/* Emits a conditional jump with a 64-bit immediate. Clobbers `other` if imm needs a register. */
void kt_asm_jump_imm64(struct kt_asm *a, int op, int dst, uint64_t imm, int other, int label);

/* Emits r0 = helper(r1 to r5), a BPF_FUNC_*. Clobbers r1 to r5. */
void kt_asm_call(struct kt_asm *a, int helper);

/* Emits a call of a kernel function that BPF programs may call (kfunc), by its BTF id. */
void kt_asm_call_kernel(struct kt_asm *a, int32_t function);

void kt_asm_exit(struct kt_asm *a);

/*
 * Adds a function, which helpers such as bpf_loop() call; it belongs to a, and takes instructions
 * like a program, with labels of its own. It follows the program. The name must outlive a. Without
 * memory returns a itself, which has failed by then.
 */
struct kt_asm *kt_asm_function(struct kt_asm *a, const char *name);

/* Emits dst = address of the function. */
void kt_asm_move_function(struct kt_asm *a, int dst, const struct kt_asm *function);

/*
 * Resolves all jumps and returns the program, which belongs to a; a takes no more instructions.
 * Returns NULL on error: ENOMEM; EINVAL for a label placed never or twice; ERANGE for a jump over
 * more than 32767 instructions.
 */
const struct bpf_insn *kt_asm_link(struct kt_asm *a, size_t *n_insns, struct kt_error *err);

/* Return a linked program's number of functions, and the i-th one's first instruction and name. */
size_t kt_asm_count_functions(const struct kt_asm *a);
size_t kt_asm_function_at(const struct kt_asm *a, size_t i);
const char *kt_asm_function_name(const struct kt_asm *a, size_t i);

/* Prints the program as text. */
void kt_asm_print(const struct kt_asm *a, FILE *out);

#endif
