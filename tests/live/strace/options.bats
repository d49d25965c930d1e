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
	diff <(sed 's/^[0-9]*//' theirs) <(sed 's/^[0-9]*//' ours)
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
		# shellcheck disable=SC2086
		strace -f -o theirs -e 'trace=!execve,ioctl,newfstatat' -e signal=none $options perl program.pl
		rm -rf other
		# shellcheck disable=SC2086
		"$KTRACE" strace -o ours -e 'trace=!execve,ioctl,newfstatat' -e signal=none $options perl program.pl
		echo "# $options"
		diff <(without_threads theirs) <(without_threads ours)
		cat ours >>all
	done
	[ "$(grep -c ' = ' all)" -gt 20 ]
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
	for options in '-e inject=close:error=EIO' '--fault=close' '--seccomp-bpf' -k -i; do
		# shellcheck disable=SC2086
		run "$KTRACE" strace $options true
		[ "$status" -eq 2 ]
		[[ "$output" = 'ktrace strace: '* && "$output" != *unknown* ]]
	done
}
