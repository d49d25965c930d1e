/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KT_ELF_FILE_IDENTITY_H
#define KT_ELF_FILE_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

struct stat;

/* Which file it is, with which contents, as far as can be told without reading it. */
struct kt_file_identity {
	uint64_t device, inode, size;
	uint64_t changed; /* ns since 1970 */
};

struct kt_file_identity kt_file_identity_of(const struct stat *st);
bool kt_file_identity_is_same(struct kt_file_identity a, struct kt_file_identity b);

#endif
