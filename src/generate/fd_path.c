// SPDX-License-Identifier: GPL-2.0-or-later
#include "generate/fd_path.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>

#include "bpf/asm.h"
#include "ctypes/fdtable_offsets.h"
#include "generate/pointer_chase.h"

/* Which headers of before 6.9 do not have. */
#ifndef PID_FS_MAGIC
#define PID_FS_MAGIC 0x50494446
#endif

/* Where the text begins that is there so far. */
enum { BEGIN = BPF_REG_6, LENGTH = BPF_REG_2 };

/*
 * Of the area: where the text begins, and the 0 at its end. What the verifier knows of a number
 * that stands in a map is nothing, so that it is the same however many names have been put: all
 * turns of the loop are one to it. For that, too, what goes wrong is noted, and looked at in the
 * end.
 */
enum { BEGINS = 0, MASK = 8191, END = 16 + 4096 };

/* Of the stack. The mount and the name in it lie as in a struct path. */
enum {
	PART,
	MOUNT = PART + KT_FDTABLE_DENTRY,
	NAME = MOUNT + 8,
	ROOT = NAME + 8,
	TURN = ROOT + 8,
	FROM = TURN + 8, /* where the kernel has it that the file is this one, and which it was */
	WAS = FROM + 8,
	AGAIN = WAS + 8,
	WRONG = AGAIN + 8, /* 0: nothing went wrong */
	USED = WRONG + 8,
};

enum { WORD = sizeof(uint64_t), NAME_MOST = 255, DIGITS_MOST = 20 };

_Static_assert((int)USED <= (int)KT_EMIT_FD_PATH_STACK, "there is room for these");
_Static_assert((int)MASK + 1 + (int)NAME_MOST <= (int)KT_EMIT_FD_PATH_AREA,
	       "a name fits wherever it begins");

static void load(const struct kt_emit_fd_path *f, int dst, int slot)
{
	kt_asm_load(f->a, BPF_DW, dst, BPF_REG_10, f->stack + slot);
}

static void store(const struct kt_emit_fd_path *f, int slot, int src)
{
	kt_asm_store(f->a, BPF_DW, BPF_REG_10, f->stack + slot, src);
}

/* Unless it is 0. r5 is lost. */
static void note_wrong(const struct kt_emit_fd_path *f, int what)
{
	load(f, BPF_REG_5, WRONG);
	kt_asm_alu(f->a, BPF_OR, BPF_REG_5, what);
	store(f, WRONG, BPF_REG_5);
}

/* So many bytes from r3 on, to there. */
static void read(const struct kt_emit_fd_path *f, int slot, unsigned int size)
{
	kt_asm_move_imm(f->a, BPF_REG_2, size);
	kt_asm_move(f->a, BPF_REG_1, BPF_REG_10);
	kt_asm_alu_imm(f->a, BPF_ADD, BPF_REG_1, f->stack + slot);
	kt_asm_call(f->a, BPF_FUNC_probe_read_kernel);
	note_wrong(f, BPF_REG_0);
}

/* r3 = so far behind what is there */
static void behind(const struct kt_emit_fd_path *f, int slot, unsigned int offset)
{
	load(f, BPF_REG_3, slot);
	kt_asm_alu_imm(f->a, BPF_ADD, BPF_REG_3, offset);
}

static void step(const struct kt_emit_fd_path *f, unsigned int offset)
{
	kt_emit_step(f->a, offset, f->stack + PART);
}

static void find_begin(const struct kt_emit_fd_path *f)
{
	kt_asm_load(f->a, BPF_DW, BEGIN, f->area, BEGINS);
	kt_asm_alu_imm(f->a, BPF_AND, BEGIN, MASK);
}

/* r1 = where LENGTH bytes more come, at most 255, of which the path has so many; or goes to cut. */
static void make_room(const struct kt_emit_fd_path *f, size_t max, int cut)
{
	find_begin(f);
	kt_asm_alu(f->a, BPF_SUB, BEGIN, LENGTH);
	kt_asm_jump_imm(f->a, BPF_JSLT, BEGIN, END - max, cut);
	kt_asm_store(f->a, BPF_DW, f->area, BEGINS, BEGIN);
	kt_asm_move(f->a, BPF_REG_1, f->area);
	kt_asm_alu(f->a, BPF_ADD, BPF_REG_1, BEGIN);
}

/* There is always room for the dots. */
enum { DOTS = 3 };

