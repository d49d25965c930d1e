#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Each call in strace's words, in a flight. The witness is strace, which looks at the same programs at
# the same time. (Beside tests of flights others run that make the same calls, and count them.)

load ../../flight/flight
load lines

words() {
	ktrace start -e 'syscalls:*' -f 'comm == "files" || comm == "tasks"' -b 16M
	call_all "$TRACED"
	ktrace snapshot -o first
	ktrace disable -e '*:*'
	"$TRACED/files"
	ktrace enable -e '*:*'
	call_all "$TRACED"
	ktrace snapshot -o second
	ktrace stop
	for trace in first second; do
		"$KTRACE" report --json "$trace" | jq -e 'select(.lost == 0 and .overwritten == 0)'
		"$KTRACE" print --strace "$trace" >printed
		calls_of printed >"$trace.ours"
		[ "$(kinds_in "$trace.ours" | wc -l)" -gt 310 ]
	done
	# Of the second there is what strace saw then; of both there are the same calls.
	calls_of straced >theirs
	[ "$(wc -l <theirs)" -eq "$(wc -l <second.ours)" ]
	diff <(kinds_in first.ours) <(kinds_in second.ours)
	diff theirs second.ours >differ || true
	sed -n 's/^[<>] //p' differ >lines
	diff <(documented) <(kinds_in lines) || (cat differ && false)
}

@test "calls are in strace's words in a snapshot, and in that of the other bank by other programs" {
	export TRACED DOC
	apart words
}
