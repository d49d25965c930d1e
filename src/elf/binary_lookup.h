/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds a program or library by its name, as a shell and the dynamic loader do.
 *
 *	char path[PATH_MAX];
 *
 *	kt_binary_lookup("bash", "", path, &err);		// /usr/bin/bash
 *	kt_binary_lookup("libc", "", path, &err);		// /lib/x86_64-linux-gnu/libc.so.6
 *	kt_binary_lookup("./server", "", path, &err);		// /srv/server, as a relative path
 *	kt_binary_lookup("libc", "/proc/42/root", path, &err);	// the libc that process 42 sees
 *
 * A name without a slash is looked for in PATH, then in the directories of /etc/ld.so.conf and
 * those that every loader has. There the suffix ".so" or ".so.N" may be left out. Only ELF files
 * are found by such a name: not a script, nor a library's linker script.
 */
#ifndef KT_ELF_BINARY_LOOKUP_H
#define KT_ELF_BINARY_LOOKUP_H

#include <limits.h>

struct kt_error;

/*
 * Stores the absolute path of a file. `root` is put in front of absolute paths; "" for this
 * process's root. Returns 0; -ENOENT if there is no such file; -EEXIST if several libraries have
 * the name without suffix; -ENAMETOOLONG; or -ENOMEM.
 */
int kt_binary_lookup(const char *name, const char *root, char path[PATH_MAX], struct kt_error *err);

#endif
