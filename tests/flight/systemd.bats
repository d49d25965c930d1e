#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace-flight.service, installed, and begun and ended by a systemd of the test's own.

load flight

setup_file() {
	export PREFIX=$BATS_FILE_TMPDIR/usr
	env -u MAKEFLAGS -u MAKELEVEL make -s -C "$BATS_TEST_DIRNAME/../.." -o "$KTRACE" \
		O="$(dirname "$KTRACE")" PREFIX="$PREFIX" install
}

@test "systemd-analyze verify has nothing to say of the unit" {
	local unit=$PREFIX/lib/systemd/system/ktrace-flight.service page
	run systemd-analyze verify --man=no --recursive-errors=no "$unit"
	[ "$status" -eq 0 ]
	[[ $output != *ktrace-flight* ]]
	for page in $(sed -n 's/^Documentation=//p' "$unit"); do
		[[ $page =~ ^man:([a-z-]+)\(1\)$ ]]
		[ -e "$PREFIX/share/man/man1/${BASH_REMATCH[1]}.1" ]
	done
}

# Where in the hierarchies that a systemd keeps its groups in we are: v2, v1 or both.
control_groups() {
	awk -F : -v top=/sys/fs/cgroup '
		$1 == 0 { print top (system("test -d " top "/unified") ? "" : "/unified") $3 }
		$2 == "name=systemd" { print top "/systemd" $3 }' /proc/self/cgroup
}

# A manager of units of its own, in control groups of its own: the machine's, if it has one, does not
# notice. Its clients find it by XDG_RUNTIME_DIR.
begin_manager() {
	local group
	manager='' owned=()
	trap end_manager EXIT
	mount -t tmpfs tmpfs /run
	mkdir -p /run/systemd/system /run/user /run/units
	unset DBUS_SESSION_BUS_ADDRESS NOTIFY_SOCKET
	export HOME=/run XDG_RUNTIME_DIR=/run/user
	export SYSTEMD_UNIT_PATH=/run/units:$PREFIX/lib/systemd/system:/usr/lib/systemd/user
	# What an early unit of the system's may be ordered by.
	printf '[Unit]\nDescription=stands for the system'\''s\n' >/run/units/sysinit.target
	for group in $(control_groups); do
		[ -e "$group/cgroup.procs" ] || continue
		mkdir "$group/ktrace-test" 2>said || exit 99
		owned+=("$group/ktrace-test")
	done
	run_manager &
	manager=$!
	await systemctl --user is-system-running
}

run_manager() {
	local group
	for group in "${owned[@]}"; do
		echo "$BASHPID" >"$group/cgroup.procs"
	done
	exec /lib/systemd/systemd --user --unit=sysinit.target
}

end_manager() {
	[ -z "$manager" ] || systemctl --user exit || kill "$manager" || :
	wait
	[ ${#owned[@]} -eq 0 ] || find "${owned[@]}" -depth -type d -exec rmdir {} \;
}

# What there is of it in the words of systemd.
state() {
	systemctl --user is-active ktrace-flight || :
}

begun_and_ended() {
	begin_manager
	[ "$(state)" = inactive ]
	systemctl --user start ktrace-flight
	[ "$(state)" = active ]
	[ "$(about flight | jq -r .command)" = "ktrace start" ]
	[ "$(about flight | jq '.events | length')" -gt 1 ]
	systemctl --user stop ktrace-flight
	[ "$(state)" = inactive ]
	[ ! -e "$PLACE" ]
}

@test "a systemd begins it and ends it" {
	apart begun_and_ended
}

# As 'systemctl edit' does it.
edit() { # EXECSTART
	mkdir -p /run/units/ktrace-flight.service.d
	printf '[Service]\nExecStart=\nExecStart=%s\n' "$1" \
		>/run/units/ktrace-flight.service.d/override.conf
	systemctl --user daemon-reload
}

as_others_want_it() {
	begin_manager
	edit "$PREFIX/bin/ktrace start -e '$GETPGID' -f 'pid == 4194303 && comm != \"a b\"' -b 8K"
	systemctl --user start ktrace-flight
	make_calls 100
	[ "$(hits flight)" -eq 100 ]

	systemctl --user restart ktrace-flight
	make_calls 10
	[ "$(hits flight)" -eq 10 ]

	# Somebody else has ended it: there is nothing to stop, which is told, and no reason not to begin.
	ktrace stop
	[ "$(state)" = active ]
	systemctl --user stop ktrace-flight
	[ "$(state)" = failed ]
	systemctl --user start ktrace-flight
	[ "$(state)" = active ]

	# It is no part of an emergency either, and goes on in it.
	printf '[Unit]\nDescription=an emergency\nAllowIsolate=yes\n' >/run/units/emergency.target
	systemctl --user daemon-reload
	systemctl --user isolate emergency.target
	! systemctl --user is-active sysinit.target || false
	[ "$(state)" = active ]
	make_calls 5
	[ "$(hits flight)" -eq 5 ]

	# What cannot be begun does not look so.
	systemctl --user stop ktrace-flight
	edit "$PREFIX/bin/ktrace start -e nothing:such"
	! systemctl --user start ktrace-flight || false
	[ "$(state)" = failed ]
	[ ! -e "$PLACE" ]
}

@test "with events of one's own; ended by others; in an emergency; where it cannot begin" {
	apart as_others_want_it
}

# What the kernel says of a process of the service, which begins a flight recorder all the same.
with_no_more_rights_than_needed() {
	begin_manager
	printf '#!/bin/sh\ncat /proc/self/status >/run/seen; umask >>/run/seen\n%s\n' \
		"exec $PREFIX/bin/ktrace start" >/run/look
	chmod +x /run/look
	edit "/bin/sh /run/look"
	systemctl --user start ktrace-flight
	[ "$(state)" = active ]
	[ "$(about flight | jq '.events | length')" -gt 1 ]
	systemctl --user stop ktrace-flight
	grep -qx $'NoNewPrivs:\t1' /run/seen
	grep -qx $'Seccomp:\t2' /run/seen
	grep -qx 0077 /run/seen
	# CAP_SYS_ADMIN 21, CAP_SYSLOG 34, CAP_PERFMON 38, CAP_BPF 39
	grep -qx $'CapBnd:\t'"$(printf %016x $((1 << 21 | 1 << 34 | 1 << 38 | 1 << 39)))" /run/seen
}

@test "it has no more rights than it needs" {
	apart with_no_more_rights_than_needed
}

@test "it is enabled for each boot, and disabled" {
	local wanted=$BATS_TEST_TMPDIR/root/etc/systemd/system/sysinit.target.wants/ktrace-flight.service
	mkdir -p root/lib/systemd/system
	cp "$PREFIX/lib/systemd/system/ktrace-flight.service" root/lib/systemd/system/
	systemctl --root="$PWD/root" enable ktrace-flight
	[ "$(readlink "$wanted")" = /lib/systemd/system/ktrace-flight.service ]
	systemctl --root="$PWD/root" disable ktrace-flight
	[ ! -L "$wanted" ]
}
