#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace start --freeze-on. babeltrace2 reads the snapshots; calls made before and after the trigger
# are the witness.

load flight

# Makes a call that no other process makes, make_calls included: the trigger.
call_trigger() {
	perl -e 'getpgrp(77)'
}

# Prints the numbers of the calls, in the order of the trace.
print_numbers() { # TRACE
	babeltrace2 "$1" | sed -n 's/.*sys_enter_getpgid: .* pid = \([0-9]*\) }$/\1/p'
}

read_freeze() { # JQ
	"$KTRACE" status --json | jq -c ".freezing$1"
}

check_freeze() {
	local trace
	ktrace start -e 'sys_*_getpgid' --freeze-on 'sys_enter_getpgid if pid == 77' -b 64K
	diff <(tail -n 1 message) - <<<"  it freezes at the first hit of a trigger"
	"$KTRACE" status flight >report
	grep -x "  freezes at the first hit of a trigger" report
	grep -x " *0 *0  $GETPGID, freezes where pid == 77" report
	[ "$(read_freeze '')" = '{"after":0}' ]
	make_calls 10
	call_trigger
	make_calls 20
	call_trigger
	"$KTRACE" status flight >report
	grep -x "  frozen [0-9.]* m\?s ago, by $GETPGID, until a snapshot or a reset" report
	grep -x "  21 hits, [0-9.]*/s before that; none \(known to be \)\?lost" report
	grep -x " *11 *0  $GETPGID, freezes where pid == 77" report
	[ "$(read_freeze '| .hit == .frozen')" = true ]
	[ "$(read_freeze '| [.after, .system, .event, .freezes_in]')" = \
		'[0,"syscalls","sys_enter_getpgid",null]' ]
	[ "$("$KTRACE" status --json | jq -c '[.events[] | .freezes, .trigger]')" = \
		'[true,"pid == 77",null,null]' ]

	sleep 0.3
	ktrace snapshot -o trace
	grep -x "  frozen [0-9.]* m\?s before, by $GETPGID; recording again" message
	[ "$(print_numbers trace | tail -n 1)" = 77 ]
	[ "$(print_numbers trace | sort | uniq -c | xargs)" = "10 4194303 1 77" ]
	babeltrace2 trace | tail -n 1 | grep sys_enter
	[ "$(read_freeze '')" = '{"after":0}' ]
	make_calls 3
	call_trigger
	make_calls 4
	ktrace snapshot -o again
	[ "$(print_numbers again | xargs)" = "4194303 4194303 4194303 77" ]
	for trace in trace again; do "$KTRACE" report --json "$trace"; done |
		jq -se '.[1].begin - .[0].end > 3e8'

	call_trigger
	ktrace reset
	[ "$(read_freeze '')" = '{"after":0}' ]
	make_calls 2
	ktrace snapshot -o last
	[ "$(grep -c frozen message)" -eq 0 ]
	[ "$(print_numbers last | xargs)" = "4194303 4194303" ]
	ktrace stop
}

@test "recording ends with the first match; a snapshot or reset arms it again" {
	run_on_bpffs check_freeze
}

check_delay() {
	local tries
	ktrace start -e "$GETPGID" --freeze-on "$GETPGID if pid == 77" --after 2s -b 64K
	diff <(tail -n 1 message) - <<<"  it freezes 2.0 s after the first hit of a trigger"
	make_calls 10
	call_trigger
	make_calls 20
	"$KTRACE" status >report
	grep -x "  freezes in [0-9.]* m\?s, by $GETPGID, hit [0-9.]* m\?s ago" report
	grep "recently" report
	[ "$(read_freeze '| .hit + .freezes_in')" = 2000000000 ]
	for ((tries = 0; tries < 100; tries++)); do
		[ "$(read_freeze '.frozen')" = null ] || break
		sleep 0.05
	done
	make_calls 30
	"$KTRACE" status >report
	grep -x "  frozen [0-9.]* m\?s ago, by $GETPGID, hit [0-9.]* m\?s ago, until a snapshot or a reset" report
	[ "$(read_freeze '| .hit - .frozen')" = 2000000000 ]
	ktrace snapshot -o trace
	[ "$(print_numbers trace | sort | uniq -c | xargs)" = "30 4194303 1 77" ]

	# Swapped between match and freeze: the rest is in the next snapshot, and no more.
	call_trigger
	ktrace snapshot -o hit
	grep -x "  will freeze [0-9.]* m\?s later, by $GETPGID; recording until then" message
	make_calls 5
	for ((tries = 0; tries < 100; tries++)); do
		[ "$(read_freeze '.frozen')" = null ] || break
		sleep 0.05
	done
	make_calls 6
	ktrace snapshot -o rest
	[ "$(print_numbers hit)" = 77 ]
	[ "$(print_numbers rest | sort | uniq -c | xargs)" = "5 4194303" ]
	ktrace stop
}

