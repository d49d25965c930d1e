/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the arguments of a USDT mark are, as its note says (elf/usdt_notes.h): in the assembler's
 * words.
 *
 *	struct kt_usdt_argument a[KT_USDT_ARGUMENTS_MAX];
 *	size_t n = kt_usdt_arguments_parse("-4@%ebx 8@-16(%rbp)", &symbols, a);
 *
 *	// { .place = KT_USDT_REGISTER, .size = 4, .is_signed = true, .base = 5 },
 *	// { .place = KT_USDT_MEMORY, .size = 8, .base = 4, .number = -16 }
 *
 * Registers are numbered by their places in the context of a uprobe's program, in words of 8 bytes.
 */
#ifndef KT_ELF_USDT_ARGUMENTS_H
#define KT_ELF_USDT_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No mark of the usual macros has more. */
enum { KT_USDT_ARGUMENTS_MAX = 12 };

enum kt_usdt_place {
	KT_USDT_UNKNOWN, /* a vector register, an unknown symbol, or a syntax not known here */
	KT_USDT_CONSTANT,
	KT_USDT_REGISTER,
	KT_USDT_MEMORY,
};

enum { KT_USDT_NO_REGISTER = 255 };

struct kt_usdt_argument {
	enum kt_usdt_place place;
	unsigned int size; /* 1, 2, 4 or 8 bytes */
	bool is_signed;
	uint8_t base;      /* the register; in memory, of the address */
	uint8_t index;     /* register that is added to the address, times 2^scale */
	uint8_t scale;     /* 0 to 3 */
	uint8_t first_bit; /* of the value in its register */
	int64_t number;    /* the constant; or what is added to the address */
};

/* Finds the address of a symbol of n letters, for data at fixed places. Returns false without one.
 */
struct kt_usdt_symbols {
	bool (*find)(const void *of, const char *name, size_t n, uint64_t *address);
	const void *of;
	uint64_t site; /* address of the mark: data are as far from the instruction pointer */
};

/*
 * Parses a note's arguments. Returns their number; further ones than KT_USDT_ARGUMENTS_MAX are left
 * out. Any text may be passed: what is not understood is KT_USDT_UNKNOWN.
 */
size_t kt_usdt_arguments_parse(const char *text, const struct kt_usdt_symbols *symbols,
			       struct kt_usdt_argument to[KT_USDT_ARGUMENTS_MAX]);

#endif
