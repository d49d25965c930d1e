// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/ask/preemption.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/error.h"
#include "bpf/asm.h"
#include "events/kallsyms.h"
#include "hook/program.h"

/* The kernel's preempt_dynamic_mode: none, voluntary, full, lazy. */
enum { MODE_VOLUNTARY = 1, MODE_UNKNOWN = UINT8_MAX };

/* Parses "none voluntary (full) lazy". */
static bool is_chosen_calm(const char *choices)
{
	return strstr(choices, "(none)") || strstr(choices, "(voluntary)");
}

/* Returns 1 or 0 as debugfs says, or -1 if it does not. */
static int read_choice(void)
{
	FILE *f = fopen("/sys/kernel/debug/sched/preempt", "re");
	char choices[128];
	bool has;

	if (!f)
		return -1;
	has = fgets(choices, sizeof(choices), f);
	fclose(f);
	return has ? !is_chosen_calm(choices) : -1;
}

/* Returns 0 if there is none, or addresses are hidden. */
static uint64_t find_variable(const char *variable)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	uint64_t at, found = 0;
	size_t size = 0;
	char *line = NULL, *name, type;

	while (f && !found && getline(&line, &size, f) > 0)
		if (kt_kallsyms_parse(line, &at, &type, &name) && strcmp(name, variable) == 0)
			found = at;
	free(line);
	if (f)
		fclose(f);
	return found;
}

static void emit_read(struct kt_asm *a, uint64_t address)
{
	enum { MODE = -8 };

	kt_asm_store_imm(a, BPF_W, BPF_REG_10, MODE, MODE_UNKNOWN);
	kt_asm_move(a, BPF_REG_1, BPF_REG_10);
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_1, MODE);
	kt_asm_move_imm(a, BPF_REG_2, sizeof(uint32_t));
	kt_asm_move_imm64(a, BPF_REG_3, address);
	kt_asm_call(a, BPF_FUNC_probe_read_kernel);
	kt_asm_load(a, BPF_W, BPF_REG_0, BPF_REG_10, MODE);
	kt_asm_exit(a);
}

static uint32_t read_mode(uint64_t address)
{
	struct kt_program_kind kind = {.type = BPF_PROG_TYPE_RAW_TRACEPOINT};
	struct kt_asm *a = kt_asm_new();
	uint32_t mode = MODE_UNKNOWN;
	struct kt_error ignored;
	int program;

	if (!a)
		return mode;
	emit_read(a, address);
	program = kt_program_load(kind, "preempt", a, &ignored);
	kt_asm_free(a);
	if (program < 0)
		return mode;
	if (kt_program_run(program, &mode, &ignored) < 0)
		mode = MODE_UNKNOWN;
	close(program);
	return mode;
}

/* Asks a kernel that can be told. */
static bool ask(void)
{
	int chosen = read_choice();
	uint64_t address;

	if (chosen >= 0)
		return chosen;
	address = find_variable("preempt_dynamic_mode");
	return !address || read_mode(address) > MODE_VOLUNTARY;
}

static bool find(void)
{
	struct utsname host;

	if (uname(&host) < 0)
		return true;
	if (!strstr(host.version, "PREEMPT"))
		return false;
	return !strstr(host.version, "PREEMPT_DYNAMIC") || ask();
}

bool kt_kernel_preempts(void)
{
	static int preempts = -1;

	if (preempts < 0)
		preempts = find();
	return preempts;
}
