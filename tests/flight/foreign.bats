#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What somebody else has put below our directory, or removed from there, or what is not there at
# all: clear words, nothing that hangs, and no harm to anything else.

load flight
load tree

bats_require_minimum_version 1.5.0

# A BPF map that is none of ours. The kernel would write more than a number for its elements.
foreign() { # PLACE
	bpftool map create "$1" type array key 4 value 64 entries 1 name foreign
}

# Below $PLACE/flight, in place of what is there.
spoil() { # gone|foreign|directory NAME
	rm -rf "${PLACE:?}/flight/$2"
	case $1 in
	foreign) foreign "$PLACE/flight/$2" ;;
	directory) mkdir "$PLACE/flight/$2" ;;
	esac
}

# It is said of which, and what to do. One that hangs is ended.
unreadable() { # ARG...
	local status=0
	timeout 10 "$KTRACE" "$@" >stdout 2>said || status=$?
	[ "$status" -eq 1 ]
	[ ! -s stdout ]
	case $(<said) in
	"ktrace $1: 'flight' cannot be read: "*"; 'ktrace stop flight' removes all of it") ;;
	"ktrace $1: 'flight' was left behind by "*"; 'ktrace stop flight' removes it") ;;
	*) return 1 ;;
	esac
	[ "$(wc -l <said)" -eq 1 ]
	[ "$(grep -c 'a policy of this machine' said)" -eq 0 ]
}

parts() {
	local how part program
	ktrace start -b 8K -e "$GETPGID" other
	for part in about gate ledger turns focus rings kept bank0 bank1 bank0/cpu0 bank1/cpu0 \
		bank0/kept0 bank1/kept0; do
		for how in gone foreign directory; do
			[ "$how $part" != "gone bank1" ] || continue # it has no spare then
			ktrace start -b 8K -e "$GETPGID" -e sched_process_exec
			program=$(bpftool -j prog show pinned \
				"$PLACE/flight/program/sched:sched_process_exec:1" | jq .id)
			spoil "$how" "$part"
			unreadable status flight
			unreadable snapshot -o snap
			unreadable disable flight -e "$GETPGID"
			[ ! -e snap ]
			ktrace stop
			[ ! -e "$PLACE/flight" ]
			await_end prog "$program"
		done
	done
	# Whoever lists them gets all others, and hears of this one.
	ktrace start -b 8K -e "$GETPGID"
	spoil gone gate
	! timeout 10 "$KTRACE" status >report 2>said
	[ "$(sed 's/:.*//; /^ /d' report)" = other ]
	[ "$(cut -d: -f2 said)" = " 'flight' cannot be read" ]
	ktrace stop
	make_calls 10
	[ "$(hits other)" -eq 10 ]
	ktrace stop other
	[ ! -e "$PLACE" ]
}

@test "of a session with a part that is missing, or another one's, that is said, and it can be removed" {
	apart parts
}

spare() {
	local served
	ktrace start -b 8K -e "$GETPGID" --no-spare
	begin tree
	mkdir "$PLACE/flight/bank1"
	unreadable status flight
	unreadable reset
	! served=$(timeout 10 cat tree/overflow 2>&1)
	[ "$served" = "cat: tree/overflow: Protocol error" ]
	! timeout 10 bash -c 'echo 1 >tree/snapshot_pipe' 2>said
	grep 'Protocol error' said
	[ "$(timeout 10 cat tree/version)" = "$("$KTRACE" --version | cut -d' ' -f2)" ]
	ktrace stop
	end
}

@test "rings that are none do not stand for a spare, nor make anybody wait" {
	needs_fuse
	apart spare
}

focus() {
	ktrace start -b 8K -e "$GETPGID"
	begin tree
	echo $$ >tree/set_event_pid
	"$KTRACE" status --json | jq -e ".focus == [$$]"
	rm "$PLACE"/flight/tids?
	! timeout 10 "$KTRACE" status 2>said >report
	[ "$(<said)" = "ktrace status: the PID filter is missing" ]
	echo >tree/set_event_pid
	"$KTRACE" status --json | jq -e 'has("focus") | not'
	end
	ktrace stop
}

