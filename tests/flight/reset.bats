#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace reset. Witnesses: babeltrace2 reading the snapshots, and who made the calls.

load flight

count_seen() { # TRACE
	babeltrace2 "$1" | grep -c 'pid = 4194303'
}

check_reset() {
	local sets
	ktrace start "$@" -e "$GETPGID" -f 'pid == 4194303' -b 8K
	sets=$(ls -d "$PLACE"/flight/set? | wc -l)
	make_calls 5000
	ktrace snapshot -o before
	make_calls 3000
	ktrace reset
	[ "$message" = "ktrace reset: 'flight' is cleared" ]
	"$KTRACE" status >report
	grep -x "  0 hits since the reset [0-9.]* m\?s ago, 0.0/s recently; none \(known to be \)\?lost" report
	grep -Fx "  0 held, 0 overwritten: all since the reset" report
	[ "$(count_hits flight)" -eq 8000 ]
	[ "$(ls -d "$PLACE"/flight/set? | wc -l)" -eq "$sets" ]

	make_calls 7
	"$KTRACE" status --json >report
	[ "$(jq -c '[.hits, .held, .overwritten, .taken, .counted < .age]' report)" = "[7,7,0,0,true]" ]
	[ "$(jq -c '[.events[].hits]' report)" = "[7]" ]
	ktrace snapshot -o after
	[ "$(count_seen after)" -eq 7 ]
	[ "$("$KTRACE" report --json after | jq -c '[.count, .overwritten, .lost]')" = "[7,0,0]" ]
	make_calls 2
	"$KTRACE" status >report
	grep -x "  9 hits since the reset .*" report
	grep -x "  2 held, 0 overwritten, 7 in snapshots: all since the snapshot .* ago" report
	ktrace stop
}

@test "reset clears buffers and counters at one moment, and recording goes on" {
	run_on_bpffs check_reset
}

check_without_spare() {
	check_reset --no-spare
}

@test "a flight without spare buffers has none afterwards" {
	run_on_bpffs check_without_spare
}

# A snapshot that could not be written.
check_interrupted() {
	ktrace start -e "$GETPGID" -f 'pid == 4194303' -b 8K
	make_calls 11
	mkdir -m 700 full
	mount -t tmpfs -o size=16k nodev full
	assert_fails 1 snapshot -o full/trace
	make_calls 4
	"$KTRACE" status >report
	grep -F "11 of an interrupted snapshot" report
	ktrace reset
	diff <(echo "$message") - <<-END
		ktrace reset: 'flight' is cleared
		  events of an interrupted snapshot were discarded, too
	END
	make_calls 3
	ktrace snapshot -o after
	[ ! -e after.earlier ]
	[ "$(count_seen after)" -eq 3 ]
	ktrace stop
}

@test "data of an interrupted snapshot is discarded" {
	run_on_bpffs check_interrupted
}

check_errors() {
	assert_fails 1 reset
	[ "$message" = "ktrace reset: $NOT_RUNNING" ]
	assert_fails 2 reset one two
	assert_fails 2 reset --all
	assert_fails 2 reset a/b
	ktrace start -e "$GETPGID" -b 8K one
	[ "$(complete_line 'ktrace reset ')" = one ]
	assert_fails 1 reset
	ktrace reset one
	! setpriv --reuid 65534 --clear-groups "$KTRACE" reset one 2>message
	[ "$(<message)" = "ktrace reset: $NOT_ROOT" ]
	ktrace stop one
}

@test "a missing flight is an error" {
	run_on_bpffs check_errors
}
