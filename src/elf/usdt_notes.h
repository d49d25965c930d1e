/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The USDT marks of a program or library: places that its authors have named for tracers, each a
 * NOP instruction and a note with provider, name and arguments (.note.stapsdt).
 *
 *	struct kt_usdt_notes *notes = kt_usdt_notes_read(file, &err);
 *
 *	for (i = 0; i < notes->n; i++)
 *		printf("%s:%s %s\n", notes->at[i].provider, notes->at[i].name,
 *		       notes->at[i].arguments);	// libstdcxx:throw 8@%rdi 8@%rsi
 *	kt_usdt_notes_free(notes);
 *
 * A mark has a note for each place where the compiler has put it.
 */
#ifndef KT_ELF_USDT_NOTES_H
#define KT_ELF_USDT_NOTES_H

#include <stddef.h>
#include <stdint.h>

struct kt_elf_file;
struct kt_error;

struct kt_usdt_note {
	char *provider, *name, *arguments;
	uint64_t address;   /* of the NOP */
	uint64_t offset;    /* of the NOP in the file */
	uint64_t semaphore; /* offset in the file of the counter of tracers; 0: it has none */
};

struct kt_usdt_notes {
	size_t n;
	struct kt_usdt_note *at; /* sorted by provider, name and address */
};

/*
 * Reads the marks of a file. Notes that lead to no NOP of the file are left out: a breakpoint
 * elsewhere might be inside an instruction. Returns NULL with ENOMEM.
 */
struct kt_usdt_notes *kt_usdt_notes_read(const struct kt_elf_file *file, struct kt_error *err);
void kt_usdt_notes_free(struct kt_usdt_notes *notes);

#endif
