// SPDX-License-Identifier: GPL-2.0-or-later
#include "fetch/pointed_data.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/error.h"
#include "base/words.h"
#include "constants/constants.h"
#include "ctypes/struct_layout.h"
#include "events/event.h"
#include "fetch/argument_pointers.h"
#include "fetch/count_arguments.h"
#include "fetch/fd_arguments.h"
#include "fetch/ioctl_size.h"
#include "fetch/nested_pointers.h"

/* Returns the index of the argument with the number of elements; or 0. */
static size_t find_count(const struct kt_event *call, size_t argument)
{
	size_t i;

	for (i = call->n_fields; i-- > 0;)
		if (kt_count_argument_is(call->fields[argument].name, call->fields[i].name))
			return i;
	return 0;
}

/* Returns whether the next argument is a length in bytes: then the data is not a string. */
static bool has_length(const struct kt_event *call, size_t argument)
{
	static const char *const lengths[] = {"bufsiz", "count", "len",  "msg_len",
					      "optlen", "plen",  "size", NULL};
	static const char *const types[] = {"int", "size_t", "unsigned long", NULL};
	const struct kt_field *next = &call->fields[argument + 1];

	return argument + 1 < call->n_fields && kt_words_contain(types, next->type) &&
	       kt_words_contain(lengths, next->name);
}

static struct kt_pointed_data describe_input(enum kt_pointed_data_kind kind)
{
	return (struct kt_pointed_data){.kind = kind, .at = {[KT_ENTER] = true}};
}

static struct kt_pointed_data describe_output(enum kt_pointed_data_kind kind)
{
	return (struct kt_pointed_data){.kind = kind, .at = {[KT_EXIT] = true}};
}

static bool is_const(const char *type)
{
	return strncmp(type, "const ", 6) == 0;
}

/*
 * Data given to a call is const, except in some old calls; data it writes is not. A plain address,
 * as shmat's, points to no text.
 */
static struct kt_pointed_data describe_chars(const struct kt_event *call, size_t argument)
{
	static const char *const chars[] = {"char *", "const char *", NULL};
	static const char *const others[] = {"const void *", "void *", NULL};
	static const char *const texts[] = {"dev_name", "dir_name", "filename",
					    "name",     "type",     NULL};
	static const char *const bytes[] = {"buff", "name", NULL};
	const struct kt_field *f = &call->fields[argument];
	bool is_given = is_const(f->type), is_chars = kt_words_contain(chars, f->type);
	struct kt_pointed_data p;

	if (is_chars && strstr(call->name, "getcwd"))
		return describe_output(KT_POINTED_STRING);
	if ((is_chars || kt_words_contain(others, f->type)) && has_length(call, argument)) {
		if (call->no_data)
			return describe_input(KT_POINTED_NONE);
		p = is_given || kt_words_contain(bytes, f->name)
			    ? describe_input(KT_POINTED_BYTES)
			    : describe_output(KT_POINTED_BYTES);
		p.count = argument + 1;
		p.returned = true;
		p.size = 1;
		return p;
	}
	if (strcmp(f->name, "data") == 0 && strstr(call->name, "_mount")) /* options, as text */
		return describe_input(KT_POINTED_STRING);
	if (is_chars && (is_given || kt_words_contain(texts, f->name)))
		return describe_input(KT_POINTED_STRING);
	return describe_input(KT_POINTED_NONE);
}

bool kt_pointed_data_is_list(const struct kt_field *argument)
{
	return strcmp(argument->type, "const char * const *") == 0;
}

/* The values of a program's environment are private: only their number is recorded. */
static struct kt_pointed_data describe_strings(const struct kt_field *f)
{
	return describe_input(strcmp(f->name, "envp") == 0 ? KT_POINTED_NONE : KT_POINTED_STRINGS);
}

/* Returns what a pointer type stands for, if it has a name of its own. */
static const char *get_named_type(const char *type)
{
	static const char *const names[][2] = {
		{"cap_user_data_t", "struct __user_cap_data_struct *"},
		{"cap_user_header_t", "struct __user_cap_header_struct *"},
		{"const cap_user_data_t", "const struct __user_cap_data_struct *"},
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(names[i][0], type) == 0)
			return names[i][1];
	return type;
}

