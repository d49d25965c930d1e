// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/rights.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"

static bool has(const struct __user_cap_data_struct *data, int cap)
{
	return data[CAP_TO_INDEX(cap)].effective & CAP_TO_MASK(cap);
}

/* kernel.perf_event_paranoid. Kernels of Debian and Ubuntu know more of it than 2. */
static int paranoia(void)
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

static const char *advice(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};

	if (syscall(SYS_capget, &header, data) < 0)
		return "run as root";
	if (!has(data, CAP_SYS_ADMIN)) {
		if (!has(data, CAP_BPF) && !has(data, CAP_PERFMON))
			return "CAP_BPF and CAP_PERFMON are missing: run as root";
		if (!has(data, CAP_BPF))
			return "CAP_BPF is missing: run as root";
		if (!has(data, CAP_PERFMON))
			return "CAP_PERFMON is missing: run as root";
		if (paranoia() > 2)
			return "kernel.perf_event_paranoid is above 2, for which this kernel may "
			       "want CAP_SYS_ADMIN: run as root";
	}
	return "CAP_BPF and CAP_PERFMON are there, so a policy of this machine forbids it: "
	       "lockdown, a security module, or the container that this runs in";
}

int kt_rights_fail(struct kt_error *err, int code, const char *what)
{
	if (code == EPERM || code == EACCES)
		return kt_fail(err, code, "%s: %s; %s", what, strerror(code), advice());
	return kt_fail(err, code, "%s: %s", what, strerror(code));
}