static void put(const struct kt_emit_fd_path *f, const char *text, bool last)
{
	size_t i, n = strlen(text);

	kt_asm_move_imm(f->a, LENGTH, n);
	make_room(f, last ? f->max : f->max - DOTS, last ? f->none : f->cut);
	for (i = 0; i < n; i++)
		kt_asm_store_imm(f->a, BPF_B, BPF_REG_1, i, text[i]);
}

/* As many bytes as are in LENGTH, 255 at most, from r3 on; behind a letter, if any. */
static void put_bytes(const struct kt_emit_fd_path *f, char before)
{
	if (before)
		kt_asm_alu_imm(f->a, BPF_ADD, LENGTH, 1);
	make_room(f, f->max - DOTS, f->cut);
	if (before) {
		kt_asm_store_imm(f->a, BPF_B, BPF_REG_1, 0, before);
		kt_asm_alu_imm(f->a, BPF_ADD, BPF_REG_1, 1);
		kt_asm_alu_imm(f->a, BPF_SUB, LENGTH, 1);
	}
	kt_asm_call(f->a, BPF_FUNC_probe_read_kernel);
	note_wrong(f, BPF_REG_0);
}

/* The name, from the part that was read. That it is being changed is wrong. */
static void put_name(const struct kt_emit_fd_path *f, char before)
{
	unsigned int seq = f->at->dentry.seq;

	kt_asm_load(f->a, BPF_W, LENGTH, BPF_REG_10, f->stack + PART + f->at->dentry.len);
	kt_asm_move(f->a, BPF_REG_1, LENGTH);
	kt_asm_alu_imm(f->a, BPF_RSH, BPF_REG_1, 8);
	note_wrong(f, BPF_REG_1);
	kt_asm_alu_imm(f->a, BPF_AND, LENGTH, NAME_MOST);
	load(f, BPF_REG_3, PART + f->at->dentry.name);
	put_bytes(f, before);
	kt_asm_note(f->a, "is it still the same?");
	behind(f, NAME, seq);
	read(f, AGAIN, sizeof(uint32_t));
	kt_asm_load(f->a, BPF_W, BPF_REG_1, BPF_REG_10, f->stack + AGAIN);
	kt_asm_load(f->a, BPF_W, BPF_REG_2, BPF_REG_10, f->stack + PART + seq);
	kt_asm_alu(f->a, BPF_XOR, BPF_REG_2, BPF_REG_1);
	note_wrong(f, BPF_REG_2);
	kt_asm_alu_imm(f->a, BPF_AND, BPF_REG_1, 1);
	note_wrong(f, BPF_REG_1);
}

static void begin_turns(const struct kt_emit_fd_path *f, int again)
{
	kt_asm_move_imm(f->a, BPF_REG_1, 0);
	store(f, TURN, BPF_REG_1);
	kt_asm_place(f->a, again);
}

static void end_turn(const struct kt_emit_fd_path *f, int most, int again)
{
	load(f, BPF_REG_1, TURN);
	kt_asm_alu_imm(f->a, BPF_ADD, BPF_REG_1, 1);
	store(f, TURN, BPF_REG_1);
	kt_asm_jump_imm(f->a, BPF_JLT, BPF_REG_1, most, again);
}

/* The number in r0. */
static void put_digits(const struct kt_emit_fd_path *f)
{
	enum { REST = BPF_REG_3, DIGIT = BPF_REG_4 };
	int again = kt_asm_label(f->a, "digit"), end = kt_asm_label(f->a, "digits");

	kt_asm_move(f->a, REST, BPF_REG_0);
	begin_turns(f, again);
	kt_asm_move(f->a, DIGIT, REST);
	kt_asm_alu_imm(f->a, BPF_MOD, DIGIT, 10);
	kt_asm_alu_imm(f->a, BPF_ADD, DIGIT, '0');
	kt_asm_alu_imm(f->a, BPF_DIV, REST, 10);
	kt_asm_move_imm(f->a, LENGTH, 1);
	make_room(f, f->max - DOTS, f->cut);
	kt_asm_store(f->a, BPF_B, BPF_REG_1, 0, DIGIT);
	kt_asm_jump_imm(f->a, BPF_JEQ, REST, 0, end);
	end_turn(f, DIGITS_MOST, again);
	kt_asm_place(f->a, end);
}

