#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace snapshot --on. babeltrace2 reads the snapshots; numbered calls and their makers are the
# witness.

load flight
load numbers

# Makes the calls with these numbers, some of which match the trigger.
export TRIGGERS="sys_enter_getpgid if pid >= 1000000000 && pid & 1"

make_numbered_calls() { # NUMBER...
	perl -e 'getpgrp(1000000000 + $_) for @ARGV' "$@"
}

check_each_match() {
	local i traces
	start_numbered -b 64K
	start_waiter --on "$TRIGGERS" --max 3 -o s
	[ "$(<messages)" = "ktrace snapshot: waiting for hits of $GETPGID; Ctrl-C ends it" ]
	make_numbered_calls 100
	for i in 1 2 3; do
		make_numbered_calls $((10 * i)) $((10 * i + 1)) $((10 * i + 2))
		await has_snapshots "$i"
	done
	end_waiter none 0
	traces=(s-????????-??????.???)
	[ "${#traces[@]}" -eq 3 ]
	for i in 0 1 2; do print_trace_numbers "${traces[i]}" >>all; done
	grep -v '[02468]$' all | xargs >odd
	[ "$(<odd)" = "11 21 31" ]
	[ "$(print_trace_numbers "${traces[0]}" | head -n 3 | xargs)" = "100 10 11" ]
	ktrace snapshot -o rest
	print_trace_numbers rest >>all
	[ "$(sort -n all | xargs)" = "10 11 12 20 21 22 30 31 32 100" ]
	[ "$(grep -c "^  hit [0-9.]* [mu]s before, by $GETPGID" messages)" -eq 3 ]
	[ "$("$KTRACE" status --json | jq -c .freezing)" = null ]
	ktrace stop
}

check_execveat() {
	start_numbered -b 64K
	start_waiter --on 'sys_exit_execveat if ret == 0' --max 1 -o s
	/bin/true
	"$TRACED/execs" at /bin/true
	end_waiter none 0
	grep '^  hit [0-9.]* [mu]s before, by syscalls:sys_exit_execveat' messages
	ktrace stop
}

check_path() {
	start_numbered -b 64K
	start_waiter --on 'sys_enter_rmdir if pathname ~ "./none*"' --max 1 -o s
	rmdir ./other || true
	rmdir ./none 2>/dev/null || true
	end_waiter none 0
	grep '^  hit [0-9.]* [mu]s before, by syscalls:sys_enter_rmdir' messages
	ktrace stop
}

@test "triggers on a call that returns with another number, and on a path" {
	run_on_bpffs check_execveat
	run_on_bpffs check_path
}

check_killed() {
	start_numbered -b 64K
	start_waiter --on 'sched_process_exit if exit_code & 127' --max 1 -o s
	sh -c 'exit 3' || true
	sh -c 'kill -9 $$' || true
	end_waiter none 0
	grep '^  hit [0-9.]* [mu]s before, by sched:sched_process_exit' messages
	ktrace stop
}

@test "triggers on a process that is killed" {
	run_on_bpffs check_killed
}

@test "a snapshot at each match, which has what led to it" {
	run_on_bpffs check_each_match
}

check_all_taken() {
	[ "$("$KTRACE" status --json | jq '.held + .resting')" -eq 0 ]
}

# The second match comes at any moment of the first one's snapshot.
check_any_moment() {
	local i
	start_numbered -b 64K
	start_waiter --on "$TRIGGERS"
	for ((i = 1; i <= 80; i += 2)); do
		perl -e 'getpgrp(1000000000 + $ARGV[0]);
			select undef, undef, undef, $ARGV[0] / 1000;
			getpgrp(1000000002 + $ARGV[0])' "$i"
		await check_all_taken
	done
	end_waiter INT 0
	ktrace stop
	for ((i = 1; i <= 80; i += 2)); do printf '%s\n' "$i" "$((i + 2))"; done | sort -n >expected
	for i in flight-*; do print_trace_numbers "$i"; done | sort -n | cmp - expected
}

@test "each match is in a snapshot, whenever it comes" {
	run_on_bpffs check_any_moment
}

# Prints when each snapshot was taken, in ms.
print_times() {
	local at
	for at in flight-*; do
		at=${at#flight-}
		date -d "${at:0:8} ${at:9:2}:${at:11:2}:${at:13}" +%s%3N
	done
}

check_storm() {
	local pids=() i last=0 at
	start_numbered -b 32M
	start_waiter --on "$TRIGGERS" --every 700ms
	for i in 0 1; do
		perl -e 'for (1 .. 25000) {
			getpgrp(1000000000 + 2 * $_ + $ARGV[0]);
			select undef, undef, undef, 0.01 unless $_ % 100;
		}' "$i" &
		pids+=($!)
	done
	wait "${pids[@]}"
	await check_all_taken
	end_waiter INT 0
	grep -x "ktrace snapshot: ended after [0-9]* snapshots" messages
	ktrace stop
	print_times >times
	[ "$(wc -l <times)" -ge 3 ]
	while read -r at; do
		[ $((at - last)) -ge 699 ]
		last=$at
	done <times
	for i in flight-*; do print_trace_numbers "$i"; done | sort -n | cmp - <(seq 2 50001)
}

