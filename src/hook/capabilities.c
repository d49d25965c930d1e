// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/capabilities.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "base/privilege.h"

static bool has_capability(const struct __user_cap_data_struct *data, int cap)
{
	return data[CAP_TO_INDEX(cap)].effective & CAP_TO_MASK(cap);
}

/* Reads kernel.perf_event_paranoid. Kernels of Debian and Ubuntu have values above 2. */
static int read_paranoia(void)
{
	FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
	int level = 0;

	if (!f)
		return 0;
	if (fscanf(f, "%d", &level) != 1)
		level = 0;
	fclose(f);
	return level;
}

/* Writes what is missing. Returns its length, as snprintf() does. */
static int write_missing(char *to, size_t size, const char *what)
{
	return snprintf(to, size, "%s: %s", what, kt_privilege_advice());
}

static int write_advice(char *to, size_t size)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};

	if (syscall(SYS_capget, &header, data) < 0)
		return snprintf(to, size, "%s", kt_privilege_advice());
	if (!has_capability(data, CAP_SYS_ADMIN)) {
		if (!has_capability(data, CAP_BPF) && !has_capability(data, CAP_PERFMON))
			return write_missing(to, size, "CAP_BPF and CAP_PERFMON are missing");
		if (!has_capability(data, CAP_BPF))
			return write_missing(to, size, "CAP_BPF is missing");
		if (!has_capability(data, CAP_PERFMON))
			return write_missing(to, size, "CAP_PERFMON is missing");
	}
	if (!kt_privilege_is_initial())
		return write_missing(to, size, "capabilities of a user namespace do not suffice");
	if (!has_capability(data, CAP_SYS_ADMIN) && read_paranoia() > 2)
		return write_missing(to, size,
				     "kernel.perf_event_paranoid is above 2, for which this kernel "
				     "may want CAP_SYS_ADMIN");
	return snprintf(to, size, "%s",
			"CAP_BPF and CAP_PERFMON are there, so a policy of this machine forbids "
			"it: lockdown, a security module, or the container that this runs in");
}

int kt_capabilities_fail(struct kt_error *err, int code, const char *what)
{
	char advice[256];

	if (code == EPERM || code == EACCES) {
		write_advice(advice, sizeof(advice));
		return kt_fail(err, code, "%s: %s; %s", what, strerror(code), advice);
	}
	if (code == ENOMEM)
		return kt_fail(err, code,
			       "%s: %s; if a control group limits this process's memory, smaller "
			       "rings (-b) need less",
			       what, strerror(code));
	return kt_fail(err, code, "%s: %s", what, strerror(code));
}
