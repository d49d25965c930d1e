#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Calls selected by their arguments: returns of matching calls are recorded, and no others.

bats_require_minimum_version 1.5.0

load ../recording
load ../tasks

# Prints what the calls returned, each once: "-ENOENT 5".
print_returns() {
	"$KTRACE" print --events | sed -n 's/.* sys_exit_[a-z0-9_]*: .* ret=\([^ ]*\).*/\1/p' |
		sort | uniq -c | awk '{ print $2, $1 }'
}

# Two processes open three missing files each, in turns; each file fails with another error.
OPENS='my @names = ("./none", "/dev/null/none", "./" . "n" x 300);
	my $child = fork;
	for (1 .. 1000) { open(my $file, "<", $_) for @names }
	waitpid($child, 0) if $child;'

@test "returns of calls matching a path are recorded, and no others" {
	record -e syscalls:openat -f 'filename == "./none"' -b 16M --strict -- perl -e "$OPENS"
	[ "$status" -eq 0 ]
	[ "$(count_events ktrace.out sys_enter_openat)" -eq 2000 ]
	[ "$(print_returns)" = '-ENOENT 2000' ]
	"$KTRACE" print >printed
	[ "$(grep -c ' openat(AT_FDCWD, "./none", O_RDONLY|O_CLOEXEC' printed)" -eq 2000 ]
	[ "$(grep -c ') = -1 ENOENT (No such file or directory) <[0-9.]*>$' printed)" -eq 2000 ]
}

@test "one filter or another, and filters on the return value" {
	record -e syscalls:openat -f 'filename ~ "./n*" && flags & O_CLOEXEC' \
		-e syscalls:openat -f 'filename ~ "/dev/null/*"' -b 16M -- perl -e "$OPENS"
	[ "$(print_returns)" = "$(printf -- '-ENAMETOOLONG 2000\n-ENOENT 2000\n-ENOTDIR 2000\n')" ]
	record -e syscalls:sys_exit_openat -f 'ret == -ENAMETOOLONG' \
		-e 'syscalls:open*' -f 'filename == "./none"' -b 16M -- perl -e "$OPENS"
	[ "$(count_events ktrace.out sys_enter_openat)" -eq 2000 ]
	[ "$(print_returns)" = "$(printf -- '-ENAMETOOLONG 2000\n-ENOENT 2000\n')" ]
}

# Two processes take turns: entries of others come between an entry and its return.
@test "a filter of the return value selects calls, entries and all" {
	record -e syscalls:openat,syscalls:exit_group -f 'ret == -ENOTDIR' -b 16M --strict -- perl -e "$OPENS"
	[ "$status" -eq 0 ]
	[ "$(print_returns)" = '-ENOTDIR 2000' ]
	[ "$(count_events ktrace.out sys_enter_openat)" -ge 6000 ]
	for options in "" "-e openat"; do
		# shellcheck disable=SC2086
		"$KTRACE" print $options >printed
		[ "$(wc -l <printed)" -eq 2000 ]
		[ "$(grep -c ': openat(AT_FDCWD, "/dev/null/none", O_RDONLY|O_CLOEXEC) = -1 ENOTDIR (Not a directory) <[0-9.]*>$' printed)" -eq 2000 ]
	done
	"$KTRACE" print -Z >printed
	[ "$(wc -l <printed)" -eq 2000 ]
	[ "$(grep -c ' openat(AT_FDCWD, "/dev/null/none", O_RDONLY|O_CLOEXEC) = -1 ENOTDIR (Not a directory)$' printed)" -eq 2000 ]
	[ "$("$KTRACE" print --json | jq -r '"\(.args.filename) \(.error) \(.duration > 0)"' | sort | uniq -c | xargs)" = \
		"2000 /dev/null/none ENOTDIR true" ]
	[ "$("$KTRACE" print -c -U calls,errors,name | awk '$3 == "openat"' | xargs)" = "2000 2000 openat" ]
	"$KTRACE" strace -e %file --filter 'ret == -ENOTDIR' -o lines perl -e "$OPENS"
	[ "$(grep -vc '+++ exited' lines)" -eq 2000 ]
	[ "$(grep -c '"/dev/null/none", O_RDONLY|O_CLOEXEC) = -1 ENOTDIR (Not a directory)$' lines)" -eq 2000 ]
}

