/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kinds of calls. Each argument is a letter; those of small letters are sometimes replaced by a
 * random value.
 *
 *	a k	an address and a length within the test's memory
 *	f	a descriptor
 *	i	a small number
 *	l	flags
 *	m	a mode
 *	n	a length
 *	o	an offset
 *	p	an address, mapped or not
 *	s	a file name
 *	x	anything
 *	A	an address family
 *	B	unmapped memory
 *	C	a command of fcntl
 *	D	this process
 *	G	a signal that ends nothing
 *	H L S W O	flags, including one against blocking
 *	I	an ioctl request
 *	M	flags of mmap
 *	N	a clock to sleep by
 *	P	a command of prctl
 *	Q	a socket type that does not block
 *	R	a resource limit, except CPU time
 *	T	a time in the past or soon
 *	V	flags of mremap
 *	Z	nothing
 *
 * A leading ~ means that the result varies, = that all memory is equal each time.
 *
 * getpgid and sched_rr_get_interval are not made, here and in the other programs, because other
 * tests count them meanwhile.
 */
#ifndef KT_TESTS_KINDS_H
#define KT_TESTS_KINDS_H

#include <sys/syscall.h>

struct kind {
	const char *name, *args;
	long number;
};

#define K(name, args)                   \
	{                               \
#name, args, SYS_##name \
	}

/* clang-format off */

