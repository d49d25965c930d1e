#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace fs, what is done by writing there, by shell commands. What bpftool reads of the session and
# what tracefs makes of the same commands are the witnesses.

load flight
load tree

switches_events() {
	local ours=events/syscalls/sys_enter_getpgid/enable
	ktrace start -b 4M -e "$GETPGID" -f 'pid == 4194303' -e syscalls:sys_exit_getpgid -e sched_waking
	begin tree
	cd tree
	hits_of() { # EVENT
		"$KTRACE" status --json | jq --arg event "$1" '.events[] | select(.event == $event).hits'
	}
	calls() { # and how many hits there are then
		local before
		before=$(hits_of sys_enter_getpgid)
		perl -e 'getpgrp($_) for (4194303) x 3, 4194302'
		echo $(($(hits_of sys_enter_getpgid) - before))
	}
	enables() {
		cat events/enable events/*/enable events/*/*/enable | xargs
	}
	[ "$(enables)" = "1 1 1 1 1 1" ]
	[ "$(calls)" = 3 ]
	# Only what is the event's own.
	echo 0 >$ours
	[ "$(enables)" = "X 1 X 1 0 1" ]
	[ "$(calls)" = 0 ]
	[ ! -e "$(find "$PLACE/flight/program" -name "$GETPGID*")" ]
	"$KTRACE" status --json | jq -e '[.events[].enabled] | sort == [false, true, true]'
	echo 1 >$ours
	[ "$(enables)" = "1 1 1 1 1 1" ]
	[ "$(calls)" = 3 ]
	# A system's.
	echo 0 >events/syscalls/enable
	[ "$(enables)" = "X 1 0 1 0 0" ]
	[ "$(calls)" = 0 ]
	echo 0 >events/sched/enable
	[ "$(enables)" = "0 0 0 0 0 0" ]
	echo 1 >$ours
	[ "$(enables)" = "X 0 X 0 1 0" ]
	echo 1 >events/syscalls/enable
	[ "$(enables)" = "X 0 1 0 1 1" ]
	[ "$(calls)" = 3 ]
	# All; what is so already remains so; without a newline, and into the middle of a file.
	printf 1 >events/enable
	printf +01 >>events/enable
	[ "$(enables)" = "1 1 1 1 1 1" ]
	printf 0 | dd of=events/enable seek=3 bs=1 conv=notrunc status=none
	[ "$(enables)" = "0 0 0 0 0 0" ]
	"$KTRACE" status --json | jq -e '.events | map(.enabled) | any | not'
	[ -z "$(ls "$PLACE/flight/program")" ]
	# Each write is one order.
	{
		echo 1
		echo 0
		echo 1
	} >$ours
	[ "$(enables)" = "X 0 X 0 1 0" ]
	[ "$(calls)" = 3 ]
	cd ..
	# The filter was kept.
	ktrace snapshot -o trace
	[ "$(babeltrace2 trace | grep sys_enter_getpgid | grep -vc 'pid = 4194303')" -eq 0 ]
	[ "$(babeltrace2 trace | grep -c sys_enter_getpgid)" -eq 12 ]
	end
	ktrace stop
}

@test "events are disabled and enabled: one, a system's, all" {
	needs_fuse
	apart switches_events
}

pauses() {
	local file other
	ktrace start -b 64K -e "$GETPGID" --freeze-on "$GETPGID if pid == 4194302"
	begin tree
	make_calls 3
	for file in enabled tracing_on; do
		other=$([ $file = enabled ] && echo tracing_on || echo enabled)
		echo 0 >tree/$file
		[ "$(cat tree/{enabled,tracing_on} tree/events/enable | xargs)" = "0 0 1" ]
		[ "$("$KTRACE" status --json | jq '.paused > 0')" = true ]
		make_calls 10
		[ "$(hits flight)" -eq 3 ]
		echo 5 >tree/$other
		[ "$(cat tree/{enabled,tracing_on} | xargs)" = "1 1" ]
		[ "$("$KTRACE" status --json | jq .paused)" = null ]
	done
	make_calls 4
	[ "$(hits flight)" -eq 7 ]

	# What froze it remains.
	perl -e 'getpgrp(4194302)'
	make_calls 10
	[ "$(hits flight)" -eq 8 ]
	[ "$(written tree/enabled 1)" = "Device or resource busy" ]
	[ "$(written tree/tracing_on 1)" = "Device or resource busy" ]
	[ "$(written tree/tracing_on x)" = "Invalid argument" ]
	echo 0 >tree/tracing_on
	ktrace snapshot -o trace
	[ "$(babeltrace2 trace | grep -c getpgid)" -eq 8 ]
	[ "$(<tree/enabled)" = 0 ]
	echo 1 >tree/enabled
	[ "$(<tree/enabled)" = 1 ]
	make_calls 1
	[ "$(hits flight)" -eq 9 ]
	end
	ktrace stop
}

@test "tracing_on pauses and resumes, and thaws nothing" {
	needs_fuse
	apart pauses
}

resets() {
	ktrace start -b 64K -e "$GETPGID"
	begin tree
	make_calls 20000
	[ "$(<tree/overflow)" -gt 0 ]
	[ "$(written tree/reset x)" = "Invalid argument" ]
	[ "$(written tree/reset '')" = 1 ]
	[ "$(written tree/reset 0)" = 1 ]
	[ "$(<tree/overflow)" -gt 0 ]
	echo 1 >tree/reset
	[ "$(<tree/overflow)" = 0 ]
	make_calls 3
	"$KTRACE" status --json | jq -e '.hits == 3'
	ktrace snapshot -o trace
	[ "$(babeltrace2 trace | grep -c getpgid)" -eq 3 ]
	! cat tree/reset 2>why || false
	grep -q "Invalid argument" why
	end
	ktrace stop
}

