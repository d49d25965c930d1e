// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes ioctl requests of terminals, files, sockets and block devices, most of which fail: their
 * arguments are printed anyway.
 *
 *	requests
 */
#include <asm/termbits.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/perf_event.h>
#include <linux/random.h>
#include <linux/rtc.h>
#include <linux/sockios.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "call.h"

#define N(list) (sizeof(list) / sizeof(*(list)))

static const unsigned int words[] = {0xffffffff, 0x0f0f0f0f, 0xaaaaaaaa, 0x55555555, 0x00001008};

/* The kernel's struct, which differs from the library's. */
static void try_terminals(int fd)
{
	static const unsigned long sets[] = {TCSETS, TCSETSW, TCSETSF};
	static const unsigned long sets2[] = {TCSETS2, TCSETSW2, TCSETSF2};
	static const struct winsize window = {24, 80, 32767, 65535};
	struct termios2 t;
	size_t i, k;

	call(ioctl, fd, TCGETS, room);
	call(ioctl, fd, TCGETS2, room);
	for (i = 0; i < N(words); i++) {
		t.c_iflag = t.c_oflag = t.c_cflag = t.c_lflag = t.c_ispeed = words[i];
		t.c_cflag &= ~0x20000000; /* ADDRB, unknown to strace */
		t.c_line = words[i];
		t.c_ospeed = 1 << i;
		for (k = 0; k < sizeof t.c_cc; k++)
			t.c_cc[k] = i * k;
		call(ioctl, fd, sets[i % N(sets)], &t);
		call(ioctl, fd, sets2[i % N(sets2)], &t);
		call(ioctl, fd, TCGETS, room);
	}
	call(ioctl, fd, TIOCSWINSZ, &window);
	call(ioctl, fd, TIOCGWINSZ, room);
	call(ioctl, fd, TIOCSTI, "~");
	call(ioctl, fd, TIOCSWINSZ, NULL);
	call(ioctl, fd, TIOCSWINSZ, NOWHERE);
	call(ioctl, fd, TIOCGWINSZ, NOWHERE);
	call(ioctl, fd, TIOCGWINSZ, NULL);
}

static void try_numbers(int fd)
{
	static const unsigned long sets[] = {TIOCSPGRP, TIOCSSOFTCAR, TIOCSETD, FIOASYNC,
					     FIOSETOWN, SIOCSPGRP,    BLKROSET, BLKBSZSET};
	static const unsigned long switches[] = {TIOCPKT, FIONBIO, TIOCSPTLCK};
	static const unsigned long gets[] = {
		TIOCGPGRP,  TIOCOUTQ,        TIOCMGET,         TIOCGSOFTCAR,  FIONREAD,
		TIOCGETD,   TIOCGSID,        TIOCGPTN,         TIOCGPKT,      TIOCGPTLCK,
		TIOCGEXCL,  FIGETBSZ,        FIOQSIZE,         FIOGETOWN,     SIOCGPGRP,
		SIOCATMARK, BLKROGET,        BLKGETSIZE,       BLKRAGET,      BLKFRAGET,
		BLKSSZGET,  BLKSECTGET,      BLKGETSIZE64,     BLKIOMIN,      BLKIOOPT,
		BLKPBSZGET, BLKBSZGET,       BLKALIGNOFF,      BLKROTATIONAL, RNDGETENTCNT,
		FIBMAP,     FS_IOC_GETFLAGS, FS_IOC_GETVERSION};
	size_t i;

	for (i = 0; i < N(sets); i++)
		call(ioctl, fd, sets[i], (const int[1]){0});
	for (i = 0; i < 2 * N(switches); i++)
		call(ioctl, fd, switches[i / 2], (const int[1]){!(i % 2)});
	for (i = 0; i < N(gets); i++)
		call(ioctl, fd, gets[i], memset(room, 0, 64));
	for (i = 0; i < N(words); i++) {
		call(ioctl, fd, TIOCMBIS, &words[i]);
		call(ioctl, fd, TIOCMBIC, &words[i]);
		call(ioctl, fd, TIOCMSET, &words[i]);
	}
}

/* None of this changes a file. */
static void try_structs(int fd)
{
	static const struct file_clone_range range = {3, 0, 5, 1L << 40};
	static const struct fstrim_range trim = {1, 2, 3};
	static const struct fsxattr attributes = {0xffffffff, 1, 2, 3, 4, {5}};
	static const struct rtc_time date = {59, 58, 23, 30, 11, 126, 3, 363, 0};
	static const unsigned long blocks[] = {4096, 1L << 40};
	size_t i;

	call(ioctl, fd, FICLONERANGE, &range);
	call(ioctl, fd, FITRIM, &trim);
	call(ioctl, fd, FS_IOC_FSSETXATTR, &attributes);
	call(ioctl, fd, FS_IOC_FSGETXATTR, room);
	call(ioctl, fd, RTC_SET_TIME, &date);
	call(ioctl, fd, RTC_ALM_SET, &date);
	call(ioctl, fd, RTC_RD_TIME, room);
	call(ioctl, fd, BLKDISCARD, blocks);
	call(ioctl, fd, BLKSECDISCARD, blocks);
	call(ioctl, fd, BLKZEROOUT, blocks);
	for (i = 0; i < N(words); i++)
		call(ioctl, fd, FS_IOC_SETFLAGS, (const unsigned int[2]){words[i]});
}

/* Pointers to nowhere and unknown requests: with small and large structs, and with numbers. */
static void try_others(int fd)
{
	static const unsigned long bare[] = {FIOCLEX,  FIONCLEX, TIOCEXCL, TIOCNXCL,  TIOCNOTTY,
					     TIOCSBRK, TIOCCBRK, TIOCCONS, BLKRRPART, BLKFLSBUF};
	size_t i;

	for (i = 0; i < N(bare); i++)
		call(ioctl, fd, bare[i], 0);
	for (i = 0; i < 4; i++) {
		call(ioctl, fd, TCFLSH, i);
		call(ioctl, fd, TCXONC, i);
	}
	call(ioctl, fd, TCSBRK, 1);
	call(ioctl, fd, TCSBRKP, -1);
	call(ioctl, fd, TIOCSCTTY, 0);
	call(ioctl, fd, TIOCSIG, 15);
	call(ioctl, fd, FICLONE, 99);
	call(ioctl, fd, _IOW('Q', 1, char[12]), "unknown\0one");
	call(ioctl, fd, _IOWR('Q', 2, char[256]), room);
	call(ioctl, fd, _IOWR('Q', 3, char[257]), room);
	call(ioctl, fd, _IOR('Q', 4, char[0]), room);
	call(ioctl, fd, _IO('Q', 5), room);
	call(ioctl, fd, PERF_EVENT_IOC_SET_FILTER, "common_pid != 0");
}

int main(void)
{
	int files[] = {call(open, "/dev/ptmx", O_RDWR | O_NOCTTY), call(open, "/dev/null", O_RDWR),
		       call(open, "/", O_RDONLY), call(socket, AF_INET, SOCK_STREAM, 0)};
	size_t i;

	for (i = 0; i < N(files); i++) {
		try_terminals(files[i]);
		try_numbers(files[i]);
		try_structs(files[i == 2 ? 1 : i]);
		try_others(files[i == 2 ? 1 : i]);
	}
	return EXIT_SUCCESS;
}
