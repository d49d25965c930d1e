/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which numbers, structs and calls of a trace strace prints in a form of its own: found once by
 * their names, when the metadata is read, and printed by values/number_forms.h,
 * values/struct_forms.h and view/syscall_lines.h.
 */
#ifndef KT_TRACE_PRINT_FORMS_H
#define KT_TRACE_PRINT_FORMS_H

#include <stdbool.h>

struct kt_record_layout;

enum kt_number_form {
	KT_NUMBER_PLAIN,
	KT_NUMBER_AFTER,       /* without the value before the call */
	KT_NUMBER_DEVICE,      /* makedev(0x8, 0x1) */
	KT_NUMBER_FILE_TIME,   /* a struct timeval or timespec that a file gets, and its date */
	KT_NUMBER_IO_PRIORITY, /* IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, 4) */
	KT_NUMBER_KILO,        /* 8192*1024 */
	KT_NUMBER_PADDED,      /* in hex with all digits */
	KT_NUMBER_SIGNED,
	KT_NUMBER_TICKS, /* of 10 ms: 30, and 0.30 s as a comment */
	KT_NUMBER_TIME,  /* seconds since 1970, and the date as a comment */
	KT_NUMBER_UNSIGNED,
};

enum kt_struct_form {
	KT_STRUCT_PLAIN,
	KT_STRUCT_CAPABILITIES, /* two of them are 64 bits each */
	KT_STRUCT_CLONE_ARGS,
	KT_STRUCT_EPOLL_EVENT,
	KT_STRUCT_FLOCK,
	KT_STRUCT_FSID,
	KT_STRUCT_OPEN_HOW,
	KT_STRUCT_POLLFD,
	KT_STRUCT_RUSAGE,
	KT_STRUCT_SCHED_PARAM,
	KT_STRUCT_SIGACTION,
	KT_STRUCT_SIGEVENT,
	KT_STRUCT_STAT,
	KT_STRUCT_STATX,
	KT_STRUCT_TIMEX,
	KT_STRUCT_UTSNAME,
};

/* What is special about a system call's line. */
enum kt_call_form {
	KT_CALL_PLAIN,
	KT_CALL_ANSWERS,     /* what it wrote is printed with its return value: poll, ppoll */
	KT_CALL_SELECTS,     /* the same: select, pselect6 */
	KT_CALL_CLONE3,      /* what it stored is printed after its struct */
	KT_CALL_CLONE,       /* its arguments have names */
	KT_CALL_IO_PRIORITY, /* it returns one */
	KT_CALL_MOUNT,       /* some flags make it ignore texts */
	KT_CALL_QUOTA,       /* some commands ignore arguments */
	KT_CALL_MEANS,       /* its return value, or that of some operations, has names */
	KT_CALL_RECEIVES,    /* a message, whose parts are unknown if it fails: recvmsg */
	KT_CALL_READS,       /* data from a descriptor, which is its first argument */
	KT_CALL_WRITES,      /* data to one */
	KT_CALL_TIME,        /* it returns seconds since 1970 */
};

/* Returns whether what the call wrote is printed with its return value. */
static inline bool kt_call_form_answers(enum kt_call_form form)
{
	return form == KT_CALL_ANSWERS || form == KT_CALL_SELECTS;
}

/* Returns the form of a call's line; the name is the programs'. */
enum kt_call_form kt_call_form_of(const char *name);

/* Returns the form of numbers of that name. */
enum kt_number_form kt_number_form_of(const char *name);

/* Finds the texts of a system call's event, by its name "sys_enter_fsopen", that are no paths. */
void kt_string_forms_find(const char *event, struct kt_record_layout *fields);

/*
 * Finds the form of a struct with all its members: which of them are printed, in what order, and
 * which only with certain values. Returns 0 or -ENOMEM.
 */
int kt_struct_form_find(struct kt_record_layout *layout);

#endif