@test "reset gives up what is held" {
	needs_fuse
	apart resets
}

fails_as_tracefs() {
	local file text
	ktrace start -b 8K -e sched_switch
	begin tree
	begin_theirs
	# enabled and reset are none of tracefs's, but take numbers as its tracing_on does.
	both() { # FILE TEXT
		[ "$(written "tree/$1" "$2")" = "$(written "$theirs/$1" "$2")" ]
		[ "$(cat "tree/$1")" = "$(cat "$theirs/$1")" ]
	}
	for text in 0 1 $'0\n' $'1\n' 2 x '' ' ' $'\n' ' 1' '1 ' $'1\n\n' $'\n1' '1 1' 01 +1 ++1 + 0x1 -1 1x 00 000 \
		4294967296 18446744073709551615 18446744073709551616 99999999999999999999; do
		for file in events/sched/sched_switch/enable tracing_on; do
			both "$file" "$text"
		done
		[ "$(written tree/enabled "$text")" = "$(written "$theirs/tracing_on" "$text")" ]
		[ "$(written tree/reset "$text")" = "$(written "$theirs/tracing_on" "$text")" ]
	done
	both events/enable 0
	both events/sched/enable 2
	both events/enable x
	both events/sched/sched_switch/format 1
	both events/sched/sched_switch/id 1
	[ "$(written tree/overflow 1)" = "Invalid argument" ]
	[ "$(written tree/version 1)" = "Invalid argument" ]
	# Nor is there anything to be made, taken away or called otherwise.
	told_of() { # COMMAND...
		! env -C tree "$@" >ours 2>&1 || return 1
		! env -C "$theirs" "$@" >kernels 2>&1 || return 1
		[ -s ours ]
		diff ours kernels
	}
	told_of mkdir other
	told_of rm events/enable
	told_of rmdir events
	told_of mv events/enable other
	told_of ln -s other one
	told_of ln tracing_on other
	told_of touch other
	told_of sh -c 'echo 1 >other'
	told_of sh -c 'echo 1 >events'
	told_of sh -c 'echo 1 >events/sched/nosuch/enable'
	told_of cat events
	[ "$(stat -c '%A %U %G' tree/{tracing_on,events/enable,events/sched/enable,events/sched/sched_switch/enable})" = \
		"$(stat -c '%A %U %G' "$theirs"/{tracing_on,events/enable,events/sched/enable,events/sched/sched_switch/enable})" ]
	! chmod 666 tree/enabled 2>why || false
	! chown 1 tree/enabled 2>why || false
	! chgrp 1 tree/enabled 2>why || false
	[ "$(modes tree/enabled)" = "-rw-r----- root root 0 tree/enabled" ]
	echo 1 >tree/enabled
	: >tree/enabled
	touch tree/enabled
	truncate -s 100 tree/enabled
	[ "$(modes tree/enabled)" = "-rw-r----- root root 0 tree/enabled" ]
	[ "$(<tree/enabled)" = 1 ]
	end_theirs
	end
	ktrace stop
}

@test "a mistake is the error that tracefs makes of it" {
	needs_fuse
	apart fails_as_tracefs
}

# From what is prepared to what is read, as a tracer of these files was once proposed for the kernel.
is_steered() {
	local calls cpu
	ktrace start -b 64K -e "$GETPGID" -e sched_process_exec
	ktrace disable -e '*'
	ktrace pause
	begin tree
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
	end
	ktrace stop
}

@test "a session is prepared, run and read by these files alone" {
	needs_fuse
	apart is_steered
}

is_held_back() {
	local program=$PLACE/flight/program/$GETPGID
	ktrace start -b 8K -e sched_switch -e "$GETPGID"
	begin tree
	# Somebody else is at work on it, for a while, or for longer.
	flock "$PLACE/flight" sh -c '>held; sleep 0.5' 3>&- &
	await test -e held
	echo 0 >tree/enabled
	[ "$(<tree/enabled)" = 0 ]
	wait
	exec 5<"$PLACE/flight"
	flock 5
	[ "$(written tree/enabled 1)" = "Device or resource busy" ]
	exec 5<&-
	[ "$(<tree/enabled)" = 0 ]
	echo 1 >tree/enabled

	# One that cannot be recorded, and none is.
	echo 0 >tree/events/enable
	bpftool map pin pinned "$PLACE/flight/about" "$program:2"
	[ "$(written tree/events/enable 1)" = "File exists" ]
	[ "$(<tree/events/enable)" = 0 ]
	"$KTRACE" status --json | jq -e '.events | map(.enabled) | any | not'
	echo 1 >tree/events/enable
	[ "$(<tree/events/enable)" = 1 ]

	# What was opened is another session's, or nobody's.
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
	end
	ktrace stop
}

@test "what cannot be done is not, and says why" {
	needs_fuse
	apart is_held_back
}

is_written_by_many() {
	local writer writers=()
	ktrace start -b 64K -e sched_waking -e "$GETPGID" -e irq_handler_entry
	begin tree
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
	end
	ktrace stop
}

@test "several write, and commands act on the session, at once" {
	needs_fuse
	apart is_written_by_many
}
