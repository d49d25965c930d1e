#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace fs: set_event_pid. Witnesses: who makes which calls, babeltrace2 reading a snapshot, and
# tracefs given the same commands.

load flight
load numbers
load tree

# Starts a process that makes a call with each number it reads.
start_caller() { # NAME
	mkfifo "$1.in"
	perl -e '$| = 1;
		while (<STDIN>) { getpgrp(1000000000 + $_); print }' <>"$1.in" >"$1.out" 3>&- &
	callers="${callers:-} $!"
	trap end_served EXIT
	await eval '[ "$(<"/proc/'$!'/comm")" = perl ]'
}

make_call() { # NAME NUMBER
	echo "$2" >"$1.in"
	await grep -qx "$2" "$1.out"
}

check_filter() {
	local one other
	start_caller one
	one=$!
	start_caller other
	other=$!
	start_numbered -b 1M
	start_server tree
	[ -z "$(<tree/set_event_pid)" ]
	make_call one 1
	make_call other 2
	echo "$one" >tree/set_event_pid
	[ "$(<tree/set_event_pid)" = "$one" ]
	[ "$("$KTRACE" status --json | jq -c .pids)" = "[$one]" ]
	"$KTRACE" status | grep -x "  only task $one"
	make_call one 3
	make_call other 4
	# The filter stays without a server, across snapshots and switched events.
	umount "$tree"
	ktrace snapshot -o first
	[ "$(tail -n 1 message)" = "  1 of 1 events $INCOMPLETE" ]
	make_call one 5
	make_call other 6
	ktrace disable -e '*'
	ktrace enable -e '*'
	ktrace pause
	ktrace resume
	make_call one 7
	make_call other 8
	start_server tree
	[ "$(<tree/set_event_pid)" = "$one" ]
	echo "$other" >>tree/set_event_pid
	[ "$(<tree/set_event_pid)" = "$(printf '%s\n' "$one" "$other" | sort -n)" ]
	"$KTRACE" status | grep -x "  only tasks $((one < other ? one : other)) and $((one < other ? other : one))"
	make_call one 9
	make_call other 10
	echo "$other" >tree/set_event_pid
	[ "$(<tree/set_event_pid)" = "$other" ]
	make_call one 11
	make_call other 12
	echo >tree/set_event_pid
	[ -z "$(<tree/set_event_pid)" ]
	! "$KTRACE" status | grep "only task" || false
	[ "$("$KTRACE" status --json | jq .pids)" = null ]
	make_call one 13
	make_call other 14
	[ "$(find "$PLACE" -name 'tids*')" = "" ]
	ktrace snapshot -o second
	grep "1 of 1 events incomplete" message
	make_call one 15
	ktrace snapshot -o third
	! grep incomplete message || false
	[ "$(print_trace_numbers first | xargs)" = "1 2 3" ]
	[ "$(print_trace_numbers second | xargs)" = "5 7 9 10 12 13 14" ]
	[ "$(print_trace_numbers third | xargs)" = 15 ]
	[ "$("$KTRACE" status --json | jq .filtered)" -ge 4 ]
	stop_server
	ktrace stop
}

@test "only these tasks' events are recorded, and later all again" {
	skip_without_fuse
	run_on_bpffs check_filter
}

check_targets() {
	local one i
	start_caller one
	one=$!
	ktrace start -b 1M -e sched_waking,sched_switch
	start_server tree
	echo "$one" >tree/set_event_pid
	echo 1 >tree/reset
	for i in {1..20}; do
		make_call one "$i"
	done
	ktrace snapshot -o trace
	babeltrace2 trace | perl -ne '
		($running) = /\{ tid = (?:\( .*? : container = )?(\d+)(?: \))? \}/ or die;
		($to) = /sched_waking: .* pid = (\d+),/ or ($to) = /next_pid = (\d+)/ or die;
		die if $running != '"$one"' and $to != '"$one"';
		$n{$running == '"$one"' ? "by" : "to"}{/sched_waking/ ? "waking" : "switch"}++;
		END { exit !($n{to}{waking} >= 15 && $n{by}{switch} >= 15 && $n{to}{switch} >= 15) }'
	stop_server
	ktrace stop
}

@test "switching to or waking such a task is recorded, too" {
	skip_without_fuse
	run_on_bpffs check_targets
}

check_container() {
	start_numbered -b 1M
	start_server tree
	echo 1 >tree/set_event_pid
	umount "$tree"
	# Its number is 1 inside, which is another process outside.
	unshare --pid --fork --mount-proc bash -c '
		"$1" fs "$2" && ! echo 1 >>"$2/set_event_pid" && cat "$2/set_event_pid" && umount "$2"
	' sh "$KTRACE" "$tree" >messages 2>why
	grep -x 1 messages
	grep "Operation not supported" why
	[ "$("$KTRACE" status --json | jq -c .pids)" = "[1]" ]
	ktrace stop
}

@test "in a container, whose PIDs are not the kernel's, PIDs are refused" {
	skip_without_fuse
	unshare --pid --fork --mount-proc true || skip "no namespaces"
	run_on_bpffs check_container
}

check_trigger() {
	local one
	start_caller one
	one=$!
	ktrace start -b 64K --freeze-on "$GETPGID if pid >= 1000000000"
	start_server tree
	echo "$one" >tree/set_event_pid
	perl -e 'getpgrp(1000000001)'
	[ "$(<tree/tracing_on)" = 1 ]
	make_call one 2
	[ "$(<tree/tracing_on)" = 0 ]
	stop_server
	ktrace stop
}

@test "other tasks' events do not freeze the flight" {
	skip_without_fuse
	run_on_bpffs check_trigger
}

check_like_tracefs() {
	local text how
	ktrace start -b 8K -e "$GETPGID"
	start_server tree
	create_instance
	[ "$(stat -c '%A %U %G %s' tree/set_event_pid)" = "$(stat -c '%A %U %G %s' "$theirs/set_event_pid")" ]
	append() { # FILE TEXT
		{ printf '%s' "$2" >>"$1"; } 2>why || {
			sed -n '$s/.*: //p' why
			return 0
		}
		echo 1
	}
	for text in 1 '1 2' $'3\n2\n1\n' ' 4 ' $'\t5\v6\f7\r8\n' 4194303 0 +9 010 0x10 0X1f '1 1' \
		'' ' ' $'\n' x '1 x' 'x 1' '1,2' -1 ++1 + '+ 1' 1x 08 0x 1.5 99999999999999999999; do
		for how in try_write append; do
			[ "$("$how" tree/set_event_pid "$text")" = "$("$how" "$theirs/set_event_pid" "$text")" ]
			diff tree/set_event_pid "$theirs/set_event_pid"
		done
	done
	# Invalid PIDs, for which tracefs has one error or the other.
	for text in 4194304 4294967295 4294967296 4294967297 18446744073709551617; do
		[ "$(try_write tree/set_event_pid "1 $text")" = "Invalid argument" ]
	done
	[ -z "$(<tree/set_event_pid)" ]
	seq 1 3 3000 >tree/set_event_pid
	seq 1 3 3000 | diff - tree/set_event_pid
	"$KTRACE" status | grep -x "  only tasks 1, 4, 7, 10, 13, 16, 19 and 993 more"
	remove_instance
	stop_server
	ktrace stop
}

@test "it accepts and prints what tracefs does" {
	skip_without_fuse
	run_on_bpffs check_like_tracefs
}
