// SPDX-License-Identifier: GPL-2.0-or-later
#include "constants/constants_of.h"

#include <linux/capability.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>

/* clang-format off */

static const struct kt_label ambient_of[] = {
	C(PR_CAP_AMBIENT_IS_SET), C(PR_CAP_AMBIENT_RAISE), C(PR_CAP_AMBIENT_LOWER),
	C(PR_CAP_AMBIENT_CLEAR_ALL),
};

static const struct kt_label capability_of[] = {
	C(CAP_CHOWN), C(CAP_DAC_OVERRIDE), C(CAP_DAC_READ_SEARCH), C(CAP_FOWNER),
	C(CAP_FSETID), C(CAP_KILL), C(CAP_SETGID), C(CAP_SETUID), C(CAP_SETPCAP),
	C(CAP_LINUX_IMMUTABLE), C(CAP_NET_BIND_SERVICE), C(CAP_NET_BROADCAST),
	C(CAP_NET_ADMIN), C(CAP_NET_RAW), C(CAP_IPC_LOCK), C(CAP_IPC_OWNER), C(CAP_SYS_MODULE),
	C(CAP_SYS_RAWIO), C(CAP_SYS_CHROOT), C(CAP_SYS_PTRACE), C(CAP_SYS_PACCT),
	C(CAP_SYS_ADMIN), C(CAP_SYS_BOOT), C(CAP_SYS_NICE), C(CAP_SYS_RESOURCE),
	C(CAP_SYS_TIME), C(CAP_SYS_TTY_CONFIG), C(CAP_MKNOD), C(CAP_LEASE), C(CAP_AUDIT_WRITE),
	C(CAP_AUDIT_CONTROL), C(CAP_SETFCAP), C(CAP_MAC_OVERRIDE), C(CAP_MAC_ADMIN),
	C(CAP_SYSLOG), C(CAP_WAKE_ALARM), C(CAP_BLOCK_SUSPEND), C(CAP_AUDIT_READ),
	C(CAP_PERFMON), C(CAP_BPF), C(CAP_CHECKPOINT_RESTORE),
};

static const struct kt_label capability_version_of[] = {
	C(_LINUX_CAPABILITY_VERSION_1), C(_LINUX_CAPABILITY_VERSION_2),
	C(_LINUX_CAPABILITY_VERSION_3),
};

static const struct kt_label core_of[] = {
	C(PR_SCHED_CORE_GET), C(PR_SCHED_CORE_CREATE), C(PR_SCHED_CORE_SHARE_TO),
	C(PR_SCHED_CORE_SHARE_FROM),
};

static const struct kt_label dispatch_of[] = {
	C(PR_SYS_DISPATCH_OFF), C(PR_SYS_DISPATCH_ON),
};

static const struct kt_label dumpable_of[] = {
	{0, "SUID_DUMP_DISABLE"}, {1, "SUID_DUMP_USER"}, {2, "SUID_DUMP_ROOT"},
};

static const struct kt_label machine_check_of[] = {
	C(PR_MCE_KILL_CLEAR), C(PR_MCE_KILL_SET),
};

static const struct kt_label map_of[] = {
	C(PR_SET_MM_START_CODE), C(PR_SET_MM_END_CODE), C(PR_SET_MM_START_DATA),
	C(PR_SET_MM_END_DATA), C(PR_SET_MM_START_STACK), C(PR_SET_MM_START_BRK),
	C(PR_SET_MM_BRK), C(PR_SET_MM_ARG_START), C(PR_SET_MM_ARG_END), C(PR_SET_MM_ENV_START),
	C(PR_SET_MM_ENV_END), C(PR_SET_MM_AUXV), C(PR_SET_MM_EXE_FILE), C(PR_SET_MM_MAP),
	C(PR_SET_MM_MAP_SIZE),
};

static const struct kt_label pac_of[] = {
	C(PR_PAC_APIAKEY), C(PR_PAC_APIBKEY), C(PR_PAC_APDAKEY), C(PR_PAC_APDBKEY),
	C(PR_PAC_APGAKEY),
};

/* Not the generic key. */
static const struct kt_label pac_enabled_of[] = {
	C(PR_PAC_APIAKEY), C(PR_PAC_APIBKEY), C(PR_PAC_APDAKEY), C(PR_PAC_APDBKEY),
};

static const struct kt_label pid_type_of[] = {
	{0, "PIDTYPE_PID"}, {1, "PIDTYPE_TGID"}, {2, "PIDTYPE_PGID"}, {3, "PIDTYPE_SID"},
};

