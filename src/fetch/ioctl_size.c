// SPDX-License-Identifier: GPL-2.0-or-later
#include "fetch/ioctl_size.h"

#include <asm/ioctls.h>
#include <linux/fs.h>
#include <linux/kd.h>
#include <linux/nsfs.h>
#include <linux/perf_event.h>
#include <linux/sockios.h>
#include <linux/vt.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>

#define GIVEN                     \
	{                         \
		[KT_ENTER] = true \
	}
#define GIVES                    \
	{                        \
		[KT_EXIT] = true \
	}

/* The kernel's original struct termios, without speeds: c_iflag to c_lflag, c_line, c_cc. */
enum { TERMIOS_SIZE = 4 * 4 + 1 + 19 };

/* Requests whose number does not contain the size, sorted by number. */
static const struct request {
	uint32_t number;
	unsigned int size;
	bool at[KT_SIDES];
} requests[] = {
	{FIBMAP, 4, {true, true}},
	{FIGETBSZ, 4, GIVES},
	{BLKROSET, 4, GIVEN},
	{BLKROGET, 4, GIVES},
	{BLKGETSIZE, 8, GIVES},
	{BLKRAGET, 8, GIVES},
	{BLKFRAGET, 8, GIVES},
	{BLKSECTGET, 2, GIVES},
	{BLKSSZGET, 4, GIVES},
	{BLKDISCARD, 16, GIVEN},
	{BLKIOMIN, 4, GIVES},
	{BLKIOOPT, 4, GIVES},
	{BLKALIGNOFF, 4, GIVES},
	{BLKPBSZGET, 4, GIVES},
	{BLKDISCARDZEROES, 4, GIVES},
	{BLKSECDISCARD, 16, GIVEN},
	{BLKROTATIONAL, 2, GIVES},
	{BLKZEROOUT, 16, GIVEN},
	{KDGETLED, 1, GIVES},
	{KDGKBTYPE, 1, GIVES},
	{KDGETMODE, 4, GIVES},
	{KDGKBMODE, 4, GIVES},
	{TCGETS, TERMIOS_SIZE, GIVES},
	{TCSETS, TERMIOS_SIZE, GIVEN},
	{TCSETSW, TERMIOS_SIZE, GIVEN},
	{TCSETSF, TERMIOS_SIZE, GIVEN},
	{TIOCGPGRP, 4, GIVES},
	{TIOCSPGRP, 4, GIVEN},
	{TIOCOUTQ, 4, GIVES},
	{TIOCSTI, 1, GIVEN},
	{TIOCGWINSZ, 8, GIVES},
	{TIOCSWINSZ, 8, GIVEN},
	{TIOCMGET, 4, GIVES},
	{TIOCMBIS, 4, GIVEN},
	{TIOCMBIC, 4, GIVEN},
	{TIOCMSET, 4, GIVEN},
	{TIOCGSOFTCAR, 4, GIVES},
	{TIOCSSOFTCAR, 4, GIVEN},
	{FIONREAD, 4, GIVES},
	{TIOCPKT, 4, GIVEN},
	{FIONBIO, 4, GIVEN},
	{TIOCSETD, 4, GIVEN},
	{TIOCGETD, 4, GIVES},
	{TIOCGSID, 4, GIVES},
	{FIOASYNC, 4, GIVEN},
	{FIOQSIZE, 8, GIVES},
	{VT_OPENQRY, 4, GIVES},
	{FIOSETOWN, 4, GIVEN},
	{SIOCSPGRP, 4, GIVEN},
	{FIOGETOWN, 4, GIVES},
	{SIOCGPGRP, 4, GIVES},
	{SIOCATMARK, 4, GIVES},
	{SIOCGSTAMP_OLD, sizeof(struct timeval), GIVES},
	{SIOCGSTAMPNS_OLD, sizeof(struct timespec), GIVES},
	{NS_GET_OWNER_UID, 4, GIVES},
};

enum { N_REQUESTS = sizeof(requests) / sizeof(*requests) };

/* Requests whose number has the size of a long, but which have an int. */
static const struct request ints[] = {
	{FS_IOC_GETFLAGS, 4, GIVES},
	{FS_IOC_SETFLAGS, 4, GIVEN},
	{FS_IOC_GETVERSION, 4, GIVES},
	{FS_IOC_SETVERSION, 4, GIVEN},
};

#define NONE "bytes(0, 0)"

/* Writes a binary search over the requests from i to n - 1. */
static void write_search(FILE *out, const struct request *const *of, size_t n, const char *request,
			 const char *argument)
{
	if (n == 1) {
		fprintf(out, "(int)%s == %u ? bytes(%s, %u) : " NONE, request, of[0]->number,
			argument, of[0]->size);
		return;
	}
	fprintf(out, "%u > (int)%s ? ", of[n / 2]->number, request);
	write_search(out, of, n / 2, request, argument);
	fputs(" : ", out);
	write_search(out, of + n / 2, n - n / 2, request, argument);
}

/* A request's number has a bit for each direction, and the size. */
void kt_ioctl_size_write(FILE *out, enum kt_side side, const char *request, const char *argument)
{
	static const unsigned int direction[] = {[KT_ENTER] = _IOC_WRITE, [KT_EXIT] = _IOC_READ};
	const struct request *of[N_REQUESTS];
	size_t i, n = 0;

	for (i = 0; i < N_REQUESTS; i++)
		if (requests[i].at[side])
			of[n++] = &requests[i];
	/* the kernel reads or writes an int, whatever the number says */
	for (i = 0; i < sizeof(ints) / sizeof(*ints); i++)
		if (ints[i].at[side])
			fprintf(out, "(int)%s == %d ? bytes(%s, 4) : ", request,
				(int)ints[i].number, argument);
	/* this one points to a text, without an address */
	fprintf(out, "(int)%s == %d ? " NONE " : ", request, (int)PERF_EVENT_IOC_SET_FILTER);
	fprintf(out, "%s >> %d & %u ? ", request, _IOC_DIRSHIFT, direction[side]);
	fprintf(out, "%d > (%s >> %d & %d) ? ", KT_IOCTL_SIZE_MAX + 1, request, _IOC_SIZESHIFT,
		_IOC_SIZEMASK);
	fprintf(out, "upto(%d, %s, %s >> %d & %d) : " NONE " : ", KT_IOCTL_SIZE_MAX, argument,
		request, _IOC_SIZESHIFT, _IOC_SIZEMASK);
	write_search(out, of, n, request, argument);
}
