#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# `ktrace report`: the same counts as babeltrace2 has, and all losses.

bats_require_minimum_version 1.5.0

load recording

ktrace() {
	run --separate-stderr "$KTRACE" "$@"
}

# How often each line is there: COUNT LINE.
counted() {
	LC_ALL=C sort | uniq -c | sed 's/^ *//' | LC_ALL=C sort
}

@test "events and tasks, as often as babeltrace2 finds them" {
	start -o t -e sched_switch -e sched_process_exit -e raw_syscalls:sys_enter
	witness 20
	kill -INT "$pid"
	finish
	[ "$status" -eq 0 ]
	babeltrace2 t >events
	sed -E 's/.* (\w+:\w+): \{ cpu_id.*/\1/' events | counted >by_event
	sed -E 's/.*, \{ tid = ([0-9]+) \}, .*/\1/' events | counted >by_task

	"$KTRACE" report --json t >report
	jq -r '.events[] | "\(.count) \(.system):\(.event)"' report | LC_ALL=C sort | diff by_event -
	jq -r '.tasks[] | "\(.count) \(.tid)"' report | LC_ALL=C sort | diff by_task -
	[ "$(jq .count report)" -eq "$(said_events)" ]

	ktrace report t
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	awk '$3 ~ /:/ && NF == 3 { print $1, $3 }' <<<"$output" | LC_ALL=C sort | diff by_event -
	[[ ${lines[1]} == "$(said_events) events, "*" a second, none lost in the rings" ]]
}

@test "when it was, and how long" {
	before=$(date +%s%N)
	start -o t -e sched_process_exit
	began=$(date +%s%N)
	sleep 0.3
	ending=$(date +%s%N)
	kill -INT "$pid"
	finish
	after=$(date +%s%N)
	"$KTRACE" report --json t >report
	# Two clocks that are set differently now and then; the one's tick is what we let through.
	begin=$(jq '.begin + .since_1970' report) end=$(jq '.end + .since_1970' report)
	echo "$before $begin $began $ending $end $after"
	((before - 50000000 < begin && begin < began + 50000000))
	((ending - 50000000 < end && end < after + 50000000))
	[ "$(cut -d. -f1 <<<"$("$KTRACE" report t | sed -n '1s/^t: //p')")" -lt 10 ]
	[[ $("$KTRACE" report t) == *" on $(uname -n), Linux $(uname -r)"$'\n'* ]]
	[[ $("$KTRACE" report t) == *" s from $(date -d "@$((begin / 1000000000))" '+%F %T') on "* ]]
}

@test "what was lost, and that nothing was hit" {
	stay_on_one_cpu
	"$KTRACE" record -e "$EXIT" -e sys_enter_getsid -b 8K -o t sh -c 'kill -STOP $PPID
		for i in $(seq 600); do ./kt_witness; done; kill -CONT $PPID' 2>said 3>&-
	lost=$(sed -n 's/^ktrace record: lost \([0-9]*\) of .*/\1/p' said)
	[ "$lost" -gt 0 ]
	ktrace report t
	[ "$status" -eq 0 ]
	[[ ${lines[1]} == "$(said=$(<said) said_events) events, "*" a second, $lost lost in the rings" ]]
	[[ ${lines[2]} == "  CPU "*": $lost lost" ]]
	[[ $output == *"1 more event without a hit"* ]]
	[ "$("$KTRACE" report --json t | jq '.lost, .lost_on[].lost' | uniq)" -eq "$lost" ]
	"$KTRACE" report --json t | jq -e '.events[1] == {system: "syscalls",
		event: "sys_enter_getsid", count: 0, per_second: 0.0}'
}

@test "of a trace that is being recorded" {
	start -e "$EXIT" -o t
	ktrace report t
	[ "$status" -eq 0 ]
	[ "${lines[1]}" = "still being recorded; this is what was there when it was read" ]
	[ "$("$KTRACE" report --json t | jq .growing)" = true ]
	kill -INT "$pid"
	finish
	[ "$("$KTRACE" report --json t | jq .growing)" = false ]
}

@test "a cut CPU is told, and what is whole is summed up" {
	start -o t -e sched_switch -b 8K
	witness 50
	kill -INT "$pid"
	finish
	cpu=$(cd t && ls -S cpu* | head -n 1)
	truncate -s -5 "t/$cpu"
	ktrace report t
	[ "$status" -eq 1 ]
	[[ $stderr == "ktrace report: $cpu is cut off "* ]]
	[[ ${lines[1]} == "$("$KTRACE" print t 2>print | grep -c sched_switch) event"* ]]
	rm t/cpu*
	ktrace report t
	[ "$status" -eq 1 ]
	[ "$stderr" = "ktrace report: cannot sum up the trace t: nothing is in it" ]
	[ -z "$output" ]
}
