/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The way from pointer to pointer through the kernel's memory, by reads that check, for programs
 * that are run once and look for something there.
 *
 *	kt_emit_pointer_chase(a, path, fd, -8);		// r0 = what it leads to from the task that
 *runs kt_emit_step(a, offset, -8);		// r0 = what stands behind that, so far behind
 *
 * Where a pointer leads nowhere the result is 0, and so are those of further steps.
 */
#ifndef KT_GENERATE_POINTER_CHASE_H
#define KT_GENERATE_POINTER_CHASE_H

#include <stdint.h>

struct kt_asm;
struct kt_member_path;

/* r0 = the 8 bytes at r0 + offset. They are at that place of the stack too. r1 to r5 are lost. */
void kt_emit_step(struct kt_asm *a, unsigned int offset, int16_t stack);

/*
 * The same for all pointers of a path that begins with 'current', and leads to one of its files:
 * "current->files->fdt->fd[0]->f_inode->i_private"; to that of the file fd.
 */
void kt_emit_pointer_chase(struct kt_asm *a, const struct kt_member_path *path, int fd,
			   int16_t stack);

#endif
