// SPDX-License-Identifier: GPL-2.0-or-later
#include "app/control/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/cli/command.h"
#include "app/cli/descriptors.h"
#include "base/error.h"
#include "session/session.h"
#include "session/signal_log.h"

/* Why it could not be started, as its process reports to ktrace's. */
struct failure {
	int status;
	struct kt_error err;
};

static const int signals[WORKLOAD_SIGNALS] = {SIGCHLD, SIGPIPE, SIGXFSZ};

/* Checks for a program that can be executed. Returns 0 or -errno. */
static int check_program(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0 || faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) < 0)
		return -errno;
	return S_ISDIR(st.st_mode) ? -EISDIR : S_ISREG(st.st_mode) ? 0 : -EACCES;
}

/* Finds the first one in PATH that can be executed, else the reason for the best candidate. */
static int search_path(const char *name, char **path)
{
	const char *dirs = getenv("PATH"), *end;
	int ret, worst = -ENOENT;

	for (dirs = dirs ? dirs : "/bin:/usr/bin";; dirs = end + 1) {
		end = strchrnul(dirs, ':');
		/* An empty entry is the current directory. */
		if (asprintf(path, "%.*s%s%s", (int)(end - dirs), dirs, end > dirs ? "/" : "./",
			     name) < 0)
			return -ENOMEM;
		ret = check_program(*path);
		if (ret == 0)
			return 0;
		free(*path);
		if (ret == -EACCES)
			worst = ret;
		if (!*end)
			return worst;
	}
}

static int find_program(const char *name, char **path)
{
	int ret;

	if (!*name)
		return -ENOENT;
	if (!strchr(name, '/'))
		return search_path(name, path);
	ret = check_program(name);
	if (ret == 0) {
		*path = strdup(name);
		ret = *path ? 0 : -ENOMEM;
	}
	return ret;
}

/* Returns the shell's exit status for the error. */
static int get_failure_status(struct kt_error *err, const char *name, int code)
{
	bool searched = code == ENOENT && *name && !strchr(name, '/');

	kt_fail(err, code, "cannot run '%s': %s", name,
		searched ? "no such program in PATH" : strerror(code));
	return code == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
}

int workload_find(struct workload *w, const char *command, char **argv)
{
	struct kt_error err;
	int ret, status;
	size_t i;

	*w = (struct workload){.by = command, .argv = argv};
	ret = find_program(argv[0], &w->path);
	if (ret < 0) {
		status = get_failure_status(&err, argv[0], -ret);
		report_error(command, &err);
		return status;
	}
	sigprocmask(SIG_SETMASK, NULL, &w->mask);
	for (i = 0; i < WORKLOAD_SIGNALS; i++)
		sigaction(signals[i], NULL, &w->signals[i]);
	return EXIT_OK;
}

void workload_free(struct workload *w)
{
	free(w->path);
}

/*
 * Runs in the command's process. Its first records are the rest of the system call that follows it.
 */
static void exec_command(const struct workload *w, struct kt_session *s, int failures)
{
	struct failure f = {.status = EXIT_FAILED};
	size_t i;

	restore_files_limit();
	for (i = 0; i < WORKLOAD_SIGNALS; i++)
		sigaction(signals[i], &w->signals[i], NULL);
	sigprocmask(SIG_SETMASK, &w->mask, NULL);
	if (w->signal_log)
		kt_signal_log_add_child(w->signal_log,
					&f.err); /* on error the command gets some signals twice */
	if (!s || kt_session_follow_self(s, &f.err) == 0) {
		execv(w->path, w->argv);
		f.status = get_failure_status(&f.err, w->argv[0], errno);
	}
	if (write(failures, &f, sizeof(f)) < 0)
		_exit(EXIT_FAILED);
	_exit(f.status);
}

/*
 * Starts the process. Returns the read end of a pipe for the reason of a failure; it closes on
 * exec.
 */
static int spawn_command(struct workload *w, struct kt_session *s, struct kt_error *err)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return kt_fail(err, errno, "cannot make a pipe: %s", strerror(errno));
	w->pid = fork();
	if (w->pid == 0)
		exec_command(w, s, ends[1]);
	close(ends[1]);
	if (w->pid > 0)
		return ends[0];
	kt_fail(err, errno, "cannot make a process: %s", strerror(errno));
	w->pid = 0;
	close(ends[0]);
	return -err->code;
}

int workload_begin(struct workload *w, const char *command, struct kt_session *s)
{
	struct failure f = {.status = EXIT_FAILED};
	int failures;
	ssize_t n;

	/* If SIGCHLD were ignored, the kernel would discard the command's exit status. */
	signal(SIGCHLD, SIG_DFL);
	failures = spawn_command(w, s, &f.err);
	if (failures >= 0) {
		n = read(failures, &f, sizeof(f));
		close(failures);
		if (n != sizeof(f))
			return EXIT_OK;
		waitpid(w->pid, NULL, 0);
		w->pid = 0;
	}
	report_error(command, &f.err);
	return f.status;
}

/* Returns whether the kernel sent the signal to the command, too, in the terminal's foreground. */
static bool is_from_terminal(const siginfo_t *info)
{
	return info->si_code > 0 &&
	       (info->si_signo == SIGINT || info->si_signo == SIGQUIT || info->si_signo == SIGHUP);
}

static bool has_got_signal(const struct workload *w, const siginfo_t *info)
{
	bool is_sent = info->si_code == SI_USER || info->si_code == SI_QUEUE;

	if (is_from_terminal(info) || (is_sent && info->si_pid == w->pid))
		return true;
	return is_sent && w->signal_log && kt_signal_log_is_shared(w->signal_log, info->si_signo);
}

/* A command that waits for a child of its vfork(2) does not stop, but the child does. */
static bool was_stopped_by_terminal(void)
{
	sigset_t pending;

	return sigpending(&pending) == 0 &&
	       (sigismember(&pending, SIGTSTP) == 1 || sigismember(&pending, SIGTTIN) == 1 ||
		sigismember(&pending, SIGTTOU) == 1);
}

static void forward_signal(struct workload *w, const siginfo_t *info)
{
	if (!has_got_signal(w, info))
		kill(w->pid, info->si_signo);
	if (w->is_stopped || was_stopped_by_terminal())
		kill(getpgid(w->pid) == getpgrp() ? 0 : w->pid, SIGCONT);
}

/* Ctrl-Z stops the command and its children, but not ktrace; the shell does not notice. */
static void note_stop(struct workload *w, int status)
{
	int signal = WIFSTOPPED(status) ? WSTOPSIG(status) : 0;

	w->is_stopped = signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
	if (w->is_stopped)
		fprintf(stderr,
			"ktrace %s: '%s' is stopped, recording continues; Ctrl-C ends both, 'kill "
			"-CONT %d' continues it\n",
			w->by, w->argv[0], w->pid);
}

bool workload_has_ended(struct workload *w, const siginfo_t *info)
{
	int status;

	if (info->si_signo != SIGCHLD) {
		forward_signal(w, info);
		return false;
	}
	/* One SIGCHLD may stand for several changes. */
	while (waitpid(w->pid, &status, WNOHANG | WUNTRACED | WCONTINUED) == w->pid) {
		if (WIFSTOPPED(status) || WIFCONTINUED(status)) {
			note_stop(w, status);
			continue;
		}
		w->pid = 0;
		w->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
		return true;
	}
	return false;
}
