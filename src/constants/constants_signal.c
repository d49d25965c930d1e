// SPDX-License-Identifier: GPL-2.0-or-later
#include "constants/constants_of.h"

#include <linux/audit.h>
#include <signal.h>

/* clang-format off */

static const struct kt_label audit_arch_of[] = {
	C(AUDIT_ARCH_AARCH64), C(AUDIT_ARCH_ARM), C(AUDIT_ARCH_I386), C(AUDIT_ARCH_RISCV64),
	C(AUDIT_ARCH_X86_64),
};

static const struct kt_label signal_code_of[] = {
	C(SI_USER), C(SI_KERNEL), C(SI_QUEUE), C(SI_TIMER), C(SI_MESGQ), C(SI_ASYNCIO),
	C(SI_SIGIO), C(SI_TKILL), {-7ull, "SI_DETHREAD"}, C(SI_ASYNCNL),
};

static const struct kt_label signal_code_bus_of[] = {
	C(BUS_ADRALN), C(BUS_ADRERR), C(BUS_OBJERR), C(BUS_MCEERR_AR), C(BUS_MCEERR_AO),
};

static const struct kt_label signal_code_child_of[] = {
	C(CLD_EXITED), C(CLD_KILLED), C(CLD_DUMPED), C(CLD_TRAPPED), C(CLD_STOPPED),
	C(CLD_CONTINUED),
};

static const struct kt_label signal_code_fpe_of[] = {
	C(FPE_INTDIV), C(FPE_INTOVF), C(FPE_FLTDIV), C(FPE_FLTOVF), C(FPE_FLTUND),
	C(FPE_FLTRES), C(FPE_FLTINV), C(FPE_FLTSUB), {14, "FPE_FLTUNK"}, {15, "FPE_CONDTRAP"},
};

static const struct kt_label signal_code_ill_of[] = {
	C(ILL_ILLOPC), C(ILL_ILLOPN), C(ILL_ILLADR), C(ILL_ILLTRP), C(ILL_PRVOPC),
	C(ILL_PRVREG), C(ILL_COPROC), C(ILL_BADSTK), {9, "ILL_BADIADDR"},
};

static const struct kt_label signal_code_poll_of[] = {
	C(POLL_IN), C(POLL_OUT), C(POLL_MSG), C(POLL_ERR), C(POLL_PRI), C(POLL_HUP),
};

static const struct kt_label signal_code_segv_of[] = {
	C(SEGV_MAPERR), C(SEGV_ACCERR), {3, "SEGV_BNDERR"}, {4, "SEGV_PKUERR"},
	{5, "SEGV_ACCADI"}, {6, "SEGV_ADIDERR"}, {7, "SEGV_ADIPERR"}, {8, "SEGV_MTEAERR"},
	{9, "SEGV_MTESERR"}, {10, "SEGV_CPERR"},
};

static const struct kt_label signal_code_sys_of[] = {
	{1, "SYS_SECCOMP"}, {2, "SYS_USER_DISPATCH"},
};

static const struct kt_label signal_code_trap_of[] = {
	C(TRAP_BRKPT), C(TRAP_TRACE), {3, "TRAP_BRANCH"}, {4, "TRAP_HWBKPT"}, {5, "TRAP_UNK"},
	{6, "TRAP_PERF"},
};

static const struct kt_labels tables[] = {
	VALUES(audit_arch, "AUDIT_ARCH_???"), VALUES(signal_code, NULL),
	VALUES(signal_code_bus, NULL), VALUES(signal_code_child, NULL),
	VALUES(signal_code_fpe, NULL), VALUES(signal_code_ill, NULL),
	VALUES(signal_code_poll, NULL), VALUES(signal_code_segv, NULL),
	VALUES(signal_code_sys, NULL), VALUES(signal_code_trap, NULL),
};

/* clang-format on */

const struct kt_constants kt_constants_of_signal = {tables, sizeof(tables) / sizeof(*tables)};
