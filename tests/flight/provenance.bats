#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What a snapshot says about its flight, and the events that froze it or caused it. babeltrace2 is
# the witness, and knows when these calls were made.

load flight

make_numbered_calls() { # NUMBER...
	perl -e 'getpgrp($_) for @ARGV' "$@"
}

# Prints a name of the trace's environment, as babeltrace2 reads it; nothing if it is missing.
read_environment() { # TRACE NAME
	babeltrace2 -c sink.text.details "$1" | sed -n "s/^      $2: //p" | sort -u |
		sed '/^[0-9,]*$/ s/,//g'
}

# Prints when the call with that number was made, in ns of CLOCK_MONOTONIC.
time_of_call() { # TRACE NUMBER
	babeltrace2 --clock-cycles "$1" |
		sed -n "s/^\[0*\([0-9]*\)\] .* syscalls:sys_enter_getpgid: .* pid = $2 }$/\1/p"
}

read_report() { # TRACE JQ
	"$KTRACE" report --json "$1" | jq -c "$2"
}

is_frozen() {
	[ "$("$KTRACE" status --json flight | jq .freezing.frozen)" != null ]
}

check_frozen() {
	local hit at
	ktrace start -e 'sys_*_getpgid' -b 64K --freeze-on 'sys_enter_getpgid if pid == 77'
	make_numbered_calls 76 77 78
	ktrace snapshot -o once
	make_numbered_calls 75
	ktrace snapshot -o never
	ktrace stop

	[ "$(read_environment once trace_name)" = flight ]
	[ "$(read_environment once frozen_by)" = "$GETPGID" ]
	[ "$(read_environment once frozen_where)" = "pid == 77" ]
	hit=$(read_environment once frozen_hit)
	[ "$(time_of_call once 76)" -lt "$hit" ]
	[ "$hit" -le "$(time_of_call once 77)" ]
	[ "$(read_environment once frozen_at)" = "$hit" ]
	[ "$(read_environment once taken_hit)" = "" ]
	[ "$(read_report once '[.session, .frozen_at, .frozen_by, .taken_for]')" = "[\"flight\",$hit,{\"hit\":$hit,$(:
	)\"system\":\"syscalls\",\"event\":\"sys_enter_getpgid\",\"trigger\":\"pid == 77\"},null]" ]
	"$KTRACE" report once >report
	[ "$(sed -n 2p report)" = "a snapshot of 'flight'" ]
	sed -n 3p report | grep -x "frozen at [0-9]*\.[0-9]* s, by $GETPGID where pid == 77"
	sed -n 4p report | grep "^3 events, "

	[ "$(read_environment never trace_name)" = flight ]
	[ "$(read_environment never 'frozen_.*')" = "" ]
	[ "$(read_report never '[.session, .frozen_at, .frozen_by]')" = '["flight",null,null]' ]
	"$KTRACE" report never | sed -n 3p | grep "^2 events, "

	# With --after, and with a trigger of any event.
	ktrace start -e "$GETPGID" -b 64K --freeze-on sys_exit_getpgid --after 2s
	make_numbered_calls 76
	ktrace snapshot -o before
	await is_frozen
	ktrace snapshot -o behind
	ktrace stop
	for trace in before behind; do
		[ "$(read_environment "$trace" frozen_by)" = syscalls:sys_exit_getpgid ]
		[ "$(read_environment "$trace" frozen_where)" = "" ]
	done
	hit=$(read_environment before frozen_hit)
	[ "$(time_of_call before 76)" -lt "$hit" ]
	[ "$(read_report before ".begin < $hit and .end > $hit")" = true ]
	[ "$(read_environment behind frozen_hit)" = "$hit" ]
	at=$(read_environment before frozen_at)
	[ $((at - hit)) -eq 2000000000 ]
	[ "$(read_report before ".end < $at")" = true ]
	[ "$(read_report behind "[.frozen_at == $at, .end == $at, .begin > $hit]")" = "[true,true,true]" ]
	"$KTRACE" report before |
		grep -x "will freeze at 2\.[0-9]* s, by syscalls:sys_exit_getpgid, hit at 0\.[0-9]* s"
	"$KTRACE" report behind | grep -x "frozen at 1\.[0-9]* s, by syscalls:sys_exit_getpgid, $(:
	)hit 0\.[0-9]* s before the trace"
}

@test "the event that froze it, and its time" {
	run_on_bpffs check_frozen
}

check_taken() {
	local hit
	ktrace start -e 'sys_*_getpgid' -b 64K both-of_them
	make_numbered_calls 70
	perl -MPOSIX=:signal_h -e 'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGINT));
		kill INT => $$; exec @ARGV' "$KTRACE" snapshot both-of_them 2>message || true
	mkdir s
	start_waiter --on 'sys_*_getpgid if common_pid != 0 && __syscall_nr == 121 && pid == 77' \
		--on 'sched_process_exec if filename ~ "*/kt_flown"' --max 2 -o s/ both-of_them
	make_numbered_calls 76 77 78
	await has_snapshots 1
	./kt_flown
	end_waiter none 0
	ktrace stop both-of_them
	set -- s/*
	[ $# -eq 3 ]
	mv "$1" earlier
	shift

	[ "$(read_environment earlier trace_name)" = both-of_them ]
	[ "$(read_environment earlier 'taken_.*')" = "" ]
	[ "$(time_of_call earlier 70)" -gt 0 ]
	[ "$(read_environment "$1" taken_by)" = "$GETPGID" ]
	[ "$(read_environment "$1" taken_where)" = "common_pid != 0 && __syscall_nr == 121 && pid == 77" ]
	hit=$(read_environment "$1" taken_hit)
	[ "$(time_of_call "$1" 76)" -lt "$hit" ]
	[ "$hit" -lt "$(time_of_call "$1" 78)" ]
	[ "$(read_report "$1" '[.session, .frozen_at, .frozen_by, .taken_for]')" = "[\"both-of_them\",null,null,$(:
	){\"hit\":$hit,\"system\":\"syscalls\",\"event\":\"sys_enter_getpgid\",$(:
	)\"trigger\":\"common_pid != 0 && __syscall_nr == 121 && pid == 77\"}]" ]
	"$KTRACE" report "$1" >report
	[ "$(sed -n 2p report)" = "a snapshot of 'both-of_them'" ]
	sed -n 3p report | grep -x "taken for $GETPGID where common_pid != 0 && __syscall_nr == 121 && $(:
	)pid == 77, hit at [0-9]*\.[0-9]* s"
	[ "$(read_environment "$2" taken_by)" = sched:sched_process_exec ]
	[ "$(read_environment "$2" taken_where)" = 'filename ~ "*/kt_flown"' ]
	[ "$(read_report "$2" '.begin < .taken_for.hit and .taken_for.hit < .end')" = true ]
}

@test "the event that the snapshot was taken for, and its time" {
	run_on_bpffs check_taken
}

@test "a recording belongs to no flight" {
	cd "$BATS_TEST_TMPDIR"
	"$KTRACE" record -e sched_process_exec true
	[ "$(read_environment ktrace.out '\(trace_name\|frozen_.*\|taken_.*\)')" = "" ]
	[ "$(read_report ktrace.out '[has("session", "frozen_at", "frozen_by", "taken_for")]')" = \
		'[false,false,false,false]' ]
}