/* What the kernel calls namespaces of that kind. */
static void put_kind(const struct kt_emit_fd_path *f)
{
	load(f, BPF_REG_0, NAME);
	step(f, f->at->dentry.inode);
	step(f, f->at->inode.private);
	step(f, f->at->ns.ops);
	step(f, f->at->ns.name);
	kt_asm_move(f->a, BPF_REG_3, BPF_REG_0);
	kt_asm_move_imm(f->a, BPF_REG_2, KT_FDTABLE_DENTRY);
	kt_asm_move(f->a, BPF_REG_1, BPF_REG_10);
	kt_asm_alu_imm(f->a, BPF_ADD, BPF_REG_1, f->stack + PART);
	kt_asm_call(f->a, BPF_FUNC_probe_read_kernel_str);
	kt_asm_jump_imm(f->a, BPF_JSLE, BPF_REG_0, 0, f->none);
	kt_asm_move(f->a, LENGTH, BPF_REG_0);
	kt_asm_alu_imm(f->a, BPF_SUB, LENGTH, 1);
	kt_asm_move(f->a, BPF_REG_3, BPF_REG_10);
	kt_asm_alu_imm(f->a, BPF_ADD, BPF_REG_3, f->stack + PART);
	put_bytes(f, 0);
}

/* What lies in no directory, by the file system that it is of: in r0. */
static void put_nameless(const struct kt_emit_fd_path *f, int done)
{
	int numbered = kt_asm_label(f->a, "numbered"), pipe = kt_asm_label(f->a, "pipe");
	int process = kt_asm_label(f->a, "process"), space = kt_asm_label(f->a, "namespace");
	int anonymous = kt_asm_label(f->a, "anonymous");

	kt_asm_note(f->a, "it has no path");
	kt_asm_move(f->a, BPF_REG_0, BPF_REG_2);
	step(f, f->at->dentry.sb);
	step(f, f->at->sb.magic);
	store(f, MOUNT, BPF_REG_0);
	kt_asm_jump_imm(f->a, BPF_JEQ, BPF_REG_0, PID_FS_MAGIC, process);
	kt_asm_jump_imm(f->a, BPF_JEQ, BPF_REG_0, SOCKFS_MAGIC, numbered);
	kt_asm_jump_imm(f->a, BPF_JEQ, BPF_REG_0, PIPEFS_MAGIC, numbered);
	kt_asm_jump_imm(f->a, BPF_JEQ, BPF_REG_0, NSFS_MAGIC, numbered);
	behind(f, NAME, 0);
	read(f, PART, KT_FDTABLE_DENTRY);
	load(f, BPF_REG_1, MOUNT);
	kt_asm_jump_imm(f->a, BPF_JEQ, BPF_REG_1, ANON_INODE_FS_MAGIC, anonymous);
	put(f, " (deleted)", false);
	put_name(f, '/');
	kt_asm_jump(f->a, done);
	kt_asm_place(f->a, anonymous);
	put_name(f, 0);
	put(f, "anon_inode:", false);
	kt_asm_jump(f->a, done);
	kt_asm_place(f->a, process);
	put(f, "anon_inode:[pidfd]", false);
	kt_asm_jump(f->a, done);

	kt_asm_place(f->a, numbered);
	put(f, "]", false);
	load(f, BPF_REG_0, NAME);
	step(f, f->at->dentry.inode);
	step(f, f->at->inode.ino);
	put_digits(f);
	load(f, BPF_REG_1, MOUNT);
	kt_asm_jump_imm(f->a, BPF_JEQ, BPF_REG_1, PIPEFS_MAGIC, pipe);
	kt_asm_jump_imm(f->a, BPF_JEQ, BPF_REG_1, NSFS_MAGIC, space);
	put(f, "socket:[", false);
	kt_asm_jump(f->a, done);
	kt_asm_place(f->a, pipe);
	put(f, "pipe:[", false);
	kt_asm_jump(f->a, done);
	kt_asm_place(f->a, space);
	put(f, ":[", false);
	put_kind(f);
	kt_asm_jump(f->a, done);
}

