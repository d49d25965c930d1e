// SPDX-License-Identifier: GPL-2.0-or-later
#include "generate/fd_path.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>

#include "bpf/asm.h"
#include "ctypes/fdtable_offsets.h"
#include "ctypes/recipe_expr.h"
#include "generate/pointer_chase.h"

/* Headers before 6.9 lack it. */
#ifndef PID_FS_MAGIC
#define PID_FS_MAGIC 0x50494446
#endif

/* The start of the text so far. */
enum { BEGIN = BPF_REG_6, LENGTH = BPF_REG_2 };

/*
 * Layout of the area: the start of the text, and the end of its room. The start is kept in the map,
 * of which the verifier knows nothing: so all iterations of the loop look the same to it. For the
 * same reason errors are noted, and checked at the end.
 */
enum { BEGINS = 0, MASK = 8191, END = 16 + 4096 };

/* Stack slots. The mount and its dentry lie as in a struct path. */
enum {
	PART,
	MOUNT = PART + KT_FDTABLE_DENTRY,
	NAME = MOUNT + 8,
	ROOT = NAME + 8,
	TURN = ROOT + 8,
	FROM = TURN + 8, /* where the kernel refers to the file, and the value found there */
	WAS = FROM + 8,
	AGAIN = WAS + 8,
	WRONG = AGAIN + 8, /* 0: no error so far */
	USED = WRONG + 8,
};

enum { WORD = sizeof(uint64_t), NAME_MOST = 255, DIGITS_MOST = 20 };

_Static_assert((int)USED <= (int)KT_EMIT_FD_PATH_STACK, "there is room for these");
_Static_assert((int)MASK + 1 + (int)NAME_MOST <= (int)KT_EMIT_FD_PATH_AREA,
	       "a name fits wherever it begins");

static void load_slot(const struct kt_emit_fd_path *f, int dst, int slot)
{
	kt_asm_load(f->a, BPF_DW, dst, BPF_REG_10, f->stack + slot);
}

static void store_slot(const struct kt_emit_fd_path *f, int slot, int src)
{
	kt_asm_store(f->a, BPF_DW, BPF_REG_10, f->stack + slot, src);
}

/* Notes an error if `what` is not 0. Clobbers r5. */
static void note_error(const struct kt_emit_fd_path *f, int what)
{
	load_slot(f, BPF_REG_5, WRONG);
	kt_asm_alu(f->a, BPF_OR, BPF_REG_5, what);
	store_slot(f, WRONG, BPF_REG_5);
}

/* Reads bytes at r3 into a stack slot. */
static void read_slot(const struct kt_emit_fd_path *f, int slot, unsigned int size)
{
	kt_asm_move_imm(f->a, BPF_REG_2, size);
	kt_asm_move(f->a, BPF_REG_1, BPF_REG_10);
	kt_asm_alu_imm(f->a, BPF_ADD, BPF_REG_1, f->stack + slot);
	kt_asm_call(f->a, BPF_FUNC_probe_read_kernel);
	note_error(f, BPF_REG_0);
}

/* r3 = the pointer in a slot, plus offset. */
static void load_address(const struct kt_emit_fd_path *f, int slot, unsigned int offset)
{
	load_slot(f, BPF_REG_3, slot);
	kt_asm_alu_imm(f->a, BPF_ADD, BPF_REG_3, offset);
}

static void follow_pointer(const struct kt_emit_fd_path *f, unsigned int offset)
{
	kt_emit_step(f->a, offset, f->stack + PART);
}

static void load_begin(const struct kt_emit_fd_path *f)
{
	kt_asm_load(f->a, BPF_DW, BEGIN, f->area, BEGINS);
	kt_asm_alu_imm(f->a, BPF_AND, BEGIN, MASK);
}

/*
 * r1 = room for LENGTH bytes, at most 255, of which the path keeps max; jumps to cut if it is full.
 */
static void make_room(const struct kt_emit_fd_path *f, size_t max, int cut)
{
	load_begin(f);
	kt_asm_alu(f->a, BPF_SUB, BEGIN, LENGTH);
	kt_asm_jump_imm(f->a, BPF_JSLT, BEGIN, END - max, cut);
	kt_asm_store(f->a, BPF_DW, f->area, BEGINS, BEGIN);
	kt_asm_move(f->a, BPF_REG_1, f->area);
	kt_asm_alu(f->a, BPF_ADD, BPF_REG_1, BEGIN);
}

/* The dots always fit. */
enum { DOTS = 3 };

