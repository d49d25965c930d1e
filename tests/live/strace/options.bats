#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# strace's options, each with the lines that strace prints with it.

bats_require_minimum_version 1.5.0
load ../recording

CALLS=chmod,access,mkdir,rmdir,lseek,umask,socket,linkat,ioctl,close

# Constants with names and without, texts with bytes of all kinds, a signal.
PROGRAM='require "syscall.ph"; $SIG{USR1} = sub {};
	chmod 0640, "none"; chmod 07777, "n\x{e4}\n\t\"\1"; umask 022;
	syscall(SYS_access(), my $plain = "plain", $_) for 0, 4, 8, 15;
	mkdir "made", 0700; rmdir "made"; rmdir "\x{c3}\x{a4}23";
	open my $f, "<", "/dev/null"; syscall(SYS_lseek(), fileno $f, 0, $_) for 0, 1, 99;
	syscall(SYS_socket(), @$_) for [1, 2, 0], [99, 1, 0], [1, 0x10, 0];
	syscall(SYS_linkat(), -100, my $a = "a", -1, my $b = "b", $_) for 0, 0x400, 0x40000000;
	syscall(SYS_ioctl(), fileno $f, $_, 0) for 0xc0045877, 0x12345678;
	kill USR1 => $$; close $f'

setup_file() {
	echo "$PROGRAM" >"$BATS_FILE_TMPDIR/program.pl"
}

# Prints a file's lines without numbers of threads and addresses on the stack.
without_threads() { # FILE
	sed -E 's/^[0-9]+ *//; s/si_pid=[0-9]+/si_pid=N/; s/0x7ff[0-9a-f]{9}/STACK/' "$1"
}

# Runs the program in both; their lines must be equal, and there must be some, unless LINES is 0.
compare() { # LINES [OPTION]...
	local least=$1
	shift
	strace -f -o theirs "$@" perl "$BATS_FILE_TMPDIR/program.pl" || return
	"$KTRACE" strace -o ours "$@" perl "$BATS_FILE_TMPDIR/program.pl" || return
	echo "# $*"
	diff <(without_threads theirs) <(without_threads ours) || return
	[ "$(wc -l <ours)" -ge "$least" ]
}

@test "constants are names, numbers or both" {
	compare 20 -e "trace=$CALLS"
	compare 20 -e "trace=$CALLS" -X abbrev
	compare 20 -e "trace=$CALLS" -X raw
	compare 20 -e "trace=$CALLS" --const-print-style=verbose
	grep -q 'access("plain", 0x8 /\* ?_OK \*/) = -1' <(sed 's/  *= / = /' ours)
	grep -q 'socket(0x63 /\* AF_??? \*/, 0x1 /\* SOCK_STREAM \*/' ours
}

@test "strings are in hex as a whole, or where they are not ASCII" {
	compare 20 -e "trace=$CALLS" -x
	grep -q 'rmdir("\\xc3\\xa4\\x32\\x33")' ours
	grep -q 'rmdir("made")' ours
	compare 20 -e "trace=$CALLS" -xx
	grep -q 'rmdir("\\x6d\\x61\\x64\\x65")' ours
	compare 20 -e "trace=$CALLS" --strings-in-hex=non-ascii-chars
	compare 20 -e "trace=$CALLS" --strings-in-hex=all
	compare 20 -e "trace=$CALLS" --strings-in-hex=none
}

@test "lines have numbers of calls, names of threads and other columns" {
	compare 20 -e "trace=$CALLS" -n -e signal=none --quiet=exit
	grep -q '\[  83\] mkdir' ours
	compare 20 -e "trace=$CALLS" -a 12
	compare 20 -e "trace=$CALLS" --columns=90

	strace -f -o theirs -e trace=umask -Y perl -e 'umask 0'
	"$KTRACE" strace -o ours -e trace=umask -Y perl -e 'umask 0'
	grep -qE '^[0-9]+<perl> umask\(000?\)' ours
	# the column of results depends on the digits of the thread's number
	diff <(sed -E 's/^[0-9]*//; s/ += / = /' theirs) <(sed -E 's/^[0-9]*//; s/ += / = /' ours)
}