@test "the tasks that a session is focused on can be taken away, and others set" {
	needs_fuse
	apart focus
}

# Without the link that says where it sits it sits there.
broken() {
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
		grep -F "1 of 1 events $INCOMPLETE" said
		# Nor is it whole by anything else that is done.
		ktrace pause
		ktrace resume
		ktrace snapshot -o "$pin-2"
		grep "  1 of 1 events incomplete" said
		"$KTRACE" status --json | jq -e '.events[0].broken'
		make_calls 2
		ktrace disable flight -e "$GETPGID"
		ktrace snapshot -o "$pin-3"
		"$KTRACE" report "$pin-3" >report
		grep ", incomplete$" report || [[ $pin == calls-* ]] # it is empty then
		ktrace enable flight -e "$GETPGID"
		ktrace snapshot -o "$pin-4"
		make_calls 5
		"$KTRACE" status --json | jq -e '.events[0] | has("broken") | not'
		ktrace snapshot -o "$pin-5"
		[ "$(wc -l <said)" -eq 1 ]
		[[ $said == "ktrace snapshot: 5 events in "* ]]
		ktrace stop
	done
}

# What sat beside it is not whole by that.
broken_table() {
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

@test "an event whose pins were removed is told to be broken, and not to be complete" {
	apart broken
	apart broken_table
}

names() {
	ktrace start -b 8K -e "$GETPGID"
	spoil foreign tasks/ring
	make_calls 3
	refused 1 snapshot -o snap
	[ "$(head -n 1 <<<"$said")" = "ktrace snapshot: cannot write to snap: the names of its tasks cannot be read: not a BPF map of ktrace" ]
	rm -r "${PLACE:?}/flight/tasks"
	ktrace snapshot -o snap
	[[ $said == *"ktrace snapshot: 3 events in "*" in snap.earlier"* ]]
	ktrace stop
}

@test "what a session holds can be had where the names of tasks cannot" {
	apart names
}

# Nothing below it is ours, and nothing of it is removed.
no_place() { # WHAT-IS-SAID
	local command
	for command in status 'status flight' "start -e $GETPGID" 'snapshot -o snap' stop; do
		# shellcheck disable=SC2086
		refused 1 $command
		[ "$said" = "ktrace ${command%% *}: $1" ]
	done
	[ ! -e snap ]
}

places() {
	foreign "$PLACE"
	no_place "ktrace below /sys/fs/bpf: Not a directory"
	rm "$PLACE"
	mkdir -m 700 /sys/fs/bpf/else
	foreign /sys/fs/bpf/else/map
	ln -s else "$PLACE"
	no_place "ktrace below /sys/fs/bpf: Not a directory"
	rm "$PLACE"
	mkdir "$PLACE"
	chmod 777 "$PLACE"
	no_place "ktrace below /sys/fs/bpf: others may write to it"
	chmod 755 "$PLACE"
	chown 65534 "$PLACE"
	no_place "ktrace below /sys/fs/bpf belongs to '$(id -un 65534)'"
	chown 0 "$PLACE"
	foreign "$PLACE/flight"
	no_place "flight below /sys/fs/bpf: Not a directory"
	rm "$PLACE/flight"
	ln -s ../else "$PLACE/flight"
	no_place "flight below /sys/fs/bpf: Not a directory"
	rm "$PLACE/flight"
	[ "$(ls /sys/fs/bpf/else)" = map ]
	rmdir "$PLACE"
	mount -o remount,ro /sys/fs/bpf
	refused 1 start -e "$GETPGID"
	[ "$said" = "ktrace start: cannot make ktrace below /sys/fs/bpf: Read-only file system" ]
}

@test "a directory that is none of ours is left alone" {
	apart places
}

nowhere() {
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
	[[ $said == "ktrace snapshot: 3 events in "* ]]
	ktrace stop
	[ ! -e "$PLACE" ]

	umount -l /sys/fs/bpf
	mount -t tmpfs -o size=64K none /sys
	no_place "there is no /sys/fs/bpf: sysfs is not mounted, or this kernel has no BPF"
}

@test "without bpffs and tracefs and with a full /run a session goes on; without sysfs that is said" {
	apart nowhere
}