static const struct kind kinds[] = {
	K(accept, "fpp"), K(accept4, "fppO"), K(access, "si"), K(add_key, "sspnx"),
	K(alarm, "Z"), K(bind, "fpn"), K(bpf, "iBn"), K(brk, "x"), K(capget, "=pp"),
	K(capset, "pp"), K(chdir, "s"), K(chmod, "sm"), K(chown, "sii"), K(chroot, "s"),
	K(clock_getres, "ip"), K(clock_gettime, "ip"), K(clock_nanosleep, "NiTp"),
	K(clock_settime, "ip"), K(close, "f"), K(connect, "fpn"), K(copy_file_range, "=fpfpnl"),
	K(creat, "sm"), K(dup, "f"), K(dup2, "ff"), K(dup3, "ffl"), K(epoll_create, "i"),
	K(epoll_create1, "l"), K(epoll_ctl, "fifp"), K(epoll_pwait, "=fpiZpn"),
	K(epoll_pwait2, "=fpiTpn"), K(epoll_wait, "=fpiZ"), K(eventfd2, "iO"), K(execve, "spp"),
	K(execveat, "fsppl"), K(faccessat, "fsi"), K(faccessat2, "fsil"), K(fadvise64, "fooi"),
	K(fallocate, "fioo"), K(fchdir, "f"), K(fchmod, "fm"), K(fchmodat, "fsm"),
	K(fchown, "fii"), K(fchownat, "fsiil"), K(fcntl, "fCi"), K(fdatasync, "f"),
	K(fgetxattr, "=fspn"), K(flistxattr, "=fpn"), K(flock, "fL"), K(fremovexattr, "fs"),
	K(fsetxattr, "fspni"), K(fstat, "fp"), K(fstatfs, "fp"), K(fsync, "f"),
	K(ftruncate, "fo"), K(futex, "=piiTpi"), K(futimesat, "fsp"), K(get_mempolicy, "ppnal"),
	K(get_robust_list, "Dpp"), K(getcpu, "ppp"), K(getcwd, "pn"), K(getdents64, "~fpn"),
	K(getegid, ""), K(geteuid, ""), K(getgid, ""), K(getgroups, "=ip"), K(getitimer, "ip"),
	K(getpeername, "=fpp"), K(getpgrp, ""), K(getpid, ""), K(getppid, ""),
	K(getpriority, "iD"), K(getrandom, "pni"), K(getresgid, "=ppp"), K(getresuid, "=ppp"),
	K(getrlimit, "=ip"), K(getrusage, "ip"), K(getsid, "D"), K(getsockname, "fpp"),
	K(getsockopt, "fiipp"), K(gettid, ""), K(gettimeofday, "pp"), K(getuid, ""),
	K(getxattr, "=sspn"), K(inotify_add_watch, "fsl"), K(inotify_rm_watch, "fi"),
	K(io_destroy, "x"), K(io_getevents, "xZipT"), K(io_setup, "ip"), K(io_submit, "xip"),
	K(ioctl, "fIB"), K(ioperm, "iii"), K(iopl, "i"), K(ioprio_get, "iD"),
	K(ioprio_set, "iDi"), K(kcmp, "~DDiff"), K(kill, "DG"), K(lchown, "sii"),
	K(lgetxattr, "=sspn"), K(link, "ss"), K(linkat, "fsfsl"), K(listen, "fi"),
	K(listxattr, "=spn"), K(llistxattr, "=spn"), K(lremovexattr, "ss"), K(lseek, "foi"),
	K(lsetxattr, "sspni"), K(lstat, "sp"), K(madvise, "aki"), K(mbind, "akipni"),
	K(membarrier, "iiZ"), K(memfd_create, "sl"), K(mincore, "=akp"), K(mkdir, "sm"),
	K(mkdirat, "fsm"), K(mknod, "smi"), K(mknodat, "fsmi"), K(mlock, "ak"), K(mlock2, "aki"),
	K(mmap, "ZkiMfo"), K(modify_ldt, "ipn"), K(mprotect, "aki"), K(mq_getsetattr, "fpp"),
	K(mq_notify, "fB"), K(mq_open, "sOmp"), K(mq_timedreceive, "=fpnpT"),
	K(mq_timedsend, "fpniT"), K(mq_unlink, "s"), K(mremap, "akkVZ"), K(msgctl, "iip"),
	K(msgget, "il"), K(msgrcv, "=ipniO"), K(msgsnd, "ipnO"), K(msync, "aki"),
	K(munlock, "ak"), K(munmap, "ak"), K(name_to_handle_at, "fsppl"), K(nanosleep, "Tp"),
	K(newfstatat, "fspl"), K(open, "sOm"), K(openat, "fsOm"), K(openat2, "fspn"),
	K(personality, "x"), K(pidfd_getfd, "ffl"), K(pidfd_open, "Dl"),
	K(pidfd_send_signal, "fGpi"), K(pipe, "B"), K(pipe2, "=pO"), K(pkey_alloc, "ii"),
	K(pkey_free, "i"), K(pkey_mprotect, "akii"), K(poll, "=piZ"), K(ppoll, "=piTpn"),
	K(prctl, "Piiii"), K(pread64, "=fpno"), K(preadv, "=fpio"), K(preadv2, "=fpiool"),
	K(prlimit64, "DRpp"), K(process_vm_readv, "Dpipii"), K(process_vm_writev, "Dpipii"),
	K(pselect6, "=ipppTp"), K(pwrite64, "fpno"), K(pwritev, "fpio"), K(pwritev2, "fpiool"),
	K(quotactl, "isip"), K(read, "=fpn"), K(readahead, "fon"), K(readlink, "=spn"),
	K(readlinkat, "=fspn"), K(readv, "=fpi"), K(recvfrom, "=fpnWpp"), K(recvmmsg, "=fpiWT"),
	K(recvmsg, "=fpW"), K(remap_file_pages, "akioi"), K(removexattr, "ss"), K(rename, "ss"),
	K(renameat, "fsfs"), K(renameat2, "fsfsi"), K(restart_syscall, ""), K(rmdir, "s"),
	K(rseq, "pnlx"), K(rt_sigaction, "=ippn"), K(rt_sigpending, "=pn"),
	K(rt_sigprocmask, "=ippn"), K(rt_sigqueueinfo, "DGp"), K(rt_sigtimedwait, "=ppTn"),
	K(rt_tgsigqueueinfo, "DDGp"), K(sched_get_priority_max, "i"),
	K(sched_get_priority_min, "i"), K(sched_getaffinity, "=Dnp"), K(sched_getattr, "Dpni"),
	K(sched_getparam, "=Dp"), K(sched_getscheduler, "D"),
	K(sched_setaffinity, "Dnp"), K(sched_setattr, "Dpi"), K(sched_setparam, "Dp"),
	K(sched_setscheduler, "Dip"), K(sched_yield, ""), K(seccomp, "ilp"), K(select, "=ipppT"),
	K(semctl, "iiip"), K(semget, "iil"), K(semtimedop, "ipiT"), K(sendfile, "ffpn"),
	K(sendmmsg, "fpiW"), K(sendmsg, "fpW"), K(sendto, "fpnWpn"), K(set_mempolicy, "ipn"),
	K(set_robust_list, "pn"), K(set_tid_address, "B"), K(setfsgid, "i"), K(setfsuid, "i"),
	K(setgid, "i"), K(setgroups, "ip"), K(setitimer, "iBp"), K(setns, "fl"),
	K(setpgid, "DD"), K(setpriority, "ZDi"), K(setregid, "ii"), K(setresgid, "iii"),
	K(setresuid, "iii"), K(setreuid, "ii"), K(setrlimit, "Rp"), K(setsid, ""),
	K(setsockopt, "fiipn"), K(setuid, "i"), K(setxattr, "sspni"), K(shmat, "iZl"),
	K(shmctl, "iip"), K(shmdt, "x"), K(shmget, "inl"), K(shutdown, "fi"),
	K(sigaltstack, "=pp"), K(signalfd4, "fpnO"), K(socket, "AQi"), K(socketpair, "=AQip"),
	K(splice, "fpfpnS"), K(stat, "sp"), K(statfs, "sp"), K(statx, "fslip"), K(symlink, "ss"),
	K(symlinkat, "sfs"), K(sync_file_range, "fool"), K(sysfs, "isp"), K(sysinfo, "p"),
	K(tee, "ffnS"), K(tgkill, "DDG"), K(time, "~p"), K(timer_create, "iBp"),
	K(timer_delete, "i"), K(timer_getoverrun, "i"), K(timer_gettime, "ip"),
	K(timerfd_create, "iO"), K(timerfd_gettime, "fp"), K(timerfd_settime, "fiBp"),
	K(times, "~p"), K(tkill, "DG"), K(truncate, "so"), K(umask, "m"), K(uname, "p"),
	K(unlink, "s"), K(unlinkat, "fsl"), K(ustat, "ip"), K(utime, "sp"), K(utimensat, "fspl"),
	K(utimes, "sp"), K(vmsplice, "fpiS"), K(wait4, "DpHp"), K(waitid, "iDpHp"),
	K(write, "fpn"), K(writev, "fpi"),
};

/* clang-format on */

#endif
