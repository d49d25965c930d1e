#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A real-time task preempts another one in its system calls, and makes the same calls (doc/syscalls.md).
# Each call is recorded, or reported as missed. The tasks count their calls themselves.

bats_require_minimum_version 1.5.0

load ../recording

# Prints how many calls were made by both tasks, which share a CPU; one call may be too few, as a
# signal ends the first task.
make_calls() {
	taskset -c 0 perl -e 'my $n = 0; $SIG{TERM} = sub { print "$n\n"; exit };
		while (1) { syscall(140, 0, 0); $n++ }' >often &
	taskset -c 0 chrt -f 1 perl -e 'my $n = 0;
		for (1 .. 1000) { select(undef, undef, undef, 0.001); syscall(140, 0, 0), $n++ for 1 .. 5 }
		print "$n\n"' >urgent
	kill $!
	wait $! || true
	echo $(($(<often) + $(<urgent)))
}

@test "calls of a task that preempts another are recorded or reported as missed" {
	chrt -f 1 true 2>why || skip "$(<why)"
	export -f make_calls
	record -b 64M -e getpriority -- bash -c 'make_calls >made'
	"$KTRACE" report --json >report
	made=$(<made)
	[ "$made" -gt 5000 ]
	jq -e --argjson made "$made" '.hits <= 2 * $made + 2 and .hits + .missed_calls >= 2 * $made and
		([.losses[] | .cause] - ["missed"]) == []' report
	[[ $message == *"missed by the kernel"* ]] ||
		jq -e --argjson made "$made" '.hits >= 2 * $made' report
}