# Prints each number as as many Ns as it has digits after the point.
mask_times() { # FILE
	sed -E 's/^[0-9]+ *//; s/[0-9]+:[0-9]+:[0-9]+/CLOCK/; s/\b[0-9]{10,}\b/SECONDS/; :a s/(\.N*)[0-9]/\1N/; ta' "$1"
}

@test "times have as many digits as are wanted" {
	for option in -t -tt -ttt --absolute-timestamps=unix,ns --timestamps=time,ms \
		--absolute-timestamps=format:unix,precision:s --syscall-times=us --syscall-times=ns \
		--relative-timestamps=ms; do
		strace -f -o theirs -e trace=umask "$option" perl -e 'umask 0'
		"$KTRACE" strace -o ours -e trace=umask "$option" perl -e 'umask 0'
		diff <(mask_times theirs) <(mask_times ours)
	done
	"$KTRACE" strace -o ours -e trace=umask -T perl -e 'umask 0'
	grep -qE '<0\.[0-9]{9}>$' ours
}

@test "calls are selected by regular expression, number, or not at all" {
	compare 4 -e 'trace=/^(chmod|access|r.dir)$'
	compare 2 -e /^.mask -e signal=none
	compare 4 -e t=90,21
	compare 4 --trace=chmod,umask@64,getcwd@32
	compare 4 -e 'trace=?no_such_call,chmod'
	compare 4 -e trace=getgid32,lookup_dcookie,chmod
	compare 2 -e trace=none
	compare 1 -e trace=none --signal=none
	compare 2 -e %%statfs,umask
	run "$KTRACE" strace -e trace=opne true
	[ "$status" -eq 1 ]
	[[ "$output" = *"did you mean 'syscalls:open'?"* ]]
	run "$KTRACE" strace -e 'trace=/(' true
	[ "$status" -eq 2 ]
	[[ "$output" = *"not a regular expression: "* ]]
}

@test "signals are named in any case" {
	compare 2 -e trace=none -e signal=usr1,SigTerm
	compare 1 -e trace=none -e 'signal=!sigusr1'
}

@test "calls are selected by a path, literally or by descriptor" {
	cp /etc/hostname file
	ln -s file link
	echo 'open my $f, "<", "file"; sysread $f, $_, 9; open my $g, "<", "link"; sysread $g, $_, 5;
		open my $h, "<", "/dev/null"; sysread $h, $_, 7; chmod 0600, "file"; mkdir "other"' \
		>program.pl
	for options in '-P file' '-P ./file' '-P link' '-P link -y' '-P /dev/null -P other' '-P file -z' \
		'-P other -Z -P /dev/null'; do
		rm -rf other
		chmod 0644 file
		# shellcheck disable=SC2086
		strace -f -o theirs -e 'trace=!execve,ioctl' -e signal=none $options perl program.pl
		rm -rf other
		chmod 0644 file
		# shellcheck disable=SC2086
		"$KTRACE" strace -o ours -e 'trace=!execve,ioctl' -e signal=none $options perl program.pl
		echo "# $options"
		diff <(without_threads theirs) <(without_threads ours)
		cat ours >>all
	done
	[ "$(grep -c ' = ' all)" -gt 20 ]
}

