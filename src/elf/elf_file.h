/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program or library as a file: where its code is.
 *
 *	struct kt_elf_file *f = kt_elf_file_open("/usr/bin/bash", &err);
 *
 *	kt_elf_file_offset(f, 0xb5b40, &offset);	// of the code at that address
 *	puts(kt_elf_file_build_id(f));			// 0b9f...: 20 bytes in hexadecimal
 *	kt_elf_file_close(f);
 *
 * Addresses are those of the file, as nm(1) prints them. Any file may be opened: wrong contents
 * give an error. Uses libelf.
 */
#ifndef KT_ELF_ELF_FILE_H
#define KT_ELF_ELF_FILE_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/file_identity.h"

struct kt_elf_file;
struct kt_error;

/*
 * Opens a file. Returns NULL on error: EACCES, ENOENT; ENOEXEC if it is no ELF file, or one of
 * another machine.
 */
struct kt_elf_file *kt_elf_file_open(const char *path, struct kt_error *err);

/*
 * Opens the file with the debug information of f, which distributions keep in
 * /usr/lib/debug/.build-id below root. Returns NULL if there is none.
 */
struct kt_elf_file *kt_elf_file_open_debug(const struct kt_elf_file *f, const char *root);

void kt_elf_file_close(struct kt_elf_file *f);

/* Returns libelf's object, valid until the file is closed. */
Elf *kt_elf_file_elf(const struct kt_elf_file *f);

/* Returns the path that it was opened by. */
const char *kt_elf_file_path(const struct kt_elf_file *f);

/* Returns which file it was when it was opened. */
struct kt_file_identity kt_elf_file_identity(const struct kt_elf_file *f);

/* Returns the build id in hexadecimal digits; "" if there is none. */
const char *kt_elf_file_build_id(const struct kt_elf_file *f);

/*
 * Stores the offset in the file of the code at an address. Returns false if there is no code at
 * that address.
 */
bool kt_elf_file_offset(const struct kt_elf_file *f, uint64_t address, uint64_t *offset);

/* The same of data that the program may write. */
bool kt_elf_file_data_offset(const struct kt_elf_file *f, uint64_t address, uint64_t *offset);

/*
 * Copies n bytes of code from an address on; fewer at the end of the file. Returns false if there
 * is no code at that address.
 */
bool kt_elf_file_read(const struct kt_elf_file *f, uint64_t address, void *to, size_t n);

#endif
