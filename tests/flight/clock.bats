#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Flight recorders in time namespaces and after the time of day was set.

load flight

in_namespace() { # COMMAND...
	unshare -T --monotonic "$offset" --fork "$@"
}

# Tests whether a time is within the last minute.
is_recent() {
	jq -n --argjson now "$(date +%s)" --argjson at "$1" '$now - $at | . > -2 and . < 60' | grep -qx true
}

assert_kernel_times() { # DIR
	"$KTRACE" print --events --json "$1" | jq -s --argjson up "$(cut -d' ' -f1 /proc/uptime)" \
		'length == 8 and all(.[]; .time / 1e9 | . > $up - 60 and . < $up + 2)' | grep -qx true
	is_recent "$("$KTRACE" report --json "$1" | jq '(.since_1970 + .begin) / 1e9')"
}

check_namespaces() {
	local offset
	for offset in 100000 -10; do
		in_namespace "$KTRACE" start -e "$GETPGID" -f 'pid == 4194303' -b 8K
		make_calls 8
		for via in in_namespace ''; do
			$via "$KTRACE" status --json >report
			[ "$(jq '.age < 60e9 and .span < 60e9 and .clock_set == 0' report)" = true ]
			is_recent "$(jq '.began_1970 / 1e9' report)"
		done
		in_namespace "$KTRACE" snapshot -o inside
		assert_kernel_times inside
		make_calls 8
		"$KTRACE" snapshot -o outside
		assert_kernel_times outside
		rm -r inside outside
		"$KTRACE" stop
	done
}

@test "in a time namespace a flight has the kernel's times, read inside or outside" {
	unshare -T --monotonic 100000 --fork true 2>why || skip "$(<why)"
	run_on_bpffs check_namespaces
}

# Shifts the recorded start, as if the time of day had been set forward an hour.
shift_start() {
	local pin=$PLACE/flight/info began
	began=$(read_info flight | grep -o '"began_1970":[0-9]*' | tr -dc "[:digit:]" | sed s,^1970,,)
	bpftool -j map dump pinned "$pin" | jq -r '.[].value | map(ltrimstr("0x")) | join("")' | tr -d '\n' |
		perl -ne '$_ = pack "H*", $_; s/'"$began"'/'$((began - 3600000000000))'/ or die; print join " ", unpack "(H2)*", $_' >value
	bpftool map update pinned "$pin" key hex 00 00 00 00 value hex $(<value)
}

check_clock_set() {
	ktrace start -e "$GETPGID" -f 'pid == 4194303' -b 8K
	shift_start
	make_calls 8
	"$KTRACE" status >message
	grep -xE '  the time of day was set forward by (1 h 0 min|59 min 59 s|60 min 0 s) since the start' message
	"$KTRACE" status --json >report
	is_recent "$(jq '.began_1970 / 1e9' report)"
	[ "$(jq '.clock_set / 1e9 | round' report)" -eq 3600 ]
	ktrace snapshot -o t
	assert_kernel_times t
	"$KTRACE" report t >message
	grep -xE 'the time of day was set forward by (1 h 0 min|59 min 59 s) while it was recorded' message
	[ "$("$KTRACE" report --json t | jq '.clock_set / 1e9 | round')" -eq 3600 ]
	ktrace stop
}

@test "status and report agree after the time of day was set, and report it" {
	run_on_bpffs check_clock_set
}
