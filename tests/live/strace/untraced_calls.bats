#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Calls without an event are counted. The program that makes them is the witness.

bats_require_minimum_version 1.5.0

load ../recording

UNTRACED=$TRACED/untraced

setup() {
	cd "$BATS_TEST_TMPDIR"
	"$UNTRACED" 1 0 || skip 'there is no 32-bit mode'
}

# Prints what a command reports about them after running that program; another one's calls must not
# be counted.
print_report() { # ARG...
	while :; do "$UNTRACED" 1 1; done 3>&- &
	beside=$!
	"$KTRACE" "$@" >out 2>&1 3>&-
	kill "$beside"
	wait "$beside" 2>/dev/null || true
	grep 'not traced' out >message || true
	cat message
}

@test "32-bit calls, whichever calls are recorded" {
	diff - <(print_report strace -e read "$UNTRACED" 3 2) <<<'ktrace strace: 6 calls in 32-bit mode were not traced'
	diff - <(print_report strace -c -e read "$UNTRACED" 3 0) <<<'ktrace strace: 6 calls in 32-bit mode were not traced'
	diff - <(print_report record -e writev -o t "$UNTRACED" 3 2) <<<'ktrace record: 6 calls in 32-bit mode were not traced'
	diff - <(print_report record -e writev -o t "$UNTRACED" 0 2) </dev/null
	[ "$("$KTRACE" print t | grep -c writev)" -eq 0 ]
}

@test "unnamed calls, if all named ones are recorded" {
	print_report strace "$UNTRACED" 1 5
	diff - message <<-'END'
		ktrace strace: 2 calls in 32-bit mode were not traced
		ktrace strace: 5 calls without a name in the kernel were not traced
	END
	diff - <(print_report strace -c "$UNTRACED" 0 1) <<<'ktrace strace: 1 call without a name in the kernel was not traced'
	diff - <(print_report strace -e '!read' "$UNTRACED" 0 1) </dev/null
}

@test "with -a at least these; with -C they are not counted" {
	print_report record -a -e getpid -o t "$UNTRACED" 3 0
	read -r _ _ n _ <message
	[ "$n" -ge 6 ]
	diff - <(print_report record -C 0 -e getpid -o t "$UNTRACED" 3 0) </dev/null
}
