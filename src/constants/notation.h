/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How people write a value: a number, a device, or the bytes of an address.
 *
 *	char text[KT_NOTATION_MAX];
 *	size_t len = kt_notation_write(KT_IPV4, "\x7f\0\0\x01", 4, text);
 *
 *	printf("%.*s\n", (int)len, text);		// 127.0.0.1
 */
#ifndef KT_CONSTANTS_NOTATION_H
#define KT_CONSTANTS_NOTATION_H

#include <stddef.h>
#include <stdint.h>

enum kt_notation {
	KT_DECIMAL,
	KT_HEX,
	KT_OCTAL,
	KT_POINTER, /* 64 bits, in hexadecimal too, but no number to reckon with */
	KT_DEVICE, /* 32 bits, of which the kernel's own device numbers have 20 for the minor one */
	KT_WAIT,   /* 32 bits, what wait() tells of a process */
	KT_SIGSET, /* 64 bits, of signals: 1 is the first one */
	KT_IPV4,   /* bytes, as all that follow: 4 of them, as they are sent */
	KT_IPV6,   /* 16 */
	KT_MAC,    /* 6 */
	KT_SOCKADDR, /* struct sockaddr_in or sockaddr_in6, or another, which is not known */
	KT_UUID,     /* 16, as they are sent */
	KT_BYTES,    /* any number, of anything */
	KT_STRINGS,  /* of several texts, a 0 behind each one; the last may be cut, without it */
	KT_CONTROL,  /* messages about a message, each behind its struct cmsghdr */
	KT_OPTION,   /* what an option of a socket is set to, or a request has */
	KT_BUFFERS,  /* of several buffers, each behind its length in 4 bytes */
	KT_NOTATIONS,
};

enum { KT_NOTATION_MAX = 64 };

/* What a trace's metadata calls the type of such elements, "ipv4"; the first three have no name. */
const char *kt_notation_type(enum kt_notation notation);

/* The bytes that one of them has; 0 where they may have any number. */
size_t kt_notation_width(enum kt_notation notation);

/* That of a type; KT_DECIMAL where it is none of those names. */
enum kt_notation kt_notation_find(const char *type);

/*
 * Writes n bytes as such an address: 127.0.0.1, ::1, 02:42:ac:11:00:02, 127.0.0.1:80 and [::1]:80.
 * Returns the text's length, without a NUL behind it; 0 where the bytes are none. About 0.1 us, a
 * UUID 0.6.
 */
size_t kt_notation_write(enum kt_notation notation, const void *bytes, size_t n,
			 char text[KT_NOTATION_MAX]);

/* A device as ftrace and blktrace write it, MAJOR,MINOR: 8,16. The same of the length. */
size_t kt_notation_write_device(uint32_t device, char text[KT_NOTATION_MAX]);

/* A status as strace writes it: {WIFEXITED(s) && WEXITSTATUS(s) == 0}. */
size_t kt_notation_write_wait(uint32_t status, char text[KT_NOTATION_MAX]);

#endif
