// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/instructions.h"

#include "elf/elf_file.h"

#if defined(__x86_64__)

#include <capstone/capstone.h>
#include <stdlib.h>

/* Decodes instructions until one begins at the address, or after it. */
static bool decode_until(csh decoder, const uint8_t *code, size_t n, uint64_t at, uint64_t address)
{
	cs_insn *insn = cs_malloc(decoder);

	while (insn && at < address && cs_disasm_iter(decoder, &code, &n, &at, insn))
		;
	if (insn)
		cs_free(insn, 1);
	return insn && at == address;
}

bool kt_instruction_begins(const struct kt_elf_file *f, uint64_t start, uint64_t address)
{
	enum { LONGEST = 15 };
	uint64_t n = address - start + LONGEST;
	uint8_t *code;
	csh decoder;
	bool begins;

	if (address < start || n > KT_INSTRUCTIONS_MAX)
		return false;
	code = calloc(1, n);
	if (!code || !kt_elf_file_read(f, start, code, n) ||
	    cs_open(CS_ARCH_X86, CS_MODE_64, &decoder) != CS_ERR_OK) {
		free(code);
		return false;
	}
	begins = decode_until(decoder, code, n, start, address);
	cs_close(&decoder);
	free(code);
	return begins;
}

#else

bool kt_instruction_begins(const struct kt_elf_file *f, uint64_t start, uint64_t address)
{
	(void)f;
	return address >= start && address % 4 == 0;
}

#endif