bool kt_pointed_type(const char *type, char name[KT_POINTED_TYPE_MAX])
{
	size_t n;

	type = get_named_type(type);
	n = strlen(type);
	if (n > 7 && strcmp(type + n - 7, "* const") == 0)
		n -= 6;
	if (n < 3 || n > KT_POINTED_TYPE_MAX || strncmp(type + n - 2, " *", 2) != 0)
		return false;
	snprintf(name, KT_POINTED_TYPE_MAX, "%.*s", (int)n - 2, type);
	return true;
}

static bool find_number(const char *type, struct kt_btf *btf, struct kt_ctype *found)
{
	struct kt_error unknown;
	char name[KT_POINTED_TYPE_MAX];

	return kt_pointed_type(type, name) &&
	       kt_ctype_find(btf, is_const(name) ? name + 6 : name, found, &unknown) == 0;
}

/* Returns how numbers are written. */
static enum kt_notation choose_base(const struct kt_pointed_data *p)
{
	static const enum kt_notation bases[] = {[KT_COUNT_BITS] = KT_BITMAP,
						 [KT_COUNT_BYTES] = KT_BITMAP,
						 [KT_COUNT_NODES] = KT_HEX,
						 [KT_COUNT_PAGES] = KT_DECIMAL};

	return p->type.is_pointer ? KT_POINTER : bases[p->unit];
}

/* Describes descriptors as bits. The call removes those that are not ready. */
static void describe_descriptors(struct kt_pointed_data *p)
{
	p->type.size = sizeof(uint64_t);
	p->at[KT_ENTER] = p->at[KT_EXIT] = true;
	p->least = 1;
}

/* Describes an array whose length is an argument. */
static struct kt_pointed_data describe_counted(const struct kt_event *call, size_t argument,
					       struct kt_btf *btf)
{
	const struct kt_field *f = &call->fields[argument];
	struct kt_pointed_data p = {.kind = KT_POINTED_NUMBERS};
	bool is_set = strcmp(f->type, "fd_set *") == 0;

	p.count = find_count(call, argument);
	if (!p.count || (!is_set && !find_number(f->type, btf, &p.type)))
		return describe_input(KT_POINTED_NONE);
	p.at[KT_ENTER] = is_const(f->type) || strstr(call->name, "set");
	p.at[KT_EXIT] = !p.at[KT_ENTER];
	if (is_set)
		describe_descriptors(&p);
	p.unit = kt_count_unit_of(f->name, call->fields[p.count].name);
	p.returned = kt_count_argument_is(f->name, "ret");
	p.size = p.type.size;
	p.base = choose_base(&p);
	p.constants = strcmp(f->name, "status") == 0 ? "error" : NULL;
	return p;
}

/*
 * Describes numbers. The call writes what a pointer to a number points to, with these exceptions.
 */
static struct kt_pointed_data describe_numbers(const struct kt_event *call, size_t argument,
					       struct kt_btf *btf)
{
	static const char *const others[] = {
		"child_tidptr", "ids", "parent_tidptr", "tidptr", "uaddr", "uaddr2", NULL};
	static const char *const both[] = {"addr_len",      "off_in",        "off_out",
					   "offset",        "optlen",        "size",
					   "upeer_addrlen", "usockaddr_len", NULL};
	static const char *const pairs[] = {"fildes", "usockvec", NULL};
	const struct kt_field *f = &call->fields[argument];
	struct kt_pointed_data p = describe_output(KT_POINTED_NUMBERS);

	if (kt_words_contain(others, f->name) || is_const(f->type) ||
	    !find_number(f->type, btf, &p.type) || p.type.size == 1 || p.type.is_pointer)
		return describe_input(KT_POINTED_NONE);
	p.at[KT_ENTER] = kt_words_contain(both, f->name);
	p.n = kt_words_contain(pairs, f->name) ? 2 : 1;
	p.size = p.type.size;
	if (strcmp(f->name, "ctxp") == 0)
		p.base = KT_HEX;
	if (strcmp(f->name, "policy") == 0)
		p.constants = "policy";
	if (strcmp(f->name, "stat_addr") == 0) {
		p.least = 1;
		p.base = KT_WAIT;
	}
	return p;
}

