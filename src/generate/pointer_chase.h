/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Emits checked reads from pointer to pointer through kernel memory, for programs that run once to
 * look something up.
 *
 *	kt_emit_pointer_chase(a, path, fd, -8);	// r0 = where the path leads, from the current task
 *	kt_emit_step(a, offset, -8);		// r0 = what is at r0 + offset
 *
 * A bad pointer gives 0, and so do all further steps.
 */
#ifndef KT_GENERATE_POINTER_CHASE_H
#define KT_GENERATE_POINTER_CHASE_H

#include <stdint.h>

struct kt_asm;
struct kt_member_path;

/* Emits r0 = the 8 bytes at r0 + offset, also stored at r10 + stack. Clobbers r1 to r5. */
void kt_emit_step(struct kt_asm *a, unsigned int offset, int16_t stack);

/*
 * Emits all steps of a path that starts at 'current' and goes through fd[0], which becomes fd[fd]:
 * "current->files->fdt->fd[0]->f_inode->i_private".
 */
void kt_emit_pointer_chase(struct kt_asm *a, const struct kt_member_path *path, int fd,
			   int16_t stack);

#endif
