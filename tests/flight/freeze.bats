#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace start --freeze-on. What babeltrace2 reads of the snapshots is the witness, of calls that are
# made before and after those that are to freeze.

load flight

# Calls that nobody else makes, nor make_calls.
pull() {
	perl -e 'getpgrp(77)'
}

# The numbers called, one line each, in the order of the trace.
numbers() { # TRACE
	babeltrace2 "$1" | sed -n 's/.*sys_enter_getpgid: .* pid = \([0-9]*\) }$/\1/p'
}

freezing() { # JQ
	"$KTRACE" status --json | jq -c ".freezing$1"
}

ends_with_the_hit() {
	local trace
	ktrace start -e 'sys_*_getpgid' --freeze-on 'sys_enter_getpgid if pid == 77' -b 64K
	diff <(tail -n 1 said) - <<<"  it freezes at the first hit of a trigger"
	"$KTRACE" status flight >report
	grep -x "  freezes at the first hit of a trigger" report
	grep -x " *0 *0  $GETPGID, freezes where pid == 77" report
	[ "$(freezing '')" = '{"after":0}' ]
	make_calls 10
	pull
	make_calls 20
	pull
	"$KTRACE" status flight >report
	grep -x "  frozen [0-9.]* m\?s ago, by $GETPGID, until a snapshot or a reset" report
	grep -x "  21 hits, [0-9.]*/s before that; none \(known to be \)\?lost" report
	grep -x " *11 *0  $GETPGID, freezes where pid == 77" report
	[ "$(freezing '| .hit == .frozen')" = true ]
	[ "$(freezing '| [.after, .system, .event, .freezes_in]')" = \
		'[0,"syscalls","sys_enter_getpgid",null]' ]
	[ "$("$KTRACE" status --json | jq -c '[.events[] | .freezes, .trigger]')" = \
		'[true,"pid == 77",null,null]' ]

	sleep 0.3
	ktrace snapshot -o trace
	grep -x "  frozen [0-9.]* m\?s before, by $GETPGID; recording again" said
	[ "$(numbers trace | tail -n 1)" = 77 ]
	[ "$(numbers trace | sort | uniq -c | xargs)" = "10 4194303 1 77" ]
	babeltrace2 trace | tail -n 1 | grep sys_enter
	[ "$(freezing '')" = '{"after":0}' ]
	make_calls 3
	pull
	make_calls 4
	ktrace snapshot -o again
	[ "$(numbers again | xargs)" = "4194303 4194303 4194303 77" ]
	for trace in trace again; do "$KTRACE" report --json "$trace"; done |
		jq -se '.[1].begin - .[0].end > 3e8'

	pull
	ktrace reset
	[ "$(freezing '')" = '{"after":0}' ]
	make_calls 2
	ktrace snapshot -o last
	[ "$(grep -c frozen said)" -eq 0 ]
	[ "$(numbers last | xargs)" = "4194303 4194303" ]
	ktrace stop
}

@test "what it holds ends with the first hit, and a snapshot or a reset arms it anew" {
	apart ends_with_the_hit
}

goes_on_for_a_while() {
	local tries
	ktrace start -e "$GETPGID" --freeze-on "$GETPGID if pid == 77" --after 2s -b 64K
	diff <(tail -n 1 said) - <<<"  it freezes 2.0 s after the first hit of a trigger"
	make_calls 10
	pull
	make_calls 20
	"$KTRACE" status >report
	grep -x "  freezes in [0-9.]* m\?s, by $GETPGID, hit [0-9.]* m\?s ago" report
	grep "recently" report
	[ "$(freezing '| .hit + .freezes_in')" = 2000000000 ]
	for ((tries = 0; tries < 100; tries++)); do
		[ "$(freezing '.frozen')" = null ] || break
		sleep 0.05
	done
	make_calls 30
	"$KTRACE" status >report
	grep -x "  frozen [0-9.]* m\?s ago, by $GETPGID, hit [0-9.]* m\?s ago, until a snapshot or a reset" report
	[ "$(freezing '| .hit - .frozen')" = 2000000000 ]
	ktrace snapshot -o trace
	[ "$(numbers trace | sort | uniq -c | xargs)" = "30 4194303 1 77" ]

	# Turned between the hit and the freezing: the rest is in the next one, and no more.
	pull
	ktrace snapshot -o hit
	grep -x "  will freeze [0-9.]* m\?s later, by $GETPGID; recording until then" said
	make_calls 5
	for ((tries = 0; tries < 100; tries++)); do
		[ "$(freezing '.frozen')" = null ] || break
		sleep 0.05
	done
	make_calls 6
	ktrace snapshot -o rest
	[ "$(numbers hit)" = 77 ]
	[ "$(numbers rest | sort | uniq -c | xargs)" = "5 4194303" ]
	ktrace stop
}

