// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/program.h"

#include <bpf/bpf.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/error.h"
#include "base/kernel_release.h"
#include "bpf/asm.h"
#include "hook/capabilities.h"
#include "hook/program_btf.h"

/*
 * The verifier's log: only the verdict and statistics; or the whole path to the instruction where
 * it stopped, which can take megabytes.
 */
enum { LOG_SIZE = 1 << 16, LOG_SIZE_MAX = 1 << 28, LOG_WAY = 1, LOG_VERDICT = 4 };

/* What is passed to the kernel. */
struct load_program {
	struct kt_program_kind kind;
	char name[BPF_OBJ_NAME_LEN];
	const struct bpf_insn *insns;
	size_t n_insns;
	struct kt_program_btf btf;
};

static FILE *shown_to;

void kt_program_show(FILE *out)
{
	shown_to = out;
}

bool kt_program_is_shown(void)
{
	return shown_to;
}

static const char *get_tracing_name(struct kt_program_kind kind)
{
	switch (kind.attach_type) {
	case BPF_TRACE_RAW_TP:
		return "tp_btf";
	case BPF_TRACE_FENTRY:
		return "fentry";
	case BPF_TRACE_FEXIT:
		return "fexit";
	default:
		return "fsession";
	}
}

static const char *get_kernel_probe_name(struct kt_program_kind kind)
{
	switch (kind.attach_type) {
	case KT_TRACE_KPROBE_MULTI:
		return "kprobe.multi";
	case KT_TRACE_KPROBE_SESSION:
		return "kprobe.session";
	default:
		return kind.is_return ? "kretprobe" : "kprobe";
	}
}

const char *kt_program_kind_name(struct kt_program_kind kind)
{
	switch (kind.type) {
	case BPF_PROG_TYPE_RAW_TRACEPOINT:
		return "raw_tp";
	case BPF_PROG_TYPE_TRACING:
		return get_tracing_name(kind);
	case BPF_PROG_TYPE_KPROBE:
		if (kind.in_kernel)
			return get_kernel_probe_name(kind);
		return kind.attach_type ? "uprobe.multi" : "uprobe";
	default:
		return "tracepoint";
	}
}

/*
 * Writes "kt_" and as much of the event's name as fits, in the characters that the kernel allows.
 */
static void format_name(const char *event, char name[BPF_OBJ_NAME_LEN])
{
	char *c;

	snprintf(name, BPF_OBJ_NAME_LEN, "kt_%s", event);
	for (c = name; *c; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
}

static bool is_statistic(const char *line)
{
	static const char *const figures[] = {"processed ", "stack depth ", "verification time ",
					      "subprog "};
	size_t i = 0, n = sizeof(figures) / sizeof(*figures);

	while (i < n && strncmp(line, figures[i], strlen(figures[i])) != 0)
		i++;
	return i < n;
}

/*
 * Returns the verifier's verdict: the last line of its log before the explanation (since 7.3) and
 * the statistics.
 */
static const char *find_verdict(char *log)
{
	static const char explanation[] = "Verification failed:";
	const char *last = NULL;
	char *line, *rest;

	for (line = strtok_r(log, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (strncmp(line, explanation, strlen(explanation)) == 0)
			break;
		if (!is_statistic(line))
			last = line;
	}
	return last;
}

/* Loads a program; with level 0 without a log. */
static int load_program(const struct load_program *l, int level, char *log, size_t size)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .attach_btf_id = l->kind.btf_id,
		    .expected_attach_type = l->kind.attach_type,
		    .prog_flags = l->kind.sleeps ? BPF_F_SLEEPABLE : 0, .prog_btf_fd = l->btf.fd,
		    .func_info = l->btf.functions, .func_info_cnt = l->btf.n,
		    .func_info_rec_size = sizeof(*l->btf.functions), .log_level = level,
		    .log_buf = log, .log_size = size);

	return bpf_prog_load(l->kind.type, l->name, "GPL", l->insns, l->n_insns, &opts);
}

/* Loads once more, for the log: it costs time that a good program need not spend. */
static int load_again(const struct load_program *l, struct kt_error *err)
{
	char *log = calloc(1, LOG_SIZE);
	const char *reason;
	int fd;

	if (!log)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	fd = load_program(l, LOG_VERDICT, log, LOG_SIZE);
	reason = find_verdict(log);
	if (fd < 0 && reason)
		kt_fail(err, -fd, "verifier: %s", reason);
	else if (fd < 0)
		kt_capabilities_fail(err, -fd, "bpf");
	free(log);
	return fd;
}

static void print_log(char *log, bool is_whole)
{
	char *line, *rest = log;

	fputs("; the verifier refuses it:\n", shown_to);
	while ((line = strsep(&rest, "\n")))
		if (*line)
			fprintf(shown_to, "; %s\n", line);
	if (!is_whole)
		fprintf(shown_to, "; this is a part: all of it has more than %d MiB\n",
			LOG_SIZE_MAX >> 20);
}

/* Before 6.4 the kernel does not report the log's length. */
static void show_log(const struct load_program *l)
{
	size_t size = LOG_SIZE;
	char *log = NULL;
	int fd;

	do {
		size *= 4;
		free(log);
		log = calloc(1, size);
		fd = log ? load_program(l, LOG_WAY, log, size) : -ENOMEM;
	} while (fd == -ENOSPC && size < LOG_SIZE_MAX);
	if (fd >= 0)
		close(fd);
	else if (log && *log)
		print_log(log, fd != -ENOSPC);
	free(log);
}

static void show_program(const struct load_program *l, const char *event, const struct kt_asm *code)
{
	fprintf(shown_to, "; %s: %s, %zu instructions\n", event, kt_program_kind_name(l->kind),
		l->n_insns);
	kt_asm_print(code, shown_to);
}

/* Loads a linked program, and shows it. */
static int load_shown(const struct load_program *l, const char *event, const struct kt_asm *code,
		      struct kt_error *err)
{
	int fd;

	if (shown_to)
		show_program(l, event, code);
	fd = load_program(l, 0, NULL, 0);
	if (fd == -EPERM)
		kt_capabilities_fail(err, -fd, "bpf");
	else if (fd < 0)
		fd = load_again(l, err);
	if (shown_to && fd < 0 && fd != -EPERM)
		show_log(l);
	if (shown_to)
		fputc('\n', shown_to);
	return fd;
}

int kt_program_load(struct kt_program_kind kind, const char *event, struct kt_asm *code,
		    struct kt_error *err)
{
	struct load_program l = {.kind = kind};
	int fd;

	format_name(event, l.name);
	l.insns = kt_asm_link(code, &l.n_insns, err);
	if (!l.insns || kt_program_btf_make(&l.btf, code, err) < 0)
		return kt_fail_because(err, "cannot load the program of %s", event);
	fd = load_shown(&l, event, code, err);
	kt_program_btf_free(&l.btf);
	return fd < 0 ? kt_fail_because(err, "cannot load the program of %s", event) : fd;
}

int kt_program_run(int program, uint32_t *result, struct kt_error *err)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	int ret = bpf_prog_test_run_opts(program, &opts);

	if (ret < 0)
		return kt_capabilities_fail(err, -ret, "cannot run a BPF program");
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

	return uname(&host) == 0 && kt_kernel_release_is_since(host.release, 6, 7);
}
