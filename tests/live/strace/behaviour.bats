#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A program that is traced does what it does when it is not. The witness is the program: it draws its
# calls by lot, two hundred kinds with any arguments, and says what came of each of them.

bats_require_minimum_version 1.5.0
load ../recording

: "${TRACED:=$(dirname "$KTRACE")/tests/traced}"
ROUNDS=$((2000 * ${TIMES:-1})) # of 64 calls: some seconds

# The program, with nothing about it that is another each time, in a new directory. Its name is of one length.
odd='mkdir "$1" && cd "$1" && exec unshare --ipc --net --pid --fork --kill-child setarch -R "$2/odd" "$3" >../"$1.said"'

# What the trace says came of each call, as the program says it: ROUND PROCESS NAME RESULT; all that
# the program made, in order, and no other. Where what it says and this differ, both are printed.
differences() { # SAID PRINTED
	perl -e 'my ($said, $printed) = @ARGV;
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
		open my $program, "<", $said or die;
		while (<$program>) {
			my ($round, $process, $name, $result) = split;
			$calls = shift @rounds if $round != $last; $last = $round;
			next if $name eq "ended" || $result eq "?";
			my ($traced, $came) = @{shift @{$calls // []} // ["nothing", ""]};
			next if $traced eq $name && ($result eq "+" ? $came > 0 : $came eq $result);
			print "$round: $name $result, but the trace: $traced $came\n";
		}' "$1" "$2"
}

@test "calls with any arguments have the same results when they are traced, and the trace has them" {
	for tool in unshare setarch; do
		command -v "$tool" || skip "no $tool"
	done
	unshare --ipc --net --pid --fork true || skip "no namespaces"
	sh -c "$odd" - untraced "$TRACED" "$ROUNDS"
	record -b 32M -e 'syscalls:*' --strict -- sh -c "$odd" - recorded "$TRACED" "$ROUNDS"
	[ "$status" -eq 0 ]
	[ "$(cut -d' ' -f3 recorded.said | sort -u | wc -l)" -gt 200 ]
	[ "$(wc -l <recorded.said)" -gt $((50 * ROUNDS)) ]
	cmp untraced.said recorded.said

	"$KTRACE" print --strace >printed
	differences recorded.said printed >differ
	head differ
	[ ! -s differ ]
}