# Calls with the same arguments share a program, but not its patterns.
@test "calls with the same arguments have patterns of their own" {
	record -e sys_enter_rmdir -f 'pathname ~ "./a*c"' -e sys_enter_chdir -f 'filename ~ "./x*z"' -- \
		perl -e 'for ("./abc", "./axz", "./xyz") { rmdir; chdir $_ }'
	[ "$("$KTRACE" print --events | grep -o '[a-z]*name=.*')" = \
		"$(printf '%s\n' 'pathname="./abc"' 'filename="./xyz"')" ]
}

@test "if only entries are recorded, filters apply to them" {
	record -e syscalls:openat -f 'filename == "./none"' -e '!sys_exit_*' -b 16M --strict -- perl -e "$OPENS"
	[ "$status" -eq 0 ]
	[ "$(count_events ktrace.out)" -eq 2000 ]
	[ "$(count_events ktrace.out sys_enter_openat)" -eq 2000 ]
}

@test "a trace says which filter selected a return" {
	record -e syscalls:openat -f 'filename == "./none"' -- cat ./none
	[ "$("$KTRACE" report | grep -c 'openat where filename == "./none"$')" -eq 2 ]
}

# The parent waits in a matching call; the child makes other calls meanwhile.
@test "marks are per thread" {
	record -e syscalls:read -f 'count == 7' -- perl -e '
		pipe(my $in, my $out);
		my ($child, $data) = (fork);
		if (!$child) {
			select(undef, undef, undef, 0.1);
			open(my $null, "<", "/dev/null");
			sysread($null, $data, 5) for 1 .. 3;
			syswrite($out, "abc");
			exit;
		}
		sysread($in, $data, 7);
		waitpid($child, 0);'
	[ "$(count_events ktrace.out)" -eq 2 ]
	"$KTRACE" print | grep ' read([0-9]*, "abc", 7) = 3 <'
}

# A child returns from its parent's call.
@test "a child's return is not selected by its parent's match" {
	record -e syscalls:clone -f 'clone_flags & CLONE_CHILD_SETTID' -- sh -c 'for i in 1 2 3 4; do (true); done'
	[ "$(count_events ktrace.out sys_enter_clone)" -eq 4 ]
	[ "$(count_events ktrace.out sys_exit_clone)" -eq 4 ]
	[ "$(print_returns | grep -c '^0 ')" -eq 0 ]
}

# Enters a matching call, moves to the other CPU, and returns in another call.
@test "a match on one CPU does not select a later return there" {
	mapfile -t cpus < <(list_cpus)
	[ "${cpus[1]:-}" ] || skip "this machine gives us one CPU"
	record -C "${cpus[0]}" -e syscalls:sched_setaffinity -f 'len == 8' -- taskset -c "${cpus[0]}" perl -e '
		require "syscall.ph";
		my @masks = map { pack("Q2", 1 << $_, 0) } @ARGV;
		syscall(&SYS_sched_setaffinity, 0, 8, $masks[1]) == 0 or exit 1;
		syscall(&SYS_sched_setaffinity, 0, 16, $masks[0]) == 0 or exit 1;' "${cpus[@]:0:2}"
	[ "$status" -eq 0 ]
	[ "$("$KTRACE" print --events | grep -c ' sys_enter_sched_setaffinity: .* len=8 ')" -eq 1 ]
	[ "$(count_events ktrace.out sys_exit_sched_setaffinity)" -eq 0 ]
}

@test "combinations that cannot be decided are errors" {
	record -e syscalls:sys_enter_openat -e syscalls:openat -f 'flags & O_CREAT' -- cat ./none
	[[ $message == *"syscalls:sys_exit_openat: its filter needs arguments of the call: "* ]]
	[[ $message == *": the filter does not select its entry"* ]]
	[ "$(count_events ktrace.out sys_enter_openat)" -gt 1 ]
	[ "$(count_events ktrace.out sys_exit_openat)" -eq 0 ]
	record -e syscalls:sys_exit_openat -f 'flags & O_CREAT' -- cat ./none
	[[ $message == *"unknown field 'flags'"* ]]
	record -e syscalls:openat -f 'flags & O_CREAT && ret < 0' -- cat ./none
	[ "$status" -ne 0 ]
}
