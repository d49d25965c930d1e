#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace fs: trace. Witnesses: who made the calls, bpftool and babeltrace2.

load flight
load numbers
load tree

check_rereading() {
	local i
	start_numbered -b 4M
	start_server tree
	[ -z "$(<tree/trace)" ]
	call_numbers 1 20000
	for i in 1 2 3; do
		print_numbers tree/trace | cmp - <(seq 20000)
	done
	call_numbers 20001 20002
	print_numbers tree/trace | cmp - <(seq 20002)
	[ "$(count_hits flight)" -eq 20002 ]
	# Reading consumed nothing.
	ktrace snapshot -o s
	print_trace_numbers s | cmp - <(seq 20002)
	# Consumed records are gone.
	[ -z "$(<tree/trace)" ]
	call_numbers 20003 20009
	print_numbers tree/trace | cmp - <(seq 20003 20009)
	echo 1 >tree/snapshot_pipe
	[ -z "$(<tree/trace)" ]
	print_numbers tree/snapshot_pipe | cmp - <(seq 20003 20009)
	stop_server
	ktrace stop
}

@test "trace shows what the rings hold, any number of times, without consuming it" {
	skip_without_fuse
	run_on_bpffs check_rereading
}

# Each number must follow the one before it, except where losses are reported.
assert_in_order() { # FILE
	perl -ne 'if (/ (\d+) lost/) { $lost += $1; next }
		/: sys_enter_getpgid: .* pid=1(\d{9})$/ or die "$.: $_";
		die "$last, $lost lost, $1" if defined $last && $1 != $last + 1 + $lost;
		$last = $1 + 0; $lost = 0;
		END { print $last // 0, "\n" }' "$1"
}

check_writers() { # ARG...
	local caller before n=0
	start_numbered "$@"
	start_server tree
	call_numbers_on "$(list_cpus | tail -n 1)" 1 300000 1000 3>&- &
	caller=$!
	while kill -0 "$caller" 2>no_more; do
		before=$(count_hits flight)
		cat tree/trace >text
		[ "$(assert_in_order text)" -ge "$before" ]
		[ "$(assert_in_order text)" -le "$(count_hits flight)" ]
		: $((++n))
	done
	wait "$caller"
	[ "$n" -ge 2 ]
	[ "$(count_hits flight)" -eq 300000 ]
	cat tree/trace >text
	[ "$(grep -c lost text)" -eq 0 ]
	[ "$(assert_in_order text)" -eq 300000 ]
	stop_server
	ktrace stop
}

# Two processes on two CPUs make calls in turn: if one's call is there, the other's before it must
# be. They go on until the text was read often enough.
check_moment() {
	local caller n=0 last
	start_numbered -b 16M
	start_server tree
	perl -e 'my @cpus = split /,/, shift;
		pipe my $r0, my $w0; pipe my $r1, my $w1;
		my $second = fork == 0;
		system "taskset", "-cp", $cpus[$second ? -1 : 0], $$;
		my ($from, $to) = $second ? ($r0, $w1) : ($r1, $w0);
		syswrite $w1, "x" if $second;
		close $_ for $second ? ($w0, $r1) : ($w1, $r0);
		$SIG{PIPE} = "IGNORE";
		my $i = 1 + $second;
		for (; $i <= 100000 || !-e "enough"; $i += 2) {
			sysread $from, $_, 1 or last;
			getpgrp(1000000000 + $i);
			syswrite $to, "x";
		}
		open my $made, ">", "made$second";
		print $made $i - 2;
		close $to;
		wait unless $second' \
		"$(list_cpus | paste -sd ,)" \
		>pinned 3>&- &
	caller=$!
	while kill -0 "$caller" 2>no_more; do
		cat tree/trace >text
		assert_in_order text
		[ $((++n)) -lt 3 ] || touch enough
	done
	wait "$caller"
	[ "$n" -ge 3 ]
	last=$(sort -n made* | tail -n 1)
	[ "$last" -ge 100000 ]
	[ "$(assert_in_order tree/trace)" -eq "$last" ]
	stop_server
	ktrace stop
}

@test "the text ends at one moment on all CPUs" {
	skip_without_fuse
	run_on_bpffs check_moment
}

check_swaps() { # ARG...
	local caller before last n=0
	start_numbered -b 4M "$@"
	start_server tree
	call_numbers 1 200000 400 3>&- &
	caller=$!
	while kill -0 "$caller" 2>no_more; do
		: $((++n))
		ktrace snapshot -o "s$n" 3>&- &
		before=$(count_hits flight)
		cat tree/trace >text
		wait $!
		# It begins where the snapshot ended, which may be just now.
		last=$(assert_in_order text)
		[ "$last" -eq 0 ] || [ "$last" -ge "$before" ]
		cat tree/trace >text
		last=$(assert_in_order text)
	done
	wait "$caller"
	[ "$n" -ge 2 ]
	call_numbers 200001 200003
	cat tree/trace >text
	[ "$(assert_in_order text)" -eq 200003 ]
	babeltrace2 s* | wc -l >taken
	[ $(($(<taken) + $(wc -l <text))) -eq 200003 ]
	stop_server
	ktrace stop
}

check_with_snapshots() {
	check_swaps
	rm -r s*
	check_swaps --no-spare
}

@test "during snapshots the text has the active buffers" {
	skip_without_fuse
	run_on_bpffs check_with_snapshots
}

check_large_rings() {
	check_writers -b 64M
	[ "$(wc -l <text)" -eq 300000 ]
}

check_small_rings() {
	check_writers -b 64K
	[ "$(wc -l <text)" -lt 3000 ]
	check_writers -b 2M --no-spare
}

@test "while events are recorded, the text has everything up to its open" {
	skip_without_fuse
	run_on_bpffs check_large_rings
	run_on_bpffs check_small_rings
}

check_seek() {
	local size
	start_numbered -b 1M
	start_server tree
	call_numbers 1 9000
	cat tree/trace >text
	size=$(stat -c %s text)
	cmp tree/trace text
	head -n 3 tree/trace | cmp - <(head -n 3 text)
	tail -n 3 tree/trace | cmp - <(tail -n 3 text)
	cp tree/trace copy
	cmp copy text
	dd if=tree/trace bs=777 skip=300 count=9 status=none | cmp - <(dd if=text bs=777 skip=300 count=9 status=none)
	# Reads at any offset, also beyond the end.
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
	# The text is that of the open.
	exec 5<tree/trace
	call_numbers 9001 9010
	cmp - text <&5
	exec 5<&-
	stop_server
	ktrace stop
}

@test "the text can be read at any offset and is of one moment" {
	skip_without_fuse
	run_on_bpffs check_seek
}

check_channels() {
	ktrace start -b 64K
	start_server tree
	cp /bin/true ./ktrace-here
	./ktrace-here
	grep -q "^ *ktrace-here-.*: sched_process_exec: filename=./ktrace-here pid=" tree/trace
	# Records overwritten while reading leave a line without a time.
	sed -nE 's/^.* ([0-9]+\.[0-9]{9}): .*/\1/p' tree/trace | sort -nc
	stop_server
	ktrace stop
	# After a freeze, only a settled swap makes the rare-event buffer record again.
	start_numbered -b 64K --freeze-on "$GETPGID if pid == 1000000005"
	start_server tree
	call_numbers 1 9
	print_numbers tree/trace | cmp - <(seq 5)
	[ "$(<tree/tracing_on)" = 0 ]
	ktrace snapshot -o s
	[ -z "$(<tree/trace)" ]
	call_numbers 11 12
	echo 0 >tree/tracing_on
	call_numbers 13 14
	print_numbers tree/trace | cmp - <(seq 11 12)
	stop_server
	ktrace stop
}

@test "the text has rare-event, frozen and paused buffers" {
	skip_without_fuse
	run_on_bpffs check_channels
}

# Who may write: tracefs's file and ktrace's.
check_clear() {
	local f
	start_numbered -b 64K
	start_server tree
	create_instance
	make_events() {
		call_numbers 1 5
		for _ in 1 2 3 4 5; do echo "pid=1000000009" >"$theirs/trace_marker"; done
	}
	count_calls() { # FILE
		grep -c "pid=1000000009\|pid=100000000[1-5]" "$1" || true
	}
	make_events
	for f in tree "$theirs"; do
		[ "$(count_calls "$f/trace")" = 5 ]
		[ "$(count_calls "$f/trace")" = 5 ]
		echo >"$f/trace"
		[ "$(count_calls "$f/trace")" = 0 ]
	done
	[ "$("$KTRACE" status --json | jq '.events[0].hits')" = 0 ]
	make_events
	for f in tree "$theirs"; do
		: >"$f/trace"
		[ "$(count_calls "$f/trace")" = 0 ]
	done
	make_events
	for f in tree "$theirs"; do
		echo 1 >>"$f/trace"
		truncate -s 0 "$f/trace"
		perl -e 'open my $f, "+<", $ARGV[0] or die; syswrite $f, "x" or die; truncate $f, 0' "$f/trace"
		[ "$(count_calls "$f/trace")" = 5 ]
		perl -e 'open my $f, "+>", $ARGV[0] or die' "$f/trace"
		[ "$(count_calls "$f/trace")" = 0 ]
	done
	remove_instance
	stop_server
	ktrace stop
}

@test "opening the file with O_TRUNC clears the buffers" {
	skip_without_fuse
	run_on_bpffs check_clear
}

# What is open, and what becomes of it.
check_open_files() {
	local server limit open failed=0
	start_numbered -b 1M
	start_server tree
	server=$(pgrep -f -- "^$KTRACE fs .*$tree")
	list_memory_files() { # memory files and their directories
		find "/proc/$server/fd" -lname '/cpu*' -o -lname '/rare*' -o -lname '/' | wc -l
	}
	call_numbers 1 9000
	[ "$(list_memory_files)" -eq 0 ]
	cat tree/trace >text
	[ "$(list_memory_files)" -eq 0 ]

	# Whichever file cannot be opened, nothing is left behind.
	list_files() {
		ls "/proc/$server/fd"
	}
	list_files >before
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
	print_numbers text | cmp - <(seq 9000)
	[ "$(list_files | wc -l)" -eq "$(wc -l <before)" ]

	# An open file is readable after the flight has ended, and freed with its last reader.
	exec 5<tree/trace
	[ "$(list_memory_files)" -gt 0 ]
	dd bs=100 count=1 status=none <&5 >first
	ktrace stop
	[ "$(ls tree | xargs)" = "error_log version" ]
	perl -e 'print while sysread STDIN, $_, 4096' <&5 >rest
	cat first rest | cmp - text
	exec 5<&-
	await eval '[ "$(list_memory_files)" -eq 0 ]'
	stop_server
}

@test "an open file stays readable after the flight has ended, and is then freed" {
	skip_without_fuse
	run_on_bpffs check_open_files
}
