// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/insn.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const alu_ops[16] = {
	[BPF_ADD >> 4] = "+=",  [BPF_SUB >> 4] = "-=",    [BPF_MUL >> 4] = "*=",
	[BPF_DIV >> 4] = "/=",  [BPF_OR >> 4] = "|=",     [BPF_AND >> 4] = "&=",
	[BPF_LSH >> 4] = "<<=", [BPF_RSH >> 4] = ">>=",   [BPF_MOD >> 4] = "%=",
	[BPF_XOR >> 4] = "^=",  [BPF_ARSH >> 4] = "s>>=", [BPF_MOV >> 4] = "=",
};

static const char *const jump_ops[16] = {
	[BPF_JEQ >> 4] = "==",   [BPF_JGT >> 4] = ">",    [BPF_JGE >> 4] = ">=",
	[BPF_JSET >> 4] = "&",   [BPF_JNE >> 4] = "!=",   [BPF_JSGT >> 4] = "s>",
	[BPF_JSGE >> 4] = "s>=", [BPF_JLT >> 4] = "<",    [BPF_JLE >> 4] = "<=",
	[BPF_JSLT >> 4] = "s<",  [BPF_JSLE >> 4] = "s<=",
};

#define NAME(helper) [BPF_FUNC_##helper] = #helper
static const char *const helpers[] = {__BPF_FUNC_MAPPER(NAME)};

/* Formats a memory operand: "*(u32 *)(r2 +8)". */
static const char *format_memory(const struct bpf_insn *insn, int base, char *text, size_t size)
{
	static const char *const types[] = {[BPF_B >> 3] = "u8",
					    [BPF_H >> 3] = "u16",
					    [BPF_W >> 3] = "u32",
					    [BPF_DW >> 3] = "u64"};

	snprintf(text, size, "*(%s *)(r%d %+d)", types[BPF_SIZE(insn->code) >> 3], base, insn->off);
	return text;
}

/* Formats the second operand: "r3" or "-7". */
static const char *format_operand(const struct bpf_insn *insn, char *text, size_t size)
{
	if (BPF_SRC(insn->code) == BPF_X)
		snprintf(text, size, "r%d", insn->src_reg);
	else
		snprintf(text, size, "%d", insn->imm);
	return text;
}

static void format_atomic(const struct bpf_insn *insn, char *text, size_t size)
{
	const char *op = alu_ops[(insn->imm & 0xf0) >> 4];
	int src = insn->src_reg;
	char place[32];

	format_memory(insn, insn->dst_reg, place, sizeof(place));
	if (insn->imm == BPF_XCHG)
		snprintf(text, size, "r%d = xchg(%s, r%d)", src, place, src);
	else if (insn->imm == BPF_CMPXCHG)
		snprintf(text, size, "r0 = cmpxchg(%s, r0, r%d)", place, src);
	else if (insn->imm & BPF_FETCH)
		snprintf(text, size, "r%d = fetch(lock %s %s r%d)", src, place, op, src);
	else
		snprintf(text, size, "lock %s %s r%d", place, op, src);
}

static void format_jump(const struct bpf_insn *insn, const char *target, char *text, size_t size)
{
	char distance[16], with[16];

	if (insn->code == (BPF_JMP | BPF_EXIT)) {
		snprintf(text, size, "exit");
		return;
	}
	if (insn->code == (BPF_JMP | BPF_CALL)) {
		if (insn->src_reg == BPF_PSEUDO_KFUNC_CALL)
			snprintf(text, size, "call the kernel's %d", insn->imm);
		else if ((size_t)insn->imm < sizeof(helpers) / sizeof(*helpers))
			snprintf(text, size, "call %s", helpers[insn->imm]);
		else
			snprintf(text, size, "call %d", insn->imm);
		return;
	}

	if (!target) {
		snprintf(distance, sizeof(distance), "%+d", insn->off);
		target = distance;
	}
	if (BPF_OP(insn->code) == BPF_JA)
		snprintf(text, size, "goto %s", target);
	else
		snprintf(text, size, "if r%d %s %s goto %s", insn->dst_reg,
			 jump_ops[BPF_OP(insn->code) >> 4],
			 format_operand(insn, with, sizeof(with)), target);
}

static void format_wide(const struct bpf_insn *insn, const char *target, char *text, size_t size)
{
	if (insn->src_reg == BPF_PSEUDO_FUNC && target)
		snprintf(text, size, "r%d = function %s", insn->dst_reg, target);
	else if (insn->src_reg == BPF_PSEUDO_FUNC)
		snprintf(text, size, "r%d = function %+d", insn->dst_reg, insn->imm);
	else if (insn->src_reg == BPF_PSEUDO_MAP_FD)
		snprintf(text, size, "r%d = map fd %d", insn->dst_reg, insn->imm);
	else if (insn->src_reg == BPF_PSEUDO_MAP_VALUE)
		snprintf(text, size, "r%d = value of map fd %d", insn->dst_reg, insn->imm);
	else
		snprintf(text, size, "r%d = 0x%" PRIx64 " ll", insn->dst_reg,
			 (uint64_t)(uint32_t)insn[1].imm << 32 | (uint32_t)insn->imm);
}

bool kt_insn_is_wide(const struct bpf_insn *insn)
{
	return insn->code == (BPF_LD | BPF_IMM | BPF_DW);
}

void kt_insn_text(const struct bpf_insn *insn, const char *target, char *text, size_t size)
{
	char place[32], with[16];
	int dst = insn->dst_reg;

	format_memory(insn, dst, place, sizeof(place));
	switch (BPF_CLASS(insn->code)) {
	case BPF_LD:
		format_wide(insn, target, text, size);
		break;
	case BPF_LDX:
		snprintf(text, size, "r%d = %s", dst,
			 format_memory(insn, insn->src_reg, place, sizeof(place)));
		break;
	case BPF_ST:
		snprintf(text, size, "%s = %d", place, insn->imm);
		break;
	case BPF_STX:
		if (BPF_MODE(insn->code) == BPF_ATOMIC)
			format_atomic(insn, text, size);
		else
			snprintf(text, size, "%s = r%d", place, insn->src_reg);
		break;
	case BPF_ALU: /* we emit one operation of this class */
		snprintf(text, size, "r%d = be%d r%d", dst, insn->imm, dst);
		break;
	case BPF_ALU64:
		if (BPF_OP(insn->code) == BPF_NEG) {
			snprintf(text, size, "r%d = -r%d", dst, dst);
			break;
		}
		snprintf(text, size, "r%d %s %s", dst, alu_ops[BPF_OP(insn->code) >> 4],
			 format_operand(insn, with, sizeof(with)));
		break;
	case BPF_JMP:
		format_jump(insn, target, text, size);
		break;
	}
}
