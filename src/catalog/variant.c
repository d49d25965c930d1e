// SPDX-License-Identifier: GPL-2.0-or-later
#include "catalog/variant.h"

#include <string.h>

#include "catalog/rule.h"

enum kind {
	OWN,    /* what it always is */
	NONE,   /* the call does not look at it */
	NUMBER, /* as the rule has it */
	SIGNED, /* the same with a sign */
};

/* clang-format off */
/* What processes have one of, if any. */
#define KCMP_WHOLE "KCMP_FILES KCMP_FS KCMP_IO KCMP_SIGHAND KCMP_SYSVSEM KCMP_VM"

static const struct variant {
	const char *by, *when;
	enum kind kind;
	struct kt_rule rule; /* of which argument of which calls, and what it is, if another */
} variants[] = {
	{"cmd", "F_DUPFD F_DUPFD_CLOEXEC F_SETOWN F_SETPIPE_SZ", SIGNED,
	 {"arg", "fcntl", NULL, KT_DECIMAL}},
	{"cmd", "F_GETFD F_GETFL F_GETLEASE F_GETOWN F_GETPIPE_SZ F_GETSIG F_GET_SEALS", NONE,
	 {"arg", "fcntl", NULL, KT_DECIMAL}},
	{"cmd", "F_ADD_SEALS", NUMBER, {"arg", "fcntl", "seals", KT_HEX}},
	{"cmd", "F_NOTIFY", NUMBER, {"arg", "fcntl", "dnotify", KT_HEX}},
	{"cmd", "F_SETFD", NUMBER, {"arg", "fcntl", "fd", KT_HEX}},
	{"cmd", "F_SETFL", NUMBER, {"arg", "fcntl", "open", KT_HEX}},
	{"cmd", "F_SETLEASE", NUMBER, {"arg", "fcntl", "lock", KT_HEX}},
	{"cmd", "F_SETSIG", NUMBER, {"arg", "fcntl", "signal", KT_DECIMAL}},
	{"cmd", "LINUX_REBOOT_CMD_RESTART2", OWN, {"arg", "reboot", NULL, KT_HEX}},
	{"cmd", NULL, NONE, {"arg", "reboot", NULL, KT_HEX}},
	{"flags", "MEMBARRIER_CMD_FLAG_CPU", OWN, {"cpu_id", "membarrier", NULL, KT_DECIMAL}},
	{"flags", NULL, NONE, {"cpu_id", "membarrier", NULL, KT_DECIMAL}},
	{"mode", "S_IFBLK S_IFCHR", OWN, {"dev", "mknod mknodat", NULL, KT_HEX}},
	{"mode", NULL, NONE, {"dev", "mknod mknodat", NULL, KT_HEX}},
	{"type", "KCMP_EPOLL_TFD KCMP_FILE", NUMBER, {"idx1", "kcmp", NULL, KT_DECIMAL}},
	{"type", KCMP_WHOLE, NONE, {"idx1", "kcmp", NULL, KT_HEX}},
	{"type", "KCMP_EPOLL_TFD", NUMBER, {"idx2", "kcmp", NULL, KT_POINTER}},
	{"type", "KCMP_FILE", NUMBER, {"idx2", "kcmp", NULL, KT_DECIMAL}},
	{"type", KCMP_WHOLE, NONE, {"idx2", "kcmp", NULL, KT_HEX}},
	{"flags", "O_CREAT O_TMPFILE", OWN, {"mode", "open openat", NULL, KT_OCTAL}},
	{"flags", NULL, NONE, {"mode", "open openat", NULL, KT_OCTAL}},
	{"oflag", "O_CREAT", OWN, {"mode", "mq_open", NULL, KT_OCTAL}},
	{"oflag", NULL, NONE, {"mode", "mq_open", NULL, KT_OCTAL}},
	{"flags", "MREMAP_DONTUNMAP MREMAP_FIXED", OWN, {"new_addr", "mremap", NULL, KT_POINTER}},
	{"flags", NULL, NONE, {"new_addr", "mremap", NULL, KT_POINTER}},
	{"family", "AF_INET AF_INET6", NUMBER, {"protocol", "socket", "protocol", KT_HEX}},
	{"family", "AF_NETLINK", NUMBER, {"protocol", "socket", "netlink", KT_HEX}},
	{"oflag", "O_CREAT", OWN, {"u_attr", "mq_open", NULL, KT_POINTER}},
	{"oflag", NULL, NONE, {"u_attr", "mq_open", NULL, KT_POINTER}},
};
/* clang-format on */

/* The kth of that argument; or NULL. */
static const struct variant *find(const char *call, const char *argument, size_t k)
{
	const struct variant *v, *end = variants + sizeof(variants) / sizeof(*variants);

	for (v = variants; v < end; v++)
		if (!strcmp(v->rule.name, argument) && kt_rule_is_in(v->rule.of, call) && !k--)
			return v;
	return NULL;
}

bool kt_variant_option(const char *call, const struct kt_field *argument, size_t k,
		       struct kt_option *option)
{
	const struct variant *v = find(call, argument->name, k);

	if (!v)
		return false;
	*option = (struct kt_option){v->by, v->when, v->kind == NONE, *argument};
	if (v->kind == SIGNED)
		option->field.flags |= KT_FIELD_SIGNED;
	if (v->kind == SIGNED || v->kind == NUMBER)
		kt_rule_apply(&v->rule, &option->field);
	return true;
}