@test "with --after, recording goes on for that long and no longer" {
	run_on_bpffs check_delay
}

# Records overwritten before the freeze are counted; the span ends at the freeze.
check_overwrite() {
	local span
	ktrace start -e "$GETPGID" --freeze-on "$GETPGID if pid == 77" -b 8K
	taskset -c 0 perl -e 'getpgrp(4194303) for 1 .. 5000; getpgrp(77); sleep 1;
		getpgrp(4194303) for 1 .. 5000'
	"$KTRACE" status >report
	grep -x "  [0-9]* held, [0-9]* overwritten: at least the last [0-9.]* [mu]s of each CPU before that" report
	"$KTRACE" status --json >report
	[ "$(jq .hits report)" -eq 5001 ]
	[ "$(jq '.held + .overwritten' report)" -eq 5001 ]
	[ "$(jq '.span < 1000000000' report)" = true ]
	[ "$(jq '.per_second > .held' report)" = true ]
	span=$(jq .span report)
	sleep 0.1
	[ "$("$KTRACE" status --json | jq .span)" -eq "$span" ]
	ktrace snapshot -o trace
	grep "^ktrace snapshot: [0-9]* events in [0-9.]* [mu]s, .* in trace; [0-9]* overwritten" message
	print_numbers trace >numbers
	[ "$(tail -n 1 numbers)" = 77 ]
	[ "$(grep -c 4194303 numbers)" -eq "$(($(wc -l <numbers) - 1))" ]
	[ "$(sed -n 's/.*; \([0-9]*\) overwritten.*/\1/p' message)" -eq $((5001 - $(wc -l <numbers))) ]
	ktrace stop
}

@test "a full ring keeps the newest records before the match" {
	run_on_bpffs check_overwrite
}

