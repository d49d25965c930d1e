#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Recording in a time namespace, whose CLOCK_MONOTONIC is not the kernel's.

bats_require_minimum_version 1.5.0

load ../recording

skip_without_namespaces() {
	unshare -T --monotonic 100000 --fork true 2>why || skip "$(<why)"
}

seconds() {
	cut -d. -f1 /proc/uptime
}

# All times must be within the bounds, and none lost.
check_trace() { # DIR BEGAN ENDED
	"$KTRACE" print --events --json "$1" | jq -s --argjson a "$2" --argjson b "$3" \
		'length > 0 and all(.[]; .time >= $a * 1e9 and .time <= ($b + 1) * 1e9)' | grep -x true
	babeltrace2 --clock-gmt "$1" >all 2>lost
	[ ! -s lost ]
}

@test "a recording in a time namespace has the kernel's times and all events" {
	skip_without_namespaces
	for offset in 100000 -10; do
		began=$(seconds)
		via=(unshare -T --monotonic "$offset" --fork)
		record -e sched_switch -a -- sh -c 'for i in 1 2 3; do sleep .05; done'
		ended=$(seconds)
		[[ $message != *lost* ]]
		[ "$(summary_events)" -gt 10 ]
		check_trace ktrace.out "$began" "$ended"
		# The time of day is the machine's: there is no namespace for it.
		"$KTRACE" report --json | jq --argjson now "$(date +%s)" \
			'$now - (.since_1970 + .begin) / 1e9 | . > -2 and . < 60' | grep -x true
	done
}

@test "strace in a time namespace prints all lines as they come" {
	skip_without_namespaces
	unshare -T --monotonic 100000 --fork "$KTRACE" strace -t -o ours -e write perl -e '$| = 1; for (1 .. 50) { print "x"; select undef, undef, undef, .002 }' >out 2>message
	[ "$(grep -c 'write(1, "x", 1)' ours)" -eq 50 ]
	grep -q "$(date +%H:)" ours
}
