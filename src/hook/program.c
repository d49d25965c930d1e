// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/program.h"

#include <bpf/bpf.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/error.h"
#include "base/release.h"
#include "emit/asm.h"
#include "hook/rights.h"

/*
 * Of the verifier's log the verdict alone, and the figures: with every instruction that it looked
 * at, a log can be of megabytes, and before 6.4 a full one lacks its end.
 */
enum { LOG_SIZE = 1 << 16, LOG_VERDICT = 4 };

/* "kt_" and what fits of the event's name, in the letters that the kernel allows. */
static void program_name(const char *event, char name[BPF_OBJ_NAME_LEN])
{
	char *c;

	snprintf(name, BPF_OBJ_NAME_LEN, "kt_%s", event);
	for (c = name; *c; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
}

static bool is_figure(const char *line)
{
	static const char *const figures[] = {"processed ", "stack depth ", "verification time "};
	size_t i = 0, n = sizeof(figures) / sizeof(*figures);

	while (i < n && strncmp(line, figures[i], strlen(figures[i])) != 0)
		i++;
	return i < n;
}

/* The verifier's verdict: the last line of its log, but for the figures that it adds. */
static const char *verdict(char *log)
{
	const char *last = NULL;
	char *line;

	for (line = strtok(log, "\n"); line; line = strtok(NULL, "\n"))
		if (!is_figure(line))
			last = line;
	return last;
}

int kt_program_load(struct kt_program_kind kind, const char *event, struct kt_asm *code,
		    struct kt_error *err)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .attach_btf_id = kind.btf_id,
		    .expected_attach_type = kind.btf_id ? BPF_TRACE_RAW_TP : 0);
	const struct bpf_insn *insns;
	char name[BPF_OBJ_NAME_LEN], *log;
	const char *said = NULL;
	size_t n_insns;
	int fd;

	program_name(event, name);
	insns = kt_asm_link(code, &n_insns, err);
	if (!insns)
		return kt_fail_because(err, "cannot load the program of %s", event);
	fd = bpf_prog_load(kind.type, name, "GPL", insns, n_insns, &opts);
	if (fd >= 0)
		return fd;

	/* Once more, for the reason: a log costs time that a good program need not pay. */
	log = calloc(1, LOG_SIZE);
	opts.log_buf = log;
	opts.log_size = LOG_SIZE;
	opts.log_level = LOG_VERDICT;
	if (log && fd != -EPERM) {
		fd = bpf_prog_load(kind.type, name, "GPL", insns, n_insns, &opts);
		said = verdict(log);
	}
	if (fd >= 0) {
		free(log);
		return fd;
	}
	if (said)
		kt_fail(err, -fd, "the verifier says: %s", said);
	else
		kt_rights_fail(err, -fd, "bpf");
	free(log);
	return kt_fail_because(err, "cannot load the program of %s", event);
}

int kt_program_run(int program, uint32_t *result, struct kt_error *err)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	int ret = bpf_prog_test_run_opts(program, &opts);

	if (ret < 0)
		return kt_rights_fail(err, -ret, "cannot run a BPF program");
	*result = opts.retval;
	return 0;
}

uint64_t kt_program_missed(int program)
{
	struct bpf_prog_info info = {0};
	uint32_t size = sizeof(info);

	if (bpf_obj_get_info_by_fd(program, &info, &size) < 0)
		return 0;
	return info.recursion_misses;
}

bool kt_program_counts_missed(void)
{
	struct utsname host;

	return uname(&host) == 0 && kt_release_is_since(host.release, 6, 7);
}
