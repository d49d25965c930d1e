#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace report has the same counts as babeltrace2, and all losses.

bats_require_minimum_version 1.5.0

load ../recording

# Prints how often each line occurs: COUNT LINE.
count_lines() {
	LC_ALL=C sort | uniq -c | sed 's/^ *//' | LC_ALL=C sort
}

# Prints the report's losses of an event on all CPUs.
report_losses() { # SYSTEM:EVENT
	jq "[.losses[] | select(\"\(.system):\(.event)\" == \"$1\") | .lost] | add // 0" report
}

# Prints babeltrace2's losses of all events in a stream.
babeltrace_losses() { # FILE
	mkdir -p one
	rm -f one/*
	cp t/metadata "$1" one/
	babeltrace2 one 2>&1 >/dev/null | sed -n 's/.*racer discarded \([0-9]*\) event.*/\1/p' |
		awk '{ n += $1 } END { print n + 0 }'
}

@test "events and tasks are counted as by babeltrace2" {
	start -o t -e sched_switch -e sched_process_exit -e raw_syscalls:sys_enter
	run_witness 20
	kill -INT "$pid"
	finish
	[ "$status" -eq 0 ]
	babeltrace2 t >events
	sed -E 's/.* (\w+:\w+): \{ cpu_id.*/\1/' events | count_lines >by_event
	sed -E 's/.*, \{ tid = (\( "[^"]*"(, "[^"]*")* : container = )?([0-9]+)( \))? \}, \{ .*/\3/' events | count_lines >by_task

	sed -E 's/.*: \{ cpu_id = ([0-9]+) \}.*/\1/' events | count_lines >by_cpu

	"$KTRACE" report --json t >report
	jq -r '.events[] | "\(.count) \(.system):\(.event)"' report | LC_ALL=C sort | diff by_event -
	jq -r '.cpus[] | select(.count > 0) | "\(.count) \(.cpu)"' report | LC_ALL=C sort | diff by_cpu -
	jq -r '.tasks[] | "\(.count) \(.tid)"' report | LC_ALL=C sort | diff by_task -
	[ "$(jq .count report)" -eq "$(summary_events)" ]

	ktrace report t
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	awk '$3 ~ /:/ && NF == 3 { print $1, $3 }' <<<"$output" | LC_ALL=C sort | diff by_event -
	[[ ${lines[1]} == "$(summary_events) events, "*"/s, none "*"lost" ]]
}

# The witness runs twenty times; its exit is the event.
@test "tasks of the same name together, or each" {
	start -o t -e "$EXIT"
	run_witness 20
	kill -INT "$pid"
	finish
	ktrace report t
	[[ $output == *"          20 "*" %  kt_witness, 20 tasks"* ]]
	ktrace report --tasks --all t
	grep -E '^           1 .* %  kt_witness-[0-9]+$' <<<"$output"
	[[ $output != *"kt_witness, "* ]]
}

