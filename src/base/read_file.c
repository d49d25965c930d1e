// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/read_file.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* Reads into *text, which grows as needed and remains the caller's, on error too. */
static int read_all(int fd, size_t max, char **text, size_t *len)
{
	size_t size = 0;
	ssize_t n;
	char *grown;

	for (*len = 0;;) {
		if (size - *len < 2) {
			if (size >= max)
				return -EFBIG;
			size = size ? size * 2 : 4096;
			grown = realloc(*text, size);
			if (!grown)
				return -ENOMEM;
			*text = grown;
		}
		n = read(fd, *text + *len, size - *len - 1);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n == 0)
			break;
		if (n > 0)
			*len += n;
	}
	(*text)[*len] = '\0';
	return 0;
}

int kt_read_file(int fd, size_t max, char **text, size_t *size)
{
	size_t len;
	int ret;

	*text = NULL;
	ret = read_all(fd, max, text, &len);
	if (ret < 0) {
		free(*text);
		*text = NULL;
	} else if (size) {
		*size = len;
	}
	return ret;
}
