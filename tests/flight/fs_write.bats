#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace fs: control by writing to files. Witnesses: bpftool, and tracefs given the same commands.

load flight
load tree

check_enable() {
	local ours=events/syscalls/sys_enter_getpgid/enable
	ktrace start -b 4M -e "$GETPGID" -f 'pid == 4194303' -e syscalls:sys_exit_getpgid -e sched_waking
	start_server tree
	cd tree
	hits_of() { # EVENT
		"$KTRACE" status --json | jq --arg event "$1" '.events[] | select(.event == $event).hits'
	}
	count_new_hits() { # makes calls, prints the recorded ones
		local before
		before=$(hits_of sys_enter_getpgid)
		perl -e 'getpgrp($_) for (4194303) x 3, 4194302'
		echo $(($(hits_of sys_enter_getpgid) - before))
	}
	read_enables() {
		cat events/enable events/*/enable events/*/*/enable | xargs
	}
	[ "$(read_enables)" = "1 1 1 1 1 1" ]
	[ "$(count_new_hits)" = 3 ]
	# Only what the event itself has.
	echo 0 >$ours
	[ "$(read_enables)" = "X 1 X 1 0 1" ]
	[ "$(count_new_hits)" = 0 ]
	[ ! -e "$(find "$PLACE/flight/program" -name "$GETPGID*")" ]
	"$KTRACE" status --json | jq -e '[.events[].enabled] | sort == [false, true, true]'
	echo 1 >$ours
	[ "$(read_enables)" = "1 1 1 1 1 1" ]
	[ "$(count_new_hits)" = 3 ]
	# A whole system.
	echo 0 >events/syscalls/enable
	[ "$(read_enables)" = "X 1 0 1 0 0" ]
	[ "$(count_new_hits)" = 0 ]
	echo 0 >events/sched/enable
	[ "$(read_enables)" = "0 0 0 0 0 0" ]
	echo 1 >$ours
	[ "$(read_enables)" = "X 0 X 0 1 0" ]
	echo 1 >events/syscalls/enable
	[ "$(read_enables)" = "X 0 1 0 1 1" ]
	[ "$(count_new_hits)" = 3 ]
	# All events; writing the current value changes nothing; without a newline; at an offset.
	printf 1 >events/enable
	printf +01 >>events/enable
	[ "$(read_enables)" = "1 1 1 1 1 1" ]
	printf 0 | dd of=events/enable seek=3 bs=1 conv=notrunc status=none
	[ "$(read_enables)" = "0 0 0 0 0 0" ]
	"$KTRACE" status --json | jq -e '.events | map(.enabled) | any | not'
	[ -z "$(ls "$PLACE/flight/program")" ]
	# Each write is one command.
	{
		echo 1
		echo 0
		echo 1
	} >$ours
	[ "$(read_enables)" = "X 0 X 0 1 0" ]
	[ "$(count_new_hits)" = 3 ]
	cd ..
	# The filter is unchanged.
	ktrace snapshot -o trace
	[ "$(babeltrace2 trace | grep sys_enter_getpgid | grep -vc 'pid = 4194303')" -eq 0 ]
	[ "$(babeltrace2 trace | grep -c sys_enter_getpgid)" -eq 12 ]
	stop_server
	ktrace stop
}

@test "single events, systems and all events can be disabled and enabled" {
	skip_without_fuse
	run_on_bpffs check_enable
}

check_pause() {
	local file other
	ktrace start -b 64K -e "$GETPGID" --freeze-on "$GETPGID if pid == 4194302"
	start_server tree
	make_calls 3
	for file in enabled tracing_on; do
		other=$([ $file = enabled ] && echo tracing_on || echo enabled)
		echo 0 >tree/$file
		[ "$(cat tree/{enabled,tracing_on} tree/events/enable | xargs)" = "0 0 1" ]
		[ "$("$KTRACE" status --json | jq '.paused > 0')" = true ]
		make_calls 10
		[ "$(count_hits flight)" -eq 3 ]
		echo 5 >tree/$other
		[ "$(cat tree/{enabled,tracing_on} | xargs)" = "1 1" ]
		[ "$("$KTRACE" status --json | jq .paused)" = null ]
	done
	make_calls 4
	[ "$(count_hits flight)" -eq 7 ]

	# What froze the flight stays reported.
	perl -e 'getpgrp(4194302)'
	make_calls 10
	[ "$(count_hits flight)" -eq 8 ]
	[ "$(try_write tree/enabled 1)" = "Device or resource busy" ]
	[ "$(try_write tree/tracing_on 1)" = "Device or resource busy" ]
	[ "$(try_write tree/tracing_on x)" = "Invalid argument" ]
	echo 0 >tree/tracing_on
	ktrace snapshot -o trace
	[ "$(babeltrace2 trace | grep -c getpgid)" -eq 8 ]
	[ "$(<tree/enabled)" = 0 ]
	echo 1 >tree/enabled
	[ "$(<tree/enabled)" = 1 ]
	make_calls 1
	[ "$(count_hits flight)" -eq 9 ]
	stop_server
	ktrace stop
}

