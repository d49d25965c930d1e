#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace fs: error_log says why a write failed.

load flight
load tree

# Prints the log without times.
read_log() {
	sed 's/^\[ *[0-9]*\.[0-9]\{6\}\] /[] /' "$tree/error_log"
}

# Writes to a file, which must fail.
fail_to_write() { # FILE TEXT
	[ "$(try_write "$tree/$1" "$2")" != 1 ]
}

check_log() {
	local switch=events/sched/sched_switch
	ktrace start -b 64K -e sched_switch --no-spare
	start_server tree
	[ -z "$(<tree/error_log)" ]
	echo 1 >tree/tracing_on
	[ -z "$(<tree/error_log)" ]
	fail_to_write $switch/filter $'  next_prio < 1 || nosuch == 2 \n'
	fail_to_write $switch/enable 2
	fail_to_write tracing_on $'on\tor off'
	fail_to_write set_event_pid "1 two 3"
	fail_to_write set_event_pid 4194304
	fail_to_write snapshot_pipe 1
	diff <(read_log) - <<-'END'
		[] events/sched/sched_switch/filter: unknown field 'nosuch'; see 'ktrace list -v sched:sched_switch'
		    next_prio < 1 || nosuch == 2 
		                     ^~~~~~
		[] events/sched/sched_switch/enable: neither 0 nor 1
		  2
		[] tracing_on: not a decimal number
		  on\tor off
		[] set_event_pid: not a task's number
		  1 two 3
		    ^~~
		[] set_event_pid: not the number of a task, which is below 4194304
		  4194304
		  ^~~~~~~
		[] snapshot_pipe: there is no second buffer set: snapshot_enabled is 0
		  1
	END
	# The time is that of the failure, by the clock of events.
	perl -MTime::HiRes=clock_gettime,CLOCK_MONOTONIC -e 'my $now = clock_gettime(CLOCK_MONOTONIC);
		my @times = map { /^\[ *([\d.]+)\]/ ? $1 : () } <STDIN>;
		exit !(@times == 6 && !grep { $_ > $now || $_ < $now - 60 } @times)' <tree/error_log

	# The newest eight, and none after '>'; the log outlives the flight recorder.
	for i in {1..9}; do
		fail_to_write tracing_on "x$i"
	done
	[ "$(sed -n 's/^  //p' tree/error_log | xargs)" = "x2 x3 x4 x5 x6 x7 x8 x9" ]
	fail_to_write tracing_on "$(printf 'x%.0s' {1..2000})"
	[ "$(tail -n 1 tree/error_log)" = "  $(printf 'x%.0s' {1..1024})" ]
	ktrace stop
	await eval '[ "$(ls tree | xargs)" = "error_log version" ]'
	[ "$(wc -l <tree/error_log)" -eq 16 ]
	echo >tree/error_log
	[ -z "$(<tree/error_log)" ]
	stop_server
}

@test "the log has the last errors, and marks their place" {
	skip_without_fuse
	run_on_bpffs check_log
}