static void put_text(const struct kt_emit_fd_path *f, const char *text, bool last)
{
	size_t i, n = strlen(text);

	kt_asm_move_imm(f->a, LENGTH, n);
	make_room(f, last ? f->max : f->max - DOTS, last ? f->none : f->cut);
	for (i = 0; i < n; i++)
		kt_asm_store_imm(f->a, BPF_B, BPF_REG_1, i, text[i]);
}

/* Puts LENGTH bytes (at most 255) from r3, after a letter if any, before the path. */
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
	note_error(f, BPF_REG_0);
}

/* Puts the dentry's name, which was read. Notes an error if it is being changed. */
static void put_name(const struct kt_emit_fd_path *f, char before)
{
	unsigned int seq = f->at->dentry.seq;

	kt_asm_load(f->a, BPF_W, LENGTH, BPF_REG_10, f->stack + PART + f->at->dentry.len);
	kt_asm_move(f->a, BPF_REG_1, LENGTH);
	kt_asm_alu_imm(f->a, BPF_RSH, BPF_REG_1, 8);
	note_error(f, BPF_REG_1);
	kt_asm_alu_imm(f->a, BPF_AND, LENGTH, NAME_MOST);
	load_slot(f, BPF_REG_3, PART + f->at->dentry.name);
	put_bytes(f, before);
	kt_asm_note(f->a, "has the name changed meanwhile?");
	load_address(f, NAME, seq);
	read_slot(f, AGAIN, sizeof(uint32_t));
	kt_asm_load(f->a, BPF_W, BPF_REG_1, BPF_REG_10, f->stack + AGAIN);
	kt_asm_load(f->a, BPF_W, BPF_REG_2, BPF_REG_10, f->stack + PART + seq);
	kt_asm_alu(f->a, BPF_XOR, BPF_REG_2, BPF_REG_1);
	note_error(f, BPF_REG_2);
	kt_asm_alu_imm(f->a, BPF_AND, BPF_REG_1, 1);
	note_error(f, BPF_REG_1);
}

static void begin_loop(const struct kt_emit_fd_path *f, int again)
{
	kt_asm_move_imm(f->a, BPF_REG_1, 0);
	store_slot(f, TURN, BPF_REG_1);
	kt_asm_place(f->a, again);
}

static void end_loop(const struct kt_emit_fd_path *f, int most, int again)
{
	load_slot(f, BPF_REG_1, TURN);
	kt_asm_alu_imm(f->a, BPF_ADD, BPF_REG_1, 1);
	store_slot(f, TURN, BPF_REG_1);
	kt_asm_jump_imm(f->a, BPF_JLT, BPF_REG_1, most, again);
}

/* Puts the number in r0. */
static void put_digits(const struct kt_emit_fd_path *f)
{
	enum { REST = BPF_REG_3, DIGIT = BPF_REG_4 };
	int again = kt_asm_label(f->a, "digit"), end = kt_asm_label(f->a, "digits");

	kt_asm_move(f->a, REST, BPF_REG_0);
	begin_loop(f, again);
	kt_asm_move(f->a, DIGIT, REST);
	kt_asm_alu_imm(f->a, BPF_MOD, DIGIT, 10);
	kt_asm_alu_imm(f->a, BPF_ADD, DIGIT, '0');
	kt_asm_alu_imm(f->a, BPF_DIV, REST, 10);
	kt_asm_move_imm(f->a, LENGTH, 1);
	make_room(f, f->max - DOTS, f->cut);
	kt_asm_store(f->a, BPF_B, BPF_REG_1, 0, DIGIT);
	kt_asm_jump_imm(f->a, BPF_JEQ, REST, 0, end);
	end_loop(f, DIGITS_MOST, again);
	kt_asm_place(f->a, end);
}

