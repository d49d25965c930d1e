#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Errors whose obvious reason would be wrong.

bats_require_minimum_version 1.5.0
load ../recording

# Commands of a shell in a mount namespace of its own: tracefs is mounted once, at its usual place.
mount_tracefs='mountpoint -q /sys/kernel/tracing || mount -t tracefs none /sys/kernel/tracing'

@test "a tracefs hidden by another mount is skipped for the next one" {
	unshare -m sh -ec "$mount_tracefs"'
		mount -t tmpfs none /sys/kernel/tracing
		"$0" list sched_switch >none; mkdir other; mount -t tracefs none other
		exec setpriv --reuid "$(id -u nobody)" --clear-groups "$0" list sched_switch' \
		"$KTRACE" >listed 2>message || true
	[ "$(<none)" = sched:sched_switch ]
	[[ $(<listed) = sched:sched_switch || $(<message) == *"$PWD/other: Permission denied; run as root"* ]]
}

# With a tracefs directory without events in its place.
use_empty_tracefs() { # LOCKDOWN
	unshare -m sh -ec "$mount_tracefs"'
		mkdir -p here && mount --bind /sys/kernel/tracing/options here
		umount -l /sys/kernel/tracing; umount -l /sys/kernel/debug 2>/dev/null || true
		mount -t tmpfs none /sys/kernel/security && echo "$1" >/sys/kernel/security/lockdown
		exec "$0" list sched_switch' "$KTRACE" "$1"
}

@test "an empty tracefs means lockdown" {
	[ -d /sys/kernel/security ] || skip "no securityfs"
	run -1 --separate-stderr use_empty_tracefs "none integrity [confidentiality]"
	[[ $stderr == *": tracefs is empty: lockdown=confidentiality forbids tracing on this machine"* ]]
	run -1 --separate-stderr use_empty_tracefs "[none] integrity confidentiality"
	[[ $stderr == *": tracefs is empty: lockdown, or a kernel without events" ]]
}

@test "capabilities in a user namespace are told from missing ones" {
	unshare -Ur true 2>none || skip "no user namespaces"
	where='outside this user namespace (/proc/self/uid_map)'
	run -1 --separate-stderr unshare -m sh -c "$mount_tracefs"'
		exec unshare -Ur "$0" record -e sched_switch -- true' "$KTRACE"
	[[ $stderr == *"capabilities of a user namespace do not suffice: run as root $where" ]]
	run -1 --separate-stderr unshare -Ur setpriv --bounding-set -all --inh-caps -all \
		"$KTRACE" record -e sched_switch -- true
	[[ $stderr == *": run as root $where"* ]]
}

@test "too little memory is reported as such" {
	(ulimit -v 20000 && exec "$KTRACE" record -e sched_switch -- true) 2>message || true
	grep -F 'Cannot allocate memory' message
	! grep -F 'No such process' message

	group=/sys/fs/cgroup/memory$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup)/ktrace-$$
	mkdir "$group" 2>none && [ -e "$group/memory.limit_in_bytes" ] || skip "no memory cgroup (v1)"
	echo 8M >"$group/memory.limit_in_bytes"
	run -1 --separate-stderr sh -c 'echo $$ >"$1/cgroup.procs"
		exec "$0" record -b 16M -e sched_switch -- true' "$KTRACE" "$group"
	rmdir "$group"
	[[ $stderr == *": Cannot allocate memory; if a control group limits this process's memory, smaller rings (-b) need less" ]]
}
