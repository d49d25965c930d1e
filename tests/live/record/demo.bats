#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# make demo, without installing and building: its trace must have what it shows.

bats_require_minimum_version 1.5.0

load ../recording

run_demo() {
	status=0
	"${via[@]}" "$BATS_TEST_DIRNAME/../../../tools/demo.sh" >stdout 2>stderr 3>&- || status=$?
	cat stdout stderr
	case $(<stderr) in
	*"Operation not permitted"* | *"Permission denied"*) skip "$(<stderr)" ;;
	esac
}

# Prints the events of a report: COUNT SYSTEM:EVENT.
list_reported() {
	sed -nE 's/^ +([0-9]+) +[0-9.]+  (\w+:\w+)$/\1 \2/p' | sort
}

@test "a busy machine is recorded, reported and printed" {
	run_demo
	[ "$status" -eq 0 ]
	message=$(<stderr)
	[ "$(count_events ktrace.out)" -eq "$(summary_events)" ]
	[ "$(summary_events)" -gt 100 ]

	# The load must be in the trace: compilers start and end.
	grep -q 'sched_process_exec:.*/cc1"' events
	grep -qE 'sched_process_exit:.*comm = "(mkdir|sh|cc1)"' events

	grep -E "^$(summary_events) events, [0-9.]+/s, " stdout
	sed -E 's/.* (\w+:\w+): \{ cpu_id.*/\1/' events | sort | uniq -c | sed 's/^ *//' | sort >counted
	list_reported <stdout >reported
	[ "$(comm -13 counted reported)" = "" ]
	[ "$(wc -l <reported)" -eq 6 ]
	"$KTRACE" report --all | list_reported | diff - counted

	"$KTRACE" print >lines
	sed -n '/grep -m 1 -A 9/,/^$/p' stdout | sed '1d;$d' >shown
	[ "$(wc -l <shown)" -eq 10 ]
	grep -A 9 -F -x "$(head -n 1 shown)" lines | cmp - shown
}

@test "it leaves only the trace behind, even if interrupted" {
	mkdir tmp
	export TMPDIR=$PWD/tmp
	via=(timeout -s INT 1)
	run_demo
	[ "$status" -eq 124 ]
	[ "$(ls -A tmp)" = "" ]
	! grep -alF "$TMPDIR" /proc/[0-9]*/cmdline
}

@test "if recording is impossible, it says why" {
	export KTRACE=$PWD/nosuch
	run_demo
	[ "$status" -ne 0 ]
	grep -q nosuch stderr
	! grep -q 'the trace' stdout
}