# Calls with structs that strace cuts, or prints in a form of its own.
STRUCTS='require "syscall.ph"; my ($b, $p) = ("\0" x 4096, "/dev/null");
	syscall(SYS_uname(), $b); syscall(SYS_getrusage(), 0, $b); syscall(SYS_times(), $b);
	syscall(SYS_newfstatat(), -100, my $n = $_, $b, 0) for $p, "/", "/nowhere", "file";
	syscall(332, -100, $p, 0, 0xfff, $b); syscall(SYS_stat(), $p, $b);
	syscall(SYS_timer_create(), 1, my $e = pack("QLLLx44", @$_), $b)
		for [0, 10, 0, 0], [7, 99, 1, 0], [5, 0, 2, 9], [5, 1, 4, $$], [0, 0, 77, 0];
	syscall(SYS_utimensat(), -100, my $f = "file", my $w = pack("q4", @$_), 0)
		for [1e9, 5, 2e9, 0], [0, 0x3fffffff, -1, 0x3ffffffe], [1, 1e9, 1 << 62, 1];
	syscall(SYS_utimes(), $f, $w = pack("q4", 1e9, 999999, 1, 1000000));
	syscall(SYS_utime(), $f, my $u = pack("q2", 1e9, -1)); syscall(SYS_time(), 0);
	syscall(SYS_mknod(), my $m = "made", $_, 0x501) for 0020600, 0060600, 0100600, 0170600;
	syscall(SYS_ioprio_set(), 1, 0, $_) for 0x4004, 0x2007, 0xfffff; syscall(SYS_ioprio_get(), 1, 0);
	syscall(SYS_sched_getscheduler(), 0); syscall(SYS_personality(), 0xffffffff);
	syscall(SYS_setrlimit(), 6, my $r = pack("Q2", 4096, ~0)); syscall(SYS_getrlimit(), 6, $b);
	syscall(SYS_fcntl(), 0, $_, 0) for 1, 3, 11, 1025, 1034; syscall(SYS_epoll_ctl(), 0, 1, 0, my $d = pack("LQ", 1, ~5));
	syscall(SYS_rt_sigaction(), 12, my $a = pack("Q4", 1, $_, 0x1234, 4), 0, 8) for 0, 0x04000000;
	syscall(437, -100, $p, my $h = pack("Q3", @$_), 24) for [0, 0, 0], [0, 0600, 0], [0101, 0, 0];
	syscall(SYS_poll(), my $q = pack("lSSlSS", @$_), 2, 0) for [0, 1, 0, -1, 1, 0], [-1, 1, 7, -1, 1, 7];
	syscall(SYS_ppoll(), my $o = pack("lSS", 0, 32, 0), 1, my $t = pack("q2", 1, 7), 0, 0);
	syscall(SYS_preadv(), 99, 0, 0, -1, 5); syscall(SYS_ustat(), 0x12345, $b);
	syscall(SYS_sched_setparam(), 99999999, my $s = pack("l", -3))'

# Prints what differs from run to run as T, addresses as P.
without_times() { # FILE
	without_threads "$1" | sed -E '/^(getrusage|times|time)\(/ { s/[0-9]+/T/g; s, /\* T.T s \*/,,g }
		s/thread_id=[0-9]+/thread_id=T/; s/0x[57][0-9a-f]{11}|STACK/P/g; s/(st_size=1, ).*/\1/
		s/st_(a|c)time=[^,]*,/st_\1time=T,/g; s/(a|c)time_nsec=[0-9]+/\1time_nsec=T/g'
}

@test "structs and return values are in strace's forms, cut or, with -v, whole" {
	calls=uname,getrusage,times,newfstatat,stat,timer_create,utimensat,utimes,utime,time,mknod,ioprio_set
	calls+=,ioprio_get,sched_getscheduler,personality,setrlimit,getrlimit,fcntl,epoll_ctl,rt_sigaction
	calls+=,openat2,poll,ppoll,preadv,ustat,sched_setparam,clone
	export TZ=XXX-5:30
	echo "$STRUCTS" >program.pl
	for options in '' -v '-X raw' '-v -X verbose'; do
		echo >file
		rm -f made
		# shellcheck disable=SC2086
		strace -f -o theirs -e "trace=$calls" $options perl program.pl </dev/null 3>&- || true
		echo >file
		rm -f made
		# shellcheck disable=SC2086
		"$KTRACE" strace -o ours -e "trace=$calls" $options perl program.pl </dev/null 3>&- || true
		echo "# $options"
		diff <(without_times theirs) <(without_times ours)
		[ "$(wc -l <ours)" -gt 60 ]
	done
}

@test "messages are suppressed by their kinds" {
	run "$KTRACE" strace -e trace=umask --quiet=exit perl -e 'umask 0'
	[[ "$output" != *exited* && "$output" = *umask* ]]
	run "$KTRACE" strace -e trace=umask -e quiet=attach,path-resolution perl -e 'umask 0'
	[[ "$output" = *exited* ]]
	run "$KTRACE" strace -e trace=umask -qq perl -e 'umask 0'
	[[ "$output" != *exited* ]]
	run "$KTRACE" strace --quiet=loud true
	[ "$status" -eq 2 ]
}

@test "what would change the program is refused, with the reason" {
	for options in '-e inject=close:error=EIO' '--fault=close' '--seccomp-bpf' -kk -i; do
		# shellcheck disable=SC2086
		run "$KTRACE" strace $options true
		[ "$status" -eq 2 ]
		[[ "$output" = 'ktrace strace: '* && "$output" != *unknown* ]]
	done
}
