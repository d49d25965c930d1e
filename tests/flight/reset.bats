#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace reset. What babeltrace2 reads of the snapshots is the witness, and who made the calls.

load flight

seen() { # TRACE
	babeltrace2 "$1" | grep -c 'pid = 4194303'
}

begins_anew() {
	local banks
	ktrace start "$@" -e "$GETPGID" -f 'pid == 4194303' -b 8K
	banks=$(ls -d "$PLACE"/flight/bank? | wc -l)
	make_calls 5000
	ktrace snapshot -o before
	make_calls 3000
	ktrace reset
	[ "$said" = "ktrace reset: 'flight' is cleared" ]
	"$KTRACE" status >report
	grep -x "  0 hits since the reset [0-9.]* m\?s ago, 0.0/s recently; none \(known to be \)\?lost" report
	grep -Fx "  0 held, 0 overwritten: all since the reset" report
	[ "$(hits flight)" -eq 8000 ]
	[ "$(ls -d "$PLACE"/flight/bank? | wc -l)" -eq "$banks" ]

	make_calls 7
	"$KTRACE" status --json >report
	[ "$(jq -c '[.hits, .held, .overwritten, .taken, .counted < .age]' report)" = "[7,7,0,0,true]" ]
	[ "$(jq -c '[.events[].hits]' report)" = "[7]" ]
	ktrace snapshot -o after
	[ "$(seen after)" -eq 7 ]
	[ "$("$KTRACE" report --json after | jq -c '[.count, .overwritten, .lost]')" = "[7,0,0]" ]
	make_calls 2
	"$KTRACE" status >report
	grep -x "  9 hits since the reset .*" report
	grep -x "  2 held, 0 overwritten, 7 in snapshots: all since the snapshot .* ago" report
	ktrace stop
}

@test "from one moment on it holds nothing, counts anew, and goes on" {
	apart begins_anew
}

anew_without_spare() {
	begins_anew --no-spare
}

@test "one that keeps no spare has none afterwards" {
	apart anew_without_spare
}

# A snapshot that could not be written.
gives_up_what_rests() {
	ktrace start -e "$GETPGID" -f 'pid == 4194303' -b 8K
	make_calls 11
	mkdir -m 700 full
	mount -t tmpfs -o size=16k nodev full
	refused 1 snapshot -o full/trace
	make_calls 4
	"$KTRACE" status >report
	grep -F "11 of an interrupted snapshot" report
	ktrace reset
	diff <(echo "$said") - <<-END
		ktrace reset: 'flight' is cleared
		  events of an interrupted snapshot were discarded, too
	END
	make_calls 3
	ktrace snapshot -o after
	[ ! -e after.earlier ]
	[ "$(seen after)" -eq 3 ]
	ktrace stop
}

@test "what an interrupted snapshot was to take is given up" {
	apart gives_up_what_rests
}

refuses() {
	refused 1 reset
	[ "$said" = "ktrace reset: $NOT_RUNNING" ]
	refused 2 reset one two
	refused 2 reset --all
	refused 2 reset a/b
	ktrace start -e "$GETPGID" -b 8K one
	[ "$(completed 'ktrace reset ')" = one ]
	refused 1 reset
	ktrace reset one
	! setpriv --reuid 65534 --clear-groups "$KTRACE" reset one 2>said
	[ "$(<said)" = "ktrace reset: $NOT_ROOT" ]
	ktrace stop one
}

@test "it refuses what is none, and says so" {
	apart refuses
}