/* Puts the kernel's name for that kind of namespace. */
static void put_kind(const struct kt_emit_fd_path *f)
{
	load_slot(f, BPF_REG_0, NAME);
	follow_pointer(f, f->at->dentry.inode);
	follow_pointer(f, f->at->inode.private);
	follow_pointer(f, f->at->ns.ops);
	follow_pointer(f, f->at->ns.name);
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

/* Puts the name of a file that is in no directory, by its file system's magic in r0. */
static void put_nameless(const struct kt_emit_fd_path *f, int done)
{
	int numbered = kt_asm_label(f->a, "numbered"), pipe = kt_asm_label(f->a, "pipe");
	int process = kt_asm_label(f->a, "process"), space = kt_asm_label(f->a, "namespace");
	int anonymous = kt_asm_label(f->a, "anonymous");

	kt_asm_note(f->a, "no path");
	kt_asm_move(f->a, BPF_REG_0, BPF_REG_2);
	follow_pointer(f, f->at->dentry.sb);
	follow_pointer(f, f->at->sb.magic);
	store_slot(f, MOUNT, BPF_REG_0);
	kt_asm_jump_imm(f->a, BPF_JEQ, BPF_REG_0, PID_FS_MAGIC, process);
	kt_asm_jump_imm(f->a, BPF_JEQ, BPF_REG_0, SOCKFS_MAGIC, numbered);
	kt_asm_jump_imm(f->a, BPF_JEQ, BPF_REG_0, PIPEFS_MAGIC, numbered);
	kt_asm_jump_imm(f->a, BPF_JEQ, BPF_REG_0, NSFS_MAGIC, numbered);
	load_address(f, NAME, 0);
	read_slot(f, PART, KT_FDTABLE_DENTRY);
	load_slot(f, BPF_REG_1, MOUNT);
	kt_asm_jump_imm(f->a, BPF_JEQ, BPF_REG_1, ANON_INODE_FS_MAGIC, anonymous);
	put_text(f, " (deleted)", false);
	put_name(f, '/');
	kt_asm_jump(f->a, done);
	kt_asm_place(f->a, anonymous);
	put_name(f, 0);
	put_text(f, "anon_inode:", false);
	kt_asm_jump(f->a, done);
	kt_asm_place(f->a, process);
	put_text(f, "anon_inode:[pidfd]", false);
	kt_asm_jump(f->a, done);

	kt_asm_place(f->a, numbered);
	put_text(f, "]", false);
	load_slot(f, BPF_REG_0, NAME);
	follow_pointer(f, f->at->dentry.inode);
	follow_pointer(f, f->at->inode.ino);
	put_digits(f);
	load_slot(f, BPF_REG_1, MOUNT);
	kt_asm_jump_imm(f->a, BPF_JEQ, BPF_REG_1, PIPEFS_MAGIC, pipe);
	kt_asm_jump_imm(f->a, BPF_JEQ, BPF_REG_1, NSFS_MAGIC, space);
	put_text(f, "socket:[", false);
	kt_asm_jump(f->a, done);
	kt_asm_place(f->a, pipe);
	put_text(f, "pipe:[", false);
	kt_asm_jump(f->a, done);
	kt_asm_place(f->a, space);
	put_text(f, ":[", false);
	put_kind(f);
	kt_asm_jump(f->a, done);
}

/* Goes to the mount point of the current mount; jumps to done if there is none. */
static void leave_mount(const struct kt_emit_fd_path *f, int done)
{
	kt_asm_note(f->a, "at the mount's root: go to the mount point");
	load_slot(f, BPF_REG_3, MOUNT);
	kt_asm_alu_imm(f->a, BPF_SUB, BPF_REG_3, f->at->mount.vfsmount);
	store_slot(f, AGAIN, BPF_REG_3);
	kt_asm_alu_imm(f->a, BPF_ADD, BPF_REG_3, f->at->mount.parent);
	read_slot(f, PART, 2 * WORD);
	load_slot(f, BPF_REG_1, PART);
	load_slot(f, BPF_REG_2, AGAIN);
	kt_asm_jump_if(f->a, BPF_JEQ, BPF_REG_1, BPF_REG_2, done);
	kt_asm_alu_imm(f->a, BPF_ADD, BPF_REG_1, f->at->mount.vfsmount);
	store_slot(f, MOUNT, BPF_REG_1);
	load_slot(f, BPF_REG_1, PART + WORD);
	store_slot(f, NAME, BPF_REG_1);
	load_address(f, MOUNT, f->at->mount.root);
	read_slot(f, ROOT, WORD);
}

/* Puts all names up to the root. */
static void put_path(const struct kt_emit_fd_path *f, int done)
{
	int again = kt_asm_label(f->a, "again"), next = kt_asm_label(f->a, "next");
	int root = kt_asm_label(f->a, "root");

	begin_loop(f, again);
	load_address(f, NAME, 0);
	read_slot(f, PART, KT_FDTABLE_DENTRY);
	load_slot(f, BPF_REG_1, NAME);
	load_slot(f, BPF_REG_2, ROOT);
	kt_asm_jump_if(f->a, BPF_JEQ, BPF_REG_1, BPF_REG_2, root);
	load_slot(f, BPF_REG_2, PART + f->at->dentry.parent);
	kt_asm_jump_if(f->a, BPF_JEQ, BPF_REG_1, BPF_REG_2, done);
	put_name(f, '/');
	load_slot(f, BPF_REG_1, PART + f->at->dentry.parent);
	store_slot(f, NAME, BPF_REG_1);
	kt_asm_jump(f->a, next);
	kt_asm_place(f->a, root);
	leave_mount(f, done);
	kt_asm_place(f->a, next);
	end_loop(f, KT_EMIT_FD_PATH_DEPTH, again);
	kt_asm_place(f->a, f->cut);
	put_text(f, "...", true);
}

/* Notes an error unless both words that were read equal MOUNT and NAME. */
static void note_torn(const struct kt_emit_fd_path *f)
{
	int i;

	for (i = 0; i < 2; i++) {
		load_slot(f, BPF_REG_1, PART + i * WORD);
		load_slot(f, BPF_REG_2, MOUNT + i * WORD);
		kt_asm_alu(f->a, BPF_XOR, BPF_REG_1, BPF_REG_2);
		note_error(f, BPF_REG_1);
	}
}

/* Finds the working directory. Another thread may be changing the second word. */
static void find_directory(const struct kt_emit_fd_path *f, int found)
{
	kt_asm_note(f->a, "the working directory");
	follow_pointer(f, f->at->task.fs);
	kt_asm_alu_imm(f->a, BPF_ADD, BPF_REG_0, f->at->fs.pwd);
	store_slot(f, FROM, BPF_REG_0);
	load_address(f, FROM, 0);
	read_slot(f, MOUNT, 2 * WORD);
	load_address(f, FROM, 0);
	read_slot(f, PART, 2 * WORD);
	note_torn(f);
	load_slot(f, BPF_REG_1, FROM);
	kt_asm_alu_imm(f->a, BPF_ADD, BPF_REG_1, WORD);
	store_slot(f, FROM, BPF_REG_1);
	load_slot(f, BPF_REG_1, NAME);
	store_slot(f, WAS, BPF_REG_1);
	kt_asm_jump(f->a, found);
}

/* WAS = the file of the descriptor at TURN, of the task in r0; FROM = where the kernel refers to
 * it. */
static void find_file(const struct kt_emit_fd_path *f)
{
	kt_asm_note(f->a, "the descriptor's file");
	follow_pointer(f, f->at->task.files);
	follow_pointer(f, f->at->table.fdt);
	store_slot(f, FROM, BPF_REG_0);
	load_address(f, FROM, f->at->fdtable.max_fds);
	read_slot(f, AGAIN, sizeof(uint32_t));
	kt_asm_load(f->a, BPF_W, BPF_REG_1, BPF_REG_10, f->stack + AGAIN);
	kt_asm_load(f->a, BPF_W, BPF_REG_2, BPF_REG_10, f->stack + TURN);
	kt_asm_jump_if(f->a, BPF_JGE, BPF_REG_2, BPF_REG_1, f->none);
	load_slot(f, BPF_REG_0, FROM);
	follow_pointer(f, f->at->fdtable.fd);
	load_slot(f, BPF_REG_1, TURN);
	kt_asm_alu_imm(f->a, BPF_MUL, BPF_REG_1, WORD);
	kt_asm_alu(f->a, BPF_ADD, BPF_REG_0, BPF_REG_1);
	store_slot(f, FROM, BPF_REG_0);
	follow_pointer(f, 0);
	kt_asm_jump_imm(f->a, BPF_JEQ, BPF_REG_0, 0, f->none);
	store_slot(f, WAS, BPF_REG_0);
}

static void find_opened(const struct kt_emit_fd_path *f)
{
	find_file(f);
	load_address(f, WAS, f->at->file.path);
	read_slot(f, MOUNT, 2 * WORD);
}

/* Sets MOUNT and NAME, and where they were read from. */
static void find_path(const struct kt_emit_fd_path *f)
{
	int opened = kt_asm_label(f->a, "opened"), found = kt_asm_label(f->a, "found");

	store_slot(f, TURN, BPF_REG_1);
	kt_asm_move_imm(f->a, BPF_REG_1, 0);
	store_slot(f, WRONG, BPF_REG_1);
	kt_asm_call(f->a, BPF_FUNC_get_current_task);
	if (f->starts) {
		load_slot(f, BPF_REG_1, TURN);
		kt_asm_jump_imm(f->a, BPF_JNE, BPF_REG_1, AT_FDCWD, opened);
		find_directory(f, found);
	}
	kt_asm_place(f->a, opened);
	find_opened(f);
	kt_asm_place(f->a, found);
}

static void begin_path(const struct kt_emit_fd_path *f)
{
	kt_asm_note(f->a, "the path, from its end");
	kt_asm_move_imm(f->a, BPF_REG_1, END);
	kt_asm_store(f->a, BPF_DW, f->area, BEGINS, BPF_REG_1);
	kt_asm_store_imm(f->a, BPF_B, f->area, END, 0);
	load_address(f, MOUNT, f->at->mount.root);
	read_slot(f, ROOT, WORD);
	load_address(f, NAME, 0);
	read_slot(f, PART, KT_FDTABLE_DENTRY);
}

/* A file in no directory is the root of a mount, or has no path. */
static void put_file(const struct kt_emit_fd_path *f, int done)
{
	int is_in = kt_asm_label(f->a, "is in a directory"), named = kt_asm_label(f->a, "named");

	load_slot(f, BPF_REG_1, PART + f->at->dentry.parent);
	load_slot(f, BPF_REG_2, NAME);
	kt_asm_jump_if(f->a, BPF_JNE, BPF_REG_1, BPF_REG_2, is_in);
	load_slot(f, BPF_REG_1, ROOT);
	kt_asm_jump_if(f->a, BPF_JEQ, BPF_REG_1, BPF_REG_2, named);
	put_nameless(f, done);
	kt_asm_place(f->a, is_in);
	load_slot(f, BPF_REG_1, PART + f->at->dentry.pprev);
	kt_asm_jump_imm(f->a, BPF_JNE, BPF_REG_1, 0, named);
	put_text(f, " (deleted)", false);
	kt_asm_place(f->a, named);
	put_path(f, done);
}

/* Sets r2 and r3; jumps to none if an error was noted, or the descriptor's file has changed. */
static void finish_path(const struct kt_emit_fd_path *f)
{
	int some = kt_asm_label(f->a, "some");

	kt_asm_note(f->a, "does the descriptor still refer to that file?");
	load_address(f, FROM, 0);
	read_slot(f, AGAIN, WORD);
	load_slot(f, BPF_REG_1, AGAIN);
	load_slot(f, BPF_REG_2, WAS);
	kt_asm_jump_if(f->a, BPF_JNE, BPF_REG_1, BPF_REG_2, f->none);
	load_slot(f, BPF_REG_1, WRONG);
	kt_asm_jump_imm(f->a, BPF_JNE, BPF_REG_1, 0, f->none);
	load_begin(f);
	kt_asm_jump_imm(f->a, BPF_JNE, BEGIN, END, some);
	put_text(f, "/", true);
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
	begin_path(f);
	put_file(f, done);
	kt_asm_place(f->a, done);
	finish_path(f);
}

void kt_emit_fd_socket(const struct kt_emit_fd_path *f)
{
	store_slot(f, TURN, BPF_REG_1);
	kt_asm_call(f->a, BPF_FUNC_get_current_task);
	find_file(f);
	kt_asm_note(f->a, "is it a socket?");
	follow_pointer(f, f->at->file.inode);
	follow_pointer(f, f->at->inode.mode);
	kt_asm_alu_imm(f->a, BPF_AND, BPF_REG_0, S_IFMT);
	kt_asm_jump_imm(f->a, BPF_JNE, BPF_REG_0, S_IFSOCK, f->none);
	load_slot(f, BPF_REG_0, WAS);
	follow_pointer(f, f->at->file.private);
	follow_pointer(f, f->at->socket.sk);
	kt_asm_jump_imm(f->a, BPF_JEQ, BPF_REG_0, 0, f->none);
	store_slot(f, FROM, BPF_REG_0);
	follow_pointer(f, f->at->sock.family);
	kt_asm_alu_imm(f->a, BPF_AND, BPF_REG_0, UINT16_MAX);
	kt_asm_alu_imm(f->a, BPF_LSH, BPF_REG_0, KT_EXPR_SOCKET_SHIFT);
	store_slot(f, WAS, BPF_REG_0);
	load_slot(f, BPF_REG_0, FROM);
	follow_pointer(f, f->at->sock.protocol);
	kt_asm_alu_imm(f->a, BPF_AND, BPF_REG_0, UINT16_MAX);
	load_slot(f, BPF_REG_1, WAS);
	kt_asm_alu(f->a, BPF_OR, BPF_REG_0, BPF_REG_1);
}
