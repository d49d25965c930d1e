#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace enable. What babeltrace2 reads of a snapshot is the witness, and which programs the kernel
# has.

load flight

seen() { # EVENT, AS A PATTERN OF GREP
	babeltrace2 trace | grep -c "$1" || true
}

kind() { # NUMBER OF THE PROGRAM
	bpftool -j prog show pinned "$PLACE/flight/program/sched:sched_process_exit:$1" | jq -r .type
}

pins() {
	ls "$PLACE/flight/program" "$PLACE/flight/link"
}

records_again() {
	local kind
	ktrace start -e sys_enter_getpgid -f 'pid != 7' -e sys_exit_getpgid,sched_process_exit -b 64K
	kind=$(kind 1)
	make_calls 10
	ktrace disable -e '*:*'
	make_calls 20

	ktrace enable -e sys_enter_getpgid -e 'sched:*'
	[ "$said" = "ktrace enable: 'flight' records 2 of its 3 events" ]
	[ "$(kind 2)" = "$kind" ]
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
	[ "$(seen "syscalls:sys_enter_getpgid: ")" -eq 40 ]
	[ "$(seen "syscalls:sys_exit_getpgid: ")" -eq 10 ]
	[ "$(seen "sched_process_exit: .*comm = \"kt_flown\"")" -eq 3 ]

	ktrace enable -e '*getpgid' flight
	[ "$said" = "ktrace enable: 'flight' records 3 of its 3 events" ]
	pins >before
	ktrace enable -e '*getpgid' flight
	[ "$said" = "ktrace enable: 'flight' records 3 of its 3 events" ]
	pins | diff before -
	make_calls 4
	rm -r trace
	ktrace snapshot -o trace
	[ "$(seen "syscalls:sys_enter_getpgid: ")" -eq 4 ]
	[ "$(seen "syscalls:sys_exit_getpgid: ")" -eq 4 ]
	ktrace stop
}

@test "events that were disabled are recorded again, as they were" {
	apart records_again
}

enables_none() {
	local program=$PLACE/flight/program/syscalls:sys_exit_getpgid
	ktrace start -e 'sys_*_getpgid' -b 8K
	ktrace disable -e '*:*'
	pins >before

	! perl -MPOSIX -e 'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGINT)); kill INT => $$; exec @ARGV' \
		"$KTRACE" enable -e '*:*' 2>said
	[ "$(<said)" = "ktrace enable: interrupted before any event was enabled" ]
	pins | diff before -

	bpftool map pin pinned "$PLACE/flight/about" "$program:2"
	refused 1 enable -e '*:*'
	grep "^ktrace enable: cannot record syscalls:sys_exit_getpgid: .*: File exists" <<<"$said"
	pins | diff before -
	make_calls 10
	[ "$("$KTRACE" status --json | jq -c '[.hits, .events[].enabled]')" = "[0,false,false]" ]

	ktrace enable -e '*:*'
	[ -e "$program:3" ]
	make_calls 10
	[ "$("$KTRACE" status --json | jq -c '[.hits, .events[].enabled]')" = "[20,true,true]" ]
	ktrace stop
}

@test "if one of them cannot be, or it is interrupted, none is enabled and nothing is left" {
	apart enables_none
}

refuses() {
	refuses_what_is_not_there enable
	ktrace stop one
}

@test "it refuses what the session does not have" {
	apart refuses
}
