#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Two processes with the same PID, one after the other.

bats_require_minimum_version 1.5.0

load ../recording

NUMBER=$(($(</proc/sys/kernel/pid_max) - 77))

# Each has its own name and computes for that long, in pieces: where the kernel hides the switches of
# one of its tasks, the piece that task interrupts is unattributed, and no more than that.
TWICE='use POSIX;
	sub child {
		my ($name, $seconds) = @_;
		my $number = pack("l", $ENV{NUMBER});
		my $args = pack("Q8 p Q2", 0, 0, 0, 0, 17, 0, 0, 0, $number, 1, 0);
		my $pid = syscall(435, $args, length $args);
		if ($pid == 0) {
			select(undef, undef, undef, .01);
			$0 = $name;
			for my $piece (1 .. 100 * $seconds) {
				my $until = $piece * 10_000;
				1 while POSIX::clock() < $until;
				select(undef, undef, undef, .001);
			}
			POSIX::_exit(0);
		}
		exit 9 if $pid != $ENV{NUMBER};
		waitpid($pid, 0);
	}
	child("kt_first", .3); child("kt_second", .1)'

run_twice() {
	NUMBER=$NUMBER perl -e "$TWICE"
}

# Both have that PID, and each its own events and time.
check_report() { # DIR
	"$KTRACE" report --json "$1" >report
	[ "$(jq -c --argjson n "$NUMBER" '[.tasks[] | select(.tid == $n).comm] | sort' report)" = '["kt_first","kt_second"]' ]
	jq -c --argjson n "$NUMBER" '.cpu_time_unknown, (.cpu_times[] | select(.tid == $n))' report
	jq -e --argjson n "$NUMBER" '[.cpu_times[] | select(.tid == $n)] | length == 2 and
		.[0].comm == "kt_first" and .[1].comm == "kt_second" and
		.[0].cpu_time > 1.5 * .[1].cpu_time and .[1].cpu_time < 3e8' report
	# A report row has all events of a process; print names each event by the name at its time,
	# which is "perl" first.
	"$KTRACE" print --events --json "$1" | jq -r --argjson n "$NUMBER" 'select(.tid == $n).comm' |
		awk '/kt_first/ { n = 0; next } { n++ } END { print n }' >second
	[ "$(jq --argjson n "$NUMBER" '.tasks[] | select(.tid == $n and .comm == "kt_second").count' report)" -eq "$(<second)" ]
}

@test "report rows are processes, not PIDs" {
	run_twice || skip "no process can be given a number"
	NUMBER=$NUMBER record -e sched_switch -a -b 16M -- perl -e "$TWICE"
	check_report ktrace.out
}
