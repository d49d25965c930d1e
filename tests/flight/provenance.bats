#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What a snapshot tells of the session that it is of, and of the hits that it was frozen by and taken
# for. babeltrace2 is the witness: of what is told, and of when the calls were made that are such hits.

load flight

call() { # NUMBER...
	perl -e 'getpgrp($_) for @ARGV' "$@"
}

# What stands in the environment, as babeltrace2 reads it; nothing where there is no such name.
environment() { # TRACE NAME
	babeltrace2 -c sink.text.details "$1" | sed -n "s/^      $2: //p" | sort -u |
		sed '/^[0-9,]*$/ s/,//g'
}

# When the call with that number was made, in ns of CLOCK_MONOTONIC.
time_of() { # TRACE NUMBER
	babeltrace2 --clock-cycles "$1" |
		sed -n "s/^\[0*\([0-9]*\)\] .* syscalls:sys_enter_getpgid: .* pid = $2 }$/\1/p"
}

told() { # TRACE JQ
	"$KTRACE" report --json "$1" | jq -c "$2"
}

is_frozen() {
	[ "$("$KTRACE" status --json flight | jq .freezing.frozen)" != null ]
}

frozen() {
	local hit at
	ktrace start -e 'sys_*_getpgid' -b 64K --freeze-on 'sys_enter_getpgid if pid == 77'
	call 76 77 78
	ktrace snapshot -o once
	call 75
	ktrace snapshot -o never
	ktrace stop

	[ "$(environment once trace_name)" = flight ]
	[ "$(environment once frozen_by)" = "$GETPGID" ]
	[ "$(environment once frozen_where)" = "pid == 77" ]
	hit=$(environment once frozen_hit)
	[ "$(time_of once 76)" -lt "$hit" ]
	[ "$hit" -le "$(time_of once 77)" ]
	[ "$(environment once frozen_at)" = "$hit" ]
	[ "$(environment once taken_hit)" = "" ]
	[ "$(told once '[.session, .frozen_at, .frozen_by, .taken_for]')" = "[\"flight\",$hit,{\"hit\":$hit,$(:
	)\"system\":\"syscalls\",\"event\":\"sys_enter_getpgid\",\"trigger\":\"pid == 77\"},null]" ]
	"$KTRACE" report once >report
	[ "$(sed -n 2p report)" = "a snapshot of 'flight'" ]
	sed -n 3p report | grep -x "frozen at [0-9]*\.[0-9]* s, by $GETPGID where pid == 77"
	sed -n 4p report | grep "^3 events, "

	[ "$(environment never trace_name)" = flight ]
	[ "$(environment never 'frozen_.*')" = "" ]
	[ "$(told never '[.session, .frozen_at, .frozen_by]')" = '["flight",null,null]' ]
	"$KTRACE" report never | sed -n 3p | grep "^2 events, "

	# Of one that goes on for a while; and of any hit of an event.
	ktrace start -e "$GETPGID" -b 64K --freeze-on sys_exit_getpgid --after 2s
	call 76
	ktrace snapshot -o before
	await is_frozen
	ktrace snapshot -o behind
	ktrace stop
	for trace in before behind; do
		[ "$(environment "$trace" frozen_by)" = syscalls:sys_exit_getpgid ]
		[ "$(environment "$trace" frozen_where)" = "" ]
	done
	hit=$(environment before frozen_hit)
	[ "$(time_of before 76)" -lt "$hit" ]
	[ "$(told before ".begin < $hit and .end > $hit")" = true ]
	[ "$(environment behind frozen_hit)" = "$hit" ]
	at=$(environment before frozen_at)
	[ $((at - hit)) -eq 2000000000 ]
	[ "$(told before ".end < $at")" = true ]
	[ "$(told behind "[.frozen_at == $at, .end == $at, .begin > $hit]")" = "[true,true,true]" ]
	"$KTRACE" report before |
		grep -x "will freeze at 2\.[0-9]* s, by syscalls:sys_exit_getpgid, hit at 0\.[0-9]* s"
	"$KTRACE" report behind | grep -x "frozen at 1\.[0-9]* s, by syscalls:sys_exit_getpgid, $(:
	)hit 0\.[0-9]* s before the trace"
}

@test "by which hit it was frozen, and when" {
	apart frozen
}

taken() {
	local hit
	ktrace start -e 'sys_*_getpgid' -b 64K both-of_them
	call 70
	perl -MPOSIX=:signal_h -e 'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGINT));
		kill INT => $$; exec @ARGV' "$KTRACE" snapshot both-of_them 2>said || true
	mkdir s
	begin_vigil --on 'sys_*_getpgid if common_pid != 0 && __syscall_nr == 121 && pid == 77' \
		--on 'sched_process_exec if filename ~ "*/kt_flown"' --max 2 -o s/ both-of_them
	call 76 77 78
	await has_taken 1
	./kt_flown
	end_vigil none 0
	ktrace stop both-of_them
	set -- s/*
	[ $# -eq 3 ]
	mv "$1" earlier
	shift

	[ "$(environment earlier trace_name)" = both-of_them ]
	[ "$(environment earlier 'taken_.*')" = "" ]
	[ "$(time_of earlier 70)" -gt 0 ]
	[ "$(environment "$1" taken_by)" = "$GETPGID" ]
	[ "$(environment "$1" taken_where)" = "common_pid != 0 && __syscall_nr == 121 && pid == 77" ]
	hit=$(environment "$1" taken_hit)
	[ "$(time_of "$1" 76)" -lt "$hit" ]
	[ "$hit" -lt "$(time_of "$1" 78)" ]
	[ "$(told "$1" '[.session, .frozen_at, .frozen_by, .taken_for]')" = "[\"both-of_them\",null,null,$(:
	){\"hit\":$hit,\"system\":\"syscalls\",\"event\":\"sys_enter_getpgid\",$(:
	)\"trigger\":\"common_pid != 0 && __syscall_nr == 121 && pid == 77\"}]" ]
	"$KTRACE" report "$1" >report
	[ "$(sed -n 2p report)" = "a snapshot of 'both-of_them'" ]
	sed -n 3p report | grep -x "taken for $GETPGID where common_pid != 0 && __syscall_nr == 121 && $(:
	)pid == 77, hit at [0-9]*\.[0-9]* s"
	[ "$(environment "$2" taken_by)" = sched:sched_process_exec ]
	[ "$(environment "$2" taken_where)" = 'filename ~ "*/kt_flown"' ]
	[ "$(told "$2" '.begin < .taken_for.hit and .taken_for.hit < .end')" = true ]
}

@test "for which hit it was taken, and when" {
	apart taken
}

@test "a recording is of no session" {
	cd "$BATS_TEST_TMPDIR"
	"$KTRACE" record -e sched_process_exec true
	[ "$(environment ktrace.out '\(trace_name\|frozen_.*\|taken_.*\)')" = "" ]
	[ "$(told ktrace.out '[has("session", "frozen_at", "frozen_by", "taken_for")]')" = \
		'[false,false,false,false]' ]
}
