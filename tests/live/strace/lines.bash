# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Lines of calls, ours and strace's, as they can be compared.

: "${TRACED:=$(dirname "$KTRACE")/tests/traced}"
DOC=$BATS_TEST_DIRNAME/../../../doc/strace.md

# The programs that make calls of each kind, seen by strace too.
call_all() { # DIRECTORY OF THE PROGRAMS
	local name
	for name in files tasks; do
		strace -f -v -e abbrev=execve,execveat -e signal=none --quiet=exit,attach \
			-o "$name.straced" "$1/$name" 3>&- || true
	done
	cat files.straced tasks.straced >straced
}

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

# The kinds of which strace shows something else, in that order.
documented() {
	sed -n '/^| `/s/^| \([^|]*\) |.*/\1/p' "$DOC" | grep -o '\w\+' | sort
}
