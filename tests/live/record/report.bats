#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# `ktrace report`: the same counts as babeltrace2 has, and all losses.

bats_require_minimum_version 1.5.0

load ../recording

# How often each line is there: COUNT LINE.
counted() {
	LC_ALL=C sort | uniq -c | sed 's/^ *//' | LC_ALL=C sort
}

# By the report, of an event on all CPUs.
losses_of() { # SYSTEM:EVENT
	jq "[.losses[] | select(\"\(.system):\(.event)\" == \"$1\") | .lost] | add // 0" report
}

# By babeltrace2, of all events in a stream.
babeltrace2_discarded() { # FILE
	mkdir -p one
	rm -f one/*
	cp t/metadata "$1" one/
	babeltrace2 one 2>&1 >/dev/null | sed -n 's/.*racer discarded \([0-9]*\) event.*/\1/p' |
		awk '{ n += $1 } END { print n + 0 }'
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

	sed -E 's/.*: \{ cpu_id = ([0-9]+) \}.*/\1/' events | counted >by_cpu

	"$KTRACE" report --json t >report
	jq -r '.events[] | "\(.count) \(.system):\(.event)"' report | LC_ALL=C sort | diff by_event -
	jq -r '.cpus[] | select(.count > 0) | "\(.count) \(.cpu)"' report | LC_ALL=C sort | diff by_cpu -
	jq -r '.tasks[] | "\(.count) \(.tid)"' report | LC_ALL=C sort | diff by_task -
	[ "$(jq .count report)" -eq "$(said_events)" ]

	ktrace report t
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	awk '$3 ~ /:/ && NF == 3 { print $1, $3 }' <<<"$output" | LC_ALL=C sort | diff by_event -
	[[ ${lines[1]} == "$(said_events) events, "*"/s, none "*"lost" ]]
}

# The witness runs twenty times, and hits when it ends.
@test "tasks of one name together, or each" {
	start -o t -e "$EXIT"
	witness 20
	kill -INT "$pid"
	finish
	ktrace report t
	[[ $output == *"          20 "*" %  kt_witness, 20 tasks"* ]]
	ktrace report --tasks t
	grep -E '^           1 .* %  kt_witness-[0-9]+$' <<<"$output"
	[[ $output != *"kt_witness, "* ]]
}

