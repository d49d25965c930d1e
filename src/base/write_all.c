// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/write_all.h"

#include <errno.h>

int kt_write_all(int fd, struct iovec *iov, int n)
{
	ssize_t done;

	for (;;) {
		for (; n > 0 && iov->iov_len == 0; n--)
			iov++;
		if (n == 0)
			return 0;
		done = writev(fd, iov, n);
		if (done < 0) {
			if (errno == EINTR)
				continue;
			return -errno;
		}
		for (; n > 0 && (size_t)done >= iov->iov_len; n--) {
			done -= iov->iov_len;
			iov++;
		}
		if (n > 0) {
			iov->iov_base = (char *)iov->iov_base + done;
			iov->iov_len -= done;
		}
	}
}
