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

/* Why it could not be begun, as its process tells ours. */
struct failure {
	int status;
	struct kt_error err;
};

static const int signals[WORKLOAD_SIGNALS] = {SIGCHLD, SIGPIPE, SIGXFSZ};

/* Whether that is a program that we may run: 0 or -errno. */
static int check(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0 || faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) < 0)
		return -errno;
	return S_ISDIR(st.st_mode) ? -EISDIR : S_ISREG(st.st_mode) ? 0 : -EACCES;
}

/* The first one in PATH that we may run, else why that which comes nearest is none. */
static int search(const char *name, char **path)
{
	const char *dirs = getenv("PATH"), *end;
	int ret, worst = -ENOENT;

	for (dirs = dirs ? dirs : "/bin:/usr/bin";; dirs = end + 1) {
		end = strchrnul(dirs, ':');
		/* An empty one is where we are. */
		if (asprintf(path, "%.*s%s%s", (int)(end - dirs), dirs, end > dirs ? "/" : "./",
			     name) < 0)
			return -ENOMEM;
		ret = check(*path);
		if (ret == 0)
			return 0;
		free(*path);
		if (ret == -EACCES)
			worst = ret;
		if (!*end)
			return worst;
	}
}

static int find(const char *name, char **path)
{
	int ret;

	if (!*name)
		return -ENOENT;
	if (!strchr(name, '/'))
		return search(name, path);
	ret = check(name);
	if (ret == 0) {
		*path = strdup(name);
		ret = *path ? 0 : -ENOMEM;
	}
	return ret;
}

/* Returns the exit status that a shell has for it. */
static int cannot_run(struct kt_error *err, const char *name, int code)
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
	ret = find(argv[0], &w->path);
	if (ret < 0) {
		status = cannot_run(&err, argv[0], -ret);
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

/* Its process. What is recorded of it begins with the way out of following itself. */
static void become(const struct workload *w, struct kt_session *s, int tell)
{
	struct failure f = {.status = EXIT_FAILED};
	size_t i;

	restore_files_limit();
	for (i = 0; i < WORKLOAD_SIGNALS; i++)
		sigaction(signals[i], &w->signals[i], NULL);
	sigprocmask(SIG_SETMASK, &w->mask, NULL);
	if (w->signal_log)
		kt_signal_log_add_child(w->signal_log, &f.err); /* if not, it gets some twice */
	if (!s || kt_session_follow_self(s, &f.err) == 0) {
		execv(w->path, w->argv);
		f.status = cannot_run(&f.err, w->argv[0], errno);
	}
	if (write(tell, &f, sizeof(f)) < 0)
		_exit(EXIT_FAILED);
	_exit(f.status);
}

/* Returns the read end of a pipe in which it tells why not; it closes when the program runs. */
static int spawn(struct workload *w, struct kt_session *s, struct kt_error *err)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return kt_fail(err, errno, "cannot make a pipe: %s", strerror(errno));
	w->pid = fork();
	if (w->pid == 0)
		become(w, s, ends[1]);
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
	int told;
	ssize_t n;

	/* Were it ignored, the kernel would throw away how the command ended. */
	signal(SIGCHLD, SIG_DFL);
	told = spawn(w, s, &f.err);
	if (told >= 0) {
		n = read(told, &f, sizeof(f));
		close(told);
		if (n != sizeof(f))
			return EXIT_OK;
		waitpid(w->pid, NULL, 0);
		w->pid = 0;
	}
	report_error(command, &f.err);
	return f.status;
}

/* Whether the kernel gave the command the same signal, being in the terminal's foreground too. */
static bool is_of_terminal(const siginfo_t *info)
{
	return info->si_code > 0 &&
	       (info->si_signo == SIGINT || info->si_signo == SIGQUIT || info->si_signo == SIGHUP);
}

static bool has_got_it(const struct workload *w, const siginfo_t *info)
{
	bool is_sent = info->si_code == SI_USER || info->si_code == SI_QUEUE;

	if (is_of_terminal(info) || (is_sent && info->si_pid == w->pid))
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

static void hand_on(struct workload *w, const siginfo_t *info)
{
	if (!has_got_it(w, info))
		kill(w->pid, info->si_signo);
	if (w->is_stopped || was_stopped_by_terminal())
		kill(getpgid(w->pid) == getpgrp() ? 0 : w->pid, SIGCONT);
}

/* Ctrl-Z stops the command and what it runs, but not ktrace; the shell does not notice. */
static void note_stop(struct workload *w, int status)
{
	int signal = WIFSTOPPED(status) ? WSTOPSIG(status) : 0;

	w->is_stopped = signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
	if (w->is_stopped)
		fprintf(stderr,
			"ktrace %s: '%s' is stopped, and recording goes on; Ctrl-C ends both, "
			"'kill -CONT %d' continues it\n",
			w->by, w->argv[0], w->pid);
}

bool workload_has_ended(struct workload *w, const siginfo_t *info)
{
	int status;

	if (info->si_signo != SIGCHLD) {
		hand_on(w, info);
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
