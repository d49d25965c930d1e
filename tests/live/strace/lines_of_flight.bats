#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Each kind of call as strace prints it, in a flight recorder. strace traces the same programs at
# the same time. (Other tests of flights make the same calls and count them.)

load ../../flight/flight
load lines

compare_lines() {
	ktrace start -e 'syscalls:*' -f 'comm == "answers" || comm == "files" || comm == "tasks"' -b 16M
	run_all_kinds "$TRACED"
	ktrace snapshot -o first
	ktrace disable -e '*:*'
	"$TRACED/files"
	ktrace enable -e '*:*'
	run_all_kinds "$TRACED"
	ktrace snapshot -o second
	ktrace stop
	for trace in first second; do
		"$KTRACE" report --json "$trace" | jq -e 'select(.lost == 0 and .overwritten == 0)'
		"$KTRACE" print --strace -v "$trace" >printed
		print_calls printed >"$trace.ours"
		[ "$(list_kinds "$trace.ours" | wc -l)" -gt 310 ]
	done
	# For the second snapshot there is what strace printed then; both have the same calls.
	print_calls straced >theirs
	[ "$(wc -l <theirs)" -eq "$(wc -l <second.ours)" ]
	diff <(list_kinds first.ours) <(list_kinds second.ours)
	diff theirs second.ours >differ || true
	sed -n 's/^[<>] //p' differ >lines
	diff <(list_documented) <(list_kinds lines) || (cat differ && false)
}

@test "calls are as strace prints them, in snapshots of both buffer sets and by later programs" {
	export TRACED DOC
	run_on_bpffs compare_lines
}
