// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/file_identity.h"

#include <sys/stat.h>

struct kt_file_identity kt_file_identity_of(const struct stat *st)
{
	const uint64_t second = 1000000000;

	return (struct kt_file_identity){
		.device = st->st_dev,
		.inode = st->st_ino,
		.size = st->st_size,
		.changed = st->st_mtim.tv_sec * second + st->st_mtim.tv_nsec,
	};
}

bool kt_file_identity_is_same(struct kt_file_identity a, struct kt_file_identity b)
{
	return a.device == b.device && a.inode == b.inode && a.size == b.size &&
	       a.changed == b.changed;
}
