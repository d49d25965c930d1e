/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where functions begin, by the table that programs have for unwinding their stacks: in stripped
 * files, too.
 *
 *	if (kt_unwind_table_find(file, 0x1684, &start))
 *		printf("%#lx\n", start);		// 0x1680
 */
#ifndef KT_ELF_UNWIND_TABLE_H
#define KT_ELF_UNWIND_TABLE_H

#include <stdbool.h>
#include <stdint.h>

struct kt_elf_file;

/*
 * Stores the address of the function, or of the split-off part of one, that begins last up to this
 * address. Returns false if the file has no table, or none begins before. Reads .eh_frame_hdr.
 */
bool kt_unwind_table_find(const struct kt_elf_file *f, uint64_t address, uint64_t *start);

#endif
