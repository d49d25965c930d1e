#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Each call in strace's words. The witness is strace, which looks at the same programs at the same time.

bats_require_minimum_version 1.5.0
load recording

: "${TRACED:=$(dirname "$KTRACE")/tests/traced}"
DOC=$BATS_TEST_DIRNAME/../../doc/strace.md

# One line a call, by threads, from where these become ours. Done away with is what doc/strace.md says
# is different everywhere.
calls_of() { # FILE
	perl -ne 'chomp; s/^(\d+) +// or next; $pid = $1;
		if (s/ <unfinished \.\.\.>$//) { $begun{$pid} = $_; next }
		if (s/^<\.\.\. \w+ resumed>//) { $_ = ($begun{$pid} // next) . $_ }
		if (/^execve\(.*traced\//) { $of{$pid} = []; next } /^\w+\(/ or next;
		s/\) += /) = /; s! /\* \w*_\?\?\? \*/!!g; s/\b[A-Z]\w+(?:\|\w+)+/join "|", sort split m!\|!, $&/ge;
		push @{$of{$pid}}, $_;
		END { print "$_\n" for map { @{$of{$_}} } sort { $a <=> $b } keys %of }' "$1"
}

kinds_in() { # FILE
	sed 's/(.*//' "$1" | sort -u
}

# What an argument is where lines of that call differ.
differing_in() { # CALL ARGUMENT
	sed -n "s/^$1(//p" lines | cut -d, -f"$2" | tr -d ' )' | sed 's/=.*//' | sort -u | paste -sd' '
}

@test "each kind of call is in strace's words, but for those that the documentation names" {
	record -e 'syscalls:*' -f 'comm == "files" || comm == "tasks"' --strict -- \
		sh -c 'for name in files tasks; do
			strace -f -v -e abbrev=execve,execveat -e signal=none --quiet=exit,attach \
				-o "$name.straced" "$1/$name"
		done' - "$TRACED"
	[ "$status" -eq 7 ]
	cat files.straced tasks.straced >straced
	calls_of straced >theirs
	"$KTRACE" print --strace >printed
	calls_of printed >ours
	[ "$(wc -l <theirs)" -eq "$(wc -l <ours)" ]
	[ "$(wc -l <ours)" -gt 500 ]

	diff theirs ours >differ || true
	sed -n 's/^[<>] //p' differ >lines
	kinds_in lines >differing
	sed -n '/^| `/s/^| \([^|]*\) |.*/\1/p' "$DOC" | grep -o '\w\+' | sort >documented
	diff documented differing || (cat differ && false)

	# Of these, where they are to do this alone.
	[ "$(differing_in fcntl 2)" = 'F_GETFD F_SETLK' ]
	[ "$(differing_in futex 2)" = FUTEX_WAKE_OP ]
	[ "$(differing_in prctl 1)" = PR_GET_DUMPABLE ]
	[ "$(differing_in ptrace 1)" = PTRACE_PEEKUSER ]

	kinds_in ours | comm -23 - differing >equal
	[ "$(wc -l <equal)" -gt 260 ]
}
