#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Each kind of call as strace prints it. strace traces the same programs at the same time.

bats_require_minimum_version 1.5.0
load ../recording
load lines

# Prints the argument in which lines of that call differ.
print_argument() { # CALL ARGUMENT
	sed -n "s/^$1(//p" lines | cut -d, -f"$2" | tr -d ' )' | sed 's/=.*//' | sort -u | paste -sd' '
}

@test "each kind of call is as strace prints it, except for the documented ones" {
	record -e 'syscalls:*' -f 'comm == "answers" || comm == "files" || comm == "tasks"' --strict -- \
		bash -c "$(declare -f run_all_kinds); run_all_kinds '$TRACED'"
	[ "$status" -eq 0 ]
	print_calls straced >theirs
	"$KTRACE" print --strace -v >printed
	print_calls printed >ours
	[ "$(wc -l <theirs)" -eq "$(wc -l <ours)" ]
	[ "$(wc -l <ours)" -gt 500 ]

	diff theirs ours >differ || true
	sed -n 's/^[<>] //p' differ >lines
	list_kinds lines >differing
	diff <(list_documented) differing || (cat differ && false)

	# These must differ in this argument only.
	[ "$(print_argument futex 2)" = FUTEX_WAKE_OP ]
	[ "$(print_argument ptrace 1)" = PTRACE_PEEKUSER ]

	list_kinds ours | comm -23 - differing >equal
	[ "$(wc -l <equal)" -gt 260 ]
}
