#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace enable. Witnesses: babeltrace2 reading a snapshot, bpftool listing programs.

load flight

count_seen() { # EVENT, AS A PATTERN OF GREP
	babeltrace2 trace | grep -c "$1" || true
}

program_type() { # NUMBER OF THE PROGRAM
	bpftool -j prog show pinned "$PLACE/flight/program/sched:sched_process_exit:$1" | jq -r .type
}

list_pins() {
	ls "$PLACE/flight/program" "$PLACE/flight/link"
}

check_enable() {
	local kind
	ktrace start -e sys_enter_getpgid -f 'pid != 7' -e sys_exit_getpgid,sched_process_exit -b 64K
	kind=$(program_type 1)
	make_calls 10
	ktrace disable -e '*:*'
	make_calls 20

	ktrace enable -e sys_enter_getpgid -e 'sched:*'
	[ "$message" = "ktrace enable: 'flight' records 2 of its 3 events" ]
	[ "$(program_type 2)" = "$kind" ]
	make_calls 30
	perl -e 'getpgrp(7) for 1 .. 5'
	for _ in 1 2 3; do ./kt_flown; done
	"$KTRACE" status flight >report
	grep "^flight: 3 events, 1 of them disabled, for " report
	grep -x " *40 *0  syscalls:sys_enter_getpgid where pid != 7, enabled [0-9.]* m\?s ago" report
	"$KTRACE" status --json >report
	[ "$(jq -c '[.events[] | .enabled, has("switched")]' report)" = \
		"[true,true,true,true,false,true]" ]
	ktrace snapshot -o trace
	[ "$(count_seen "syscalls:sys_enter_getpgid: ")" -eq 40 ]
	[ "$(count_seen "syscalls:sys_exit_getpgid: ")" -eq 10 ]
	[ "$(count_seen "sched_process_exit: .*comm = \"kt_flown\"")" -eq 3 ]

	ktrace enable -e '*getpgid' flight
	[ "$message" = "ktrace enable: 'flight' records 3 of its 3 events" ]
	list_pins >before
	ktrace enable -e '*getpgid' flight
	[ "$message" = "ktrace enable: 'flight' records 3 of its 3 events" ]
	list_pins | diff before -
	make_calls 4
	rm -r trace
	ktrace snapshot -o trace
	[ "$(count_seen "syscalls:sys_enter_getpgid: ")" -eq 4 ]
	[ "$(count_seen "syscalls:sys_exit_getpgid: ")" -eq 4 ]
	ktrace stop
}

@test "enabled events are recorded again as before" {
	run_on_bpffs check_enable
}

check_all_or_none() {
	local program=$PLACE/flight/program/syscalls:sys_exit_getpgid
	ktrace start -e 'sys_*_getpgid' -b 8K
	ktrace disable -e '*:*'
	list_pins >before

	! perl -MPOSIX -e 'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGINT)); kill INT => $$; exec @ARGV' \
		"$KTRACE" enable -e '*:*' 2>message
	[ "$(<message)" = "ktrace enable: interrupted before any event was enabled" ]
	list_pins | diff before -

	bpftool map pin pinned "$PLACE/flight/info" "$program:2"
	assert_fails 1 enable -e '*:*'
	grep "^ktrace enable: cannot record syscalls:sys_exit_getpgid: .*: File exists" <<<"$message"
	list_pins | diff before -
	make_calls 10
	[ "$("$KTRACE" status --json | jq -c '[.hits, .events[].enabled]')" = "[0,false,false]" ]

	ktrace enable -e '*:*'
	[ -e "$program:3" ]
	make_calls 10
	[ "$("$KTRACE" status --json | jq -c '[.hits, .events[].enabled]')" = "[20,true,true]" ]
	ktrace stop
}

@test "if one event cannot be enabled, or on a signal, none is and nothing remains" {
	run_on_bpffs check_all_or_none
}

check_errors() {
	assert_event_errors enable
	ktrace stop one
}

@test "events that the flight does not have are errors" {
	run_on_bpffs check_errors
}
