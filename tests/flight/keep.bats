#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What is kept apart, so that other events do not overwrite it. babeltrace2 is the witness, and who
# made the calls.

load flight

GETPPID=syscalls:sys_enter_getppid

setup_file() {
	export GETPPID
}

# Calls that nobody else makes, with these numbers, and others behind each.
call_among_others() { # FIRST LAST OTHERS
	perl -e 'for ($ARGV[0] .. $ARGV[1]) {
			getpgrp(1000000000 + $_);
			getppid for 1 .. $ARGV[2];
		}' "$@"
}

# The numbers of the calls in the files of a trace that hold what is kept, or the others.
numbers() { # cpu|kept TRACE
	mkdir part
	cp "$2"/metadata "$2/$1"[0-9]* part
	babeltrace2 part 2>heard | sed -n 's/.*_getpgid: .* pid = 10*\([0-9]*\) .*/\1/p'
	[ ! -s heard ]
	rm -r part
}

start_keeping() { # ARG...
	ktrace start -b 32K -e "$GETPGID" -f 'pid >= 1000000000' --keep -e "$GETPPID" "$@"
	grep -q "^  1 of them rare, in 8.0 KiB more per CPU$" said
}

is_kept() { # TRACE
	babeltrace2 "$1" >all 2>heard
	[ ! -s heard ]
	grep -q " $GETPPID: " all
	[ "$("$KTRACE" report --json "$1" | jq .overwritten)" -ge 40000 ]
	[ "$(numbers kept "$1")" = "$(seq 1 100)" ]
	[ -z "$(numbers cpu "$1")" ]
}

hot_ones_leave_them() {
	start_keeping
	call_among_others 1 100 500
	ktrace snapshot -o a
	grep -q "^  100 of them rare, from the last [0-9.]* m\?s$" said
	is_kept a
	call_among_others 1 100 500
	ktrace snapshot -o b
	is_kept b
	ktrace stop
}

@test "what is kept apart is there, whatever was overwritten" {
	apart hot_ones_leave_them
}

# On one CPU, so that it is one ring.
figures_add_up() {
	start_keeping "$@"
	taskset -c 0 "$BASH" -c "$(declare -f call_among_others); call_among_others 1 5000 3"
	[ "$(hits flight)" -eq 5000 ]
	"$KTRACE" status --json flight >status
	jq -e '.hits >= 20000 and .kept.held > 0 and .kept.held < 500 and .kept.used <= 8192 and
		.kept.ring_size == 8192 and .kept.rings == .rings and
		.held + .overwritten == .hits and .kept.span < .age' status
	held=$(jq .kept.held status)
	"$KTRACE" status flight | grep "^  $held of them rare: at least the last"
	ktrace snapshot -o a
	numbers kept a >found
	seq $((5001 - held)) 5000 | cmp - found
	"$KTRACE" report --json a | jq -e --argjson held "$held" '.events[] |
		select(.event == "sys_enter_getpgid") | .count + (.early // 0) == $held'
	"$KTRACE" report --json a | jq -e '.count + (.early // 0) + .overwritten == .hits'
	ktrace stop
}

figures() {
	figures_add_up
	rm -r a
	figures_add_up --no-spare
}

@test "what is kept apart is overwritten by its like alone, and counted" {
	apart figures
}

# By name, and whether it is kept.
has_rings() { # cpu|kept NAME
	test -e "$PLACE/$2/bank0/$1"0
}

rare_by_default() {
	ktrace start -b 32K -e "$GETPPID,sched_process_exec,task_rename,sched_process_exit"
	grep -q "^  3 of them rare" said
	cp "$(type -P true)" ./named
	./named
	call_among_others 1 1 20000
	"$KTRACE" status --json flight | jq -e '[.events[] | select(.kept).event] ==
		["sched_process_exec", "sched_process_exit", "task_rename"]'
	ktrace snapshot -o a
	babeltrace2 a >all
	grep 'sched_process_exec: .*filename = "./named"' all
	grep 'task_rename: .*newcomm = "named"' all
	grep 'sched_process_exit: .*comm = "named"' all
	ktrace stop
}

@test "what tells of tasks is kept apart by default" {
	apart rare_by_default
}

nothing_else() {
	ktrace start -e sched_process_exec,sched_process_exit
	! grep -q apart said || false
	has_rings cpu flight
	! has_rings kept flight || false
	ktrace start -e "$GETPGID,$GETPPID" --keep all
	! has_rings kept all || false
	"$KTRACE" status --json | jq -es 'map(has("kept")) | any | not'
	ktrace start -e "$GETPGID" --keep -e "$GETPPID" both
	has_rings cpu both
	has_rings kept both
	for name in flight all both; do
		ktrace stop "$name"
	done
	[ ! -e "$PLACE" ]
}

@test "where nothing else is recorded all have the rings" {
	apart nothing_else
}

# By another program, which is made of what the session says of itself.
enabled_again() {
	start_keeping
	ktrace disable -e "$GETPGID"
	call_among_others 1 10 1
	ktrace enable -e "$GETPGID"
	call_among_others 11 20 1
	ktrace snapshot -o a
	[ "$(numbers kept a)" = "$(seq 11 20)" ]
	[ -z "$(numbers cpu a)" ]
	ktrace reset
	call_among_others 21 25 1
	ktrace snapshot -o b
	[ "$(numbers kept b)" = "$(seq 21 25)" ]
	ktrace stop
}

@test "what is kept apart is so after it was disabled, and after a reset" {
	apart enabled_again
}

# Of what is kept from before the others have anything.
disabled_early() {
	start_keeping
	call_among_others 1 5 1
	ktrace disable -e "$GETPGID"
	call_among_others 6 9 1
	ktrace enable -e "$GETPGID"
	call_among_others 10 12 1
	overwrite_others
	ktrace snapshot -o a
	[ "$(numbers kept a)" = "$(seq 1 5; seq 10 12)" ]
	from=$(sed -n 's/.*complete_from_0 = \([0-9]*\);/\1/p' a/metadata)
	babeltrace2 --clock-cycles a/ | sed -n 's/^\[0*\([0-9]*\)\].*_getpgid: .* pid = 10*\([0-9]*\) .*/\1 \2/p' |
		awk -v from="$from" '($1 < from) != ($2 <= 5) { exit 1 }'
	! grep complete_from_1 a/metadata || false
	ktrace stop
}

@test "that it was disabled is told of all that is kept" {
	apart disabled_early
}

overwrite_others() {
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		taskset -c "$cpu" perl -e 'getppid for 1 .. 3000'
	done
}

# What was there before the others have anything.
early() {
	start_keeping
	call_among_others 1 7 1
	sleep 0.1
	overwrite_others
	call_among_others 8 10 1
	ktrace snapshot -o a
	"$KTRACE" report a >summed
	grep "^[0-9]* earlier events; rare events complete since 0.[0-9]* s before the trace$" summed
	grep "^ *3 .* $GETPGID where pid >= 1000000000, 7 more before$" summed
	"$KTRACE" report --json a | jq -e '.early >= 7 and
		(.events[] | select(.event == "sys_enter_getpgid") | .count == 3 and .early == 7)'
	[ "$("$KTRACE" print a | grep -c getpgid)" -eq 10 ]
	ktrace stop
}

@test "report tells what was kept from before the others apart" {
	apart early
}

misused() {
	refused 2 start --keep -e "$GETPGID"
	grep -e "--keep needs an -e before it" said
	refused 2 start --freeze-on "$GETPGID" --keep
	grep -e "--keep applies to -e" said
	[ ! -e "$PLACE" ]
}

@test "--keep is of an -e" {
	apart misused
}
