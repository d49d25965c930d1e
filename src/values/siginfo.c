// SPDX-License-Identifier: GPL-2.0-or-later
#include "values/siginfo.h"

#include <json-c/json.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>

#include "base/json.h"
#include "trace/record_layout.h"
#include "values/struct_parts.h"
#include "values/text.h"

enum { PARTS_MAX = 8 };

/* The parts that are valid, in order. */
struct parts {
	struct kt_struct_part of[PARTS_MAX + 1];
	size_t n;
};

static void add_part(struct parts *p, const char *name, unsigned int at, unsigned int size,
		     enum kt_struct_part_kind kind, const char *labels)
{
	p->of[p->n++] = (struct kt_struct_part){name, at, size, kind, labels};
}

/* Returns the table of codes for a signal that the kernel sent. */
static const char *get_code_table(int signal)
{
	switch (signal) {
	case SIGILL:
		return "signal_code_ill";
	case SIGTRAP:
		return "signal_code_trap";
	case SIGBUS:
		return "signal_code_bus";
	case SIGFPE:
		return "signal_code_fpe";
	case SIGSEGV:
		return "signal_code_segv";
	case SIGCHLD:
		return "signal_code_child";
	case SIGSYS:
		return "signal_code_sys";
	default:
		return "signal_code_poll";
	}
}

static void add_sender(struct parts *p)
{
	add_part(p, "si_pid", KT_SIGINFO_PID, 4, KT_PART_SIGNED, NULL);
	add_part(p, "si_uid", KT_SIGINFO_UID, 4, KT_PART_NUMBER, "id");
}

/* Adds both members of a union that the sender filled. */
static void add_value(struct parts *p)
{
	add_part(p, "si_int", KT_SIGINFO_VALUE, 4, KT_PART_SIGNED, NULL);
	add_part(p, "si_ptr", KT_SIGINFO_VALUE, 8, KT_PART_POINTER, NULL);
}

static void add_child(struct parts *p, int code)
{
	add_sender(p);
	add_part(p, "si_status", KT_SIGINFO_STATUS, 4, KT_PART_SIGNED,
		 code == CLD_EXITED ? NULL : "signal");
	add_part(p, "si_utime", KT_SIGINFO_UTIME, 8, KT_PART_TICKS, NULL);
	add_part(p, "si_stime", KT_SIGINFO_STIME, 8, KT_PART_TICKS, NULL);
}

static void add_timer(struct parts *p)
{
	add_part(p, "si_timerid", KT_SIGINFO_TIMERID, 4, KT_PART_HEX, NULL);
	add_part(p, "si_overrun", KT_SIGINFO_OVERRUN, 4, KT_PART_SIGNED, NULL);
	add_value(p);
}

static void add_file(struct parts *p)
{
	add_part(p, "si_band", KT_SIGINFO_BAND, 8, KT_PART_SIGNED, NULL);
	add_part(p, "si_fd", KT_SIGINFO_FD, 4, KT_PART_SIGNED, NULL);
}

static void add_call(struct parts *p)
{
	add_part(p, "si_call_addr", KT_SIGINFO_CALL_ADDR, 8, KT_PART_POINTER, NULL);
	add_part(p, "si_syscall", KT_SIGINFO_SYSCALL, 4, KT_PART_SIGNED, NULL);
	add_part(p, "si_arch", KT_SIGINFO_ARCH, 4, KT_PART_NUMBER, "audit_arch");
}

/* Adds the cause of a signal that the kernel sent, by the signal; SI_KERNEL has none. */
static void add_cause(struct parts *p, int signal, int code)
{
	switch (signal) {
	case SIGILL:
	case SIGTRAP:
	case SIGBUS:
	case SIGFPE:
	case SIGSEGV:
		add_part(p, "si_addr", KT_SIGINFO_ADDR, 8, KT_PART_POINTER, NULL);
		break;
	case SIGCHLD:
		if (code != SI_KERNEL)
			add_child(p, code);
		break;
	case SIGSYS:
		if (code != SI_KERNEL)
			add_call(p);
		break;
	default:
		if (code <= POLL_HUP)
			add_file(p);
	}
}

static int32_t load_int(const struct kt_value *v, unsigned int at)
{
	return at + 4 <= v->n ? kt_load(v->data + at, 4) : 0;
}

/* Returns whether the sender gave a value. */
static bool has_value(const struct kt_value *v)
{
	return KT_SIGINFO_VALUE + 8 <= v->n && kt_load(v->data + KT_SIGINFO_VALUE, 8);
}

/* Adds what the signal and its code say about the cause. */
static void add_rest(struct parts *p, bool has_value, int signal, int code)
{
	if (code == SI_TIMER) {
		add_timer(p);
	} else if (code == SI_SIGIO) {
		add_file(p);
	} else if (code > 0) {
		add_cause(p, signal, code);
	} else {
		add_sender(p);
		if (has_value)
			add_value(p);
	}
}

bool kt_siginfo_has(int signal, int code, const char *name)
{
	struct parts p = {.n = 0};
	size_t i = 0;

	add_rest(&p, true, signal, code);
	while (i < p.n && strcmp(p.of[i].name, name) != 0)
		i++;
	return i < p.n;
}

static struct parts find_parts(const struct kt_value *v)
{
	int signal = load_int(v, KT_SIGINFO_SIGNO), code = load_int(v, KT_SIGINFO_CODE);
	bool by_kernel = code > 0 && code != SI_KERNEL;
	struct parts p = {.n = 0};

	if (v->n < KT_SIGINFO_HEAD_SIZE || !signal)
		return p;
	add_part(&p, "si_signo", KT_SIGINFO_SIGNO, 4, KT_PART_SIGNED, "signal");
	add_part(&p, "si_code", KT_SIGINFO_CODE, 4, KT_PART_SIGNED,
		 by_kernel ? get_code_table(signal) : "signal_code");
	if (load_int(v, KT_SIGINFO_ERRNO))
		add_part(&p, "si_errno", KT_SIGINFO_ERRNO, 4, KT_PART_ERROR, NULL);
	add_rest(&p, has_value(v), signal, code);
	return p;
}

void kt_siginfo_put(struct kt_text *t, const struct kt_value *v)
{
	struct parts p = find_parts(v);

	kt_text_char(t, '{');
	kt_struct_part_put_all(t, "", p.of, p.n, v);
	kt_text_char(t, '}');
}

struct json_object *kt_siginfo_object(const struct kt_value *v)
{
	struct json_object *made = json_object_new_object();
	struct parts p = find_parts(v);

	if (kt_struct_part_add_all(made, p.of, p.n, v))
		return made;
	json_object_put(made);
	return NULL;
}
