#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace record -f FILTER: only matching events of the -e before it are recorded.

bats_require_minimum_version 1.5.0

load ../recording

# 100 writes of 1 byte and 30 of 2.
WRITES='dd if=/dev/zero of=/dev/null status=none bs=1 count=100
	dd if=/dev/zero of=/dev/null status=none bs=2 count=30'

@test "each -f applies to the -e before it; an event selected twice is recorded once" {
	record -e sys_enter_write -f 'count == 1' -e sys_exit_write -f 'ret == 2' -- sh -c "$WRITES"
	[ "$status" -eq 0 ]
	[ "$(count_events ktrace.out sys_enter_write)" -eq 100 ]
	[ "$(count_events ktrace.out sys_exit_write)" -eq 30 ]
	[ "$(summary_events)" -eq 130 ]
	[[ $message =~ ";"\ [0-9]+" filtered (other processes, -f)" ]]

	one=(-e sys_enter_write -f 'count == 1')
	record "${one[@]}" -e 'sys_enter_w*e' -f 'count > 0 && count <= 2' -- sh -c "$WRITES"
	[ "$(count_events ktrace.out)" -eq 130 ]
	record "${one[@]}" -e sys_enter_write -f 'count == 2' -- sh -c "$WRITES"
	[ "$(count_events ktrace.out)" -eq 130 ]
	record "${one[@]}" -e sys_enter_write -- sh -c "$WRITES"
	[ "$(count_events ktrace.out)" -eq 130 ]
	record -e sys_enter_write "${one[@]}" -- sh -c "$WRITES"
	[ "$(count_events ktrace.out)" -eq 130 ]
}

@test "texts are compared, also with globs" {
	cp "$(type -P true)" ./one-of-ours
	ours='for i in 1 2 3; do ./one-of-ours; done; for i in 1 2; do true-not; done'
	ln -s one-of-ours true-not
	record -e sched_process_exec -f 'filename ~ "*one*"' -- sh -c "PATH=.; $ours"
	[ "$(count_events ktrace.out)" -eq 3 ]
	record -e sched_process_exec -f "filename == './true-not'" -- sh -c "PATH=.; $ours"
	[ "$(count_events ktrace.out)" -eq 2 ]
	record -e sched_process_exec -f 'filename ~ "./[ot]*" && filename != "./true-not"' -- \
		sh -c "PATH=.; $ours"
	[ "$(count_events ktrace.out)" -eq 3 ]
}

@test "values have names, also where the field has none of its own" {
	signals='trap : USR1 USR2; for s in USR1 USR2 USR2 CONT; do kill -$s $$; done'
	record -e signal_generate -f 'sig == SIGUSR2' -- bash -c "$signals"
	[ "$(count_events ktrace.out)" -eq 2 ]
	record -e signal_generate -f 'sig == SIGUSR1 || sig == SIGCONT' -- bash -c "$signals"
	[ "$(count_events ktrace.out)" -eq 2 ]
	[ "$("$KTRACE" print -f 'sig == SIGCONT' | wc -l)" -eq 1 ]
}

