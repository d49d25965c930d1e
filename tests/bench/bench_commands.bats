#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The benchmarks of whole commands. Scripts stand in for the other tracers.

bats_require_minimum_version 1.5.0

load bench

# Runs the benchmark with a PATH of only these programs, and those that add_program writes.
use_only() { # PROGRAM...
	local p
	mkdir bin
	for p; do
		ln -s "$(type -P "$p")" bin/
	done
	via=(env "PATH=$PWD/bin")
}

add_program() { # NAME; the script is on standard input
	{
		echo '#!/bin/sh'
		cat
	} >"bin/$1"
	chmod +x "bin/$1"
}

# Lists scratch directories that were not removed.
list_scratch() {
	find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'ktrace-bench-*'
}

@test "start: one row per command, relative to bpftrace" {
	use_only true sleep
	add_program bpftrace <<<'exec sleep 0.2'
	add_program perf <<<'[ "$1" = record ] && exec sleep 0.4'
	bench start 3
	[ "$status" -eq 0 ]
	[ ! -s stderr ]
	head -n 1 stdout | grep -E ': medians of 3 rounds$'
	[ "$(grep -c '^ *[0-9]' stdout)" -eq 6 ]
	sed -n 3p stdout | grep -E '^ +[0-9.]+ +1\.00 +[0-9.]+  bpftrace '
	sed -n 3p stdout | awk '{exit !($1 >= 200 && $1 < 2000)}'
	sed -n 4p stdout | awk '{exit !($1 >= 400 && $2 > 1.1 && $2 < 2.5)}'
	sed -n 5p stdout | grep -E '  ktrace record -e sched_switch true$'
	[ -z "$(list_scratch)" ]
}

