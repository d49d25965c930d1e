# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Lines of calls, ktrace's and strace's, made comparable.

: "${TRACED:=$(dirname "$KTRACE")/tests/traced}"
DOC=$BATS_TEST_DIRNAME/../../../doc/strace.md

# Runs the programs that make each kind of call, under strace as well.
run_all_kinds() { # DIRECTORY OF THE PROGRAMS
	local name
	for name in answers files tasks; do
		strace -f -v -e abbrev=execve,execveat,getdents,getdents64 -e signal=none --quiet=exit,attach \
			-o "$name.straced" "$1/$name" 3>&- || true
	done
	cat answers.straced files.straced tasks.straced >straced
}

# Prints one line per call and thread, from the marked start on, without the differences in
# doc/strace.md that apply everywhere.
print_calls() { # FILE
	perl -ne 'sub number_of { open my $file, "<", "/sys/class/net/$_[0]/ifindex" or die; my $n = <$file>; chomp $n; $n }
		chomp; s/^(\d+) +// or next; $pid = $1;
		if (s/ <unfinished \.\.\.>$//) { $begun{$pid} = $_; next }
		if (s/^<\.\.\. \w+ resumed>//) { $_ = ($begun{$pid} // next) . $_ }
		if (/^execve\(.*traced\//) { $of{$pid} = []; next } /^\w+\(/ or next;
		s/if_nametoindex\("(\w+)"\)/number_of($1)/ge; s/\) += /) = /; s/\b[A-Z]\w+(?:\|\w+)+/join "|", sort split m!\|!, $&/ge;
		push @{$of{$pid}}, $_;
		END { print "$_\n" for map { @{$of{$_}} } sort { $a <=> $b } keys %of }' "$1"
}

list_kinds() { # FILE
	sed 's/(.*//' "$1" | sort -u
}

# Lists the kinds for which doc/strace.md has a row, in its order.
list_documented() {
	sed -n '/^| `/s/^| \([^|]*\) |.*/\1/p' "$DOC" | grep -o '\w\+' | sort
}
