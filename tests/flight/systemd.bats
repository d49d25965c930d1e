#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace-flight.service, installed, started and stopped by a private systemd.

load flight

setup_file() {
	export PREFIX=$BATS_FILE_TMPDIR/usr
	env -u MAKEFLAGS -u MAKELEVEL make -s -C "$BATS_TEST_DIRNAME/../.." -o "$KTRACE" \
		O="$(dirname "$KTRACE")" PREFIX="$PREFIX" install
}

@test "systemd-analyze verify accepts the unit" {
	local unit=$PREFIX/lib/systemd/system/ktrace-flight.service page
	run systemd-analyze verify --man=no --recursive-errors=no "$unit"
	[ "$status" -eq 0 ]
	[[ $output != *ktrace-flight* ]]
	for page in $(sed -n 's/^Documentation=//p' "$unit"); do
		[[ $page =~ ^man:([a-z-]+)\(1\)$ ]]
		[ -e "$PREFIX/share/man/man1/${BASH_REMATCH[1]}.1" ]
	done
}

# Prints where in systemd's control group hierarchies (v2, v1 or both) this process is.
list_control_groups() {
	awk -F : -v top=/sys/fs/cgroup '
		$1 == 0 { print top (system("test -d " top "/unified") ? "" : "/unified") $3 }
		$2 == "name=systemd" { print top "/systemd" $3 }' /proc/self/cgroup
}

# Starts a private service manager in private control groups: the machine's own does not notice.
# Clients find it by XDG_RUNTIME_DIR.
start_manager() {
	local group
	manager='' owned=()
	trap stop_manager EXIT
	mount -t tmpfs tmpfs /run
	mkdir -p /run/systemd/system /run/user /run/units
	unset DBUS_SESSION_BUS_ADDRESS NOTIFY_SOCKET
	export HOME=/run XDG_RUNTIME_DIR=/run/user
	export SYSTEMD_UNIT_PATH=/run/units:$PREFIX/lib/systemd/system:/usr/lib/systemd/user
	# Targets that an early system unit may be ordered by.
	printf '[Unit]\nDescription=stands for the system'\''s\n' >/run/units/sysinit.target
	for group in $(list_control_groups); do
		[ -e "$group/cgroup.procs" ] || continue
		mkdir "$group/ktrace-test" 2>message || exit 99
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

stop_manager() {
	[ -z "$manager" ] || systemctl --user exit || kill "$manager" || :
	wait
	[ ${#owned[@]} -eq 0 ] || find "${owned[@]}" -depth -type d -exec rmdir {} \;
}

# Prints the unit's state in systemd's words.
print_state() {
	systemctl --user is-active ktrace-flight || :
}

check_service() {
	start_manager
	[ "$(print_state)" = inactive ]
	systemctl --user start ktrace-flight
	[ "$(print_state)" = active ]
	[ "$(read_info flight | jq -r .command)" = "ktrace start" ]
	[ "$(read_info flight | jq '.events | length')" -gt 1 ]
	systemctl --user stop ktrace-flight
	[ "$(print_state)" = inactive ]
	[ ! -e "$PLACE" ]
}

@test "systemd starts and stops it" {
	run_on_bpffs check_service
}

# Does what 'systemctl edit' does.
edit_unit() { # EXECSTART
	mkdir -p /run/units/ktrace-flight.service.d
	printf '[Service]\nExecStart=\nExecStart=%s\n' "$1" \
		>/run/units/ktrace-flight.service.d/override.conf
	systemctl --user daemon-reload
}

check_overrides() {
	start_manager
	edit_unit "$PREFIX/bin/ktrace start -e '$GETPGID' -f 'pid == 4194303 && comm != \"a b\"' -b 8K"
	systemctl --user start ktrace-flight
	make_calls 100
	[ "$(count_hits flight)" -eq 100 ]

	systemctl --user restart ktrace-flight
	make_calls 10
	[ "$(count_hits flight)" -eq 10 ]

	# The flight was stopped by someone else: stopping reports that, and starting works.
	ktrace stop
	[ "$(print_state)" = active ]
	systemctl --user stop ktrace-flight
	[ "$(print_state)" = failed ]
	systemctl --user start ktrace-flight
	[ "$(print_state)" = active ]

	# It is not stopped by the switch to emergency mode.
	printf '[Unit]\nDescription=an emergency\nAllowIsolate=yes\n' >/run/units/emergency.target
	systemctl --user daemon-reload
	systemctl --user isolate emergency.target
	! systemctl --user is-active sysinit.target || false
	[ "$(print_state)" = active ]
	make_calls 5
	[ "$(count_hits flight)" -eq 5 ]

	# A failed start is a failed unit.
	systemctl --user stop ktrace-flight
	edit_unit "$PREFIX/bin/ktrace start -e nothing:such"
	! systemctl --user start ktrace-flight || false
	[ "$(print_state)" = failed ]
	[ ! -e "$PLACE" ]
}

@test "own events; a foreign stop; emergency mode; a failing start" {
	run_on_bpffs check_overrides
}

# Prints the rights of a process of the service, which starts a flight all the same.
check_rights() {
	start_manager
	printf '#!/bin/sh\ncat /proc/self/status >/run/seen; umask >>/run/seen\n%s\n' \
		"exec $PREFIX/bin/ktrace start" >/run/look
	chmod +x /run/look
	edit_unit "/bin/sh /run/look"
	systemctl --user start ktrace-flight
	[ "$(print_state)" = active ]
	[ "$(read_info flight | jq '.events | length')" -gt 1 ]
	systemctl --user stop ktrace-flight
	grep -qx $'NoNewPrivs:\t1' /run/seen
	grep -qx $'Seccomp:\t2' /run/seen
	grep -qx 0077 /run/seen
	# CAP_SYS_ADMIN 21, CAP_SYSLOG 34, CAP_PERFMON 38, CAP_BPF 39
	grep -qx $'CapBnd:\t'"$(printf %016x $((1 << 21 | 1 << 34 | 1 << 38 | 1 << 39)))" /run/seen
}

@test "the service has no more rights than it needs" {
	run_on_bpffs check_rights
}

@test "the unit can be enabled for each boot, and disabled" {
	local wanted=$BATS_TEST_TMPDIR/root/etc/systemd/system/sysinit.target.wants/ktrace-flight.service
	mkdir -p root/lib/systemd/system
	cp "$PREFIX/lib/systemd/system/ktrace-flight.service" root/lib/systemd/system/
	systemctl --root="$PWD/root" enable ktrace-flight
	[ "$(readlink "$wanted")" = /lib/systemd/system/ktrace-flight.service ]
	systemctl --root="$PWD/root" disable ktrace-flight
	[ ! -L "$wanted" ]
}
