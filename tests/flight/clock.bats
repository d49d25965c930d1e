#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Sessions and the clocks of time namespaces and of the day.

load flight

in_namespace() { # COMMAND...
	unshare -T --monotonic "$offset" --fork "$@"
}

# Whether a number of seconds is one of the last minute.
is_now() {
	jq -n --argjson now "$(date +%s)" --argjson at "$1" '$now - $at | . > -2 and . < 60' | grep -qx true
}

has_kernel_times() { # DIR
	"$KTRACE" print --json "$1" | jq -s --argjson up "$(cut -d' ' -f1 /proc/uptime)" \
		'length == 8 and all(.[]; .time / 1e9 | . > $up - 60 and . < $up + 2)' | grep -qx true
	is_now "$("$KTRACE" report --json "$1" | jq '(.since_1970 + .begin) / 1e9')"
}

through_namespaces() {
	local offset
	for offset in 100000 -10; do
		in_namespace "$KTRACE" start -e "$GETPGID" -f 'pid == 4194303' -b 8K
		make_calls 8
		for via in in_namespace ''; do
			$via "$KTRACE" status --json >report
			[ "$(jq '.age < 60e9 and .span < 60e9 and .clock_set == 0' report)" = true ]
			is_now "$(jq '.began_1970 / 1e9' report)"
		done
		in_namespace "$KTRACE" snapshot -o inside
		has_kernel_times inside
		make_calls 8
		"$KTRACE" snapshot -o outside
		has_kernel_times outside
		rm -r inside outside
		"$KTRACE" stop
	done
}

@test "a session in a time namespace has the kernel's times, seen from there and from outside" {
	unshare -T --monotonic 100000 --fork true 2>why || skip "$(<why)"
	apart through_namespaces
}

# As if the time of day had been set forward by an hour since.
set_back_what_began() {
	local pin=$PLACE/flight/about began
	began=$(about flight | grep -o '"began_1970":[0-9]*' | tr -dc "[:digit:]" | sed s,^1970,,)
	bpftool -j map dump pinned "$pin" | jq -r '.[].value | map(ltrimstr("0x")) | join("")' | tr -d '\n' |
		perl -ne '$_ = pack "H*", $_; s/'"$began"'/'$((began - 3600000000000))'/ or die; print join " ", unpack "(H2)*", $_' >value
	bpftool map update pinned "$pin" key hex 00 00 00 00 value hex $(<value)
}

agrees_after_date() {
	ktrace start -e "$GETPGID" -f 'pid == 4194303' -b 8K
	set_back_what_began
	make_calls 8
	"$KTRACE" status >said
	grep -xE '  the time of day was set forward by (1 h 0 min|59 min 59 s|60 min 0 s) since the start' said
	"$KTRACE" status --json >report
	is_now "$(jq '.began_1970 / 1e9' report)"
	[ "$(jq '.clock_set / 1e9 | round' report)" -eq 3600 ]
	ktrace snapshot -o t
	has_kernel_times t
	"$KTRACE" report t >said
	grep -xE 'the time of day was set forward by (1 h 0 min|59 min 59 s) while it was recorded' said
	[ "$("$KTRACE" report --json t | jq '.clock_set / 1e9 | round')" -eq 3600 ]
	ktrace stop
}

@test "status and report agree after the time of day was set, and say so" {
	apart agrees_after_date
}