@test "many matches: snapshots at intervals, which have all of them" {
	run_on_bpffs check_storm
}

check_after() {
	start_numbered -b 64K
	start_waiter --on "$TRIGGERS" --after 1s --max 1 -o s
	make_numbered_calls 2 1
	make_numbered_calls 4 6
	make_numbered_calls 8
	await has_snapshots 1
	end_waiter none 0
	[ "$(print_trace_numbers s-* | xargs)" = "2 1 4 6 8" ]
	grep "^  hit 1.[0-9]* s before" messages
	ktrace stop
}

@test "with --after, recording goes on after the match for that long" {
	run_on_bpffs check_after
}

check_other_triggers() {
	mkdir all
	start_numbered -b 64K
	start_waiter --on "sched_process_exec if filename ~ '*/kt_flown'" --on='sys_exit_getpgid  if ret == 0' \
		-o all/
	grep -x "ktrace snapshot: waiting for hits of 2 events; Ctrl-C ends it" messages
	make_numbered_calls 2
	env false || true
	./kt_flown
	await has_snapshots 1
	perl -e 'getpgrp(0)'
	make_numbered_calls 4
	./kt_flown
	await has_snapshots 2
	end_waiter TERM 0
	[ "$(grep -c "^  hit [0-9.]* [mu]s before, by sched:sched_process_exec" messages)" -eq 2 ]
	[ "$(echo all/flight-????????-??????.??? | wc -w)" -eq 2 ]
	for trace in all/*; do print_trace_numbers "$trace"; done >seen
	[ "$(xargs <seen)" = "2 4" ]
	ktrace stop
}

@test "triggers on events that the flight does not record" {
	run_on_bpffs check_other_triggers
}

check_end() {
	start_numbered -b 64K
	start_waiter --on "$TRIGGERS"
	end_waiter INT 0
	[ "$(tail -n 1 messages)" = "ktrace snapshot: ended after 0 snapshots" ]
	start_waiter --on "$TRIGGERS" --every 1h -o s
	make_numbered_calls 1
	await has_snapshots 1
	make_numbered_calls 3
	sleep 0.1
	end_waiter INT 0
	diff <(tail -n 2 messages | sed 's/hit [0-9.]* ms/hit 1 ms/') - <<-END
		ktrace snapshot: ended after 1 snapshot
		  hit 1 ms ago, by $GETPGID, without a snapshot
	END
	[ "$(print_trace_numbers s-* | xargs)" = 1 ]
	ktrace snapshot -o rest
	[ "$(print_trace_numbers rest | xargs)" = 3 ]

	start_waiter --on "$TRIGGERS"
	ktrace stop
	end_waiter none 1
	[ "$(tail -n 1 messages)" = "ktrace snapshot: ended after 0 snapshots: $NOT_RUNNING" ]

	# A new flight of the same name is a different one, however soon it starts.
	start_numbered -b 64K
	start_waiter --on "$TRIGGERS" --after 1s -o other
	make_numbered_calls 1
	ktrace stop
	start_numbered -b 64K
	make_numbered_calls 1 3
	end_waiter none 1
	[ "$("$KTRACE" status --json | jq -c '[.held, .resting, .taken]')" = "[2,0,0]" ]
	[ "$(echo other*)" = 'other*' ]
	ktrace stop
}

@test "Ctrl-C ends the wait, and so does the end of the flight" {
	run_on_bpffs check_end
}

check_concurrent() {
	start_numbered -b 64K --no-spare
	start_waiter --on "$TRIGGERS" -o s
	make_numbered_calls 2
	ktrace snapshot -o between
	[ "$(print_trace_numbers between)" = 2 ]
	ktrace disable -e "$GETPGID"
	make_numbered_calls 4
	ktrace enable -e "$GETPGID"
	flock "$PLACE/flight" bash -c 'make_call() { perl -e "getpgrp(1000000001)"; }; make_call
		until grep -q "another ktrace is using" messages; do sleep 0.1; done'
	await has_snapshots 1
	[ "$(grep -c "is using" messages)" -eq 1 ]
	end_waiter INT 0
	[ "$(print_trace_numbers s-*)" = 1 ]
	[ ! -e "$PLACE/flight/set1" ] || [ ! -e "$PLACE/flight/set0" ]
	ktrace stop
}

@test "other commands can use the flight between two snapshots" {
	run_on_bpffs check_concurrent
}

check_freeze() {
	start_numbered -b 64K --freeze-on "$GETPGID if pid == 1000000007"
	start_waiter --on "$TRIGGERS" --after 100ms --max 2
	make_numbered_calls 2 7 5
	await has_snapshots 1
	make_numbered_calls 4 7
	end_waiter none 0
	for trace in flight-*; do print_trace_numbers "$trace"; done >seen
	[ "$(xargs <seen)" = "2 7 4 7" ]
	[ "$(grep -c "^  frozen [0-9.]* ms before, by $GETPGID; recording again" messages)" -eq 2 ]
	make_numbered_calls 8
	ktrace snapshot -o last
	[ "$(print_trace_numbers last)" = 8 ]
	ktrace stop

	start_numbered -b 64K --freeze-on "$GETPGID if pid == 1000000008"
	make_numbered_calls 8
	start_waiter --on "$TRIGGERS" --max 1 -o none
	make_numbered_calls 1
	end_waiter none 0
	grep "^  hit .* before, by $GETPGID; the buffers were frozen by then" messages
	[ "$(print_trace_numbers none-*)" = 8 ]
	ktrace stop
}

@test "each snapshot arms a freezing flight again" {
	run_on_bpffs check_freeze
}

# Small rings lose what led to the match before --after has passed.
check_overwritten() {
	start_numbered -b 8K
	start_waiter --on "$TRIGGERS" --after 500ms --max 1 -o s
	make_numbered_calls 1
	perl -e 'getpgrp(1000000000 + 2 * $_) for 1 .. 5000'
	end_waiter none 0
	grep "^  hit .* before, by $GETPGID; already overwritten on some CPUs" messages
	[ "$(print_trace_numbers s-* | grep -cx 1)" -le 1 ]
	ktrace stop
}

@test "if the match itself was overwritten, that is reported" {
	run_on_bpffs check_overwritten
}

# The disk has room for the names of all tasks of the machine, of which other tests may make many.
check_full_disk() {
	start_numbered -b 4M
	make_numbered_calls 2
	perl -MPOSIX=:signal_h -e 'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGINT));
		kill INT => $$; exec @ARGV' "$KTRACE" snapshot -o broken 2>message || true
	perl -e 'getpgrp(1000000000 + 2 * $_) for 1 .. 40000'
	mkdir small
	mount -t tmpfs -o size=512k nodev small
	start_waiter --on "$TRIGGERS" -o small/
	make_numbered_calls 1
	end_waiter none 1
	grep -x "ktrace snapshot: first saving what an interrupted snapshot left" messages
	grep "cannot write to small/flight-.*: No space left on device" messages
	diff <(tail -n 2 messages | sed 's/hit [0-9.]* m\?s/hit 1 ms/') - <<-END
		  the events of 'flight' are kept for the next 'ktrace snapshot'
		  hit 1 ms ago, by $GETPGID, without a snapshot
	END
	[ "$(print_trace_numbers small/*)" = 2 ]
	ktrace snapshot -o kept
	[ "$(print_trace_numbers kept.earlier | wc -l)" -eq 40001 ]
	[ "$(print_trace_numbers kept.earlier | tail -n 1)" -eq 1 ]
	ktrace stop
}

@test "a full disk ends the wait, and the buffers keep everything" {
	run_on_bpffs check_full_disk
}

check_errors() {
	assert_fails 1 snapshot --on "$TRIGGERS"
	[ "$message" = "ktrace snapshot: $NOT_RUNNING" ]
	start_numbered -b 8K
	assert_fails 2 snapshot --on "$TRIGGERS" --max 0
	diff <(echo "$message") - <<-END
		ktrace snapshot: not a number above 0
		  0
		  ^
	END
	assert_fails 2 snapshot --on "$TRIGGERS" --max=-1
	assert_fails 2 snapshot --on "$TRIGGERS" --max 3x
	assert_fails 2 snapshot --on "$TRIGGERS" --every 10
	assert_fails 2 snapshot --on "$TRIGGERS" --every 25h
	assert_fails 2 snapshot --on 'sched_switch when prev_pid == 1'
	for option in --after=1s --every=1s --max=1; do
		assert_fails 2 snapshot "$option"
		[ "$message" = "ktrace snapshot: ${option%=*} needs --on" ]
	done
	assert_fails 1 snapshot --on nosuch
	[ "$(head -n 1 message)" = "ktrace snapshot: no event is called 'nosuch'; see 'ktrace list'" ]
	assert_fails 1 snapshot --on 'sched_switch if nosuch == 1'
	[ "$(tail -n 1 message)" = "ktrace snapshot: no trigger left to wait for" ]
	: >file
	assert_fails 1 snapshot --on "$TRIGGERS" -o file/s
	grep "^ktrace snapshot: cannot create the trace: file: Not a directory" message
	! setpriv --reuid 65534 --clear-groups "$KTRACE" snapshot --on "$TRIGGERS" 2>message
	grep -F "ermission denied" message
	[ "$("$KTRACE" status --json | jq -c '[.held, .resting, .taken]')" = "[0,0,0]" ]
	ktrace stop
}

@test "errors are reported at once" {
	run_on_bpffs check_errors
}
