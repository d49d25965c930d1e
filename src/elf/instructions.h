/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_ELF_INSTRUCTIONS_H
#define KT_ELF_INSTRUCTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct kt_elf_file;

/*
 * Returns whether an instruction begins at an address, by decoding all instructions from `start`
 * on, where one begins: at most KT_INSTRUCTIONS_MAX bytes. A breakpoint inside an instruction would
 * change what the program does. Uses capstone on machines whose instructions differ in length.
 */
enum { KT_INSTRUCTIONS_MAX = 1 << 20 };
bool kt_instruction_begins(const struct kt_elf_file *f, uint64_t start, uint64_t address);

#endif
