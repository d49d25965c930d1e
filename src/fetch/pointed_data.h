/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data that the arguments of a system call point to, by type and name: what a probe copies.
 *
 *	kt_pointed_data_of(event, 2, btf);	// of "const char * filename": KT_POINTED_STRING
 *
 * Each copy is a field after the call's own: "__filename_val" for "filename", as the kernel names
 * its own from Linux 6.19 on. Data given to a call is copied at its entry, data it returns at its
 * return.
 *
 * - With event->paths, a descriptor has the path of its file: "__fd_val" for "fd", and at the
 *   return "__ret_val" for "ret".
 * - An array of struct iovec is followed by its buffers, "__vec_data" after "__vec_val": at the
 *   entry if the call writes them, at the return if it reads into them.
 * - A struct is followed by the data its members point to (fetch/nested_pointers.h).
 */
#ifndef KT_FETCH_POINTED_DATA_H
#define KT_FETCH_POINTED_DATA_H

#include <stdbool.h>
#include <stddef.h>

#include "constants/notation.h"
#include "ctypes/ctype.h"
#include "events/syscall_names.h"
#include "fetch/count_arguments.h"
#include "fetch/pointed_data_names.h"

struct kt_btf;
struct kt_event;
struct kt_field;
struct kt_argument_pointer;

enum kt_pointed_data_kind {
	KT_POINTED_NONE,   /* not a pointer, or to unknown data */
	KT_POINTED_STRING, /* text up to a NUL */
	KT_POINTED_BYTES,  /* as many as the next argument says, and at most as many as are returned
			    */
	KT_POINTED_NUMBERS, /* a fixed number, or as an argument says */
	KT_POINTED_STRUCTS, /* structs; the same */
	KT_POINTED_PADDED,  /* one struct; the next argument is its size in the program */
	KT_POINTED_ADDRESS, /* a socket address; its length is in the next argument, or there */
	KT_POINTED_OPTION,  /* the value of a socket option; the same */
	KT_POINTED_REQUEST, /* as the request of an ioctl says (fetch/ioctl_size.h) */
	KT_POINTED_SIGINFO, /* the beginning of one */
	KT_POINTED_STRINGS, /* texts of an array of pointers up to a NULL */
	KT_POINTED_FILE,    /* a descriptor: the path of its file */
};

struct kt_pointed_data {
	enum kt_pointed_data_kind kind;
	bool at[KT_SIDES];       /* by side: copied at the entry, at the return */
	size_t n;                /* number, or maximum number, of elements; 0: see count */
	size_t count;            /* index of the argument with the number or length; or 0 */
	enum kt_count_unit unit; /* what that argument, or the return, counts */
	bool returned;           /* at the return, at most as much as the call returns */
	int least;               /* copied only if the call returns at least this */
	size_t sized;          /* index of the argument with the size, which must be right; or 0 */
	int only;              /* copied only if the call returns exactly this; 0: see least */
	unsigned int size;     /* bytes of one element */
	bool leads[KT_SIDES];  /* by side: the elements' own pointers are followed */
	struct kt_ctype type;  /* of a number */
	enum kt_notation base; /* notation of a number */
	const char *constants; /* table of its labels (constants/constants.h), or NULL */
	const struct kt_argument_pointer *pointer; /* set if another argument decides; or NULL */
	size_t by; /* index of the deciding argument, or of the request */
};

/* Describes the data of one argument. */
struct kt_pointed_data kt_pointed_data_of(const struct kt_event *call, size_t argument,
					  struct kt_btf *btf);

/* Returns whether an argument is an array of pointers up to a NULL, such as argv. */
bool kt_pointed_data_is_list(const struct kt_field *argument);

/*
 * Writes what a pointer type points to: "loff_t" for "loff_t *" and "loff_t * const". Returns false
 * for other types.
 */
enum { KT_POINTED_TYPE_MAX = 64 };
bool kt_pointed_type(const char *type, char name[KT_POINTED_TYPE_MAX]);

#endif
