/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of strace that ktrace does not take: each says why. All return EXIT_USAGE. */
#ifndef KT_APP_CLI_STRACE_STRACE_REFUSED_H
#define KT_APP_CLI_STRACE_STRACE_REFUSED_H

int refuse_injection(const char *command, void *to, char *arg);
int refuse_instruction_pointers(const char *command, void *to, char *arg);
int refuse_seccomp(const char *command, void *to, char *arg);
int refuse_source_lines(const char *command, void *to, char *arg);

#endif