@test "it goes on for as long as is said, and then no more" {
	apart goes_on_for_a_while
}

# What it had overwritten when it froze is counted, and its span is that of then.
holds_the_last() {
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
	grep "^ktrace snapshot: [0-9]* events in [0-9.]* [mu]s, .* in trace; [0-9]* overwritten" said
	numbers trace >numbers
	[ "$(tail -n 1 numbers)" = 77 ]
	[ "$(grep -c 4194303 numbers)" -eq "$(($(wc -l <numbers) - 1))" ]
	[ "$(sed -n 's/.*; \([0-9]*\) overwritten.*/\1/p' said)" -eq $((5001 - $(wc -l <numbers))) ]
	ktrace stop
}

@test "of more than it can hold the last before the hit is left" {
	apart holds_the_last
}

records_both() {
	# Of an event that is recorded for its own sake by a filter, the hit is recorded all the same.
	ktrace start -e "$GETPGID" -f 'pid == 78' --freeze-on "$GETPGID if pid == 77" -b 8K
	perl -e 'getpgrp($_) for 78, 79, 78, 77, 78'
	ktrace snapshot -o trace
	[ "$(numbers trace | xargs)" = "78 78 77" ]
	ktrace stop

	# One that is there to freeze alone is recorded where it does; any of several; in globs.
	ktrace start -e sys_exit_getpgid -e '!sched:*,sys_enter_*' --freeze-on="  sched:sched_process_exec  if  filename ~ '*/kt_flown'" \
		--freeze-on "sys_*_getpgid if __syscall_nr == 121 && common_pid == 1" \
		--freeze-on 'sys_*ter_getpgid if pid == 77' -b 64K both
	[ "$("$KTRACE" status --json | jq -c '[.events[] | .filter]')" = \
		'["filename ~ '\''*/kt_flown'\''","(__syscall_nr == 121 && common_pid == 1) || (pid == 77)",null]' ]
	make_calls 3
	perl -e 'exit'
	./kt_flown
	make_calls 4
	[ "$(freezing .event)" = '"sched_process_exec"' ]
	ktrace snapshot -o exec both
	babeltrace2 exec | grep -v sys_exit_getpgid >seen
	[ "$(wc -l <seen)" -eq 1 ]
	grep 'filename = "./kt_flown"' seen
	[ "$(babeltrace2 exec | grep -c sys_exit_getpgid)" -eq 3 ]
	make_calls 2
	pull
	[ "$(freezing .event)" = '"sys_enter_getpgid"' ]
	ktrace snapshot -o pulled both
	[ "$(numbers pulled | xargs)" = 77 ]
	ktrace stop both

	# Where the filter does not fit it is no trigger, and recorded as it would be.
	ktrace start -e 'sys_*_getpgid' --freeze-on 'sys_*_getpgid if ret == -3' -b 8K
	grep -x "ktrace start: $GETPGID cannot be a trigger: unknown field 'ret'; .*" said
	[ "$("$KTRACE" status --json | jq -c '[.events[] | [.event, .freezes]]')" = \
		'[["sys_enter_getpgid",null],["sys_exit_getpgid",true]]' ]
	ktrace stop

	# Without a filter the first hit of any, and what tells what a machine was doing.
	ktrace start --freeze-on 'sys_exit_getpgid' -b 64K
	[ "$("$KTRACE" status --json | jq '.events | length')" -gt 20 ]
	make_calls 1
	"$KTRACE" status flight | grep -x " *1 *0  syscalls:sys_exit_getpgid, freezes"
	ktrace snapshot -o all
	# The last one of its CPU: another may have been in a hit.
	cpu=$(babeltrace2 all | sed -nE 's/.* sys.*:sys_exit_getpgid: .*(cpu_id = [0-9]+) .*/\1/p')
	babeltrace2 all | grep "$cpu " | tail -n 1 |
		grep 'syscalls:sys_exit_getpgid: .* ret = ( "-ESRCH" : container = -3 ) }'
	ktrace stop
}

@test "the hit is recorded, whichever picks its event is in" {
	apart records_both
}

by_an_execveat() {
	ktrace start -e "$GETPGID" --freeze-on 'sys_exit_execveat if ret == 0' -b 64K
	/bin/true
	[ "$(freezing '.event')" = null ]
	"$TRACED/execs" at /bin/true
	[ "$(freezing '.event')" = '"sys_exit_execveat"' ]
	ktrace stop
}

@test "an execveat that succeeds freezes as itself" {
	apart by_an_execveat
}

disabled_ones_do_not() {
	ktrace start -e "$GETPGID,sched_process_exit" --freeze-on "$GETPGID if pid == 77" -b 8K
	ktrace disable -e "$GETPGID"
	"$KTRACE" status | grep -x "  does not freeze: its triggers are disabled"
	pull
	[ "$(freezing '')" = '{"after":0}' ]
	ktrace enable -e "$GETPGID"
	"$KTRACE" status | grep -x "  freezes at the first hit of a trigger"
	pull
	[ "$(freezing '.event')" = '"sys_enter_getpgid"' ]
	ktrace stop
}

@test "a disabled event freezes nothing until it is enabled" {
	apart disabled_ones_do_not
}

refuses() {
	refused 2 start --freeze-on ''
	refused 2 start --freeze-on 'sched_switch when prev_pid == 1'
	diff <(echo "$said") - <<-END
		ktrace start: expected 'if' and a filter after the events
		  sched_switch when prev_pid == 1
		               ^~~~
	END
	refused 2 start --freeze-on 'sched_switch if'
	refused 2 start --freeze-on 'sched_switch if prev_pid =! 1'
	diff <(tail -n 2 said) - <<-END
		  sched_switch if prev_pid =! 1
		                           ^
	END
	refused 1 start --freeze-on nosuch
	[ "$(head -n 1 said)" = "ktrace start: no event is called 'nosuch'; see 'ktrace list'" ]
	refused 2 start --freeze-on sched_switch -f 'prev_pid == 1'
	[ "$said" = "ktrace start: --filter applies to -e; a trigger's filter is 'EVENT if FILTER'" ]
	refused 2 start --after 1s
	[ "$said" = "ktrace start: --after needs --freeze-on" ]
	refused 2 start --freeze-on sched_switch --after 1
	[ "$(head -n 1 said)" = \
		"ktrace start: unknown unit: expected ns, us, ms, s, min or h" ]
	refused 2 start --freeze-on sched_switch --after 25h
	[ "$(head -n 1 said)" = "ktrace start: the maximum is 24h" ]
	refused 1 start -e "$GETPGID" --freeze-on 'sched_switch if nosuch == 1'
	diff <(head -n 3 said) - <<-END
		ktrace start: sched:sched_switch cannot be a trigger: unknown field 'nosuch'; see 'ktrace list -v sched:sched_switch'
		  nosuch == 1
		  ^~~~~~
	END
	[ "$(tail -n 1 said)" = "ktrace start: no trigger left to freeze 'flight'" ]
	[ ! -e "$PLACE/flight" ]
}

@test "what is no trigger starts nothing" {
	apart refuses
}
