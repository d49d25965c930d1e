#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace fs: changing filters with shell commands. Witnesses: who makes which calls, babeltrace2 and
# bpftool, and tracefs given the same commands.

load flight
load numbers
load tree

# Tests whether the flight's only program has that number; it sits in a table slot.
has_program() { # NUMBER
	[ "$(ls "$PLACE/flight/program")" = "$GETPGID:$1" ]
	[ "$(ls "$PLACE/flight/link")" = "$GETPGID:$1" ]
	bpftool -j prog show pinned "$PLACE/flight/program/$GETPGID:$1" |
		jq -e '.type | IN("raw_tracepoint", "tracing")'
}

# Calls with these numbers only must be recorded.
assert_only() { # EXPRESSION
	echo "pid >= 1000000000 && ($1)" >"$filter"
	[ "$(<"$filter")" = "pid >= 1000000000 && ($1)" ]
}

check_change() {
	start_numbered -b 1M
	start_server tree
	filter=tree/events/syscalls/sys_enter_getpgid/filter
	[ "$(<"$filter")" = "pid >= 1000000000" ]
	call_numbers 1 20
	has_program 1
	grep -F 'filter_0 = "pid >= 1000000000";' tree/buffers/metadata
	echo "pid >= 1000000000 && (pid & 1)" >"$filter"
	grep -F 'filter_0 = "pid >= 1000000000 && (pid & 1)";' tree/buffers/metadata
	has_program 2
	call_numbers 21 40
	[ "$("$KTRACE" status --json | jq -r '.events[0].filter')" = "$(<"$filter")" ]
	"$KTRACE" status flight | grep -F " where $(<"$filter")"
	# The filter stays without a server, and a snapshot has the last filter.
	umount "$tree"
	ktrace snapshot -o first
	grep -F "1 of 1 events $INCOMPLETE" message
	call_numbers 41 50
	ktrace disable -e '*'
	ktrace enable -e '*'
	call_numbers 51 60
	start_server tree
	[ "$(<"$filter")" = "pid >= 1000000000 && (pid & 1)" ]
	# The filter can also be changed while the event is disabled or the flight paused.
	echo 0 >tree/events/enable
	assert_only "pid < 1000000065"
	call_numbers 61 62
	echo 1 >tree/events/enable
	call_numbers 63 70
	echo 0 >tree/tracing_on
	assert_only "pid == 1000000071"
	call_numbers 71 71
	echo 1 >tree/tracing_on
	call_numbers 70 72
	ktrace snapshot -o second
	echo 0 >"$filter"
	[ "$(<"$filter")" = none ]
	"$KTRACE" status flight | grep -F "$GETPGID" | grep -v where
	[ "$("$KTRACE" status --json | jq '.events[0] | has("filter")')" = false ]
	perl -e 'getpgrp(4194303)'
	call_numbers 73 80
	ktrace snapshot -o third
	stop_server
	[ "$(print_trace_numbers first | xargs)" = "$(seq 1 20 | xargs) $(seq 21 2 40 | xargs)" ]
	grep -F 'filter_0 = "pid >= 1000000000 && (pid & 1)";' first/metadata
	[ "$(print_trace_numbers second | xargs)" = "$(seq 41 2 60 | xargs) 63 64 71" ]
	grep -F 'filter_0 = "pid >= 1000000000 && (pid == 1000000071)";' second/metadata
	[ "$(print_trace_numbers third | tail -n 8 | xargs)" = "$(seq 73 80 | xargs)" ]
	babeltrace2 third | grep " pid = 4194303 "
	! grep filter_ third/metadata || false
	ktrace stop
}

@test "events are recorded with the new filter" {
	skip_without_fuse
	run_on_bpffs check_change
}

check_errors() {
	ktrace start -b 1M -e "$GETPGID" -f 'pid == 4194303'
	start_server tree
	filter=tree/events/syscalls/sys_enter_getpgid/filter
	before=$(ls "$PLACE/flight")
	for text in ' ' 'pid' 'pid ==' 'pid == x' 'nothing == 1' 'pid == 1 &&' '(pid == 1' \
		'comm == 1' 'pid ~ "1*"' 'pid == 0x1ffffffffffffffff'; do
		[ "$(try_write "$filter" "$text")" = "Invalid argument" ]
		[ "$(<"$filter")" = "pid == 4194303" ]
	done
	make_calls 5
	[ "$(count_hits flight)" = 5 ]
	[ "$(ls "$PLACE/flight")" = "$before" ]
	# Of two concurrent writes each is applied, one after the other.
	for i in {1..10}; do
		echo "pid == 4194303 && cpu != 9000$i" >"$filter" &
		echo "pid == 4194303 && cpu != 8000$i" >"$filter" &
		wait
	done
	grep -x "pid == 4194303 && cpu != [89]00010" "$filter"
	[ "$(ls "$PLACE/flight" | grep -c info)" -le 3 ]
	has_program "$(ls "$PLACE/flight" | sed -n 's/info://p' | sort -n | tail -n 1)"
	make_calls 5
	[ "$(count_hits flight)" = 10 ]
	stop_server
	ktrace disable -e '*'
	[ "$(ls "$PLACE/flight" | grep -c info)" -eq 2 ]
	ktrace stop
	[ ! -e "$PLACE/flight" ]
}

@test "an invalid filter leaves the old one in place" {
	skip_without_fuse
	run_on_bpffs check_errors
}

check_like_tracefs() {
	ktrace start -b 64K -e sched_switch
	program_type() {
		bpftool -j prog show pinned "$(echo "$PLACE"/flight/program/*)" | jq -r .type
	}
	before=$(program_type)
	start_server tree
	create_instance
	ours=tree/events/sched/sched_switch/filter
	theirs_filter=$theirs/events/sched/sched_switch/filter
	[ "$(stat -c '%A %U %G %s' "$ours")" = "$(stat -c '%A %U %G %s' "$theirs_filter")" ]
	for text in 'prev_pid == 1' 'prev_pid==1||next_pid==1' 'prev_comm ~ "*sh"' \
		'prev_prio < 100 && !(next_pid & 1)' $'prev_pid != 5\n' 'next_comm == "bash"' 0 $'0\n' \
		'common_pid > 7' 'CPU == 0' 0; do
		[ "$(try_write "$ours" "$text")" = 1 ]
		[ "$(try_write "$theirs_filter" "$text")" = 1 ]
		diff "$ours" "$theirs_filter"
		[ "$(program_type)" = "$before" ]
	done
	for text in ' ' x 'nothing == 1' 'prev_pid' 'prev_pid == ' 'prev_comm < "a"' \
		'prev_pid ~ "1*"' 'prev_pid == one'; do
		[ "$(try_write "$ours" "$text")" = "$(try_write "$theirs_filter" "$text")" ]
		# tracefs then has no filter.
		[ "$(<"$ours")" = none ]
	done
	# For these, the two print different errors.
	for text in '(prev_pid == 1' 'prev_pid == 1)' '&& prev_pid == 1' 'prev_comm == "a'; do
		[ "$(try_write "$ours" "$text")" = "Invalid argument" ]
	done
	remove_instance
	stop_server
	ktrace stop
}

@test "it accepts and prints what tracefs does" {
	skip_without_fuse
	run_on_bpffs check_like_tracefs
}