@test "start: missing commands are reported and skipped" {
	use_only true
	bench start 1
	[ "$status" -eq 0 ]
	[ "$(<stderr)" = "start: not installed, skipped: bpftrace
start: not installed, skipped: perf" ]
	[ "$(grep -cE '^ +[0-9.]+ +- +[0-9.]+  ktrace (record|strace) ' stdout)" -eq 4 ]
	[ "$(grep -c '^ *[0-9]' stdout)" -eq 4 ]
}

@test "start: a command that fails ends the benchmark" {
	use_only true
	add_program bpftrace <<<'echo "no such thing" >&2; exit 3'
	bench start 2
	[ "$status" -eq 1 ]
	[ ! -s stdout ]
	[ "$(head -n 1 stderr)" = "no such thing" ]
	sed -n 2p stderr | grep -E '^start: bpftrace .*: exit status 3$'
	[ -z "$(list_scratch)" ]
}

@test "start: Ctrl-C prints the complete rounds and leaves nothing behind" {
	use_only true
	via+=("$(type -P timeout)" -s INT 5)
	bench start 1000
	[ "$status" -eq 124 ]
	head -n 1 stdout | grep -E ': medians of [0-9]+ rounds?$'
	[ -z "$(list_scratch)" ]
}

# Only ktrace and what it is compared with.
use_flight_programs() {
	use_only true sleep cp sh babeltrace2
	add_program bpftrace <<<'exec sleep 0.2'
}

@test "flight: starts relative to bpftrace, a swap to a grace period, snapshots to cp" {
	use_flight_programs
	bench flight 2 1M
	[ "$status" -eq 0 ]
	[ ! -s stderr ]
	head -n 1 stdout | grep -E ': medians of 2 rounds$'
	[ "$(grep -c '^ *[0-9]' stdout)" -eq 9 ]
	sed -n 3p stdout | grep -E '^ +[0-9.]+ +1\.00 +[0-9.]+  bpftrace '
	sed -n 3p stdout | awk '{exit !($1 >= 200 && $1 < 2000)}'
	grep -E "^a snapshot of $(nproc) rings of 1M: [0-9.]+ MB$" stdout
	[ "$(grep -cE '^ +[0-9.]+ +1\.00  (one RCU|cp)' stdout)" -eq 2 ]
	tail -n 1 stdout | grep -E '^ +[0-9.]+ +[0-9.]+  ktrace snapshot: the default events$'
	[ -z "$(list_scratch)" ]
}

@test "flight: a complaint of another reader ends the benchmark" {
	use_flight_programs
	rm bin/babeltrace2
	add_program babeltrace2 <<<'echo "what is this?" >&2'
	bench flight 1 1M
	[ "$status" -eq 1 ]
	[ "$(<stderr)" = "flight: babeltrace2, of one event: what is this?" ]
	! grep '^a snapshot' stdout
	[ -z "$(list_scratch)" ]
}

@test "flight: Ctrl-C prints the complete rounds and leaves nothing behind" {
	use_flight_programs
	via+=("$(type -P timeout)" -s INT 5)
	bench flight 1000 1M
	[ "$status" -eq 124 ]
	head -n 1 stdout | grep -E ': medians of [0-9]+ rounds?$'
	! grep '^a snapshot' stdout
	[ -z "$(list_scratch)" ]
}

# Writes a tracer of that name, whose output lacks some calls.
add_tracer() { # NAME, number of missing calls
	add_program "$1" <<<'
		while [ "$1" != -c ]; do
			[ "$1" != -o ] || out=$2
			shift
		done
		$2
		i='"$2"'
		while [ $i -lt 1100 ]; do
			echo "1 openat(AT_FDCWD, /nowhere/at/all)"
			i=$((i + 1))
		done >$out'
}

@test "openat: costs relative to strace and bpftrace" {
	use_only true
	add_tracer bpftrace 0
	bench openat 2 100
	[ "$status" -eq 0 ]
	[ "$(<stderr)" = "openat: not installed, skipped: strace
openat: not installed, skipped: strace" ]
	head -n 1 stdout | grep -E ': medians of 2 rounds of 100 calls$'
	[ "$(grep -c '^ *[0-9]' stdout)" -eq 6 ]
	sed -n 3p stdout | grep -E '^ +[0-9]+ {41}nothing$'
	[ "$(grep -cE '^ +[0-9]+ +-?[0-9]+ +- +1\.0000  bpftrace, ' stdout)" -eq 2 ]
	[ "$(grep -cE '^ +[0-9]+ +-?[0-9]+ +- +-?[0-9.]+  ktrace (record|strace) -e ' stdout)" -eq 3 ]
	[ -z "$(list_scratch)" ]
}

@test "openat: a call missing from a tracer's output ends the benchmark" {
	use_only true
	add_tracer bpftrace 1
	bench openat 2 100
	[ "$status" -eq 1 ]
	[ ! -s stdout ]
	[ "$(tail -n 1 stderr)" = "openat: bpftrace, printing entries: 1099 calls of 1100 recorded" ]
	[ -z "$(list_scratch)" ]
}

@test "openat: Ctrl-C prints the complete rounds and leaves nothing behind" {
	use_only true
	via+=("$(type -P timeout)" -s INT 5)
	bench openat 1000 1000
	[ "$status" -eq 124 ]
	head -n 1 stdout | grep -E ': medians of [0-9]+ rounds? of 1000 calls$'
	[ -z "$(list_scratch)" ]
}

@test "trace: events are lines, sizes are of files, rates relative to perf" {
	use_only true sleep babeltrace2
	# It must be told to record ktrace's default events of CMD. Its recording has ten lines.
	add_program perf <<-'END'
		if [ "$1" = record ]; then
			echo "$@" >>args
			i=0
			while [ $((i += 1)) -le 100 ]; do echo 123456789; done >"$3"
		else
			i=0
			while [ $((i += 1)) -le 10 ]; do echo a line; done
		fi
		cp args "$SEEN"
	END
	ln -s "$(type -P cp)" bin/
	SEEN=$PWD/seen bench trace 3 true
	[ "$status" -eq 0 ]
	[ ! -s stderr ]
	[ "$(<seen)" = "record -o perf.data -m 4M -e $( (
		printf 'raw_syscalls:%s\n' sys_enter sys_exit
		"$KTRACE" list --default | grep -v ^syscalls:
	) | paste -sd,) true" ]
	sed -n 3p stdout | grep -E '^ +10 +100\.0 +[0-9.]+  perf record$'
	sed -n 4p stdout | grep -E '^ +[0-9]{2,} +[0-9.]+ +[0-9.]+  ktrace record$'
	head -n 5 stdout | grep -E ': medians of 3 rounds$'
	sed -n 7p stdout | grep -E '^ +[0-9.]+ +1\.00 +[0-9.]+  perf script$'
	[ "$(sed 1,7d stdout | grep -cE '^ +[0-9.]+ +[0-9.]+ +[0-9.]+  (ktrace|babeltrace2) ')" -eq 4 ]
	[ -z "$(list_scratch)" ]
}

@test "trace: without other tracers, ktrace's rows remain" {
	use_only true
	bench trace 1 true
	[ "$status" -eq 0 ]
	[ "$(grep -c 'not installed' stderr)" -eq 2 ]
	[ "$(grep -c '^ *[0-9]' stdout)" -eq 4 ]
	[ "$(grep -cE ' - +[0-9.]+  ktrace ' stdout)" -eq 3 ]
}

@test "trace: lost events end the benchmark" {
	use_only true
	add_program perf <<<'exit 0'
	add_program sh <<<'exit 3' # what --strict exits with
	bench trace 1 sh
	[ "$status" -eq 1 ]
	[ "$(tail -n 1 stderr)" = "trace: ktrace record: exit status 3" ]
	[ ! -s stdout ]
}