static const struct kt_label prctl_of[] = {
	C(PR_SET_PDEATHSIG), C(PR_GET_PDEATHSIG), C(PR_GET_DUMPABLE), C(PR_SET_DUMPABLE),
	C(PR_GET_UNALIGN), C(PR_SET_UNALIGN), C(PR_GET_KEEPCAPS), C(PR_SET_KEEPCAPS),
	C(PR_GET_FPEMU), C(PR_SET_FPEMU), C(PR_GET_FPEXC), C(PR_SET_FPEXC), C(PR_GET_TIMING),
	C(PR_SET_TIMING), C(PR_SET_NAME), C(PR_GET_NAME), C(PR_GET_ENDIAN), C(PR_SET_ENDIAN),
	C(PR_GET_SECCOMP), C(PR_SET_SECCOMP), C(PR_CAPBSET_READ), C(PR_CAPBSET_DROP),
	C(PR_GET_TSC), C(PR_SET_TSC), C(PR_GET_SECUREBITS), C(PR_SET_SECUREBITS),
	C(PR_SET_TIMERSLACK), C(PR_GET_TIMERSLACK), C(PR_TASK_PERF_EVENTS_DISABLE),
	C(PR_TASK_PERF_EVENTS_ENABLE), C(PR_MCE_KILL), C(PR_MCE_KILL_GET), C(PR_SET_MM),
	C(PR_SET_CHILD_SUBREAPER), C(PR_GET_CHILD_SUBREAPER), C(PR_SET_NO_NEW_PRIVS),
	C(PR_GET_NO_NEW_PRIVS), C(PR_GET_TID_ADDRESS), C(PR_SET_THP_DISABLE),
	C(PR_GET_THP_DISABLE), C(PR_MPX_ENABLE_MANAGEMENT), C(PR_MPX_DISABLE_MANAGEMENT),
	C(PR_SET_FP_MODE), C(PR_GET_FP_MODE), C(PR_CAP_AMBIENT), C(PR_SVE_SET_VL),
	C(PR_SVE_GET_VL), C(PR_GET_SPECULATION_CTRL), C(PR_SET_SPECULATION_CTRL),
	C(PR_PAC_RESET_KEYS), C(PR_SET_TAGGED_ADDR_CTRL), C(PR_GET_TAGGED_ADDR_CTRL),
	C(PR_SET_IO_FLUSHER), C(PR_GET_IO_FLUSHER), C(PR_SET_SYSCALL_USER_DISPATCH),
	C(PR_PAC_SET_ENABLED_KEYS), C(PR_PAC_GET_ENABLED_KEYS), C(PR_SCHED_CORE),
	C(PR_SME_SET_VL), C(PR_SME_GET_VL), {65, "PR_SET_MDWE"}, {66, "PR_GET_MDWE"},
	{67, "PR_SET_MEMORY_MERGE"}, {68, "PR_GET_MEMORY_MERGE"}, C(PR_SET_VMA),
	C(PR_SET_PTRACER),
};

static const struct kt_label seccomp_mode_of[] = {
	C(SECCOMP_MODE_DISABLED), C(SECCOMP_MODE_STRICT), C(SECCOMP_MODE_FILTER),
};

static const struct kt_label secure_of[] = {
	C(SECBIT_NOROOT), C(SECBIT_NOROOT_LOCKED), C(SECBIT_NO_SETUID_FIXUP),
	C(SECBIT_NO_SETUID_FIXUP_LOCKED), C(SECBIT_KEEP_CAPS), C(SECBIT_KEEP_CAPS_LOCKED),
	C(SECBIT_NO_CAP_AMBIENT_RAISE), C(SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED),
};

static const struct kt_label sme_of[] = {
	{1 << 18, "PR_SME_SET_VL_ONEXEC"}, {1 << 17, "PR_SME_VL_INHERIT"},
};

static const struct kt_label speculation_of[] = {
	C(PR_SPEC_STORE_BYPASS), C(PR_SPEC_INDIRECT_BRANCH), C(PR_SPEC_L1D_FLUSH),
};

static const struct kt_label speculation_control_of[] = {
	C(PR_SPEC_PRCTL), C(PR_SPEC_ENABLE), C(PR_SPEC_DISABLE), C(PR_SPEC_FORCE_DISABLE),
	C(PR_SPEC_DISABLE_NOEXEC),
};

static const struct kt_label sve_of[] = {
	C(PR_SVE_SET_VL_ONEXEC), C(PR_SVE_VL_INHERIT),
};

static const struct kt_label tagged_address_of[] = {
	C(PR_TAGGED_ADDR_ENABLE),
};

static const struct kt_label tsc_of[] = {
	C(PR_TSC_ENABLE), C(PR_TSC_SIGSEGV),
};

static const struct kt_label unaligned_of[] = {
	C(PR_UNALIGN_NOPRINT), C(PR_UNALIGN_SIGBUS),
};

static const struct kt_label vma_of[] = {
	C(PR_SET_VMA_ANON_NAME),
};

static const struct kt_labels tables[] = {
	VALUES(ambient, "PR_CAP_AMBIENT_???"), VALUES(capability, "CAP_???"),
	VALUES(capability_version, "_LINUX_CAPABILITY_VERSION_???"),
	VALUES(core, "PR_SCHED_CORE_???"), VALUES(dispatch, "PR_SYS_DISPATCH_???"),
	VALUES(dumpable, "SUID_DUMP_???"), VALUES(machine_check, "PR_MCE_KILL_???"),
	VALUES(map, "PR_SET_MM_???"), FLAGS(pac, 0, "PR_PAC_???"),
	FLAGS(pac_enabled, 0, "PR_PAC_???"),
	{N(pid_type, "PIDTYPE_???"), .form = KT_LABELS_COMMENTS}, VALUES(prctl, "PR_???"),
	VALUES(seccomp_mode, "SECCOMP_MODE_???"), FLAGS(secure, 0, "SECBIT_???"),
	FORMED(sme, 0, NULL, KT_LABELS_LENGTH),
	VALUES(speculation, "PR_SPEC_???"), FLAGS(speculation_control, 0, "PR_SPEC_???"),
	FORMED(sve, 0, NULL, KT_LABELS_LENGTH), FORMED(tagged_address, 0, NULL, KT_LABELS_TAGGED_ADDRESS),
	VALUES(tsc, "PR_TSC_???"), FLAGS(unaligned, 0, "PR_UNALIGN_???"), VALUES(vma, "PR_SET_VMA_???"),
};

/* clang-format on */

const struct kt_constants kt_constants_of_prctl = {tables, sizeof(tables) / sizeof(*tables)};
