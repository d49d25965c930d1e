// SPDX-License-Identifier: GPL-2.0-or-later
#include "events/extra_fields.h"

#include <string.h>

#include "constants/constants.h"
#include "events/event.h"

/* clang-format off */

static const struct kt_field called[] = {
	{.name = "call", .type = "int", .size = 4, .width = 4, .flags = KT_FIELD_SIGNED},
};

#define INT(NAME) {.name = NAME, .type = "int", .size = 4, .width = 4, .flags = KT_FIELD_SIGNED}
#define U32(NAME) {.name = NAME, .type = "u32", .size = 4, .width = 4}
#define LONG(NAME) {.name = NAME, .type = "long", .size = 8, .width = 8, .flags = KT_FIELD_SIGNED}
#define POINTER(NAME) \
	{.name = NAME, .type = "void *", .size = 8, .width = 8, .flags = KT_FIELD_POINTER, \
	 .notation = KT_POINTER}

static const struct kt_field exited[] = {
	{.name = "exit_code", .type = "int", .size = 4, .width = 4, .notation = KT_WAIT},
};

static const struct kt_field delivered[] = {
	INT("si_pid"), U32("si_uid"), INT("si_status"), LONG("si_utime"), LONG("si_stime"),
	INT("si_timerid"), INT("si_overrun"), POINTER("si_ptr"), POINTER("si_addr"),
	LONG("si_band"), INT("si_fd"), POINTER("si_call_addr"), INT("si_syscall"), U32("si_arch"),
};

/*
 * Which members of a siginfo are valid depends on the signal and the code:
 *
 * - SIGCHLD: a child's; SIGIO, or another signal with such a code: a file's;
 * - SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV: an address; SIGSYS: a system call's;
 * - all of these only if the kernel sent it, so that the code is positive;
 * - SI_TIMER (-2): a timer's.
 *
 * The others are recorded as 0.
 */
#define CODE "probe(info->si_code)"
#define OF(MEMBER) "probe(info->_sifields." MEMBER ")"
#define WHERE(CONDITION, MEMBER) CONDITION " ? " OF(MEMBER) " : 0"
#define KERNEL(CONDITION, MEMBER) CODE " > 0 ? " WHERE(CONDITION, MEMBER) " : 0"
#define SENT(MEMBER) CODE " == -5 ? 0 : " CODE " > -1 ? 0 : " OF(MEMBER)

#define SENDER(MEMBER)                                                                     \
	CODE " == -2 ? 0 : " CODE " == -5 ? 0 : " CODE " > 0 ? sig == 17 ? " CODE          \
	     " > 0x7f ? 0 : " OF("_sigchld." MEMBER) " : 0 : " OF("_kill." MEMBER)
#define FILE_OF(MEMBER)                                                                   \
	CODE " == -5 ? " OF(MEMBER) " : " CODE " > 0 ? " CODE " > 6 ? 0"                  \
	     " : 0x209b0 >> sig & 1 ? 0 : sig == 31 ? 0 : " OF(MEMBER) " : 0"

#define DELIVERED                                                      \
	"si_pid=" SENDER("_pid") "; si_uid=" SENDER("_uid") ";"        \
	"si_status=" KERNEL("sig == 17", "_sigchld._status") ";"       \
	"si_utime=" KERNEL("sig == 17", "_sigchld._utime") ";"         \
	"si_stime=" KERNEL("sig == 17", "_sigchld._stime") ";"         \
	"si_timerid=" WHERE(CODE " == -2", "_timer._tid") ";"          \
	"si_overrun=" WHERE(CODE " == -2", "_timer._overrun") ";"      \
	"si_ptr=" SENT("_rt._sigval.sival_ptr") ";"                    \
	"si_addr=" KERNEL("0x9b0 >> sig & 1", "_sigfault._addr") ";"   \
	"si_band=" FILE_OF("_sigpoll._band") ";"                       \
	"si_fd=" FILE_OF("_sigpoll._fd") ";"                           \
	"si_call_addr=" KERNEL("sig == 31", "_sigsys._call_addr") ";"  \
	"si_syscall=" KERNEL("sig == 31", "_sigsys._syscall") ";"      \
	"si_arch=" KERNEL("sig == 31", "_sigsys._arch")

#define N(fields) fields, sizeof(fields) / sizeof(*(fields))

/* clang-format on */

/* A 32-bit call (TS_COMPAT) has a number of its own. */
#define CALLED(NUMBER) "call=current->thread_info.status & 2 ? -1 : " NUMBER

static const struct kt_extra_fields all[] = {
	{"raw_syscalls", "sys_enter", N(called), CALLED("id")},
	{"raw_syscalls", "sys_exit", N(called), CALLED("(int)regs->orig_ax")},
	{"sched", "sched_process_exit", N(exited), "exit_code=p->exit_code"},
	{"signal", "signal_deliver", N(delivered), DELIVERED},
};

const struct kt_extra_fields *kt_extra_fields_of(const char *system, const char *event)
{
	const struct kt_extra_fields *x = all, *end = all + sizeof(all) / sizeof(*all);

	while (x < end && (strcmp(x->event, event) != 0 || strcmp(x->system, system) != 0))
		x++;
	return x < end ? x : NULL;
}

int kt_extra_fields_add(struct kt_event *event)
{
	const struct kt_extra_fields *x = kt_extra_fields_of(event->system, event->name);
	struct kt_field field;
	int ret = 0;
	size_t i;

	for (i = 0; x && i < x->n && ret == 0; i++) {
		field = x->fields[i];
		field.labels = kt_constants_find(field.name);
		ret = kt_event_add_field(event, &field);
	}
	return ret;
}

bool kt_extra_fields_are_added(const struct kt_event *event)
{
	const struct kt_extra_fields *x = kt_extra_fields_of(event->system, event->name);

	return x && kt_event_field(event, x->fields[0].name);
}
