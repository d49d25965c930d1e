#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Each call in strace's words. The witness is strace, which looks at the same programs at the same time.

bats_require_minimum_version 1.5.0
load ../recording
load lines

# What an argument is where lines of that call differ.
differing_in() { # CALL ARGUMENT
	sed -n "s/^$1(//p" lines | cut -d, -f"$2" | tr -d ' )' | sed 's/=.*//' | sort -u | paste -sd' '
}

@test "each kind of call is in strace's words, but for those that the documentation names" {
	record -e 'syscalls:*' -f 'comm == "files" || comm == "tasks"' --strict -- \
		bash -c "$(declare -f call_all); call_all '$TRACED'"
	[ "$status" -eq 0 ]
	calls_of straced >theirs
	"$KTRACE" print --strace >printed
	calls_of printed >ours
	[ "$(wc -l <theirs)" -eq "$(wc -l <ours)" ]
	[ "$(wc -l <ours)" -gt 500 ]

	diff theirs ours >differ || true
	sed -n 's/^[<>] //p' differ >lines
	kinds_in lines >differing
	diff <(documented) differing || (cat differ && false)

	# Of these, where they are to do this alone.
	[ "$(differing_in fcntl 2)" = 'F_GETFD F_SETLK' ]
	[ "$(differing_in futex 2)" = FUTEX_WAKE_OP ]
	[ "$(differing_in prctl 1)" = PR_GET_DUMPABLE ]
	[ "$(differing_in ptrace 1)" = PTRACE_PEEKUSER ]

	kinds_in ours | comm -23 - differing >equal
	[ "$(wc -l <equal)" -gt 260 ]
}
