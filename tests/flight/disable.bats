#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace disable. Witnesses: babeltrace2 reading a snapshot, bpftool listing running programs.

load flight

count_seen() { # EVENT
	babeltrace2 trace | grep -c "syscalls:sys_$1_getpgid: .*" || true
}

count_in_table() { # PROGRAM
	bpftool -j map dump pinned "$PLACE/flight/calls/exit0" |
		jq -r '.[].value | map(ltrimstr("0x")) | reverse | join("")' |
		grep -cx "$(printf %08x "$1")" || true
}

check_disable() {
	local program tries
	ktrace start -e 'sys_*_getpgid' -e sched_process_exec -b 64K
	program=$(bpftool -j prog show pinned "$PLACE/flight/program/syscalls:sys_exit_getpgid:1" |
		jq .id)
	[ "$(count_in_table "$program")" -eq 1 ]
	make_calls 10
	"$KTRACE" status --json >report
	[ "$(jq -c '[.events[] | .enabled, .switched]' report)" = "[true,null,true,null,true,null]" ]

	ktrace disable -e sys_exit_getpgid
	[ "$message" = "ktrace disable: 'flight' records 2 of its 3 events" ]
	make_calls 20
	"$KTRACE" status >report
	grep "^flight: 3 events, 1 of them disabled, for " report
	"$KTRACE" status flight >report
	grep -x " *10 *0  syscalls:sys_exit_getpgid, disabled [0-9.]* m\?s ago" report
	grep -x " *30 *0  syscalls:sys_enter_getpgid" report
	"$KTRACE" status --json >report
	[ "$(jq -c '[.events[].enabled]' report)" = "[true,true,false]" ]
	[ "$(jq -c '[.events[] | has("switched")]' report)" = "[false,false,true]" ]
	for ((tries = 0; tries < 500 && $(count_in_table "$program") > 0; tries++)); do sleep 0.02; done
	[ "$(count_in_table "$program")" -eq 0 ]

	ktrace snapshot -o trace
	[ "$(count_seen enter)" -eq 30 ]
	[ "$(count_seen exit)" -eq 10 ]
	ktrace disable -e '!*getpgid' -e '*:*'
	[ "$message" = "ktrace disable: 'flight' records 1 of its 3 events" ]
	ktrace enable -e '!syscalls:*'
	[ "$message" = "ktrace enable: 'flight' records 2 of its 3 events" ]
	ktrace disable -e '*getpgid,sched:*' -e sys_exit_getpgid flight
	[ "$message" = "ktrace disable: 'flight' records 0 of its 3 events" ]
	make_calls 5
	ktrace snapshot -o rest
	[ "$(babeltrace2 rest | grep -c getpgid)" -eq 0 ]
	rm -r trace
	ktrace snapshot -o trace
	[ -z "$(babeltrace2 trace)" ]
	ktrace stop
}

@test "disabled events are detached and not recorded; older records remain" {
	run_on_bpffs check_disable
}

check_errors() {
	assert_event_errors disable
	assert_fails 1 disable -e "$GETPGID,sched:x" one
	diff <(echo "$message") - <<-END
		ktrace disable: no system of events of flight recorder 'one' is called 'sched'; see 'ktrace status one'
		  syscalls:sys_enter_getpgid,sched:x
		                             ^~~~~
	END
	assert_fails 2 disable -e : one
	[ "$("$KTRACE" status --json one | jq '.events[0].enabled')" = true ]
	ktrace stop one
}

@test "events that the flight does not have are errors and change nothing" {
	run_on_bpffs check_errors
}
