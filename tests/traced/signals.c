// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Gets signals of all kinds, and has children that end in all ways.
 *
 *	signals      exits with 7
 */
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static sigjmp_buf back;
static volatile int sink;
static int ready[2]; /* a pipe: after each signal that a child waits for */
static pid_t child;
static sigset_t unblocked;

static void handle_signal(int signal)
{
	(void)signal;
}

static void jump_back(int signal)
{
	(void)signal;
	siglongjmp(back, 1);
}

static void get_all_signals(void)
{
	int signal;

	for (signal = 1; signal <= SIGRTMAX; signal++)
		if (signal != SIGKILL && signal != SIGSTOP && (signal < 32 || signal >= SIGRTMIN))
			sigaction(signal, &(struct sigaction){.sa_handler = handle_signal}, NULL);
}

static void send_self(void)
{
	kill(getpid(), SIGUSR1);
	raise(SIGUSR2);
	sigqueue(getpid(), SIGRTMIN + 2, (union sigval){.sival_int = -77});
	sigqueue(getpid(), SIGTERM, (union sigval){0});
}

/* Sends the signal while this process waits. */
static void wait_for(int signal, void send(int signal))
{
	sigset_t wanted, others;

	sigemptyset(&wanted);
	sigaddset(&wanted, signal);
	sigprocmask(SIG_BLOCK, &wanted, &others);
	send(signal);
	sigsuspend(&others);
	sigprocmask(SIG_SETMASK, &others, NULL);
}

static void send_alarm(int signal)
{
	(void)signal;
	setitimer(ITIMER_REAL, &(struct itimerval){.it_value.tv_usec = 1000}, NULL);
}

static void send_timer(int signal)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL, .sigev_signo = signal, .sigev_value.sival_int = 5};
	timer_t timer;

	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &(struct itimerspec){.it_value.tv_nsec = 1000000}, NULL);
}

static void get_file_signals(void)
{
	int ends[2];

	if (pipe(ends) < 0)
		return;
	fcntl(ends[0], F_SETOWN, getpid());
	fcntl(ends[0], F_SETFL, O_ASYNC);
	sink = write(ends[1], "x", 1);
	fcntl(ends[0], F_SETSIG, SIGIO);
	sink = write(ends[1], "y", 1);
	fcntl(ends[0], F_SETSIG, SIGRTMIN + 4);
	sink = write(ends[1], "y", 1);
	close(ends[0]);
	sink = write(ends[1], "z", 1);
	close(ends[1]);
}

static void fault(int signal, void cause(void))
{
	sigaction(signal, &(struct sigaction){.sa_handler = jump_back, .sa_flags = SA_NODEFER},
		  NULL);
	if (sigsetjmp(back, 1) == 0)
		cause();
}

static void touch_nothing(void)
{
	sink = *(volatile int *)0x1234;
}

static void touch_kernel(void)
{
	sink = *(volatile int *)(UINTPTR_MAX / 2 + 0x1234);
}

static void write_there(void)
{
	*(volatile char *)mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) = 1;
}

static void touch_end(void)
{
	int file = memfd_create("empty", 0);

	sink = *(volatile char *)mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
}

#ifdef __x86_64__
static void divide(void)
{
	__asm__ volatile("xor %%ecx, %%ecx; div %%ecx" : : : "eax", "ecx", "edx", "cc");
}

static void run_illegal_instruction(void)
{
	__asm__ volatile("ud2");
}

static void run_breakpoint(void)
{
	__asm__ volatile("int3");
}

static void single_step(void)
{
	__asm__ volatile("pushf; orl $0x100, (%%rsp); popf; nop" : : : "cc", "memory");
}
#endif

static void call_forbidden(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP | 38),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {.len = sizeof(code) / sizeof(*code), .filter = code};

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
	getppid();
	_exit(0);
}

/* Starts a child that runs 'as' and then waits until it is killed. */
static pid_t start_child(void as(void))
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	if (as)
		as();
	for (;; sink = write(ready[1], "", 1))
		sigsuspend(&unblocked);
}

static void exit_normally(void)
{
	_exit(9);
}

static void end_by_default(void)
{
	signal(SIGTERM, SIG_DFL);
	kill(getpid(), SIGTERM);
}

static void end_by_fault(void)
{
	signal(SIGSEGV, SIG_DFL);
	touch_nothing();
}

static void await(pid_t pid)
{
	while (waitpid(pid, NULL, WUNTRACED | WCONTINUED) < 0)
		;
}

static void stop_child(int signal)
{
	(void)signal;
	kill(child, SIGSTOP);
}

static void continue_child(int signal)
{
	(void)signal;
	kill(child, SIGCONT);
}

static void run_children(void)
{
	sigset_t continued;
	char byte;

	if (pipe(ready) < 0)
		return;
	sigemptyset(&continued);
	sigaddset(&continued, SIGCONT);
	sigprocmask(SIG_BLOCK, &continued, &unblocked);
	await(start_child(exit_normally));
	await(start_child(end_by_default));
	await(start_child(end_by_fault));
	await(start_child(call_forbidden));
	child = start_child(NULL);
	wait_for(SIGCHLD, stop_child);
	await(child);
	wait_for(SIGCHLD, continue_child);
	await(child);
	while (read(ready[0], &byte, 1) < 0)
		;
	kill(child, SIGKILL);
	await(child);
}

static void run_faults(void)
{
	fault(SIGSEGV, touch_nothing);
	fault(SIGSEGV, touch_kernel);
	fault(SIGSEGV, write_there);
	fault(SIGBUS, touch_end);
#ifdef __x86_64__
	fault(SIGFPE, divide);
	fault(SIGILL, run_illegal_instruction);
	fault(SIGTRAP, run_breakpoint);
	fault(SIGTRAP, single_step);
#endif
}

int main(void)
{
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	get_all_signals();
	send_self();
	wait_for(SIGALRM, send_alarm);
	wait_for(SIGRTMIN + 3, send_timer);
	get_file_signals();
	run_faults();
	run_children();
	signal(SIGWINCH, SIG_DFL);
	raise(SIGWINCH);
	return 7;
}
