#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Pins and files below ktrace's directory that are foreign, removed or missing: clear messages, no
# hang, no damage to anything else.

load flight
load tree

bats_require_minimum_version 1.5.0

# Creates a foreign BPF map with elements larger than a number.
pin_foreign_map() { # PLACE
	bpftool map create "$1" type array key 4 value 64 entries 1 name foreign
}

# Replaces a pin below $PLACE/flight.
damage_pin() { # gone|foreign|directory NAME
	rm -rf "${PLACE:?}/flight/$2"
	case $1 in
	foreign) pin_foreign_map "$PLACE/flight/$2" ;;
	directory) mkdir "$PLACE/flight/$2" ;;
	esac
}

# The message must name the pin and the remedy. A command that hangs is ended.
assert_incomplete() { # ARG...
	local status=0
	timeout 10 "$KTRACE" "$@" >stdout 2>message || status=$?
	[ "$status" -eq 1 ]
	[ ! -s stdout ]
	case $(<message) in
	"ktrace $1: 'flight' cannot be read: "*"; 'ktrace stop flight' removes all of it") ;;
	"ktrace $1: 'flight' is incomplete (a ktrace was killed) "*"; 'ktrace stop flight' removes it") ;;
	*) return 1 ;;
	esac
	[ "$(wc -l <message)" -eq 1 ]
	[ "$(grep -c 'a policy of this machine' message)" -eq 0 ]
}

check_parts() {
	local how part program
	ktrace start -b 8K -e "$GETPGID" other
	for part in info enable counters buffer_state pid_filter rings rare set0 set1 set0/cpu0 set1/cpu0 \
		set0/rare0 set1/rare0; do
		for how in gone foreign directory; do
			[ "$how $part" != "gone set1" ] || continue # this flight then has no spare buffers
			ktrace start -b 8K -e "$GETPGID" -e sched_process_exec
			program=$(bpftool -j prog show pinned \
				"$PLACE/flight/program/sched:sched_process_exec:1" | jq .id)
			damage_pin "$how" "$part"
			assert_incomplete status flight
			assert_incomplete snapshot -o snap
			assert_incomplete disable flight -e "$GETPGID"
			[ ! -e snap ]
			ktrace stop
			[ ! -e "$PLACE/flight" ]
			await_freed prog "$program"
		done
	done
	# A listing shows all others and reports this flight.
	ktrace start -b 8K -e "$GETPGID"
	damage_pin gone enable
	! timeout 10 "$KTRACE" status >report 2>message
	[ "$(sed 's/:.*//; /^ /d' report)" = other ]
	[ "$(cut -d: -f2 message)" = " 'flight' cannot be read" ]
	ktrace stop
	make_calls 10
	[ "$(count_hits other)" -eq 10 ]
	ktrace stop other
	[ ! -e "$PLACE" ]
}

@test "a flight with a missing or foreign pin is reported and can be removed" {
	run_on_bpffs check_parts
}

check_spare() {
	local served
	ktrace start -b 8K -e "$GETPGID" --no-spare
	start_server tree
	mkdir "$PLACE/flight/set1"
	assert_incomplete status flight
	assert_incomplete reset
	! served=$(timeout 10 cat tree/overflow 2>&1)
	[ "$served" = "cat: tree/overflow: Protocol error" ]
	! timeout 10 bash -c 'echo 1 >tree/snapshot_pipe' 2>message
	grep 'Protocol error' message
	[ "$(timeout 10 cat tree/version)" = "$("$KTRACE" --version | cut -d' ' -f2)" ]
	ktrace stop
	stop_server
}

@test "foreign rings are not used as spare buffers and block nobody" {
	skip_without_fuse
	run_on_bpffs check_spare
}

check_pid_filter() {
	ktrace start -b 8K -e "$GETPGID"
	start_server tree
	echo $$ >tree/set_event_pid
	"$KTRACE" status --json | jq -e ".pids == [$$]"
	rm "$PLACE"/flight/tids?
	! timeout 10 "$KTRACE" status 2>message >report
	[ "$(<message)" = "ktrace status: the PID filter is missing" ]
	echo >tree/set_event_pid
	"$KTRACE" status --json | jq -e 'has("pids") | not'
	stop_server
	ktrace stop
}

@test "a damaged PID filter can be removed and set again" {
	skip_without_fuse
	run_on_bpffs check_pid_filter
}

