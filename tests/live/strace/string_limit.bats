#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The -s limit when printing. strace -s is the witness.

bats_require_minimum_version 1.5.0
load ../recording

CALLS=execve,getgroups,mkdir,open,pwrite64,read,readv,rt_sigprocmask,setgroups,write,writev

# Texts, bytes, arrays and lists around each limit below.
WORK='require "syscall.ph"; my ($b, $set, $path) = ("\0\1abcdefgh\n" x 9, pack("q", 6), "./x" . "y" x 60 . "\0");
	pipe A, B; syscall(&SYS_write, fileno B, $b, $_) for 0, 1, 7, 8, 40; syscall(&SYS_read, fileno A, $b, $_) for 0, 1, 7, 20;
	syscall(&SYS_pwrite64, 99, $b, 50, 0); syscall(&SYS_open, $path, 0, 0); syscall(&SYS_mkdir, $path, 0); syscall(&SYS_rt_sigprocmask, 0, $set, 0, 8);
	my $v = pack "(pQ)*", ($b, 9, $b, 0, $b, 30) x 3; syscall(&SYS_writev, fileno B, $v, $_) for 0, 1, 7, 8, 9; syscall(&SYS_readv, fileno A, $v, 9);
	my $n = syscall(&SYS_getgroups, 0, 0); my $g = pack("I*", 1 .. 12); syscall(&SYS_setgroups, 12, $g); syscall(&SYS_getgroups, 12, $g);
	$p = pack("isS" x 9, map { (100 + $_, 1, 0) } 1 .. 9); syscall(&SYS_poll, $p, 9, 0); exec "/bin/true", map { "arg$_" x $_ } 1 .. 9'

# Removes what differs from run to run.
normalize() { # FILE
	sed -nE 's/^[0-9]+ +//; s/0x[0-9a-f]+/POINTER/g; s/^(readv|writev)\([0-9]+/\1(FD/; /^(read|write)\([3-9]/!p' "$1"
}

@test "data, arrays and arguments are cut as by strace, whatever was recorded" {
	for limit in 0 1 7 4096; do
		rm -rf xy*
		record -s 4096 -e "syscalls:${CALLS//,/,syscalls:},syscalls:poll" --strict -- strace -f -s "$limit" -e "trace=$CALLS" \
			-e signal=none --quiet=exit,attach -o theirs perl -e "$WORK"
		[ "$status" -eq 0 ]
		"$KTRACE" print -s "$limit" >printed
		grep "^$(head -n 1 theirs | cut -d' ' -f1) " printed >all
		grep -v ' poll(' all >ours
		diff theirs ours
		[ "$(wc -l <ours)" -gt 40 ]
		[ "$limit" -gt 0 ] || continue # with 0 the pointer remains
		rmdir xy*
		"$KTRACE" strace -s "$limit" -e "$CALLS" -e signal=none -qq -o live perl -e "$WORK"
		diff <(normalize theirs) <(normalize live)
		[ "$limit" -eq 7 ] || continue
		run -0 grep ' poll(' all
		[[ $output == *' poll([{fd=101, events=POLLIN}, {fd=102, '*', {fd=107, events=POLLIN}, ...], 9, 0) = 9 ([{fd=101, revents=POLLNVAL}, '*', {fd=107, revents=POLLNVAL}, ...])' ]]
	done
}

@test "without a limit everything recorded is printed, and no larger limit adds more" {
	record -s 8 -e syscalls:write -- sh -c 'echo 0123456789'
	ktrace print
	[[ $output == *'write(1, "01234567"..., 11) = 11 <'* ]]
	ktrace print --strace
	whole=$output
	[[ $output == *' write(1, "01234567"..., 11)'*' = 11' ]]
	ktrace print -s 100
	[ "$output" = "$whole" ]
	ktrace print --string-limit 3
	[[ $output == *' write(1, "012"..., 11)'*' = 11' ]]
}

@test "-y needs a trace with paths, and otherwise says so" {
	record -y -e syscalls:write -- sh -c 'echo >here'
	ktrace print -y
	[ "$status" -eq 0 ]
	[[ $output == *" write(1<$PWD/here>, "* ]]
	[ -z "$stderr" ]
	ktrace print --strace
	[[ $output == *" write(1<$PWD/here>, "* ]]
	record -e syscalls:write -- sh -c 'echo >here'
	ktrace print --decode-fds
	[ "$status" -eq 0 ]
	[[ $output == *" write(1, "* ]]
	[ "$stderr" = "ktrace print: this trace has no paths of file descriptors: record with -y" ]
}

@test "usage errors are reported" {
	run -2 --separate-stderr "$KTRACE" print -s many
	[[ $stderr == "ktrace print: "* ]]
	run -2 --separate-stderr "$KTRACE" print -s 5K
	[[ $stderr == "ktrace print: "*"the maximum is 4K"* ]]
	run -2 --separate-stderr "$KTRACE" print -s 5 --json
	[[ $stderr == *"--events and --json exclude strace's options"* ]]
	run -2 --separate-stderr "$KTRACE" print -y --events
	[[ $stderr == *"--events and --json exclude strace's options"* ]]
	run -2 --separate-stderr "$KTRACE" print -c -y
	[[ $stderr == *"-c prints no lines"* ]]
}
