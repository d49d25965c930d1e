#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace pause and resume. What babeltrace2 reads of snapshots is the witness, and what bpftool reads
# of the ledger.

load flight

records_nothing() {
	ktrace start -b 64K -e "$GETPGID"
	make_calls 10
	ktrace pause
	[ "$said" = "ktrace pause: 'flight' is paused; it would record 1 of its 1 event" ]
	make_calls 20
	[ "$(hits flight)" -eq 10 ]
	"$KTRACE" status >report
	grep -x "  paused [0-9.]* m\?s ago, until 'ktrace resume'" report
	grep -x "  10 hits, [0-9.]*/s before that; none \(known to be \)\?lost" report
	"$KTRACE" status --json >report
	[ "$(jq '.paused > 0 and .paused < .age and .events[0].enabled' report)" = true ]
	# What the rings hold is of a time that has ended.
	sleep 0.1
	[ "$("$KTRACE" status --json | jq "$(jq .span report) == .span and .paused > $(jq .paused report)")" = true ]
	ktrace pause flight
	ktrace snapshot -o before
	[ "$(babeltrace2 before | grep -c getpgid)" -eq 10 ]
	[ "$(tail -n 1 said)" = "  1 of 1 events $INCOMPLETE" ]
	make_calls 20
	ktrace snapshot -o nothing
	[ "$(babeltrace2 nothing | grep -c getpgid)" -eq 0 ]
	"$KTRACE" report nothing >report
	grep -x "  1 event: disabled, paused, PID filter, filter changed or broken" report

	ktrace disable -e "$GETPGID"
	[ "$said" = "ktrace disable: 'flight' is paused; it would record 0 of its 1 event" ]
	ktrace resume
	[ "$said" = "ktrace resume: 'flight' records 0 of its 1 event" ]
	make_calls 20
	ktrace enable -e "$GETPGID"
	[ "$said" = "ktrace enable: 'flight' records 1 of its 1 event" ]
	make_calls 5
	ktrace resume
	make_calls 5
	[ "$(hits flight)" -eq 20 ]
	"$KTRACE" status >report
	[ "$(grep -c paused report)" -eq 0 ]
	[ "$("$KTRACE" status --json | jq .paused)" = null ]
	ktrace snapshot -o after
	[ "$(babeltrace2 after | grep -c getpgid)" -eq 10 ]
	[ "$("$KTRACE" report --json after | jq '.events[0] | has("complete_from", "complete_until")' |
		xargs)" = "true false" ]
	ktrace stop
}

@test "nothing is recorded while it is paused, and what was recorded remains" {
	apart records_nothing
}

# A program's name is what it is called by, not what it was when it was started.
names_who_came_meanwhile() {
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

@test "how tasks are called is noted while it is paused" {
	apart names_who_came_meanwhile
}

is_not_triggered() {
	ktrace start -b 64K -e sched_switch --freeze-on "$GETPGID"
	ktrace pause
	make_calls 1
	ktrace resume
	[ "$("$KTRACE" status --json | jq '.freezing.hit')" = null ]
	make_calls 1
	[ "$("$KTRACE" status --json | jq '.freezing.hit > 0')" = true ]
	# Of one that is frozen it can be said as well.
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

@test "a paused session is frozen by no trigger" {
	apart is_not_triggered
}

refuses() {
	local command
	ktrace start -b 8K -e sched_switch one
	for command in pause resume; do
		refused 1 "$command"
		[ "$said" = "ktrace $command: $NOT_RUNNING" ]
		refused 2 "$command" one two
		refused 2 "$command" a/b
		refused 2 "$command" -e sched_switch one
		[ "$(completed "ktrace $command ")" = one ]
		! setpriv --reuid 65534 --clear-groups "$KTRACE" "$command" one 2>said || false
		[ "$(<said)" = "ktrace $command: $NOT_ROOT" ]
	done
	[ "$("$KTRACE" status --json | jq .paused)" = null ]
	ktrace stop one
}

@test "it refuses what is not there" {
	apart refuses
}
