/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An assembler for BPF: one call an instruction, jumps to labels.
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
 * BPF_B (1 byte), BPF_H (2), BPF_W (4), BPF_DW (8). Arithmetic and comparisons are of 64 bits.
 * Calls that fail are told of by kt_asm_link, and need no check.
 */
#ifndef KT_BPF_ASM_H
#define KT_BPF_ASM_H

#include <linux/bpf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct kt_asm;
struct kt_error;

/* On lack of memory NULL. */
struct kt_asm *kt_asm_new(void);
void kt_asm_free(struct kt_asm *a);

/* A comment over the instruction that comes next. */
void kt_asm_note(struct kt_asm *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A name to jump to, and the place in the code where it stands. The name must outlive a. */
int kt_asm_label(struct kt_asm *a, const char *name);
void kt_asm_place(struct kt_asm *a, int label);

/* dst = ... */
void kt_asm_move(struct kt_asm *a, int dst, int src);
void kt_asm_move_imm(struct kt_asm *a, int dst, int32_t imm);
void kt_asm_move_imm64(struct kt_asm *a, int dst, uint64_t imm);
void kt_asm_move_map(struct kt_asm *a, int dst, int map_fd);
void kt_asm_move_value(struct kt_asm *a, int dst, int map_fd); /* its first element's address */

/* dst = dst op ...: BPF_ADD, SUB, MUL, DIV, MOD, OR, AND, XOR, LSH, RSH, ARSH */
void kt_asm_alu(struct kt_asm *a, int op, int dst, int src);
void kt_asm_alu_imm(struct kt_asm *a, int op, int dst, int32_t imm);

/* dst = -dst; and its lowest 16 bits in the network's order, the rest zero */
void kt_asm_negate(struct kt_asm *a, int dst);
void kt_asm_ntohs(struct kt_asm *a, int dst);

/* BPF_B, _H, _W or _DW, of 1, 2, 4 or 8 bytes. */
int kt_asm_size(unsigned int bytes);

/* dst = the size at src + off, the rest of dst zero; and the size at dst + off = src or imm */
void kt_asm_load(struct kt_asm *a, int size, int dst, int src, int16_t off);
void kt_asm_store(struct kt_asm *a, int size, int dst, int16_t off, int src);
void kt_asm_store_imm(struct kt_asm *a, int size, int dst, int16_t off, int32_t imm);

/*
 * The size (BPF_W or _DW) at dst + off = itself op src, in one: BPF_ADD, OR, AND, XOR, each with
 * | BPF_FETCH where src shall become the value before; BPF_XCHG; BPF_CMPXCHG, which compares with
 * r0 and leaves the value before in it.
 */
void kt_asm_atomic(struct kt_asm *a, int size, int op, int dst, int16_t off, int src);

/* Go to the label; where dst op ...: BPF_JEQ, JNE, JGT, JGE, JLT, JLE, JSGT..., JSET */
void kt_asm_jump(struct kt_asm *a, int label);
void kt_asm_jump_if(struct kt_asm *a, int op, int dst, int src, int label);
void kt_asm_jump_imm(struct kt_asm *a, int op, int dst, int32_t imm, int label);

/* The same; where imm fits in no instruction, by the other register, which is lost. */
void kt_asm_jump_imm64(struct kt_asm *a, int op, int dst, uint64_t imm, int other, int label);

/* r0 = a BPF_FUNC_*, of r1 to r5, which are lost */
void kt_asm_call(struct kt_asm *a, int helper);

/* The same of a function of the kernel's that programs may call, by its type in the BTF. */
void kt_asm_call_kernel(struct kt_asm *a, int32_t function);

void kt_asm_exit(struct kt_asm *a);

/*
 * The finished program. It belongs to a, which takes no further instruction. On error NULL:
 * ENOMEM; EINVAL for a label never or twice placed; ERANGE for a jump of over 32767 instructions.
 */
const struct bpf_insn *kt_asm_link(struct kt_asm *a, size_t *n_insns, struct kt_error *err);

/* The program as text. */
void kt_asm_print(const struct kt_asm *a, FILE *out);

#endif