@test "tracing_on pauses and resumes, and does not thaw" {
	skip_without_fuse
	run_on_bpffs check_pause
}

check_reset() {
	ktrace start -b 64K -e "$GETPGID"
	start_server tree
	make_calls 20000
	[ "$(<tree/overflow)" -gt 0 ]
	[ "$(try_write tree/reset x)" = "Invalid argument" ]
	[ "$(try_write tree/reset '')" = 1 ]
	[ "$(try_write tree/reset 0)" = 1 ]
	[ "$(<tree/overflow)" -gt 0 ]
	echo 1 >tree/reset
	[ "$(<tree/overflow)" = 0 ]
	make_calls 3
	"$KTRACE" status --json | jq -e '.hits == 3'
	ktrace snapshot -o trace
	[ "$(babeltrace2 trace | grep -c getpgid)" -eq 3 ]
	! cat tree/reset 2>why || false
	grep -q "Invalid argument" why
	stop_server
	ktrace stop
}

@test "reset clears the buffers" {
	skip_without_fuse
	run_on_bpffs check_reset
}

check_errors() {
	local file text
	ktrace start -b 8K -e sched_switch
	start_server tree
	create_instance
	# tracefs has no 'enabled' and 'reset'; they accept numbers as its tracing_on does.
	compare_write() { # FILE TEXT
		[ "$(try_write "tree/$1" "$2")" = "$(try_write "$theirs/$1" "$2")" ]
		[ "$(cat "tree/$1")" = "$(cat "$theirs/$1")" ]
	}
	for text in 0 1 $'0\n' $'1\n' 2 x '' ' ' $'\n' ' 1' '1 ' $'1\n\n' $'\n1' '1 1' 01 +1 ++1 + 0x1 -1 1x 00 000 \
		4294967296 18446744073709551615 18446744073709551616 99999999999999999999; do
		for file in events/sched/sched_switch/enable tracing_on; do
			compare_write "$file" "$text"
		done
		[ "$(try_write tree/enabled "$text")" = "$(try_write "$theirs/tracing_on" "$text")" ]
		[ "$(try_write tree/reset "$text")" = "$(try_write "$theirs/tracing_on" "$text")" ]
	done
	compare_write events/enable 0
	compare_write events/sched/enable 2
	compare_write events/enable x
	compare_write events/sched/sched_switch/format 1
	compare_write events/sched/sched_switch/id 1
	[ "$(try_write tree/overflow 1)" = "Invalid argument" ]
	[ "$(try_write tree/version 1)" = "Invalid argument" ]
	# Files cannot be created, removed or renamed.
	compare_error() { # COMMAND...
		! env -C tree "$@" >ours 2>&1 || return 1
		! env -C "$theirs" "$@" >kernels 2>&1 || return 1
		[ -s ours ]
		diff ours kernels
	}
	compare_error mkdir other
	compare_error rm events/enable
	compare_error rmdir events
	compare_error mv events/enable other
	compare_error ln -s other one
	compare_error ln tracing_on other
	compare_error touch other
	compare_error sh -c 'echo 1 >other'
	compare_error sh -c 'echo 1 >events'
	compare_error sh -c 'echo 1 >events/sched/nosuch/enable'
	compare_error cat events
	[ "$(stat -c '%A %U %G' tree/{tracing_on,events/enable,events/sched/enable,events/sched/sched_switch/enable})" = \
		"$(stat -c '%A %U %G' "$theirs"/{tracing_on,events/enable,events/sched/enable,events/sched/sched_switch/enable})" ]
	! chmod 666 tree/enabled 2>why || false
	! chown 1 tree/enabled 2>why || false
	! chgrp 1 tree/enabled 2>why || false
	[ "$(print_modes tree/enabled)" = "-rw-r----- root root 0 tree/enabled" ]
	echo 1 >tree/enabled
	: >tree/enabled
	touch tree/enabled
	truncate -s 100 tree/enabled
	[ "$(print_modes tree/enabled)" = "-rw-r----- root root 0 tree/enabled" ]
	[ "$(<tree/enabled)" = 1 ]
	remove_instance
	stop_server
	ktrace stop
}

@test "errors are those of tracefs" {
	skip_without_fuse
	run_on_bpffs check_errors
}

