/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tracefs files of two kernels: Debian's 6.1, and a 6.18. */
#ifndef KT_TESTS_UNIT_FIXTURES_H
#define KT_TESTS_UNIT_FIXTURES_H

#include <fcntl.h>

#define N_FIXTURES 2

static const char *const fixtures[N_FIXTURES] = {
	"tests/fixtures/linux-6.1",
	"tests/fixtures/linux-6.18",
};

static inline int open_fixture(size_t i)
{
	return open(fixtures[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

#endif
