#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace fs, what the rings hold as text, any number of times. Who made the calls, and what bpftool and
# babeltrace2 read, are the witnesses.

load flight
load numbers
load tree

is_there_again() {
	local i
	start_numbered -b 4M
	begin tree
	[ -z "$(<tree/trace)" ]
	call_numbers 1 20000
	for i in 1 2 3; do
		numbers tree/trace | cmp - <(seq 20000)
	done
	call_numbers 20001 20002
	numbers tree/trace | cmp - <(seq 20002)
	[ "$(hits flight)" -eq 20002 ]
	# Nothing was taken.
	ktrace snapshot -o s
	numbers_of s | cmp - <(seq 20002)
	# What was, is not there any more.
	[ -z "$(<tree/trace)" ]
	call_numbers 20003 20009
	numbers tree/trace | cmp - <(seq 20003 20009)
	echo 1 >tree/snapshot_pipe
	[ -z "$(<tree/trace)" ]
	numbers tree/snapshot_pipe | cmp - <(seq 20003 20009)
	end
	ktrace stop
}

@test "what the rings hold is there each time, and is left there" {
	needs_fuse
	apart is_there_again
}

# Each number is the one behind that before it, but for those that are told to be lost.
are_in_order() { # FILE
	perl -ne 'if (/ (\d+) lost/) { $lost += $1; next }
		/: sys_enter_getpgid: .* pid=1(\d{9})$/ or die "$.: $_";
		die "$last, $lost lost, $1" if defined $last && $1 != $last + 1 + $lost;
		$last = $1 + 0; $lost = 0;
		END { print $last // 0, "\n" }' "$1"
}

is_written_meanwhile() { # ARG...
	local caller before n=0
	start_numbered "$@"
	begin tree
	numbers_on "$(our_cpus | tail -n 1)" 1 300000 1000 3>&- &
	caller=$!
	while kill -0 "$caller" 2>no_more; do
		before=$(hits flight)
		cat tree/trace >text
		[ "$(are_in_order text)" -ge "$before" ]
		[ "$(are_in_order text)" -le "$(hits flight)" ]
		: $((++n))
	done
	wait "$caller"
	[ "$n" -ge 2 ]
	[ "$(hits flight)" -eq 300000 ]
	cat tree/trace >text
	[ "$(grep -c lost text)" -eq 0 ]
	[ "$(are_in_order text)" -eq 300000 ]
	end
	ktrace stop
}

# Two on two CPUs, where there are two, make every other call each: what is there of the one is there of
# the other too, up to the same moment.
is_of_one_moment() {
	local caller n=0
	start_numbered -b 16M
	begin tree
	perl -e 'my @cpus = split /,/, shift;
		pipe my $r0, my $w0; pipe my $r1, my $w1;
		my $second = fork == 0;
		system "taskset", "-cp", $cpus[$second ? -1 : 0], $$;
		my ($from, $to) = $second ? ($r0, $w1) : ($r1, $w0);
		syswrite $w1, "x" if $second;
		close $_ for $second ? ($w0, $r1) : ($w1, $r0);
		for (my $i = 1 + $second; $i <= 100000; $i += 2) {
			sysread $from, $_, 1 or die;
			getpgrp(1000000000 + $i);
			syswrite $to, "x";
		}
		wait unless $second' \
		"$(our_cpus | paste -sd ,)" \
		>pinned 3>&- &
	caller=$!
	while kill -0 "$caller" 2>no_more; do
		cat tree/trace >text
		are_in_order text
		: $((++n))
	done
	wait "$caller"
	[ "$n" -ge 3 ]
	[ "$(are_in_order tree/trace)" -eq 100000 ]
	end
	ktrace stop
}

@test "what is there is up to one moment, on all CPUs" {
	needs_fuse
	apart is_of_one_moment
}

is_turned_meanwhile() { # ARG...
	local caller before last n=0
	start_numbered -b 4M "$@"
	begin tree
	call_numbers 1 200000 400 3>&- &
	caller=$!
	while kill -0 "$caller" 2>no_more; do
		: $((++n))
		ktrace snapshot -o "s$n" 3>&- &
		before=$(hits flight)
		cat tree/trace >text
		wait $!
		# It begins with the snapshot's end, which may be just now.
		last=$(are_in_order text)
		[ "$last" -eq 0 ] || [ "$last" -ge "$before" ]
		cat tree/trace >text
		last=$(are_in_order text)
	done
	wait "$caller"
	[ "$n" -ge 2 ]
	call_numbers 200001 200003
	cat tree/trace >text
	[ "$(are_in_order text)" -eq 200003 ]
	babeltrace2 s* | wc -l >taken
	[ $(($(<taken) + $(wc -l <text))) -eq 200003 ]
	end
	ktrace stop
}

beside_snapshots() {
	is_turned_meanwhile
	rm -r s*
	is_turned_meanwhile --no-spare
}

@test "while snapshots are taken it is of what is written then" {
	needs_fuse
	apart beside_snapshots
}

in_large_rings() {
	is_written_meanwhile -b 64M
	[ "$(wc -l <text)" -eq 300000 ]
}

in_small_rings() {
	is_written_meanwhile -b 64K
	[ "$(wc -l <text)" -lt 3000 ]
	is_written_meanwhile -b 2M --no-spare
}

@test "while it is written, all up to the opening is there" {
	needs_fuse
	apart in_large_rings
	apart in_small_rings
}

goes_back_and_forth() {
	local size
	start_numbered -b 1M
	begin tree
	call_numbers 1 9000
	cat tree/trace >text
	size=$(stat -c %s text)
	cmp tree/trace text
	head -n 3 tree/trace | cmp - <(head -n 3 text)
	tail -n 3 tree/trace | cmp - <(tail -n 3 text)
	cp tree/trace copy
	cmp copy text
	dd if=tree/trace bs=777 skip=300 count=9 status=none | cmp - <(dd if=text bs=777 skip=300 count=9 status=none)
	# In any order, behind its end too.
	# shellcheck disable=SC2016
	perl -e 'my ($path, $text) = @ARGV;
		open my $a, "<", $path or die; open my $b, "<", $text or die;
		srand 1;
		for (1 .. 60) {
			my ($at, $n) = (int rand 1.1 * -s $text, int rand 20000);
			for ($a, $b) { sysseek $_, $at, 0 or die }
			sysread $b, my $is, $n;
			my ($has, $more) = "";
			$has .= $more while sysread $a, $more, $n - length $has;
			die "$at $n" if $has ne $is;
		}' tree/trace text
	[ "$(perl -e 'open my $f, "<", "tree/trace"; print sysseek($f, $ARGV[0], 0), " ", sysread $f, $_, 9' "$size")" = "$size 0" ]
	# Of the moment when it was opened.
	exec 5<tree/trace
	call_numbers 9001 9010
	cmp - text <&5
	exec 5<&-
	end
	ktrace stop
}

@test "it can be read in any order, and is of one moment" {
	needs_fuse
	apart goes_back_and_forth
}

has_all_channels() {
	ktrace start -b 64K
	begin tree
	cp /bin/true ./ktrace-here
	./ktrace-here
	grep -q "^ *ktrace-here-.*: sched_process_exec: filename=./ktrace-here pid=" tree/trace
	# What was overwritten on the way has a line without a time.
	sed -nE 's/^.* ([0-9]+\.[0-9]{9}): .*/\1/p' tree/trace | sort -nc
	end
	ktrace stop
	# Only the turn's settling tells the kept ones that the freeze is over.
	start_numbered -b 64K --freeze-on "$GETPGID if pid == 1000000005"
	begin tree
	call_numbers 1 9
	numbers tree/trace | cmp - <(seq 5)
	[ "$(<tree/tracing_on)" = 0 ]
	ktrace snapshot -o s
	[ -z "$(<tree/trace)" ]
	call_numbers 11 12
	echo 0 >tree/tracing_on
	call_numbers 13 14
	numbers tree/trace | cmp - <(seq 11 12)
	end
	ktrace stop
}

@test "kept rings, frozen ones, and paused ones" {
	needs_fuse
	apart has_all_channels
}

# By whom, and by whom not: in the kernel's own file and in ours.
is_cleared() {
	local f
	start_numbered -b 64K
	begin tree
	begin_theirs
	hit() {
		call_numbers 1 5
		for _ in 1 2 3 4 5; do echo "pid=1000000009" >"$theirs/trace_marker"; done
	}
	held() { # FILE
		grep -c "pid=1000000009\|pid=100000000[1-5]" "$1" || true
	}
	hit
	for f in tree "$theirs"; do
		[ "$(held "$f/trace")" = 5 ]
		[ "$(held "$f/trace")" = 5 ]
		echo >"$f/trace"
		[ "$(held "$f/trace")" = 0 ]
	done
	[ "$("$KTRACE" status --json | jq '.events[0].hits')" = 0 ]
	hit
	for f in tree "$theirs"; do
		: >"$f/trace"
		[ "$(held "$f/trace")" = 0 ]
	done
	hit
	for f in tree "$theirs"; do
		echo 1 >>"$f/trace"
		truncate -s 0 "$f/trace"
		perl -e 'open my $f, "+<", $ARGV[0] or die; syswrite $f, "x" or die; truncate $f, 0' "$f/trace"
		[ "$(held "$f/trace")" = 5 ]
		perl -e 'open my $f, "+>", $ARGV[0] or die' "$f/trace"
		[ "$(held "$f/trace")" = 0 ]
	done
	end_theirs
	end
	ktrace stop
}

@test "opened to be written anew it is cleared" {
	needs_fuse
	apart is_cleared
}

# What is open, and what becomes of it.
is_kept_open() {
	local server limit open failed=0
	start_numbered -b 1M
	begin tree
	server=$(pgrep -f -- "^$KTRACE fs .*$tree")
	holds() { # files in memory, and their directories
		find "/proc/$server/fd" -lname '/cpu*' -o -lname '/kept*' -o -lname '/' | wc -l
	}
	call_numbers 1 9000
	[ "$(holds)" -eq 0 ]
	cat tree/trace >text
	[ "$(holds)" -eq 0 ]

	# Whichever file it is that cannot be opened, nothing is left of it.
	files_of() {
		ls "/proc/$server/fd"
	}
	files_of >before
	open=$(sort -n before | tail -n 1)
	for ((limit = open - 4; limit < open + 60; limit++)); do
		prlimit --pid "$server" --nofile=$limit:1024
		cat tree/trace >text 2>why || {
			grep -q "Too many open files" why
			: $((++failed))
		}
		prlimit --pid "$server" --nofile=1024:1024
	done
	[ "$failed" -ge 4 ]
	[ "$failed" -lt 60 ]
	numbers text | cmp - <(seq 9000)
	[ "$(files_of | wc -l)" -eq "$(wc -l <before)" ]

	# It is read on, whatever becomes of the session, and goes with the last who has it open.
	exec 5<tree/trace
	[ "$(holds)" -gt 0 ]
	dd bs=100 count=1 status=none <&5 >first
	ktrace stop
	[ "$(ls tree)" = version ]
	perl -e 'print while sysread STDIN, $_, 4096' <&5 >rest
	cat first rest | cmp - text
	exec 5<&-
	await eval '[ "$(holds)" -eq 0 ]'
	end
}

@test "what is open is read on when the session has ended, and then gone" {
	needs_fuse
	apart is_kept_open
}
