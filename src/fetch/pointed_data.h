/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the arguments of a system call point to, by their types and names: what a probe copies.
 *
 *	kt_pointed_data_of(event, 2, btf);		// of "const char * filename":
 *KT_POINTED_STRING
 *
 * A copy is a field of its own behind the last one, "__filename_val" of "filename", as the kernel
 * calls those that it makes from Linux 6.19 on. What a call is given is copied at its entry, what
 * it gives at its return. If event->paths, descriptors lead to the paths of their files: "__fd_val"
 * of "fd" is one, and at the return "__ret_val" of "ret". What an array of struct iovec leads to
 * stands behind that, "__vec_data" behind "__vec_val": what is written at the entry, what is read
 * at the return. So does what the members of a struct lead to (fetch/nested_pointers.h).
 */
#ifndef KT_FETCH_POINTED_DATA_H
#define KT_FETCH_POINTED_DATA_H

#include <stdbool.h>
#include <stddef.h>

#include "constants/notation.h"
#include "ctypes/ctype.h"
#include "events/syscall_names.h"

struct kt_btf;
struct kt_event;
struct kt_field;
struct kt_argument_pointer;

enum kt_pointed_data_kind {
	KT_POINTED_NONE,    /* it leads nowhere, or nobody knows to what */
	KT_POINTED_STRING,  /* text up to its 0 */
	KT_POINTED_BYTES,   /* as many as the next argument says; and no more than are returned */
	KT_POINTED_NUMBERS, /* as many as are known beforehand, or as an argument says */
	KT_POINTED_STRUCTS, /* the same, of structs */
	KT_POINTED_PADDED,  /* one struct, of which the next argument says how long it is */
	KT_POINTED_ADDRESS, /* of a socket, as long as the next argument says, or what is there */
	KT_POINTED_OPTION,  /* of one what an option is set to, the same */
	KT_POINTED_REQUEST, /* what a request of ioctl says (fetch/ioctl_size.h) */
	KT_POINTED_STRINGS, /* what the pointers there lead to, up to a NULL */
	KT_POINTED_FILE,    /* it is a descriptor: the path of its file */
};

struct kt_pointed_data {
	enum kt_pointed_data_kind kind;
	bool at[KT_SIDES];     /* whether the call is given it, and whether it gives it */
	size_t n;              /* how many, or how many at most; 0: as many as are counted */
	size_t count;          /* the argument that says how many, or how long; or 0: none does */
	bool returned;         /* of those that it gives no more than it returns */
	int least;             /* given where as much is returned, and not less */
	unsigned int size;     /* of one */
	bool leads[KT_SIDES];  /* whether what they lead to is copied, too */
	struct kt_ctype type;  /* of a number */
	enum kt_notation base; /* how people write it */
	const char *constants; /* of those (constants/constants.h), or NULL */
	const struct kt_argument_pointer *pointer; /* where another argument decides; or NULL */
	size_t by;                                 /* that one, or the request */
};

/* The event that has the arguments: of a call's entry it itself, of its return event->call. */
const struct kt_event *kt_pointed_data_call(const struct kt_event *event);

/* Of one of them. */
struct kt_pointed_data kt_pointed_data_of(const struct kt_event *call, size_t argument,
					  struct kt_btf *btf);

/* What the copy is called, cut where longer. */
enum { KT_POINTED_DATA_NAME_MAX = 64 };
const char *kt_pointed_data_name(const char *argument, char name[KT_POINTED_DATA_NAME_MAX]);

/* The other way round. Whether it is such a name. */
bool kt_pointed_data_argument(const char *name, char argument[KT_POINTED_DATA_NAME_MAX]);

/* Whether a name is that of "__", an argument, and the end. */
bool kt_pointed_data_between(const char *name, const char *end,
			     char argument[KT_POINTED_DATA_NAME_MAX]);

/*
 * Of a list of pointers up to a NULL how many they are is a field of its own, too, at the entry:
 * "__argv_count" of "argv". Whether it is such a list, and such a name.
 */
bool kt_pointed_data_is_list(const struct kt_field *argument);
bool kt_pointed_data_counted(const char *name, char argument[KT_POINTED_DATA_NAME_MAX]);

/* What that is called that a copy's structs lead to; and the other way round. */
const char *kt_pointed_data_led_name(const char *argument, char name[KT_POINTED_DATA_NAME_MAX]);
bool kt_pointed_data_led(const char *name, char argument[KT_POINTED_DATA_NAME_MAX]);

/*
 * Whether the argument of the one name points to as many as the field of the other says, "ufds" and
 * "nfds", "argv" and "__argv_count"; or as are returned, "ret".
 */
bool kt_pointed_data_counts(const char *argument, const char *count);

/*
 * Adds a field for each copy; and before these one for each count of a list, or to a return one for
 * each argument that says how many there are, of its name. 0 or -ENOMEM.
 */
int kt_pointed_data_add_all(struct kt_event *event, struct kt_btf *btf);

/* The argument's copy among the event's fields; or n_fields: there is none. */
size_t kt_pointed_data_find(const struct kt_event *event, const char *argument);

#endif
