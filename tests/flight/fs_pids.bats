#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace fs: set_event_pid, by shell commands. The witnesses are who makes which calls, what
# babeltrace2 reads of a snapshot, and what tracefs makes of the same commands.

load flight
load numbers
load tree

# A process that makes a call with each number that it is told.
begin_caller() { # NAME
	mkfifo "$1.in"
	perl -e '$| = 1;
		while (<STDIN>) { getpgrp(1000000000 + $_); print }' <>"$1.in" >"$1.out" 3>&- &
	callers="${callers:-} $!"
	trap end_served EXIT
	await eval '[ "$(<"/proc/'$!'/comm")" = perl ]'
}

call() { # NAME NUMBER
	echo "$2" >"$1.in"
	await grep -qx "$2" "$1.out"
}

focuses() {
	local one other
	begin_caller one
	one=$!
	begin_caller other
	other=$!
	start_numbered -b 1M
	begin tree
	[ -z "$(<tree/set_event_pid)" ]
	call one 1
	call other 2
	echo "$one" >tree/set_event_pid
	[ "$(<tree/set_event_pid)" = "$one" ]
	[ "$("$KTRACE" status --json | jq -c .focus)" = "[$one]" ]
	"$KTRACE" status | grep -x "  only task $one"
	call one 3
	call other 4
	# It goes on with nobody there, through snapshots and whatever is switched.
	umount "$tree"
	ktrace snapshot -o first
	[ "$(tail -n 1 said)" = "  1 of 1 events $INCOMPLETE" ]
	call one 5
	call other 6
	ktrace disable -e '*'
	ktrace enable -e '*'
	ktrace pause
	ktrace resume
	call one 7
	call other 8
	begin tree
	[ "$(<tree/set_event_pid)" = "$one" ]
	echo "$other" >>tree/set_event_pid
	[ "$(<tree/set_event_pid)" = "$(printf '%s\n' "$one" "$other" | sort -n)" ]
	"$KTRACE" status | grep -x "  only tasks $((one < other ? one : other)) and $((one < other ? other : one))"
	call one 9
	call other 10
	echo "$other" >tree/set_event_pid
	[ "$(<tree/set_event_pid)" = "$other" ]
	call one 11
	call other 12
	echo >tree/set_event_pid
	[ -z "$(<tree/set_event_pid)" ]
	! "$KTRACE" status | grep "only task" || false
	[ "$("$KTRACE" status --json | jq .focus)" = null ]
	call one 13
	call other 14
	[ "$(find "$PLACE" -name 'tids*')" = "" ]
	ktrace snapshot -o second
	grep "1 of 1 events incomplete" said
	call one 15
	ktrace snapshot -o third
	! grep incomplete said || false
	[ "$(numbers_of first | xargs)" = "1 2 3" ]
	[ "$(numbers_of second | xargs)" = "5 7 9 10 12 13 14" ]
	[ "$(numbers_of third | xargs)" = 15 ]
	[ "$("$KTRACE" status --json | jq .filtered)" -ge 4 ]
	end
	ktrace stop
}

@test "what is recorded are hits of those tasks, and again of all" {
	needs_fuse
	apart focuses
}

sees_targets() {
	local one i
	begin_caller one
	one=$!
	ktrace start -b 1M -e sched_waking,sched_switch
	begin tree
	echo "$one" >tree/set_event_pid
	echo 1 >tree/reset
	for i in {1..20}; do
		call one "$i"
	done
	ktrace snapshot -o trace
	babeltrace2 trace | perl -ne '
		($running) = /\{ tid = (\d+) \}/ or die;
		($to) = /sched_waking: .* pid = (\d+),/ or ($to) = /next_pid = (\d+)/ or die;
		die if $running != '"$one"' and $to != '"$one"';
		$n{$running == '"$one"' ? "by" : "to"}{/sched_waking/ ? "waking" : "switch"}++;
		END { exit !($n{to}{waking} >= 15 && $n{by}{switch} >= 15 && $n{to}{switch} >= 15) }'
	end
	ktrace stop
}

@test "hits are a task's that is switched to or woken, too" {
	needs_fuse
	apart sees_targets
}

in_container() {
	start_numbered -b 1M
	begin tree
	echo 1 >tree/set_event_pid
	umount "$tree"
	# Its own number there is 1, as another process has it outside.
	unshare --pid --fork --mount-proc bash -c '
		"$1" fs "$2" && ! echo 1 >>"$2/set_event_pid" && cat "$2/set_event_pid" && umount "$2"
	' sh "$KTRACE" "$tree" >heard 2>why
	grep -x 1 heard
	grep "Operation not supported" why
	[ "$("$KTRACE" status --json | jq -c .focus)" = "[1]" ]
	ktrace stop
}

@test "in a container, whose numbers are not the kernel's, none is taken" {
	needs_fuse
	unshare --pid --fork --mount-proc true || skip "no namespaces"
	apart in_container
}

freezes() {
	local one
	begin_caller one
	one=$!
	ktrace start -b 64K --freeze-on "$GETPGID if pid >= 1000000000"
	begin tree
	echo "$one" >tree/set_event_pid
	perl -e 'getpgrp(1000000001)'
	[ "$(<tree/tracing_on)" = 1 ]
	call one 2
	[ "$(<tree/tracing_on)" = 0 ]
	end
	ktrace stop
}

@test "nobody else's hits freeze it" {
	needs_fuse
	apart freezes
}

is_as_in_tracefs() {
	local text how
	ktrace start -b 8K -e "$GETPGID"
	begin tree
	begin_theirs
	[ "$(stat -c '%A %U %G %s' tree/set_event_pid)" = "$(stat -c '%A %U %G %s' "$theirs/set_event_pid")" ]
	also() { # FILE TEXT
		{ printf '%s' "$2" >>"$1"; } 2>why || {
			sed -n '$s/.*: //p' why
			return 0
		}
		echo 1
	}
	for text in 1 '1 2' $'3\n2\n1\n' ' 4 ' $'\t5\v6\f7\r8\n' 4194303 0 +9 010 0x10 0X1f '1 1' \
		'' ' ' $'\n' x '1 x' 'x 1' '1,2' -1 ++1 + '+ 1' 1x 08 0x 1.5 99999999999999999999; do
		for how in written also; do
			[ "$("$how" tree/set_event_pid "$text")" = "$("$how" "$theirs/set_event_pid" "$text")" ]
			diff tree/set_event_pid "$theirs/set_event_pid"
		done
	done
	# Numbers that no task can have, of which tracefs says one thing or the other.
	for text in 4194304 4294967295 4294967296 4294967297 18446744073709551617; do
		[ "$(written tree/set_event_pid "1 $text")" = "Invalid argument" ]
	done
	[ -z "$(<tree/set_event_pid)" ]
	seq 1 3 3000 >tree/set_event_pid
	seq 1 3 3000 | diff - tree/set_event_pid
	"$KTRACE" status | grep -x "  only tasks 1, 4, 7, 10, 13, 16, 19 and 993 more"
	end_theirs
	end
	ktrace stop
}

@test "it takes and tells what tracefs does" {
	needs_fuse
	apart is_as_in_tracefs
}