# Prints for how long each task had a CPU and each CPU was not idle, by babeltrace2's times between
# a CPU's first and last packet: "task TID NS" and "cpu CPU NS". A task leaving that did not arrive
# is unknown, "unknown CPU NS": some kernels hide events of some tasks.
list_run_times() {
	babeltrace2 convert t --component=details:sink.text.details --params=with-metadata=no |
		tr -d , | awk '
		function end(tid) {
			ns = time - since[cpu]
			if (tid != now[cpu]) { sum["unknown", cpu] += ns; return }
			sum["task", tid] += ns
			if (tid) sum["cpu", cpu] += ns
		}
		/^\[[0-9]+ cycles/ { time = substr($1, 2) + 0 }
		$1 == "cpu_id:" { cpu = $2; cpu_of[stream] = cpu
				  if (!(cpu in since)) since[cpu] = time }
		/^\{Trace/ { stream = $NF; cpu = cpu_of[stream] }
		$1 == "tid:" { tid = $2; if (!(cpu in now)) now[cpu] = tid }
		$1 == "next_pid:" { end(tid); since[cpu] = time; now[cpu] = $2 }
		/^Packet end/ { last[cpu] = time }
		END { for (cpu in last) { time = last[cpu]; end(now[cpu]) }
		      for (what in sum) if (sum[what]) { split(what, w, SUBSEP)
				printf "%s %d %.0f\n", w[1], w[2], sum[what] } }' | LC_ALL=C sort
}

@test "tasks' run times match babeltrace2's times" {
	start -o t -e sched_switch
	run_witness 200
	kill -INT "$pid"
	finish
	"$KTRACE" report --json t >report
	list_run_times >expected
	jq -r '(.cpu_times[] | "task \(.tid) \(.cpu_time)"),
		(.cpus[] | "cpu \(.cpu) \(.cpu_time)", "unknown \(.cpu) \(.cpu_time_unknown)")' report |
		grep -v ' 0$' | LC_ALL=C sort >found
	diff expected found
	[ "$(grep -c task found)" -ge 3 ]
	[ "$(jq '[.cpus[].cpu_time_unknown] | add' report)" -eq "$(jq .cpu_time_unknown report)" ]

	"$KTRACE" record -e sched_switch -f 'prev_prio < 100' -o t true
	[[ $("$KTRACE" report t) == *$'\n'"no CPU times: sched:sched_switch has a filter"* ]]
	"$KTRACE" report --json t | jq -e '.cpu_times == null'
}

@test "a command's run time matches the kernel's count" {
	# shellcheck disable=SC2016
	record -e sched_switch -o t sh -c 'i=0; while [ $((i += 1)) -lt 200000 ]; do :; done
		cat /proc/$$/schedstat'
	[ "$status" -eq 0 ]
	read -r ns _ <stdout
	"$KTRACE" report --json t >report
	found=$(jq '.cpu_times[] | select(.comm == "sh").cpu_time' report)
	unknown=$(jq .cpu_time_unknown report)
	echo "$ns $found $unknown $(jq -c .cpu_times report)"
	((found + unknown > ns - ns / 5 - 10000000 && found < ns + ns / 5 + 10000000))
	jq -e '([.cpu_times[].comm] | sort == ["cat", "sh"]) and all(.cpu_times[]; .followed)' report
	[[ $("$KTRACE" report t) == *"   running  of 1 CPU  "*"  task"$'\n'*"  sh-"* ]]
}

@test "the time and duration of the recording" {
	before=$(date +%s%N)
	start -o t -e sched_process_exit
	began=$(date +%s%N)
	sleep 0.3
	ending=$(date +%s%N)
	kill -INT "$pid"
	finish
	after=$(date +%s%N)
	"$KTRACE" report --json t >report
	# Two clocks that are set differently now and then: one tick is tolerated.
	begin=$(jq '.begin + .since_1970' report) end=$(jq '.end + .since_1970' report)
	echo "$before $begin $began $ending $end $after"
	((before - 50000000 < begin && begin < began + 50000000))
	((ending - 50000000 < end && end < after + 50000000))
	[ "$(cut -d. -f1 <<<"$("$KTRACE" report t | sed -n '1s/^t: //p')")" -lt 10 ]
	[[ $("$KTRACE" report t) == *" on $(uname -n), Linux $(uname -r)"$'\n'* ]]
	[[ $("$KTRACE" report t) == *" s from $(date -d "@$((begin / 1000000000))" '+%F %T') on "* ]]
	"$KTRACE" record -e sched_process_exit -o t true
	[[ $("$KTRACE" report t) == *", Linux $(uname -r), followed processes only"$'\n'* ]]
}

# A stopped reader and the smallest ring. Each event occurs once per program run, and each CPU has
# as many losses as babeltrace2 finds in its stream.
@test "losses by event and CPU; events that did not occur" {
	local exec=sched:sched_process_exec
	# shellcheck disable=SC2016
	"$KTRACE" record -e "$EXIT" -e $exec -e sys_enter_getsid -b 8K -o t sh -c 'kill -STOP $PPID
		i=0; while [ $((i += 1)) -le 600 ]; do ./kt_witness; done; kill -CONT $PPID' 2>message 3>&-
	babeltrace2 t >events 2>discarded || true
	ktrace report t
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[[ $output == *"1 more event without a hit"* ]]
	"$KTRACE" report --json t >report
	# The shell execs and exits as well.
	for event in $exec "$EXIT"; do
		[ "$(report_losses "$event")" -eq $((601 - $(grep -c " $event: " events))) ]
	done
	[ "$(jq '.losses | length' report)" -ge 2 ]
	for cpu in t/cpu*; do
		babeltrace_losses "$cpu" >by_babeltrace2
		jq "[.losses[] | select(.cpu == ${cpu#t/cpu}) | .lost] | add // 0" report |
			diff by_babeltrace2 -
	done

	lost=$(sed -n 's/^ktrace record: lost \([0-9]* of [0-9]*\): .*/\1/p' message)
	filtered=$(sed -n 's/.*; \([0-9]*\) filtered (other processes)$/\1/p' message)
	[[ ${lines[1]} == "$(wc -l <events) events, "*"/s, $lost lost"* ]]
	[ "$(jq '"\(.lost) of \(.hits), \(.filtered)"' report)" = "\"$lost, $filtered\"" ]
	jq -e '.ended and .events[2] == {system: "syscalls", event: "sys_enter_getsid", count: 0,
		per_second: 0.0}' report
}

@test "of a trace still being recorded" {
	start -e "$EXIT" -o t
	ktrace report t
	[ "$status" -eq 0 ]
	[ "${lines[1]}" = "still being recorded; this is its state when it was read" ]
	[ "$("$KTRACE" report --json t | jq .growing)" = true ]
	run_witness 5
	kill -INT "$pid"
	finish
	[ "$("$KTRACE" report --json t | jq .growing)" = false ]

	# The recorder has counted more than was read.
	: >"t/$(cd t && ls -S cpu* | head -n 1)"
	ktrace report t
	[ "$status" -eq 1 ]
	run --separate-stderr flock t "$KTRACE" report t
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[ "${lines[1]}" = "still being recorded; this is its state when it was read" ]
}

@test "a truncated CPU file is reported, the rest is summed up" {
	start -o t -e sched_switch -b 64K
	run_witness 50
	kill -INT "$pid"
	finish
	cpu=$(cd t && ls -S cpu* | head -n 1)
	truncate -s $(($(stat -c %s "t/$cpu") / 2 | 1)) "t/$cpu" # in the middle of a packet, which has whole words
	ktrace report t
	[ "$status" -eq 1 ]
	[[ ${stderr_lines[0]} == "ktrace report: $cpu is cut off "* ]]
	there=$("$KTRACE" print t 2>print | grep -c sched_switch)
	[ "${stderr_lines[1]}" = "ktrace report: $(summary_events) events were recorded, but $there are in the trace" ]
	[[ ${lines[1]} == "$there event"*", none "*"lost"* ]]

	# Nothing in the streams shows that one is missing.
	rm "t/$cpu"
	ktrace report t
	[ "$status" -eq 1 ]
	there=$("$KTRACE" print t | grep -c sched_switch) || true
	[ "$stderr" = "ktrace report: $(summary_events) events were recorded, but $there are in the trace" ]
	rm t/cpu*
	ktrace report t
	[ "$status" -eq 1 ]
	[ "$stderr" = "ktrace report: cannot summarize the trace t: it is empty" ]
	[ -z "$output" ]
}

@test "without the recorder's counters: killed before writing them, or foreign ones" {
	start -o t -e "$EXIT"
	run_witness 2
	kill -KILL "$pid"
	finish
	ktrace report t
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[[ ${lines[1]} == "event counts are missing, "* ]]
	[[ ${lines[2]} == "0 events, "*"/s, none lost in the rings" ]]
	"$KTRACE" report --json t | jq -e '.growing == false and .ended == false and .hits == null'

	start -o t -e "$EXIT"
	run_witness 2
	kill -INT "$pid"
	finish
	sed -i '1s/"trace":"......../"trace":"01234567/' t/ktrace/counts.jsonl
	ktrace report t
	[ "$status" -eq 1 ]
	[ "$stderr" = "ktrace report: ktrace/counts.jsonl, line 1: belongs to another trace" ]
	[[ ${lines[1]} == "event counts are missing, "* ]]
}
