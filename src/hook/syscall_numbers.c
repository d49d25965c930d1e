// SPDX-License-Identifier: GPL-2.0-or-later
#include "hook/syscall_numbers.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/bpf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/scan.h"
#include "bpf/asm.h"
#include "ctypes/btf.h"
#include "ctypes/member_path.h"
#include "events/event.h"
#include "events/syscall_names.h"
#include "generate/pointer_chase.h"
#include "hook/map.h"
#include "hook/program.h"

/* The path from the current task to the data of a tracefs inode, a struct trace_event_file. */
static const char way[] = "current->files->fdt->fd[0]->f_inode->i_private";

/* The steps from there on, members and their offsets. */
enum { CALL, DATA, NUMBER, NAME, STEPS };

static const struct step {
	const char *of, *member;
} steps[STEPS] = {
	[CALL] = {"trace_event_file", "event_call"},
	[DATA] = {"trace_event_call", "data"},
	[NUMBER] = {"syscall_metadata", "syscall_nr"},
	[NAME] = {"syscall_metadata", "name"},
};

/* What the program stores. */
struct found {
	uint64_t number; /* in the lower half */
	char name[64];   /* "sys_openat" */
};

struct kt_syscall_numbers {
	int tracefs;
	int fd; /* descriptor whose data the program looks at */
	int program;
	struct kt_member_path path;
	unsigned int offsets[STEPS];
	struct kt_map found; /* one struct found */
};

static int find_path(struct kt_member_path *path, struct kt_btf *btf, struct kt_error *err)
{
	struct kt_scan scan = kt_scan_of(way, err);
	struct kt_btf_target tp;

	if (kt_btf_tracepoint(btf, kt_syscall_tracepoint(KT_ENTER), &tp, err) < 0)
		return -err->code;
	if (kt_member_path_find(path, &tp, &scan) == 0)
		return 0;
	err->typed = NULL; /* no user typed it */
	return kt_fail_because(err, "%s", way);
}

static int find_offsets(struct kt_syscall_numbers *n, struct kt_btf *btf, struct kt_error *err)
{
	int i, ret = 0;

	for (i = 0; i < STEPS && ret == 0; i++)
		ret = kt_btf_offset(btf, steps[i].of, steps[i].member, &n->offsets[i], err);
	return ret;
}

static void emit_program(struct kt_asm *a, const struct kt_syscall_numbers *n)
{
	enum { STACK = -8, METADATA = BPF_REG_6, FOUND = BPF_REG_7 };

	kt_emit_pointer_chase(a, &n->path, n->fd, STACK);
	kt_asm_note(a, "the event, and its metadata");
	kt_emit_step(a, n->offsets[CALL], STACK);
	kt_emit_step(a, n->offsets[DATA], STACK);
	kt_asm_move(a, METADATA, BPF_REG_0);
	kt_asm_move_value(a, FOUND, n->found.fd);
	kt_asm_note(a, "the call's number");
	kt_emit_step(a, n->offsets[NUMBER], STACK);
	kt_asm_store(a, BPF_DW, FOUND, offsetof(struct found, number), BPF_REG_0);
	kt_asm_note(a, "the call's name");
	kt_asm_move(a, BPF_REG_0, METADATA);
	kt_emit_step(a, n->offsets[NAME], STACK);
	kt_asm_move(a, BPF_REG_3, BPF_REG_0);
	kt_asm_move_imm(a, BPF_REG_2, sizeof(((struct found *)0)->name));
	kt_asm_move(a, BPF_REG_1, FOUND);
	kt_asm_alu_imm(a, BPF_ADD, BPF_REG_1, offsetof(struct found, name));
	kt_asm_call(a, BPF_FUNC_probe_read_kernel_str);
	kt_asm_move_imm(a, BPF_REG_0, 0);
	kt_asm_exit(a);
}

static int load_program(struct kt_syscall_numbers *n, struct kt_error *err)
{
	struct kt_program_kind kind = {.type = BPF_PROG_TYPE_RAW_TRACEPOINT};
	struct kt_asm *a = kt_asm_new();

	if (!a)
		return kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
	emit_program(a, n);
	n->program = kt_program_load(kind, "calls:numbers", a, err);
	kt_asm_free(a);
	return n->program < 0 ? n->program : 0;
}

struct kt_syscall_numbers *kt_syscall_numbers_new(int tracefs, struct kt_btf *btf,
						  struct kt_error *err)
{
	struct kt_syscall_numbers *n = calloc(1, sizeof(*n));

	if (!n) {
		kt_fail(err, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	*n = (struct kt_syscall_numbers){.tracefs = tracefs, .program = -1};
	n->fd = fcntl(tracefs, F_DUPFD_CLOEXEC, 0);
	if (n->fd < 0)
		kt_fail(err, errno, "cannot open a file: %s", strerror(errno));
	else if (find_path(&n->path, btf, err) == 0 && find_offsets(n, btf, err) == 0 &&
		 kt_map_make(&n->found, "kt_numbers", sizeof(struct found), 1, err) == 0 &&
		 load_program(n, err) == 0)
		return n;
	kt_syscall_numbers_free(n);
	return NULL;
}

void kt_syscall_numbers_free(struct kt_syscall_numbers *n)
{
	if (!n)
		return;
	if (n->program >= 0)
		close(n->program);
	kt_map_free(&n->found);
	if (n->fd >= 0)
		close(n->fd);
	free(n);
}

/* Opens the event's file in place of f->fd. The file identifies the event; it is not read. */
static int open_event(struct kt_syscall_numbers *n, const struct kt_event *event,
		      struct kt_error *err)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "events/%s/%s/enable", event->system, event->name);
	fd = openat(n->tracefs, path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && dup3(fd, n->fd, O_CLOEXEC) == n->fd) {
		close(fd);
		return 0;
	}
	kt_fail(err, errno, "%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return -err->code;
}

int kt_syscall_numbers_find(struct kt_syscall_numbers *n, const struct kt_event *event,
			    uint32_t *number, struct kt_error *err)
{
	struct found *found = n->found.memory;
	enum kt_side side;
	const char *call = kt_syscall_of(event->system, event->name, &side);
	uint32_t returned;

	*found = (struct found){0};
	if (open_event(n, event, err) < 0 || kt_program_run(n->program, &returned, err) < 0)
		return -err->code;
	*number = found->number;
	found->name[sizeof(found->name) - 1] = '\0';
	if (strncmp(found->name, "sys_", 4) == 0 && strcmp(found->name + 4, call) == 0)
		return 0;
	return kt_fail(err, EOPNOTSUPP, "cannot find the number of '%s'", call);
}