# For how long each task had a CPU, and others than idle ones each CPU, by babeltrace2's times, from
# a CPU's first packet to its last: "task TID NS" and "cpu CPU NS". Where one goes that did not come
# that is not known, "unknown CPU NS": some kernels hide the hits of some tasks.
stretches() {
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

@test "how long each task ran, as babeltrace2's times have it" {
	start -o t -e sched_switch
	witness 200
	kill -INT "$pid"
	finish
	"$KTRACE" report --json t >report
	stretches >expected
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

@test "how long a command ran, as the kernel's own count has it" {
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
	[[ $("$KTRACE" report t) == *" CPU seconds  % of 1 CPU  task"$'\n'*"  sh-"* ]]
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
	"$KTRACE" record -e sched_process_exit -o t true
	[[ $("$KTRACE" report t) == *", Linux $(uname -r), followed processes only"$'\n'* ]]
}

# A stopped reader and the smallest ring. Of each event there are as many hits as programs run, and
# on each CPU as many losses as babeltrace2 finds discarded in its stream.
@test "what was lost, of which event, on which CPU; and that nothing was hit" {
	local exec=sched:sched_process_exec
	# shellcheck disable=SC2016
	"$KTRACE" record -e "$EXIT" -e $exec -e sys_enter_getsid -b 8K -o t sh -c 'kill -STOP $PPID
		i=0; while [ $((i += 1)) -le 600 ]; do ./kt_witness; done; kill -CONT $PPID' 2>said 3>&-
	babeltrace2 t >events 2>discarded || true
	ktrace report t
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[[ $output == *"1 more event without a hit"* ]]
	"$KTRACE" report --json t >report
	# The shell is exec'd and exits as well.
	for event in $exec "$EXIT"; do
		[ "$(losses_of "$event")" -eq $((601 - $(grep -c " $event: " events))) ]
	done
	[ "$(jq '.losses | length' report)" -ge 2 ]
	for cpu in t/cpu*; do
		babeltrace2_discarded "$cpu" >by_babeltrace2
		jq "[.losses[] | select(.cpu == ${cpu#t/cpu}) | .lost] | add // 0" report |
			diff by_babeltrace2 -
	done

	lost=$(sed -n 's/^ktrace record: lost \([0-9]* of [0-9]*\): .*/\1/p' said)
	filtered=$(sed -n 's/.*; \([0-9]*\) filtered (other processes)$/\1/p' said)
	[[ ${lines[1]} == "$(wc -l <events) events, "*"/s, $lost lost"* ]]
	[ "$(jq '"\(.lost) of \(.hits), \(.filtered)"' report)" = "\"$lost, $filtered\"" ]
	jq -e '.ended and .events[2] == {system: "syscalls", event: "sys_enter_getsid", count: 0,
		per_second: 0.0}' report
}

@test "of a trace that is being recorded" {
	start -e "$EXIT" -o t
	ktrace report t
	[ "$status" -eq 0 ]
	[ "${lines[1]}" = "still being recorded; this is its state when it was read" ]
	[ "$("$KTRACE" report --json t | jq .growing)" = true ]
	witness 5
	kill -INT "$pid"
	finish
	[ "$("$KTRACE" report --json t | jq .growing)" = false ]

	# Of one that ends while it is read, the recorder counted more.
	: >"t/$(cd t && ls -S cpu* | head -n 1)"
	ktrace report t
	[ "$status" -eq 1 ]
	run --separate-stderr flock t "$KTRACE" report t
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[ "${lines[1]}" = "still being recorded; this is its state when it was read" ]
}

@test "a cut CPU is told, and what is whole is summed up" {
	start -o t -e sched_switch -b 64K
	witness 50
	kill -INT "$pid"
	finish
	cpu=$(cd t && ls -S cpu* | head -n 1)
	truncate -s $(($(stat -c %s "t/$cpu") / 2 | 1)) "t/$cpu" # inside of a packet: those are of whole words
	ktrace report t
	[ "$status" -eq 1 ]
	[[ ${stderr_lines[0]} == "ktrace report: $cpu is cut off "* ]]
	there=$("$KTRACE" print t 2>print | grep -c sched_switch)
	[ "${stderr_lines[1]}" = "ktrace report: $(said_events) events were recorded, but $there are in the trace" ]
	[[ ${lines[1]} == "$there event"*", none "*"lost"* ]]

	# Nothing in the streams tells of one that is missing.
	rm "t/$cpu"
	ktrace report t
	[ "$status" -eq 1 ]
	there=$("$KTRACE" print t | grep -c sched_switch) || true
	[ "$stderr" = "ktrace report: $(said_events) events were recorded, but $there are in the trace" ]
	rm t/cpu*
	ktrace report t
	[ "$status" -eq 1 ]
	[ "$stderr" = "ktrace report: cannot summarize the trace t: it is empty" ]
	[ -z "$output" ]
}

@test "without what the recorder counted: killed before it could say, or not its own" {
	start -o t -e "$EXIT"
	witness 2
	kill -KILL "$pid"
	finish
	ktrace report t
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[[ ${lines[1]} == "event counts are missing, "* ]]
	[[ ${lines[2]} == "0 events, "*"/s, none lost in the rings" ]]
	"$KTRACE" report --json t | jq -e '.growing == false and .ended == false and .hits == null'

	start -o t -e "$EXIT"
	witness 2
	kill -INT "$pid"
	finish
	sed -i '1s/"trace":"......../"trace":"01234567/' t/ktrace/balance.jsonl
	ktrace report t
	[ "$status" -eq 1 ]
	[ "$stderr" = "ktrace report: ktrace/balance.jsonl, line 1: belongs to another trace" ]
	[[ ${lines[1]} == "event counts are missing, "* ]]
}
