#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Calls that have no event are said to be missing. The witness is the program that makes them.

bats_require_minimum_version 1.5.0

load ../recording

UNTRACED=$TRACED/untraced

setup() {
	cd "$BATS_TEST_TMPDIR"
	"$UNTRACED" 1 0 || skip 'there is no 32-bit mode'
}

# What a command says of them, once it has run that program; of another's, that runs beside, nothing.
said_of() { # ARG...
	while :; do "$UNTRACED" 1 1; done 3>&- &
	beside=$!
	"$KTRACE" "$@" >out 2>&1 3>&-
	kill "$beside"
	wait "$beside" 2>/dev/null || true
	grep 'not traced' out >said || true
	cat said
}

@test "32-bit calls, whichever calls are wanted" {
	diff - <(said_of strace -e read "$UNTRACED" 3 2) <<<'ktrace strace: 6 calls in 32-bit mode were not traced'
	diff - <(said_of strace -c -e read "$UNTRACED" 3 0) <<<'ktrace strace: 6 calls in 32-bit mode were not traced'
	diff - <(said_of record -e writev -o t "$UNTRACED" 3 2) <<<'ktrace record: 6 calls in 32-bit mode were not traced'
	diff - <(said_of record -e writev -o t "$UNTRACED" 0 2) </dev/null
	[ "$("$KTRACE" print t | grep -c writev)" -eq 0 ]
}

@test "calls without a name, where all that have one are wanted" {
	said_of strace "$UNTRACED" 1 5
	diff - said <<-'END'
		ktrace strace: 2 calls in 32-bit mode were not traced
		ktrace strace: 5 calls without a name in the kernel were not traced
	END
	diff - <(said_of strace -c "$UNTRACED" 0 1) <<<'ktrace strace: 1 call without a name in the kernel was not traced'
	diff - <(said_of strace -e '!read' "$UNTRACED" 0 1) </dev/null
}

@test "of the whole machine at least these; on some CPUs they are not counted" {
	said_of record -a -e getpid -o t "$UNTRACED" 3 0
	read -r _ _ n _ <said
	[ "$n" -ge 6 ]
	diff - <(said_of record -C 0 -e getpid -o t "$UNTRACED" 3 0) </dev/null
}