check_recorded_match() {
	# The match is recorded even if the event is also recorded with a filter of its own.
	ktrace start -e "$GETPGID" -f 'pid == 78' --freeze-on "$GETPGID if pid == 77" -b 8K
	perl -e 'getpgrp($_) for 78, 79, 78, 77, 78'
	ktrace snapshot -o trace
	[ "$(print_numbers trace | xargs)" = "78 78 77" ]
	ktrace stop

	# An event recorded only as the trigger: its match is recorded; any of several; with globs.
	ktrace start -e sys_exit_getpgid -e '!sched:*,sys_enter_*' --freeze-on="  sched:sched_process_exec  if  filename ~ '*/kt_flown'" \
		--freeze-on "sys_*_getpgid if __syscall_nr == 121 && common_pid == 1" \
		--freeze-on 'sys_*ter_getpgid if pid == 77' -b 64K both
	[ "$("$KTRACE" status --json | jq -c '[.events[] | .filter]')" = \
		'["filename ~ '\''*/kt_flown'\''","(__syscall_nr == 121 && common_pid == 1) || (pid == 77)",null]' ]
	make_calls 3
	perl -e 'exit'
	./kt_flown
	make_calls 4
	[ "$(read_freeze .event)" = '"sched_process_exec"' ]
	ktrace snapshot -o exec both
	babeltrace2 exec | grep -v sys_exit_getpgid >seen
	[ "$(wc -l <seen)" -eq 1 ]
	grep 'filename = "./kt_flown"' seen
	[ "$(babeltrace2 exec | grep -c sys_exit_getpgid)" -eq 3 ]
	make_calls 2
	call_trigger
	[ "$(read_freeze .event)" = '"sys_enter_getpgid"' ]
	ktrace snapshot -o pulled both
	[ "$(print_numbers pulled | xargs)" = 77 ]
	ktrace stop both

	# Calls that do not match the trigger's filter are recorded as usual.
	ktrace start -e 'sys_*_getpgid' --freeze-on 'sys_*_getpgid if ret == -3' -b 8K
	grep -x "ktrace start: $GETPGID cannot be a trigger: unknown field 'ret'; .*" message
	[ "$("$KTRACE" status --json | jq -c '[.events[] | [.event, .freezes]]')" = \
		'[["sys_enter_getpgid",null],["sys_exit_getpgid",true]]' ]
	ktrace stop

	# Without a filter the first event of any kind freezes, and task events are still recorded.
	ktrace start --freeze-on 'sys_exit_getpgid' -b 64K
	[ "$("$KTRACE" status --json | jq '.events | length')" -gt 20 ]
	make_calls 1
	"$KTRACE" status flight | grep -x " *1 *0  syscalls:sys_exit_getpgid, freezes"
	ktrace snapshot -o all
	# It is the last record of its CPU; another CPU may have been within a probe.
	cpu=$(babeltrace2 all | sed -nE 's/.* sys.*:sys_exit_getpgid: .*(cpu_id = [0-9]+) .*/\1/p')
	babeltrace2 all | grep "$cpu " | tail -n 1 |
		grep 'syscalls:sys_exit_getpgid: .* ret = ( "-ESRCH" : container = -3 ) }'
	ktrace stop
}

@test "the match is recorded, whichever -e has its event" {
	run_on_bpffs check_recorded_match
}

check_execveat() {
	ktrace start -e "$GETPGID" --freeze-on 'sys_exit_execveat if ret == 0' -b 64K
	/bin/true
	[ "$(read_freeze '.event')" = null ]
	"$TRACED/execs" at /bin/true
	[ "$(read_freeze '.event')" = '"sys_exit_execveat"' ]
	ktrace stop
}

@test "a successful execveat freezes as execveat" {
	run_on_bpffs check_execveat
}

check_disabled() {
	ktrace start -e "$GETPGID,sched_process_exit" --freeze-on "$GETPGID if pid == 77" -b 8K
	ktrace disable -e "$GETPGID"
	"$KTRACE" status | grep -x "  does not freeze: its triggers are disabled"
	call_trigger
	[ "$(read_freeze '')" = '{"after":0}' ]
	ktrace enable -e "$GETPGID"
	"$KTRACE" status | grep -x "  freezes at the first hit of a trigger"
	call_trigger
	[ "$(read_freeze '.event')" = '"sys_enter_getpgid"' ]
	ktrace stop
}

@test "a disabled event does not freeze until enabled" {
	run_on_bpffs check_disabled
}

check_errors() {
	assert_fails 2 start --freeze-on ''
	assert_fails 2 start --freeze-on 'sched_switch when prev_pid == 1'
	diff <(echo "$message") - <<-END
		ktrace start: expected 'if' and a filter after the events
		  sched_switch when prev_pid == 1
		               ^~~~
	END
	assert_fails 2 start --freeze-on 'sched_switch if'
	assert_fails 2 start --freeze-on 'sched_switch if prev_pid =! 1'
	diff <(tail -n 2 message) - <<-END
		  sched_switch if prev_pid =! 1
		                           ^
	END
	assert_fails 1 start --freeze-on nosuch
	[ "$(head -n 1 message)" = "ktrace start: no event is called 'nosuch'; see 'ktrace list'" ]
	assert_fails 2 start --freeze-on sched_switch -f 'prev_pid == 1'
	[ "$message" = "ktrace start: --filter applies to -e; a trigger's filter is 'EVENT if FILTER'" ]
	assert_fails 2 start --after 1s
	[ "$message" = "ktrace start: --after needs --freeze-on" ]
	assert_fails 2 start --freeze-on sched_switch --after 1
	[ "$(head -n 1 message)" = \
		"ktrace start: unknown unit: expected ns, us, ms, s, min or h" ]
	assert_fails 2 start --freeze-on sched_switch --after 25h
	[ "$(head -n 1 message)" = "ktrace start: the maximum is 24h" ]
	assert_fails 1 start -e "$GETPGID" --freeze-on 'sched_switch if nosuch == 1'
	diff <(head -n 3 message) - <<-END
		ktrace start: sched:sched_switch cannot be a trigger: unknown field 'nosuch'; see 'ktrace list -v sched:sched_switch'
		  nosuch == 1
		  ^~~~~~
	END
	[ "$(tail -n 1 message)" = "ktrace start: no trigger left to freeze 'flight'" ]
	[ ! -e "$PLACE/flight" ]
}

@test "invalid triggers are errors and nothing starts" {
	run_on_bpffs check_errors
}