# From preparing to reading: the tracer of the kernel proposal (doc/history.md).
check_control() {
	local calls cpu
	ktrace start -b 64K -e "$GETPGID" -e sched_process_exec
	ktrace disable -e '*'
	ktrace pause
	start_server tree
	cd tree
	calls=events/${GETPGID/://}/enable
	[ "$(cat enabled "$calls" overflow | xargs)" = "0 0 0" ]
	[ "$(grep -c ' disabled$' info)" -eq 2 ]
	echo 1 >"$calls"
	make_calls 5
	grep -q "^name '$GETPGID' format '.*' id [0-9]* enabled$" info
	echo 1 >enabled
	make_calls 20000
	echo 0 >enabled
	make_calls 5
	mkdir ../d
	cat buffers/metadata >../d/metadata
	for cpu in buffers/cpu*; do
		dd if="$cpu" of="../d/${cpu#*/}" iflag=nonblock bs=65k 2>../why ||
			grep -q "temporarily unavailable" ../why
	done
	[ $(($(<overflow) + $(babeltrace2 ../d 2>../complaints | grep -c 'pid = 4194303 }'))) -eq 20000 ]
	[ "$(<overflow)" -gt 0 ]
	echo 1 >reset
	[ "$(<overflow)" -eq 0 ]
	echo 0 >"$calls"
	[ "$(grep -c ' disabled$' info)" -eq 2 ]
	cd ..
	stop_server
	ktrace stop
}

@test "a flight is prepared, run and read by these files alone" {
	skip_without_fuse
	run_on_bpffs check_control
}

check_blocked() {
	local program=$PLACE/flight/program/$GETPGID
	ktrace start -b 8K -e sched_switch -e "$GETPGID"
	start_server tree
	# Another process holds the lock, for a short or a long time.
	flock "$PLACE/flight" sh -c '>held; sleep 0.5' 3>&- &
	await test -e held
	echo 0 >tree/enabled
	[ "$(<tree/enabled)" = 0 ]
	wait
	exec 5<"$PLACE/flight"
	flock 5
	[ "$(try_write tree/enabled 1)" = "Device or resource busy" ]
	exec 5<&-
	[ "$(<tree/enabled)" = 0 ]
	echo 1 >tree/enabled

	# One event that cannot be recorded, and no event.
	echo 0 >tree/events/enable
	bpftool map pin pinned "$PLACE/flight/info" "$program:2"
	[ "$(try_write tree/events/enable 1)" = "File exists" ]
	[ "$(<tree/events/enable)" = 0 ]
	"$KTRACE" status --json | jq -e '.events | map(.enabled) | any | not'
	echo 1 >tree/events/enable
	[ "$(<tree/events/enable)" = 1 ]

	# A file opened before belongs to another flight now, or to none.
	exec 5>tree/events/enable 6>tree/enabled
	ktrace stop
	! echo 0 2>why >&5 || false
	grep -q "Stale file handle" why
	ktrace start -b 8K -e sched_switch -e "$GETPGID"
	! echo 0 2>why >&5 || false
	grep -q "Stale file handle" why
	! echo 0 2>why >&6 || false
	exec 5>&- 6>&-
	[ "$(cat tree/{enabled,events/enable} | xargs)" = "1 1" ]
	"$KTRACE" status --json | jq -e '.events | map(.enabled) | all'
	stop_server
	ktrace stop
}

@test "what cannot be done is refused with a reason" {
	skip_without_fuse
	run_on_bpffs check_blocked
}

check_concurrent() {
	local writer writers=()
	ktrace start -b 64K -e sched_waking -e "$GETPGID" -e irq_handler_entry
	start_server tree
	for writer in 1 2 3; do
		(for ((i = 0; i < 10; i++)); do
			echo $((i % 2)) >tree/events/enable
			"$KTRACE" enable -e 'sched:*' 2>/dev/null
			echo $(((i + writer) % 2)) >tree/tracing_on
			cat tree/{info,overflow,events/*/enable} >/dev/null
			"$KTRACE" snapshot -o "trace$writer$i" 2>/dev/null
			echo 1 >tree/reset
		done) 3>&- &
		writers+=($!)
	done
	for writer in "${writers[@]}"; do
		wait "$writer"
	done
	echo 1 >tree/tracing_on
	echo 1 >tree/events/enable
	echo 1 >tree/reset
	make_calls 5
	"$KTRACE" status --json | jq -e '.events | map(.enabled) | all'
	"$KTRACE" status --json | jq -e ".events[] | select(.event == \"sys_enter_getpgid\").hits == 5"
	[ "$(find "$PLACE/flight/program" -type f | wc -l)" -eq 3 ]
	stop_server
	ktrace stop
}

@test "concurrent writes and commands" {
	skip_without_fuse
	run_on_bpffs check_concurrent
}
