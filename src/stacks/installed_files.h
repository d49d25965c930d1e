/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs and libraries where distributions install them: in PATH, and in the directories that
 * every loader has.
 *
 *	kt_installed_files_visit(visit, with);
 *
 * A machine has some thousand. Directories below those are not visited.
 */
#ifndef KT_STACKS_INSTALLED_FILES_H
#define KT_STACKS_INSTALLED_FILES_H

#include <stdbool.h>

/* Returns whether to continue. */
typedef bool (*kt_installed_file_visit)(void *with, const char *path);

/* Visits each regular file, in no particular order; a symbolic link is none. */
void kt_installed_files_visit(kt_installed_file_visit visit, void *with);

#endif