/* Where this mount is mounted: goes to done where it is not. */
static void leave_mount(const struct kt_emit_fd_path *f, int done)
{
	kt_asm_note(f->a, "the mount's root: what it is mounted on");
	load(f, BPF_REG_3, MOUNT);
	kt_asm_alu_imm(f->a, BPF_SUB, BPF_REG_3, f->at->mount.vfsmount);
	store(f, AGAIN, BPF_REG_3);
	kt_asm_alu_imm(f->a, BPF_ADD, BPF_REG_3, f->at->mount.parent);
	read(f, PART, 2 * WORD);
	load(f, BPF_REG_1, PART);
	load(f, BPF_REG_2, AGAIN);
	kt_asm_jump_if(f->a, BPF_JEQ, BPF_REG_1, BPF_REG_2, done);
	kt_asm_alu_imm(f->a, BPF_ADD, BPF_REG_1, f->at->mount.vfsmount);
	store(f, MOUNT, BPF_REG_1);
	load(f, BPF_REG_1, PART + WORD);
	store(f, NAME, BPF_REG_1);
	behind(f, MOUNT, f->at->mount.root);
	read(f, ROOT, WORD);
}

/* The names from there up to the root. */
static void put_path(const struct kt_emit_fd_path *f, int done)
{
	int again = kt_asm_label(f->a, "again"), next = kt_asm_label(f->a, "next");
	int root = kt_asm_label(f->a, "root");

	begin_turns(f, again);
	behind(f, NAME, 0);
	read(f, PART, KT_FDTABLE_DENTRY);
	load(f, BPF_REG_1, NAME);
	load(f, BPF_REG_2, ROOT);
	kt_asm_jump_if(f->a, BPF_JEQ, BPF_REG_1, BPF_REG_2, root);
	load(f, BPF_REG_2, PART + f->at->dentry.parent);
	kt_asm_jump_if(f->a, BPF_JEQ, BPF_REG_1, BPF_REG_2, done);
	put_name(f, '/');
	load(f, BPF_REG_1, PART + f->at->dentry.parent);
	store(f, NAME, BPF_REG_1);
	kt_asm_jump(f->a, next);
	kt_asm_place(f->a, root);
	leave_mount(f, done);
	kt_asm_place(f->a, next);
	end_turn(f, KT_EMIT_FD_PATH_DEPTH, again);
	kt_asm_place(f->a, f->cut);
	put(f, "...", true);
}

/* Unless both words that were read there are those of MOUNT and NAME. */
static void note_torn(const struct kt_emit_fd_path *f)
{
	int i;

	for (i = 0; i < 2; i++) {
		load(f, BPF_REG_1, PART + i * WORD);
		load(f, BPF_REG_2, MOUNT + i * WORD);
		kt_asm_alu(f->a, BPF_XOR, BPF_REG_1, BPF_REG_2);
		note_wrong(f, BPF_REG_1);
	}
}

/* What the process's working directory is. A thread may be writing the second of its words. */
static void find_directory(const struct kt_emit_fd_path *f, int found)
{
	kt_asm_note(f->a, "the working directory");
	step(f, f->at->task.fs);
	kt_asm_alu_imm(f->a, BPF_ADD, BPF_REG_0, f->at->fs.pwd);
	store(f, FROM, BPF_REG_0);
	behind(f, FROM, 0);
	read(f, MOUNT, 2 * WORD);
	behind(f, FROM, 0);
	read(f, PART, 2 * WORD);
	note_torn(f);
	load(f, BPF_REG_1, FROM);
	kt_asm_alu_imm(f->a, BPF_ADD, BPF_REG_1, WORD);
	store(f, FROM, BPF_REG_1);
	load(f, BPF_REG_1, NAME);
	store(f, WAS, BPF_REG_1);
	kt_asm_jump(f->a, found);
}

/* The path of the file with the number at TURN, of the task in r0. */
static void find_opened(const struct kt_emit_fd_path *f)
{
	kt_asm_note(f->a, "the descriptor's file");
	step(f, f->at->task.files);
	step(f, f->at->table.fdt);
	store(f, FROM, BPF_REG_0);
	behind(f, FROM, f->at->fdtable.max_fds);
	read(f, AGAIN, sizeof(uint32_t));
	kt_asm_load(f->a, BPF_W, BPF_REG_1, BPF_REG_10, f->stack + AGAIN);
	kt_asm_load(f->a, BPF_W, BPF_REG_2, BPF_REG_10, f->stack + TURN);
	kt_asm_jump_if(f->a, BPF_JGE, BPF_REG_2, BPF_REG_1, f->none);
	load(f, BPF_REG_0, FROM);
	step(f, f->at->fdtable.fd);
	load(f, BPF_REG_1, TURN);
	kt_asm_alu_imm(f->a, BPF_MUL, BPF_REG_1, WORD);
	kt_asm_alu(f->a, BPF_ADD, BPF_REG_0, BPF_REG_1);
	store(f, FROM, BPF_REG_0);
	step(f, 0);
	kt_asm_jump_imm(f->a, BPF_JEQ, BPF_REG_0, 0, f->none);
	store(f, WAS, BPF_REG_0);
	behind(f, WAS, f->at->file.path);
	read(f, MOUNT, 2 * WORD);
}

