#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace fs: filters that are changed, by shell commands. The witnesses are who makes which calls,
# what babeltrace2 and bpftool read, and what tracefs makes of the same commands.

load flight
load numbers
load tree

# What its one program is, by number: one that sits in a table.
program_is() { # NUMBER
	[ "$(ls "$PLACE/flight/program")" = "$GETPGID:$1" ]
	[ "$(ls "$PLACE/flight/link")" = "$GETPGID:$1" ]
	bpftool -j prog show pinned "$PLACE/flight/program/$GETPGID:$1" | jq -e '.type == "tracing"'
}

# Calls with these numbers alone.
only() { # EXPRESSION
	echo "pid >= 1000000000 && ($1)" >"$filter"
	[ "$(<"$filter")" = "pid >= 1000000000 && ($1)" ]
}

filters() {
	start_numbered -b 1M
	begin tree
	filter=tree/events/syscalls/sys_enter_getpgid/filter
	[ "$(<"$filter")" = "pid >= 1000000000" ]
	call_numbers 1 20
	program_is 1
	grep -F 'filter_0 = "pid >= 1000000000";' tree/buffers/metadata
	echo "pid >= 1000000000 && (pid & 1)" >"$filter"
	grep -F 'filter_0 = "pid >= 1000000000 && (pid & 1)";' tree/buffers/metadata
	program_is 2
	call_numbers 21 40
	[ "$("$KTRACE" status --json | jq -r '.events[0].filter')" = "$(<"$filter")" ]
	"$KTRACE" status flight | grep -F " where $(<"$filter")"
	# It goes on so with nobody there, and what is taken has the filter that it ended with.
	umount "$tree"
	ktrace snapshot -o first
	grep -F "1 of 1 events $INCOMPLETE" said
	call_numbers 41 50
	ktrace disable -e '*'
	ktrace enable -e '*'
	call_numbers 51 60
	begin tree
	[ "$(<"$filter")" = "pid >= 1000000000 && (pid & 1)" ]
	# While it is disabled or paused it gets another one, too.
	echo 0 >tree/events/enable
	only "pid < 1000000065"
	call_numbers 61 62
	echo 1 >tree/events/enable
	call_numbers 63 70
	echo 0 >tree/tracing_on
	only "pid == 1000000071"
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
	end
	[ "$(numbers_of first | xargs)" = "$(seq 1 20 | xargs) $(seq 21 2 40 | xargs)" ]
	grep -F 'filter_0 = "pid >= 1000000000 && (pid & 1)";' first/metadata
	[ "$(numbers_of second | xargs)" = "$(seq 41 2 60 | xargs) 63 64 71" ]
	grep -F 'filter_0 = "pid >= 1000000000 && (pid == 1000000071)";' second/metadata
	[ "$(numbers_of third | tail -n 8 | xargs)" = "$(seq 73 80 | xargs)" ]
	babeltrace2 third | grep " pid = 4194303 "
	! grep filter_ third/metadata || false
	ktrace stop
}

@test "events go on being recorded with another filter" {
	needs_fuse
	apart filters
}

refuses() {
	ktrace start -b 1M -e "$GETPGID" -f 'pid == 4194303'
	begin tree
	filter=tree/events/syscalls/sys_enter_getpgid/filter
	before=$(ls "$PLACE/flight")
	for text in ' ' 'pid' 'pid ==' 'pid == x' 'nothing == 1' 'pid == 1 &&' '(pid == 1' \
		'comm == 1' 'pid ~ "1*"' 'pid == 0x1ffffffffffffffff'; do
		[ "$(written "$filter" "$text")" = "Invalid argument" ]
		[ "$(<"$filter")" = "pid == 4194303" ]
	done
	make_calls 5
	[ "$(hits flight)" = 5 ]
	[ "$(ls "$PLACE/flight")" = "$before" ]
	# Of two that write it at once each is done, one after the other.
	for i in {1..10}; do
		echo "pid == 4194303 && cpu != 9000$i" >"$filter" &
		echo "pid == 4194303 && cpu != 8000$i" >"$filter" &
		wait
	done
	grep -x "pid == 4194303 && cpu != [89]00010" "$filter"
	[ "$(ls "$PLACE/flight" | grep -c about)" -le 3 ]
	program_is "$(ls "$PLACE/flight" | sed -n 's/about://p' | sort -n | tail -n 1)"
	make_calls 5
	[ "$(hits flight)" = 10 ]
	end
	ktrace disable -e '*'
	[ "$(ls "$PLACE/flight" | grep -c about)" -eq 2 ]
	ktrace stop
	[ ! -e "$PLACE/flight" ]
}

@test "what is no filter of the event leaves it as it was" {
	needs_fuse
	apart refuses
}

is_as_in_tracefs() {
	ktrace start -b 64K -e sched_switch
	kind() {
		bpftool -j prog show pinned "$(echo "$PLACE"/flight/program/*)" | jq -r .type
	}
	before=$(kind)
	begin tree
	begin_theirs
	ours=tree/events/sched/sched_switch/filter
	theirs_filter=$theirs/events/sched/sched_switch/filter
	[ "$(stat -c '%A %U %G %s' "$ours")" = "$(stat -c '%A %U %G %s' "$theirs_filter")" ]
	for text in 'prev_pid == 1' 'prev_pid==1||next_pid==1' 'prev_comm ~ "*sh"' \
		'prev_prio < 100 && !(next_pid & 1)' $'prev_pid != 5\n' 'next_comm == "bash"' 0 $'0\n' \
		'common_pid > 7' 'CPU == 0' 0; do
		[ "$(written "$ours" "$text")" = 1 ]
		[ "$(written "$theirs_filter" "$text")" = 1 ]
		diff "$ours" "$theirs_filter"
		[ "$(kind)" = "$before" ]
	done
	for text in ' ' x 'nothing == 1' 'prev_pid' 'prev_pid == ' 'prev_comm < "a"' \
		'prev_pid ~ "1*"' 'prev_pid == one'; do
		[ "$(written "$ours" "$text")" = "$(written "$theirs_filter" "$text")" ]
		# There it has none then.
		[ "$(<"$ours")" = none ]
	done
	# Of these it tells something else each.
	for text in '(prev_pid == 1' 'prev_pid == 1)' '&& prev_pid == 1' 'prev_comm == "a'; do
		[ "$(written "$ours" "$text")" = "Invalid argument" ]
	done
	end_theirs
	end
	ktrace stop
}

@test "it takes and tells what tracefs does" {
	needs_fuse
	apart is_as_in_tracefs
}