@test "comm is the running task's name" {
	cp "$(type -P dd)" ./our-dd
	record -e sys_enter_write -f 'comm ~ "our-*" && count == 1' -- sh -c "$WRITES; PATH=.
		${WRITES//dd /our-dd }"
	[ "$(count_events ktrace.out)" -eq 100 ]
}

@test "filtered events are reported, and are not losses" {
	record -e sys_enter_write -f 'count == 1' -a --strict -- sh -c "$WRITES"
	[ "$status" -eq 0 ]
	left_out=$(sed -n 's/.*; \([0-9]*\) filtered (-f)$/\1/p' <<<"$message")
	[ "$left_out" -ge 30 ]
	[ "$("$KTRACE" report --json | jq .filtered)" -eq "$left_out" ]
	"$KTRACE" report | grep -q " lost; $left_out filtered$"
}

# Prints what babeltrace2 reads of an environment, and which processes and events report says were
# recorded.
@test "a trace says what it was limited to" {
	record -e sys_enter_write -f 'count == 1' -e sched_switch -e 'sys_*_write' -f 'count  ==2' \
		-- sh -c "$WRITES"
	babeltrace2 -c sink.text.details ktrace.out >details
	grep -q '^ *recorded_tasks: followed$' details
	grep -o 'filter_.*' details | sort -u |
		diff <(printf 'filter_%s\n' '1: (count  ==2) || (count == 1)' '2: count  ==2') -
	"$KTRACE" report | grep -qE ' syscalls:sys_enter_write where \(count  ==2\) \|\| \(count == 1\)$'
	"$KTRACE" report | grep -qE ' sched:sched_switch$'

	record -e sched_switch -f 'prev_comm ~ "dd" || prev_pid & 0x1' -a -- sh -c "$WRITES"
	babeltrace2 -c sink.text.details ktrace.out >details
	grep -q '^ *recorded_tasks: all$' details
	grep -q '^ *filter_0: prev_comm ~ "dd" || prev_pid & 0x1$' details
	"$KTRACE" report --json | jq -e '.follows == false and
		.events[0].filter == "prev_comm ~ \"dd\" || prev_pid & 0x1"'
}

@test "events without the field are skipped, the others recorded" {
	record -e 'sys_enter_write,sys_exit_close' -f 'count == 1' -- sh -c "$WRITES"
	[ "$status" -eq 0 ]
	grep -qx "ktrace record: syscalls:sys_exit_close: unknown field 'count'; .*" <<<"$message"
	grep -q ", 1 skipped$" <<<"$message"
	[ "$(count_events ktrace.out)" -eq 100 ]
}

@test "an error that many events share is reported for the first" {
	record -e 'sys_enter_[mn]*,sys_exit_close' -f 'nosuch == 1 || count == 1' -- true
	[ "$status" -eq 1 ]
	n=$("$KTRACE" list 'sys_enter_[mn]*' | wc -l)
	[ "$n" -gt 20 ]
	diff <(sed "s/'ktrace list .*/.../" message) - <<-EOF
		ktrace record: syscalls:sys_enter_madvise: unknown field 'nosuch'; see ...
		  nosuch == 1 || count == 1
		  ^~~~~~
		ktrace record: the same error for $n more events
		ktrace record: no event can be recorded ($((n + 1)) skipped)
	EOF
	# Each position of it separately; for a single event.
	record -e 'sys_enter_close,sys_enter_read,sys_exit_getpid' -f 'fd == 1 || count == 1' -- true
	diff <(grep 'unknown field\|same' message | sed 's/;.*//') - <<-'EOF'
		ktrace record: syscalls:sys_enter_close: unknown field 'count'
		ktrace record: syscalls:sys_exit_getpid: unknown field 'fd'
	EOF
	record -e 'sys_exit_close,sys_exit_getpid,sys_enter_read' -f 'fd == 1' -- true
	grep -qx 'ktrace record: the same error for 1 more event' message
}

@test "an error in a filter is reported with its position" {
	record -e sys_enter_write -f 'fd == 1 && cuont > 1' true
	[ "$status" -eq 1 ]
	diff - <(head -n 3 message) <<-'EOF'
		ktrace record: syscalls:sys_enter_write: unknown field 'cuont'; did you mean 'count'?
		  fd == 1 && cuont > 1
		             ^~~~~
	EOF
	record -e sched_switch -f 'prev_comm == "0123456789abcdefg"' true
	diff - <(head -n 3 message) <<-'EOF'
		ktrace record: sched:sched_switch: text too long: the field has at most 16 bytes
		  prev_comm == "0123456789abcdefg"
		                ^~~~~~~~~~~~~~~~~
	EOF
	[ ! -e ktrace.out ]
}

@test "a syntax error is reported before anything is done" {
	record -e sys_enter_write -f 'fd = 1' true
	[ "$status" -eq 2 ]
	diff - message <<-'EOF'
		ktrace record: expected == != < <= > >= & or ~ here
		  fd = 1
		     ^
	EOF
	record -f 'fd == 1' -e sys_enter_write true
	[ "$status" -eq 2 ]
	[ "$message" = "ktrace record: --filter needs an -e before it" ]
	record -e sys_enter_write -f 'fd == 1' -f 'fd == 2' true
	[ "$status" -eq 2 ]
	[ "$message" = "ktrace record: two --filter for one -e: join them with '&&'" ]
	[ ! -e ktrace.out ]
}
