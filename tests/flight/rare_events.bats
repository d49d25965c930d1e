#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The rare-event buffer, which other events do not overwrite. Witnesses: babeltrace2, and who made
# the calls.

load flight

GETPPID=syscalls:sys_enter_getppid

setup_file() {
	export GETPPID
}

# Makes numbered calls that no other process makes, with other calls after each.
call_among_others() { # FIRST LAST OTHERS
	perl -e 'for ($ARGV[0] .. $ARGV[1]) {
			getpgrp(1000000000 + $_);
			getppid for 1 .. $ARGV[2];
		}' "$@"
}

# Prints the numbers in the trace's rare-event files or in the others.
print_numbers() { # cpu|rare TRACE
	mkdir part
	cp "$2"/metadata "$2/$1"[0-9]* part
	babeltrace2 part 2>messages | sed -n 's/.*_getpgid: .* pid = 10*\([0-9]*\) .*/\1/p'
	[ ! -s messages ]
	rm -r part
}

start_with_rare() { # ARG...
	ktrace start -b 32K -e "$GETPGID" -f 'pid >= 1000000000' --keep -e "$GETPPID" "$@"
	grep -q "^  1 of them rare, in 8.0 KiB more per CPU$" message
}

assert_rare() { # TRACE
	babeltrace2 "$1" >all 2>messages
	[ ! -s messages ]
	grep -q " $GETPPID: " all
	[ "$("$KTRACE" report --json "$1" | jq .overwritten)" -ge 40000 ]
	[ "$(print_numbers rare "$1")" = "$(seq 1 100)" ]
	[ -z "$(print_numbers cpu "$1")" ]
}

check_not_overwritten() {
	start_with_rare
	call_among_others 1 100 500
	ktrace snapshot -o a
	grep -q "^  100 of them rare, from the last [0-9.]* m\?s$" message
	assert_rare a
	call_among_others 1 100 500
	ktrace snapshot -o b
	assert_rare b
	ktrace stop
}

@test "rare events survive, whatever else is overwritten" {
	run_on_bpffs check_not_overwritten
}

# Runs on one CPU, so that there is one ring.
check_counts() {
	start_with_rare "$@"
	taskset -c 0 "$BASH" -c "$(declare -f call_among_others); call_among_others 1 5000 3"
	[ "$(count_hits flight)" -eq 5000 ]
	"$KTRACE" status --json flight >status
	jq -e '.hits >= 20000 and .rare.held > 0 and .rare.held < 500 and .rare.used <= 8192 and
		.rare.ring_size == 8192 and .rare.rings == .rings and
		.held + .overwritten == .hits and .rare.span < .age' status
	held=$(jq .rare.held status)
	"$KTRACE" status flight | grep "^  $held of them rare: at least the last"
	ktrace snapshot -o a
	print_numbers rare a >found
	seq $((5001 - held)) 5000 | cmp - found
	"$KTRACE" report --json a | jq -e --argjson held "$held" '.events[] |
		select(.event == "sys_enter_getpgid") | .count + (.early // 0) == $held'
	"$KTRACE" report --json a | jq -e '.count + (.early // 0) + .overwritten == .hits'
	ktrace stop
}

print_counts() {
	check_counts
	rm -r a
	check_counts --no-spare
}

@test "rare events are overwritten only by rare events, and counted" {
	run_on_bpffs print_counts
}

# Prints the rings by name and kind.
assert_rings() { # cpu|rare NAME
	test -e "$PLACE/$2/set0/$1"0
}

check_default() {
	ktrace start -b 32K -e "$GETPPID,sched_process_exec,task_rename,sched_process_exit"
	grep -q "^  3 of them rare" message
	cp "$(type -P true)" ./named
	./named
	call_among_others 1 1 20000
	"$KTRACE" status --json flight | jq -e '[.events[] | select(.rare).event] ==
		["sched_process_exec", "sched_process_exit", "task_rename"]'
	ktrace snapshot -o a
	babeltrace2 a >all
	grep 'sched_process_exec: .*filename = "./named"' all
	grep 'task_rename: .*newcomm = "named"' all
	grep 'sched_process_exit: .*comm = "named"' all
	ktrace stop
}

@test "task events are rare by default" {
	run_on_bpffs check_default
}

check_rare_only() {
	ktrace start -e sched_process_exec,sched_process_exit
	! grep -q apart message || false
	assert_rings cpu flight
	! assert_rings rare flight || false
	ktrace start -e "$GETPGID,$GETPPID" --keep all
	! assert_rings rare all || false
	"$KTRACE" status --json | jq -es 'map(has("rare")) | any | not'
	ktrace start -e "$GETPGID" --keep -e "$GETPPID" both
	assert_rings cpu both
	assert_rings rare both
	for name in flight all both; do
		ktrace stop "$name"
	done
	[ ! -e "$PLACE" ]
}

@test "if all events are rare, they have all of the rings" {
	run_on_bpffs check_rare_only
}

# By another program, which is generated from the flight's own info.
check_reenabled() {
	start_with_rare
	ktrace disable -e "$GETPGID"
	call_among_others 1 10 1
	ktrace enable -e "$GETPGID"
	call_among_others 11 20 1
	ktrace snapshot -o a
	[ "$(print_numbers rare a)" = "$(seq 11 20)" ]
	[ -z "$(print_numbers cpu a)" ]
	ktrace reset
	call_among_others 21 25 1
	ktrace snapshot -o b
	[ "$(print_numbers rare b)" = "$(seq 21 25)" ]
	ktrace stop
}

@test "events stay rare after being disabled and after a reset" {
	run_on_bpffs check_reenabled
}

# What the rare-event buffer has from before all other records.
check_disabled_early() {
	start_with_rare
	call_among_others 1 5 1
	ktrace disable -e "$GETPGID"
	call_among_others 6 9 1
	ktrace enable -e "$GETPGID"
	call_among_others 10 12 1
	fill_others
	ktrace snapshot -o a
	[ "$(print_numbers rare a)" = "$(seq 1 5; seq 10 12)" ]
	from=$(sed -n 's/.*complete_from_0 = \([0-9]*\);/\1/p' a/metadata)
	babeltrace2 --clock-cycles a/ | sed -n 's/^\[0*\([0-9]*\)\].*_getpgid: .* pid = 10*\([0-9]*\) .*/\1 \2/p' |
		awk -v from="$from" '($1 < from) != ($2 <= 5) { exit 1 }'
	! grep complete_from_1 a/metadata || false
	ktrace stop
}

@test "a disabled rare event is reported as incomplete" {
	run_on_bpffs check_disabled_early
}

fill_others() {
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		taskset -c "$cpu" perl -e 'getppid for 1 .. 3000'
	done
}

# Prints the early rare events of a report.
print_early() {
	start_with_rare
	call_among_others 1 7 1
	sleep 0.1
	fill_others
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

@test "report separates rare events from before all others" {
	run_on_bpffs print_early
}

check_errors() {
	assert_fails 2 start --keep -e "$GETPGID"
	grep -e "--keep needs an -e before it" message
	assert_fails 2 start --freeze-on "$GETPGID" --keep
	grep -e "--keep applies to -e" message
	[ ! -e "$PLACE" ]
}

@test "--keep applies to the -e before it" {
	run_on_bpffs check_errors
}