# A program without its slot link stays in its slot.
check_missing_pins() {
	local path pin
	for path in link/"$GETPGID:1" program/"$GETPGID:1" calls/enter0 calls/enter0:link; do
		pin=${path//\//-}
		ktrace start -b 8K -e "$GETPGID"
		make_calls 3
		rm "$PLACE/flight/$path"
		make_calls 4
		"$KTRACE" status flight >report
		grep -x "  1 event broken, as pins were removed: disable and enable it again" report
		grep "  $GETPGID, broken$" report
		"$KTRACE" status --json | jq -e '.events[0] | .broken and .enabled'
		ktrace snapshot -o "$pin"
		grep -F "1 of 1 events $INCOMPLETE" message
		# No other command makes it complete again.
		ktrace pause
		ktrace resume
		ktrace snapshot -o "$pin-2"
		grep "  1 of 1 events incomplete" message
		"$KTRACE" status --json | jq -e '.events[0].broken'
		make_calls 2
		ktrace disable flight -e "$GETPGID"
		ktrace snapshot -o "$pin-3"
		"$KTRACE" report "$pin-3" >report
		grep ", incomplete$" report || [[ $pin == calls-* ]] # its slot is empty then
		ktrace enable flight -e "$GETPGID"
		ktrace snapshot -o "$pin-4"
		make_calls 5
		"$KTRACE" status --json | jq -e '.events[0] | has("broken") | not'
		ktrace snapshot -o "$pin-5"
		[ "$(wc -l <message)" -eq 1 ]
		[[ $message == "ktrace snapshot: 5 events in "* ]]
		ktrace stop
	done
}

# The program next to it in the table is not complete by that either.
check_missing_table() {
	local path
	for path in calls/enter0 calls/enter0:link; do
		ktrace start -b 8K -e "$GETPGID" -e syscalls:sys_enter_getsid
		rm "$PLACE/flight/$path"
		ktrace disable -e "$GETPGID"
		ktrace enable -e "$GETPGID"
		"$KTRACE" status --json | jq -e '.events | map(.broken) == [null, true]'
		ktrace disable -e '*:*'
		ktrace enable -e '*:*'
		ktrace snapshot -o "${path#*/}"
		"$KTRACE" status --json | jq -e '.events | map(.broken) == [null, null]'
		perl -e 'getpgrp(4194303), syscall(124, 4194303) for 1 .. 7'
		ktrace snapshot -o "${path#*/}-2"
		[ "$("$KTRACE" print --events "${path#*/}-2" | grep -c 'pid=4194303')" -eq 14 ]
		ktrace stop
	done
}

@test "an event with removed pins is reported as broken and incomplete" {
	run_on_bpffs check_missing_pins
	run_on_bpffs check_missing_table
}

check_task_names() {
	ktrace start -b 8K -e "$GETPGID"
	damage_pin foreign tasks/ring
	make_calls 3
	assert_fails 1 snapshot -o snap
	[ "$(head -n 1 <<<"$message")" = "ktrace snapshot: cannot write to snap: the names of its tasks cannot be read: not a BPF map of ktrace" ]
	rm -r "${PLACE:?}/flight/tasks"
	ktrace snapshot -o snap
	[[ $message == *"ktrace snapshot: 3 events in "*" in snap.earlier"* ]]
	ktrace stop
}

@test "a snapshot works without the pins of task names" {
	run_on_bpffs check_task_names
}

# Nothing below a foreign directory is removed.
assert_no_place() { # WHAT-IS-SAID
	local command
	for command in status 'status flight' "start -e $GETPGID" 'snapshot -o snap' stop; do
		# shellcheck disable=SC2086
		assert_fails 1 $command
		[ "$message" = "ktrace ${command%% *}: $1" ]
	done
	[ ! -e snap ]
}

check_foreign_directory() {
	pin_foreign_map "$PLACE"
	assert_no_place "ktrace below /sys/fs/bpf: Not a directory"
	rm "$PLACE"
	mkdir -m 700 /sys/fs/bpf/else
	pin_foreign_map /sys/fs/bpf/else/map
	ln -s else "$PLACE"
	assert_no_place "ktrace below /sys/fs/bpf: Not a directory"
	rm "$PLACE"
	mkdir "$PLACE"
	chmod 777 "$PLACE"
	assert_no_place "ktrace below /sys/fs/bpf: others may write to it"
	chmod 755 "$PLACE"
	chown 65534 "$PLACE"
	assert_no_place "ktrace below /sys/fs/bpf belongs to '$(id -un 65534)'"
	chown 0 "$PLACE"
	pin_foreign_map "$PLACE/flight"
	assert_no_place "flight below /sys/fs/bpf: Not a directory"
	rm "$PLACE/flight"
	ln -s ../else "$PLACE/flight"
	assert_no_place "flight below /sys/fs/bpf: Not a directory"
	rm "$PLACE/flight"
	[ "$(ls /sys/fs/bpf/else)" = map ]
	rmdir "$PLACE"
	mount -o remount,ro /sys/fs/bpf
	assert_fails 1 start -e "$GETPGID"
	[ "$message" = "ktrace start: cannot make ktrace below /sys/fs/bpf: Read-only file system" ]
}

@test "a foreign directory is left alone" {
	run_on_bpffs check_foreign_directory
}

check_missing_mounts() {
	local mount
	for mount in /sys/kernel/tracing /sys/kernel/debug; do
		while umount -q "$mount"; do :; done
	done
	umount /sys/fs/bpf
	mount -t tmpfs -o size=64K full /run
	! head -c 1M /dev/zero >/run/full 2>/dev/null
	ktrace start -b 8K -e "$GETPGID"
	make_calls 3
	while umount -q /sys/kernel/tracing; do :; done
	"$KTRACE" status --json | jq -e '.held == 3'
	ktrace disable flight -e "$GETPGID"
	ktrace enable flight -e "$GETPGID"
	ktrace snapshot -o held
	[[ $message == "ktrace snapshot: 3 events in "* ]]
	ktrace stop
	[ ! -e "$PLACE" ]

	umount -l /sys/fs/bpf
	mount -t tmpfs -o size=64K none /sys
	assert_no_place "there is no /sys/fs/bpf: sysfs is not mounted, or this kernel has no BPF"
}

@test "a flight works without tracefs and with a full /run; a missing sysfs is reported" {
	run_on_bpffs check_missing_mounts
}
