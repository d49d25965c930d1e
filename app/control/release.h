/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Detaching the probes of a recording, which need not be waited for. The kernel waits 10 to 75 ms
 * for each one of kind "tracepoint" (hook/probe.h): 8 s for those of ext4. These are left to
 * another process, `ktrace release`, which closes them and exits.
 *
 *	release_probes(session, "record");	// takes milliseconds
 *	kt_session_free(session);
 */
#ifndef KTRACE_RELEASE_H
#define KTRACE_RELEASE_H

struct kt_session;

/*
 * Detaches the probes of a stopped session. If no process can be created, waits, and reports
 * progress for the command on standard error if that takes long.
 */
void release_probes(struct kt_session *s, const char *command);

/*
 * ktrace release: closes the links that it was started with, from descriptor 3 on, when standard
 * input ends.
 */
int run_release(void);

/* Says on standard error which such processes there are, and how many probes are left. */
void report_releasing(const char *command);

#endif
