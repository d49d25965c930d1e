#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A traced program behaves as an untraced one. The witness is the program: it makes random calls of
# two hundred kinds and writes down their results.

bats_require_minimum_version 1.5.0
load ../recording

: "${TRACED:=$(dirname "$KTRACE")/tests/traced}"
ROUNDS=$((2000 * ${TIMES:-1})) # of 64 calls each: some seconds

# Runs the program with identical surroundings each time, in a new directory with a name of fixed
# length.
odd='mkdir "$1" && cd "$1" && exec unshare --ipc --net --pid --fork --kill-child setarch -R "$2/odd" "$3" >../"$1.message"'

# Compares the trace with the program's own output, ROUND PROCESS NAME RESULT: all calls, in order,
# and no others. Prints both where they differ.
print_differences() { # SAID PRINTED
	perl -e 'my ($message, $printed) = @ARGV;
		open my $trace, "<", $printed or die;
		while (<$trace>) {
			/^(\d+) +(.*)/ or die "not a line: $_";
			my ($thread, $line) = ($1, $2);
			if ($line =~ s/ <unfinished \.\.\.>$//) { $begun{$thread} = $line; next }
			$line = ($begun{$thread} // "") . $line if $line =~ s/^<\.\.\. \w+ resumed>//;
			my ($name, $result) = $line =~ /^(\w+)\(.*\) += (.*)/ or next;
			next if $name eq "rt_sigreturn";
			$result = $result =~ /^-1 (E\w+)/ ? $1 : $result =~ /^\? ERESTART/ ? "EINTR" :
				$result =~ /^(0x[\da-f]+|0[0-7]+)/ ? oct $1 : $result =~ /^(-?\d+)/ ? $1 : $result;
			if ($name eq "close_range") { $begins{$thread} = 1; delete $calls{$thread} }
			if ($name eq "getpid" && delete $begins{$thread}) { push @rounds, $calls{$thread} = [] }
			push @{$calls{$thread}}, [$name, $result] if $calls{$thread};
		}
		open my $program, "<", $message or die;
		while (<$program>) {
			my ($round, $process, $name, $result) = split;
			$calls = shift @rounds if $round != $last; $last = $round;
			next if $name eq "ended" || $result eq "?";
			my ($traced, $came) = @{shift @{$calls // []} // ["nothing", ""]};
			next if $traced eq $name && ($result eq "+" ? $came > 0 : $came eq $result);
			print "$round: $name $result, but the trace: $traced $came\n";
		}' "$1" "$2"
}

@test "random calls have the same results when traced, and the trace has all of them" {
	for tool in unshare setarch; do
		command -v "$tool" || skip "no $tool"
	done
	unshare --ipc --net --pid --fork true || skip "no namespaces"
	sh -c "$odd" - untraced "$TRACED" "$ROUNDS"
	record -b 32M -e 'syscalls:*' --strict -- sh -c "$odd" - recorded "$TRACED" "$ROUNDS"
	[ "$status" -eq 0 ]
	[ "$(cut -d' ' -f3 recorded.message | sort -u | wc -l)" -gt 200 ]
	[ "$(wc -l <recorded.message)" -gt $((50 * ROUNDS)) ]
	cmp untraced.message recorded.message

	"$KTRACE" print --strace >printed
	print_differences recorded.message printed >differ
	head differ
	[ ! -s differ ]
}
