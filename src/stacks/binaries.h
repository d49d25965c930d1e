/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs and libraries in which frames are, and the names of the functions there.
 *
 *	struct kt_binaries *b = kt_binaries_new();
 *	size_t i;
 *
 *	i = kt_binaries_of_build_id(b, build_id);	// or of a path
 *	kt_binaries_set_path(b, kt_build_id_paths_find(paths, build_id));
 *	kt_binaries_use(b, i, 0x1234);			// a frame is there
 *	...
 *	kt_binaries_find_functions(b, false);		// with nm's names
 *	symbol = kt_symbols_find(&kt_binaries_at(b, i)->functions, 0x1234);
 *	kt_binaries_free(b);
 *
 * A binary is one build id, whatever the file's name; or a path, if the file has none.
 */
#ifndef KT_STACKS_BINARIES_H
#define KT_STACKS_BINARIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/number_set.h"
#include "bpf/callstacks.h"
#include "constants/symbols.h"

struct kt_binaries;
struct kt_build_id_path;
struct kt_function_table;

/* Indices begin with 1. */
enum { KT_BINARY_NONE = 0 };

struct kt_binary {
	bool has_build_id;
	uint8_t build_id[KT_BUILD_ID_SIZE];
	char *path;     /* as the process saw it; NULL: unknown */
	uint64_t inode; /* of a file without build id; 0: unknown, or no file */
	int fd;         /* the open file, if this process does not find it by that path; or -1 */
	struct kt_number_feed used;      /* offsets in the code */
	struct kt_symbols functions;     /* by offsets, those that were found last */
	struct kt_function_table *table; /* all; NULL: not read, or none */
	bool is_read;
};

/* Returns NULL without memory. */
struct kt_binaries *kt_binaries_new(void);
void kt_binaries_free(struct kt_binaries *b);

/* Return the index of a binary, which is added if it is new; KT_BINARY_NONE without memory. */
size_t kt_binaries_of_build_id(struct kt_binaries *b, const uint8_t id[KT_BUILD_ID_SIZE]);
size_t kt_binaries_of_path(struct kt_binaries *b, const char *path, uint64_t inode);

/* Returns how many there are, and one of them: i from 1 to that. */
size_t kt_binaries_count(const struct kt_binaries *b);
const struct kt_binary *kt_binaries_at(const struct kt_binaries *b, size_t i);

/* Notes where the file with that build id is, unless it is known. */
void kt_binaries_set_path(struct kt_binaries *b, const struct kt_build_id_path *path);

/* Notes that the name of the function at an offset will be asked for. */
void kt_binaries_use(struct kt_binaries *b, size_t i, uint64_t offset);

/*
 * Finds the functions at the offsets that were noted since the last call, in the files, and in the
 * debug files that distributions have (elf/elf_file.h). Only files with the right build id are
 * read; those without one must still be the same. Takes some ms for each binary, and for large ones
 * up to a second. If it will be called `again`, what was read is kept, and later calls take some
 * us.
 */
void kt_binaries_find_functions(struct kt_binaries *b, bool again);

#endif