/* Returns the index of the argument with the size of a set of signals; or 0. */
static size_t find_set_size(const struct kt_event *call)
{
	size_t i = call->n_fields;

	while (i-- > 0 && strcmp(call->fields[i].name, "sigsetsize") != 0 &&
	       strcmp(call->fields[i].name, "sizemask") != 0)
		;
	return i < call->n_fields ? i : 0;
}

/* Describes a set of signals. The kernel accepts only one size, but returns part of a set. */
static struct kt_pointed_data describe_signal_set(const struct kt_event *call, size_t argument)
{
	static const char *const sets[] = {"sigset_t *", "const sigset_t *", NULL};
	static const char *const others[] = {"oset", "uset", NULL};
	const struct kt_field *f = &call->fields[argument];
	struct kt_pointed_data p;

	if (!kt_words_contain(sets, f->type))
		return describe_input(KT_POINTED_NONE);
	p = kt_words_contain(others, f->name) ? describe_output(KT_POINTED_NUMBERS)
					      : describe_input(KT_POINTED_NUMBERS);
	p.type.size = sizeof(uint64_t);
	p.size = p.type.size;
	p.n = 1;
	p.base = KT_SIGSET;
	p.constants = "sigset";
	p.sized = strcmp(f->name, "uset") == 0 ? 0 : find_set_size(call);
	return p;
}

/*
 * Returns whether the data is exactly one struct. Others have a length of their own or in another
 * argument, depend on another argument, or are an address that the call keeps.
 */
static bool is_struct(const struct kt_field *f, const char *type)
{
	static const char *const names[] = {"events", "unused", NULL};
	static const char *const types[] = {"fd_set",
					    "sigset_t",
					    "siginfo_t",
					    "struct file_handle",
					    "struct iovec",
					    "struct linux_dirent",
					    "struct linux_dirent64",
					    "struct lsm_ctx",
					    "struct mmsghdr",
					    "struct mnt_id_req",
					    "struct msgbuf",
					    "struct msqid_ds",
					    "struct perf_event_attr",
					    "struct pollfd",
					    "struct robust_list_head",
					    "struct rseq",
					    "struct sched_attr",
					    "struct sembuf",
					    "struct shmid_ds",
					    "struct siginfo",
					    "struct sockaddr",
					    "struct statmount",
					    NULL};

	return !kt_words_contain(types, is_const(type) ? type + 6 : type) &&
	       !kt_words_contain(names, f->name);
}

/* Returns whether the next argument is the struct's size as the program knows it. */
static bool has_size(const struct kt_event *call, size_t argument)
{
	static const char *const sizes[] = {"size", "usize", NULL};
	const struct kt_field *next = &call->fields[argument + 1];

	return argument + 1 < call->n_fields && kt_words_contain(sizes, next->name) &&
	       !strchr(next->type, '*');
}

/* The call writes what a pointer to a struct points to, unless it is const or an exception. */
static void set_sides(const struct kt_event *call, const struct kt_field *f, bool at[KT_SIDES])
{
	static const char *const both[] = {"msg",   "params", "tsp", "tvp",
					   "txc_p", "ufds",   "utx", NULL};
	static const char *const given[] = {"cstat_range", "event",   "header",  "how",
					    "iocb",        "rqtp",    "timeout", "timer_event_spec",
					    "times",       "tsops",   "u_attr",  "uargs",
					    "utimes",      "waiters", NULL};
	static const char *const set[] = {"data",  "param",  "rlim",  "tv", "tz",
					  "uattr", "ufattr", "value", NULL};
	static const char *const sent[] = {"mmsg", "msg", NULL};
	bool sends = strstr(call->name, "send") && kt_words_contain(sent, f->name);
	bool is_both = kt_words_contain(both, f->name), sets = strstr(call->name, "set");

	at[KT_ENTER] = is_both || sends || is_const(f->type) || kt_words_contain(given, f->name) ||
		       (sets && kt_words_contain(set, f->name));
	at[KT_EXIT] = !sends && (is_both || !at[KT_ENTER]);
	if (strcmp(f->name, "timeout") == 0 && strstr(call->name, "recvmmsg"))
		at[KT_EXIT] = true; /* the remaining time */
	if (strcmp(f->name, "mmsg") == 0)
		at[KT_EXIT] = true; /* how much of each was sent */
}

