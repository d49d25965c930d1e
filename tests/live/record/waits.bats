#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# report's times of tasks, calls, disk requests and interrupts, against the kernel's own counts,
# what a program knows of itself, and sums that jq makes.

bats_require_minimum_version 1.5.0

load ../recording

# Fails if a time in ns is not the expected one, within 5 ms and 2 %: a thread's own times are too
# short by at most the rest.
assert_near() { # WHAT FOUND EXPECTED REST
	echo "$1: $2, expected $3 and at most $4 more"
	local more=$(($2 - $3))
	((more >= -5000000 - $3 / 50 && more <= 5000000 + $4 + $3 / 50)) && return
	"$KTRACE" print t | grep -F "${1% *}" | tail -n 20
	false
}

# Prints a number of a thread of the report.
of_thread() { # COMM JQ
	jq ".waits[] | select(.comm == \"$1\") | $2" report
}

# Fails if a thread of `waiting` gave up the CPU more often than the trace knows.
has_switches() {
	local name tid switches recorded
	"$KTRACE" print --events --json t | jq 'select(.event == "sched_switch").fields.prev_pid' >prev_pids
	while read -r name tid _ _ _ _ switches; do
		recorded=$(grep -cx "$tid" prev_pids)
		echo "$name gave up the CPU $switches times or more, $recorded of them recorded"
		((recorded >= switches)) || return 1
	done <stdout
}

# Records the threads of `waiting`, once more if some time of them is unattributed or a switch is not
# there: a kernel may hide the switches of its own agent, which on the same CPU takes their time's end
# with it.
record_waiting() { # OPTION...
	local names='"sleeper", "spinner", "rival", "locker", "holder"'
	for _ in 1 2 3 4 5; do
		rm -rf t
		record "$@" -o t -- "$TRACED/waiting" "$(list_cpus | tail -n 1)"
		[ "$status" -eq 0 ]
		"$KTRACE" report --json t >report
		jq -e "any(.waits[] | select(.comm | IN($names)); .unknown > 0)" report || ! has_switches || break
	done
}

# Threads that sleep, spin, wait for a lock and for a CPU: how long they ran and waited for a CPU is
# the kernel's count, and how long for something else they measured.
@test "running, runnable and blocked, and by whom a task was woken" {
	record_waiting -a -e sched_switch,sched_waking,sched_wakeup_new,sched_process_exit,irq:softirq_*,timer:*_expire_*
	jq -e '.wakeups_known' report
	[ "$(wc -l <stdout)" -eq 5 ]
	while read -r name tid ran runnable blocked rest _; do
		[ "$(of_thread "$name" .tid)" -eq "$tid" ]
		[ "$(of_thread "$name" .unknown)" -eq 0 ]
		assert_near "$name running" "$(of_thread "$name" .running)" "$ran" "$rest"
		assert_near "$name runnable" "$(of_thread "$name" .runnable)" "$runnable" "$rest"
		assert_near "$name blocked" "$(of_thread "$name" .blocked)" "$blocked" "$rest"
	done <stdout
	# Two that spin share the CPU; the lock is released after 120 ms, 20 of which locker sleeps.
	(($(of_thread spinner .runnable) > 50000000))
	(($(of_thread rival .runnable) > 50000000))
	[ "$(of_thread sleeper '.wakers[0].interrupt')" = true ]
	[ "$(of_thread locker '.wakers[0].comm')" = '"holder"' ]
	(($(of_thread locker '.wakers[0].blocked') > 80000000))

	ktrace report t
	[[ $output == *"   running  of 1 CPU   longest  runnable   longest   blocked   longest  task"* ]]
	[[ $output == *"  spinner-"* && $output == *"  rival-"* ]]
}

@test "followed threads wait as long as in a trace of the whole machine" {
	record_waiting -e sched_switch,sched_waking,sched_wakeup_new
	while read -r name _ ran runnable blocked rest _; do
		assert_near "$name running" "$(of_thread "$name" .running)" "$ran" "$rest"
		assert_near "$name runnable" "$(of_thread "$name" .runnable)" "$runnable" "$rest"
		assert_near "$name blocked" "$(of_thread "$name" .blocked)" "$blocked" "$rest"
	done <stdout
	jq -e 'all(.waits[]; .followed)' report
}

@test "without wakeups: the time off the CPU" {
	record_waiting -a -e sched_switch
	jq -e '.wakeups_known == false' report
	# How long a thread waits for its first turn is unknown, which is a part of `runnable`.
	while read -r name _ _ runnable blocked rest _; do
		off=$(of_thread "$name" '.runnable + .blocked')
		((off > blocked + runnable / 2)) || assert_near "$name off CPU" "$off" "$blocked" "$rest"
		((off < blocked + runnable)) || assert_near "$name off CPU" "$off" $((runnable + blocked)) "$rest"
	done <stdout
	[[ $("$KTRACE" report t) == *"   running  of 1 CPU   longest   off CPU   longest  task"* ]]
}

# Prints count, total and longest time between two events of one CPU or task, by jq.
sum_pairs() { # BEGIN END cpu|tid [CONDITION]
	"$KTRACE" print --events --json t | jq -s -c "reduce (.[] | select((.event == \"$1\" or .event == \"$2\") and
			(${4:-true}))) as \$e ({open: {}, times: []};
		(\$e.$3 | tostring) as \$key |
		if \$e.event == \"$1\" then .open[\$key] = \$e.time
		elif .open[\$key] then .times += [\$e.time - .open[\$key]] | .open[\$key] = null
		else . end) | .times | [length, add, max]"
}

@test "softirqs and system calls by total time" {
	record -a -e 'irq:softirq_*,syscalls:*clock_nanosleep' -o t -- sh -c 'sleep 0.1; sleep 0.2; sleep 0.05'
	"$KTRACE" report --json t >report
	jq -c '.spans[] | select(.kind == "softirq" and .name == "TIMER") | [.count, .total, .longest]' report >found
	sum_pairs softirq_entry softirq_exit cpu '.fields.vec == 1' | diff - found
	sum_pairs sys_enter_clock_nanosleep sys_exit_clock_nanosleep tid >expected
	jq -c '.calls[] | [.timed, .total, .longest]' report | diff expected -
	(("$(jq '.calls[0].longest' report)" > 200000000))
	# The same of selected events.
	"$KTRACE" report --json -e '*nanosleep' t | jq -c '.calls[] | [.timed, .total, .longest]' | diff expected -
	ktrace report -e '*nanosleep' t
	[[ $output == *"  clock_nanosleep"$'\n'* && $output != *sys_enter_clock_nanosleep* ]]
	[[ $output != *running* ]]
}