/* MOUNT and NAME, and where they come from. */
static void find_path(const struct kt_emit_fd_path *f)
{
	int opened = kt_asm_label(f->a, "opened"), found = kt_asm_label(f->a, "found");

	store(f, TURN, BPF_REG_1);
	kt_asm_move_imm(f->a, BPF_REG_1, 0);
	store(f, WRONG, BPF_REG_1);
	kt_asm_call(f->a, BPF_FUNC_get_current_task);
	if (f->starts) {
		load(f, BPF_REG_1, TURN);
		kt_asm_jump_imm(f->a, BPF_JNE, BPF_REG_1, AT_FDCWD, opened);
		find_directory(f, found);
	}
	kt_asm_place(f->a, opened);
	find_opened(f);
	kt_asm_place(f->a, found);
}

static void begin(const struct kt_emit_fd_path *f)
{
	kt_asm_note(f->a, "its path, from the end");
	kt_asm_move_imm(f->a, BPF_REG_1, END);
	kt_asm_store(f->a, BPF_DW, f->area, BEGINS, BPF_REG_1);
	kt_asm_store_imm(f->a, BPF_B, f->area, END, 0);
	behind(f, MOUNT, f->at->mount.root);
	read(f, ROOT, WORD);
	behind(f, NAME, 0);
	read(f, PART, KT_FDTABLE_DENTRY);
}

/* What is in no directory is the top of a mount, or has no path. */
static void put_file(const struct kt_emit_fd_path *f, int done)
{
	int is_in = kt_asm_label(f->a, "is in a directory"), named = kt_asm_label(f->a, "named");

	load(f, BPF_REG_1, PART + f->at->dentry.parent);
	load(f, BPF_REG_2, NAME);
	kt_asm_jump_if(f->a, BPF_JNE, BPF_REG_1, BPF_REG_2, is_in);
	load(f, BPF_REG_1, ROOT);
	kt_asm_jump_if(f->a, BPF_JEQ, BPF_REG_1, BPF_REG_2, named);
	put_nameless(f, done);
	kt_asm_place(f->a, is_in);
	load(f, BPF_REG_1, PART + f->at->dentry.pprev);
	kt_asm_jump_imm(f->a, BPF_JNE, BPF_REG_1, 0, named);
	put(f, " (deleted)", false);
	kt_asm_place(f->a, named);
	put_path(f, done);
}

/* r2 and r3; or goes to none if anything was wrong, or it is that file's no longer. */
static void end(const struct kt_emit_fd_path *f)
{
	int some = kt_asm_label(f->a, "some");

	kt_asm_note(f->a, "is it still that file's?");
	behind(f, FROM, 0);
	read(f, AGAIN, WORD);
	load(f, BPF_REG_1, AGAIN);
	load(f, BPF_REG_2, WAS);
	kt_asm_jump_if(f->a, BPF_JNE, BPF_REG_1, BPF_REG_2, f->none);
	load(f, BPF_REG_1, WRONG);
	kt_asm_jump_imm(f->a, BPF_JNE, BPF_REG_1, 0, f->none);
	find_begin(f);
	kt_asm_jump_imm(f->a, BPF_JNE, BEGIN, END, some);
	put(f, "/", true);
	kt_asm_place(f->a, some);
	kt_asm_move(f->a, BPF_REG_3, f->area);
	kt_asm_alu(f->a, BPF_ADD, BPF_REG_3, BEGIN);
	kt_asm_move_imm(f->a, LENGTH, END + 1);
	kt_asm_alu(f->a, BPF_SUB, LENGTH, BEGIN);
	kt_asm_jump_imm(f->a, BPF_JGT, LENGTH, f->max + 1, f->none);
}

void kt_emit_fd_path(struct kt_emit_fd_path *f)
{
	int done = kt_asm_label(f->a, "done");

	f->cut = kt_asm_label(f->a, "cut");
	find_path(f);
	begin(f);
	put_file(f, done);
	kt_asm_place(f->a, done);
	end(f);
}