/* Longer values are cut; what follows in a siginfo is for few signals. */
enum { OPTION_MAX = 256, SIGINFO_SIZE = 48 };

/*
 * Describes the value of a socket option. Its length is in the next argument, or where that points.
 */
static struct kt_pointed_data describe_option(const struct kt_event *call, size_t argument)
{
	struct kt_pointed_data p = describe_input(KT_POINTED_OPTION);

	if (strcmp(call->fields[argument].name, "optval") != 0 || argument + 1 == call->n_fields)
		return describe_input(KT_POINTED_NONE);
	if (strchr(call->fields[argument + 1].type, '*'))
		p = describe_output(KT_POINTED_OPTION);
	p.n = 1;
	p.size = OPTION_MAX;
	p.count = argument + 1;
	return p;
}

static size_t find_argument(const struct kt_event *call, const char *argument)
{
	size_t i = 0;

	while (i < call->n_fields && strcmp(call->fields[i].name, argument) != 0)
		i++;
	return i;
}

static struct kt_pointed_data describe_request(const struct kt_event *call, size_t argument)
{
	struct kt_pointed_data p = {.kind = KT_POINTED_REQUEST, .at = {true, true}};
	enum kt_side side;
	const char *name = kt_syscall_of(call->system, call->name, &side);

	p.by = find_argument(call, "cmd");
	if (!name || strcmp(name, "ioctl") != 0 ||
	    strcmp(call->fields[argument].name, "arg") != 0 || p.by == call->n_fields)
		return describe_input(KT_POINTED_NONE);
	p.n = 1;
	p.size = KT_IOCTL_SIZE_MAX;
	return p;
}

/* Describes a siginfo. Calls that wait write it, and others read it. */
static struct kt_pointed_data describe_siginfo(const struct kt_event *call, size_t argument)
{
	static const char *const types[] = {"siginfo_t *", "struct siginfo *", NULL};
	struct kt_pointed_data p = describe_input(KT_POINTED_SIGINFO);

	if (!kt_words_contain(types, call->fields[argument].type))
		return describe_input(KT_POINTED_NONE);
	if (strstr(call->name, "wait"))
		p = describe_output(KT_POINTED_SIGINFO);
	p.n = 1;
	p.size = SIGINFO_SIZE;
	return p;
}

/* Describes a socket address. It has as much room as the longest. */
static struct kt_pointed_data describe_address(const struct kt_event *call, size_t argument)
{
	const struct kt_field *length = &call->fields[argument + 1];
	struct kt_pointed_data p = describe_input(KT_POINTED_ADDRESS);

	if (strcmp(call->fields[argument].type, "struct sockaddr *") != 0 ||
	    argument + 1 == call->n_fields)
		return describe_input(KT_POINTED_NONE);
	if (strchr(length->type, '*'))
		p = describe_output(KT_POINTED_ADDRESS);
	p.n = 1;
	p.size = sizeof(struct sockaddr_storage);
	p.count = argument + 1;
	return p;
}

/* ERESTART_RESTARTBLOCK of the kernel: a sleep was interrupted. */
enum { RESTARTS = 516 };

/* Only vectors in the caller's own memory are followed. */
static void set_buffers(const struct kt_event *call, const struct kt_field *f, bool leads[KT_SIDES])
{
	static const char *const vectors[] = {"lvec", "uiov", "vec", NULL};

	if (call->no_data || strcmp(f->type, "const struct iovec *") != 0 ||
	    !kt_words_contain(vectors, f->name))
		return;
	leads[KT_ENTER] = strstr(call->name, "writev") || strstr(call->name, "splice");
	leads[KT_EXIT] = strstr(call->name, "readv");
}

