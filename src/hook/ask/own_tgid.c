// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/ask/own_tgid.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "bpf/asm.h"
#include "generate/fork_tracking.h"
#include "hook/program.h"

int kt_own_tgid_load(struct kt_error *err)
{
	struct kt_program_kind kind = {.type = BPF_PROG_TYPE_RAW_TRACEPOINT};
	struct kt_asm *a = kt_asm_new();
	int program;

	if (!a)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	kt_emit_process(a);
	kt_asm_exit(a);
	program = kt_program_load(kind, "self", a, err);
	kt_asm_free(a);
	return program;
}

int kt_own_tgid_number(int program, uint32_t *self, struct kt_error *err)
{
	return kt_program_run(program, self, err);
}
