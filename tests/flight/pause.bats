#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace pause and resume. Witnesses: babeltrace2 reading snapshots, and bpftool reading the
# counters.

load flight

check_pause() {
	ktrace start -b 64K -e "$GETPGID"
	make_calls 10
	ktrace pause
	[ "$message" = "ktrace pause: 'flight' is paused; it would record 1 of its 1 event" ]
	make_calls 20
	[ "$(count_hits flight)" -eq 10 ]
	"$KTRACE" status >report
	grep -x "  paused [0-9.]* m\?s ago, until 'ktrace resume'" report
	grep -x "  10 hits, [0-9.]*/s before that; none \(known to be \)\?lost" report
	"$KTRACE" status --json >report
	[ "$(jq '.paused > 0 and .paused < .age and .events[0].enabled' report)" = true ]
	# The rings' time has ended.
	sleep 0.1
	[ "$("$KTRACE" status --json | jq "$(jq .span report) == .span and .paused > $(jq .paused report)")" = true ]
	ktrace pause flight
	ktrace snapshot -o before
	[ "$(babeltrace2 before | grep -c getpgid)" -eq 10 ]
	[ "$(tail -n 1 message)" = "  1 of 1 events $INCOMPLETE" ]
	make_calls 20
	ktrace snapshot -o nothing
	[ "$(babeltrace2 nothing | grep -c getpgid)" -eq 0 ]
	"$KTRACE" report nothing >report
	grep -x "  1 event: disabled, paused, PID filter, filter changed or broken" report

	ktrace disable -e "$GETPGID"
	[ "$message" = "ktrace disable: 'flight' is paused; it would record 0 of its 1 event" ]
	ktrace resume
	[ "$message" = "ktrace resume: 'flight' records 0 of its 1 event" ]
	make_calls 20
	ktrace enable -e "$GETPGID"
	[ "$message" = "ktrace enable: 'flight' records 1 of its 1 event" ]
	make_calls 5
	ktrace resume
	make_calls 5
	[ "$(count_hits flight)" -eq 20 ]
	"$KTRACE" status >report
	[ "$(grep -c paused report)" -eq 0 ]
	[ "$("$KTRACE" status --json | jq .paused)" = null ]
	ktrace snapshot -o after
	[ "$(babeltrace2 after | grep -c getpgid)" -eq 10 ]
	[ "$("$KTRACE" report --json after | jq '.events[0] | has("complete_from", "complete_until")' |
		xargs)" = "true false" ]
	ktrace stop
}

@test "nothing is recorded while paused; older records remain" {
	run_on_bpffs check_pause
}

# A process is named by its current name, not the one it started with.
check_task_names() {
	ktrace start -b 64K -e "$GETPGID"
	ktrace pause
	perl -e '
		open F, ">", "/proc/$$/comm"; print F "came meanwhile"; close F;
		print "called\n" if open C, ">", "called";
		close C;
		select undef, undef, undef, 0.01 until -e "resumed";
		getpgrp 4194303' >nothing 3>&- &
	caller=$!
	trap 'kill $caller' EXIT
	await test -e called
	ktrace resume
	touch resumed
	wait "$caller"
	trap - EXIT
	ktrace snapshot -o trace
	[ "$("$KTRACE" print trace | grep -c "^ *came meanwhile-$caller .*getpgid")" -eq 1 ]
	ktrace stop
}

@test "task names are followed while paused" {
	run_on_bpffs check_task_names
}

check_trigger() {
	ktrace start -b 64K -e sched_switch --freeze-on "$GETPGID"
	ktrace pause
	make_calls 1
	ktrace resume
	[ "$("$KTRACE" status --json | jq '.freezing.hit')" = null ]
	make_calls 1
	[ "$("$KTRACE" status --json | jq '.freezing.hit > 0')" = true ]
	# A frozen flight can be paused, too.
	ktrace pause
	"$KTRACE" status >report
	grep -q "^  frozen .* ago, by $GETPGID, until a snapshot or a reset" report
	grep -q "^  paused .* ago, until 'ktrace resume'" report
	ktrace snapshot -o trace
	"$KTRACE" status >report
	[ "$(grep -c frozen report)" -eq 0 ]
	grep -q "^  paused" report
	ktrace stop
}

@test "a paused flight is not frozen by a trigger" {
	run_on_bpffs check_trigger
}

check_errors() {
	local command
	ktrace start -b 8K -e sched_switch one
	for command in pause resume; do
		assert_fails 1 "$command"
		[ "$message" = "ktrace $command: $NOT_RUNNING" ]
		assert_fails 2 "$command" one two
		assert_fails 2 "$command" a/b
		assert_fails 2 "$command" -e sched_switch one
		[ "$(complete_line "ktrace $command ")" = one ]
		! setpriv --reuid 65534 --clear-groups "$KTRACE" "$command" one 2>message || false
		[ "$(<message)" = "ktrace $command: $NOT_ROOT" ]
	done
	[ "$("$KTRACE" status --json | jq .paused)" = null ]
	ktrace stop one
}

@test "a missing flight is an error" {
	run_on_bpffs check_errors
}