static struct kt_pointed_data describe_structs(const struct kt_event *call, size_t argument,
					       struct kt_btf *btf)
{
	const struct kt_field *f = &call->fields[argument];
	static const char *const pairs[] = {"data", "dataptr", "utimes", "waiters", NULL};
	struct kt_pointed_data p = {.kind = KT_POINTED_STRUCTS};
	char type[KT_POINTED_TYPE_MAX];

	if (!kt_pointed_type(f->type, type))
		return describe_input(KT_POINTED_NONE);
	p.size = kt_struct_layout_size(btf, type);
	p.count = find_count(call, argument);
	if (has_size(call, argument)) {
		p.kind = KT_POINTED_PADDED;
		p.count = argument + 1;
	}
	if (!p.size || (!p.count && !is_struct(f, type)))
		return describe_input(KT_POINTED_NONE);
	p.returned = kt_count_argument_is(f->name, "ret");
	if (!p.count || p.kind == KT_POINTED_PADDED)
		p.n = kt_words_contain(pairs, f->name) ? 2 : 1;
	p.least = strcmp(f->name, "ru") == 0 && strstr(call->name, "wait4") ? 1 : 0;
	if (strcmp(f->name, "rmtp") == 0)
		p.only = -RESTARTS;
	set_sides(call, f, p.at);
	set_buffers(call, f, p.leads);
	p.at[KT_EXIT] |= p.leads[KT_EXIT];
	if (kt_nested_pointers_is_there(type, btf)) {
		p.leads[KT_ENTER] = !p.at[KT_EXIT];
		p.leads[KT_EXIT] = p.at[KT_EXIT];
	}
	return p;
}

/* Describes an argument that is a pointer depending on another argument. */
static struct kt_pointed_data describe_pointer(const struct kt_event *call, size_t argument,
					       struct kt_btf *btf)
{
	struct kt_pointed_data p = {.kind = KT_POINTED_STRING};
	enum kt_side side;
	const char *name = kt_syscall_of(call->system, call->name, &side);
	char type[KT_POINTED_TYPE_MAX];

	p.pointer = name ? kt_argument_pointer_of(name, call->fields[argument].name) : NULL;
	p.by = p.pointer ? find_argument(call, p.pointer->by) : call->n_fields;
	if (p.by == call->n_fields || !kt_pointed_type(p.pointer->type, type))
		return describe_input(KT_POINTED_NONE);
	if (strcmp(type, "char") != 0) {
		p.kind = KT_POINTED_STRUCTS;
		p.size = kt_struct_layout_size(btf, type);
		p.n = 1;
	}
	if (p.n && !p.size)
		return describe_input(KT_POINTED_NONE);
	p.at[KT_ENTER] = p.pointer->when[KT_ENTER];
	p.at[KT_EXIT] = p.pointer->when[KT_EXIT];
	return p;
}

/* Returns whether an argument may hold an address: a pointer, or a number as wide as one. */
static bool may_point(const struct kt_field *argument)
{
	return strchr(argument->type, '*') || strstr(argument->type, "long") ||
	       (argument->flags & KT_FIELD_POINTER);
}

struct kt_pointed_data kt_pointed_data_of(const struct kt_event *call, size_t argument,
					  struct kt_btf *btf)
{
	struct kt_pointed_data p;

	if (kt_fd_argument_is(call, argument))
		return describe_input(call->paths ? KT_POINTED_FILE : KT_POINTED_NONE);
	if (!may_point(&call->fields[argument]))
		return describe_input(KT_POINTED_NONE);
	p = describe_option(call, argument);
	if (kt_pointed_data_is_list(&call->fields[argument]))
		return describe_strings(&call->fields[argument]);
	if (!p.kind)
		p = describe_request(call, argument);
	if (!p.kind)
		p = describe_chars(call, argument);
	if (!p.kind)
		p = describe_pointer(call, argument, btf);
	if (!p.kind)
		p = describe_counted(call, argument, btf);
	if (!p.kind)
		p = describe_numbers(call, argument, btf);
	if (!p.kind)
		p = describe_signal_set(call, argument);
	if (!p.kind)
		p = describe_address(call, argument);
	if (!p.kind)
		p = describe_siginfo(call, argument);
	return p.kind ? p : describe_structs(call, argument, btf);
}
