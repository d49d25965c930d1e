/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Notations: how a value is written. A number, a device, or the bytes of an address.
 *
 *	char text[KT_NOTATION_MAX];
 *	size_t len = kt_notation_write(KT_IPV4, "\x7f\0\0\x01", 4, text);
 *
 *	printf("%.*s\n", (int)len, text);		// 127.0.0.1
 */
#ifndef KT_CONSTANTS_NOTATION_H
#define KT_CONSTANTS_NOTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kt_notation {
	KT_DECIMAL,
	KT_HEX,
	KT_OCTAL,
	KT_POINTER,  /* 64 bits in hexadecimal, an address */
	KT_DEVICE,   /* 32 bits; the minor number has 20 bits, as in the kernel's dev_t */
	KT_WAIT,     /* 32 bits, a wait(2) status */
	KT_SIGSET,   /* 64 bits, a set of signals: bit 0 is signal 1 */
	KT_BITMAP,   /* 64 bits of a set of numbers: bit 0 of the first element is 0 */
	KT_WORD,     /* 64 bits of unknown meaning: a small number, with a sign, or an address */
	KT_IPV4,     /* 4 bytes in network order */
	KT_IPV6,     /* 16 bytes */
	KT_MAC,      /* 6 bytes */
	KT_SOCKADDR, /* struct sockaddr_in, sockaddr_in6, or another family's */
	KT_UUID,     /* 16 bytes in network order */
	KT_BYTES,    /* any number of bytes */
	KT_STRINGS,  /* several texts, each with a NUL; the last may be cut, without one */
	KT_CONTROL,  /* control messages, each with its struct cmsghdr */
	KT_OPTION,   /* the value of a socket option, or the argument of an ioctl request */
	KT_SIGINFO,  /* the beginning of a siginfo */
	KT_BUFFERS,  /* several buffers, each preceded by its length in 4 bytes */
	KT_NOTATIONS,
};

enum { KT_NOTATION_MAX = 64 };

/* Returns the name of the element type in trace metadata, "ipv4"; NULL for the first three. */
const char *kt_notation_type(enum kt_notation notation);

/* Returns the bytes of an element, or 0 if it may have any number. */
size_t kt_notation_width(enum kt_notation notation);

/* Returns the notation of a type name; KT_DECIMAL if there is none. */
enum kt_notation kt_notation_find(const char *type);

/*
 * Returns whether a KT_WORD is written as a number: up to 4 MiB from 0 there are no addresses, as
 * programs begin there at the earliest.
 */
static inline bool kt_notation_word_is_number(uint64_t word)
{
	return word + (1 << 22) < 2 << 22;
}

/*
 * Writes n bytes as an address: 127.0.0.1, ::1, 02:42:ac:11:00:02, 127.0.0.1:80, [::1]:80. Returns
 * the length of the text, which has no NUL; 0 if the bytes are not such an address. Takes about 0.1
 * µs, 0.6 µs for a UUID.
 */
size_t kt_notation_write(enum kt_notation notation, const void *bytes, size_t n,
			 char text[KT_NOTATION_MAX]);

/* Writes a device as ftrace and blktrace do, MAJOR,MINOR: 8,16. Returns the length. */
size_t kt_notation_write_device(uint32_t device, char text[KT_NOTATION_MAX]);

/*
 * Writes a wait status as strace does: {WIFEXITED(s) && WEXITSTATUS(s) == 0}. Returns the length.
 */
size_t kt_notation_write_wait(uint32_t status, char text[KT_NOTATION_MAX]);

#endif
