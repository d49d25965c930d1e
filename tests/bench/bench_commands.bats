#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# How whole commands are timed; programs of the test stand in for the other tracers.

bats_require_minimum_version 1.5.0

load bench

# In a PATH of its own: programs of this machine, and such as the test writes there.
only() { # PROGRAM...
	local p
	mkdir bin
	for p; do
		ln -s "$(type -P "$p")" bin/
	done
	via=(env "PATH=$PWD/bin")
}

program() { # NAME, what it does on standard input
	{
		echo '#!/bin/sh'
		cat
	} >"bin/$1"
	chmod +x "bin/$1"
}

# Nothing stays of what the commands wrote.
left() {
	find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'ktrace-bench-*'
}

@test "start: whole commands, a row each, as parts of what bpftrace takes" {
	only true sleep
	program bpftrace <<<'exec sleep 0.2'
	program perf <<<'[ "$1" = record ] && exec sleep 0.4'
	bench start 3
	[ "$status" -eq 0 ]
	[ ! -s stderr ]
	head -n 1 stdout | grep -E ': medians of 3 rounds$'
	[ "$(grep -c '^ *[0-9]' stdout)" -eq 4 ]
	sed -n 3p stdout | grep -E '^ +[0-9.]+ +1\.00 +[0-9.]+  bpftrace '
	sed -n 3p stdout | awk '{exit !($1 >= 200 && $1 < 2000)}'
	sed -n 4p stdout | awk '{exit !($1 >= 400 && $2 > 1.1 && $2 < 2.5)}'
	sed -n 5p stdout | grep -E '  ktrace record -e sched_switch true$'
	[ -z "$(left)" ]
}

@test "start: who is not installed is left out, and said to be" {
	only true
	bench start 1
	[ "$status" -eq 0 ]
	[ "$(<stderr)" = "start: left out, for it is not installed: bpftrace
start: left out, for it is not installed: perf" ]
	[ "$(grep -cE '^ +[0-9.]+ +- +[0-9.]+  ktrace record ' stdout)" -eq 2 ]
	[ "$(grep -c '^ *[0-9]' stdout)" -eq 2 ]
}

@test "start: a command that fails is no row, but the end" {
	only true
	program bpftrace <<<'echo "no such thing" >&2; exit 3'
	bench start 2
	[ "$status" -eq 1 ]
	[ ! -s stdout ]
	[ "$(head -n 1 stderr)" = "no such thing" ]
	sed -n 2p stderr | grep -E '^start: bpftrace .*: exit status 3$'
	[ -z "$(left)" ]
}

@test "start: ended early it shows the rounds that it has, and leaves nothing" {
	only true
	via+=("$(type -P timeout)" -s INT 5)
	bench start 1000
	[ "$status" -eq 124 ]
	head -n 1 stdout | grep -E ': medians of [0-9]+ rounds?$'
	[ -z "$(left)" ]
}

# Few and small rings of this machine, and no other tracer.
recorder() {
	only true sleep cp sh babeltrace2
	program bpftrace <<<'exec sleep 0.2'
}

@test "flight: starts as parts of bpftrace's, a turn of a wait, traces of cp's" {
	recorder
	bench flight 2 1M
	[ "$status" -eq 0 ]
	[ ! -s stderr ]
	head -n 1 stdout | grep -E ': medians of 2 rounds$'
	[ "$(grep -c '^ *[0-9]' stdout)" -eq 9 ]
	sed -n 3p stdout | grep -E '^ +[0-9.]+ +1\.00 +[0-9.]+  bpftrace '
	sed -n 3p stdout | awk '{exit !($1 >= 200 && $1 < 2000)}'
	grep -E "^its snapshots, of $(nproc) rings of 1M: [0-9.]+ MB$" stdout
	[ "$(grep -cE '^ +[0-9.]+ +1\.00  (one wait|cp)' stdout)" -eq 2 ]
	tail -n 1 stdout | grep -E '^ +[0-9.]+ +[0-9.]+  ktrace snapshot: the default set$'
	[ -z "$(left)" ]
}

@test "flight: a trace that another reader has something to say of is the end" {
	recorder
	rm bin/babeltrace2
	program babeltrace2 <<<'echo "what is this?" >&2'
	bench flight 1 1M
	[ "$status" -eq 1 ]
	[ "$(<stderr)" = "flight: babeltrace2, of one event: what is this?" ]
	! grep snapshots stdout
	[ -z "$(left)" ]
}

@test "flight: ended early it shows the rounds that it has, and leaves nothing" {
	recorder
	via+=("$(type -P timeout)" -s INT 5)
	bench flight 1000 1M
	[ "$status" -eq 124 ]
	head -n 1 stdout | grep -E ': medians of [0-9]+ rounds?$'
	! grep snapshots stdout
	[ -z "$(left)" ]
}

# A tracer of its name, whose output misses so many of the calls.
teller() { # NAME, calls missed
	program "$1" <<<'
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

@test "openat: what tracers add, as parts of what strace and bpftrace do" {
	only true
	teller bpftrace 0
	bench openat 2 100
	[ "$status" -eq 0 ]
	[ "$(<stderr)" = "openat: left out, for it is not installed: strace
openat: left out, for it is not installed: strace" ]
	head -n 1 stdout | grep -E ': medians of 2 rounds of 100$'
	[ "$(grep -c '^ *[0-9]' stdout)" -eq 6 ]
	sed -n 3p stdout | grep -E '^ +[0-9]+ {41}nothing$'
	[ "$(grep -cE '^ +[0-9]+ +-?[0-9]+ +- +1\.0000  bpftrace, ' stdout)" -eq 2 ]
	[ "$(grep -cE '^ +[0-9]+ +-?[0-9]+ +- +-?[0-9.]+  ktrace (record|strace) -e ' stdout)" -eq 3 ]
	[ -z "$(left)" ]
}

@test "openat: a call that is not in what a tracer wrote is the end" {
	only true
	teller bpftrace 1
	bench openat 2 100
	[ "$status" -eq 1 ]
	[ ! -s stdout ]
	[ "$(tail -n 1 stderr)" = "openat: bpftrace, printing entries: 1099 calls of 1100" ]
	[ -z "$(left)" ]
}

@test "openat: ended early it shows the rounds that it has, and leaves nothing" {
	only true
	via+=("$(type -P timeout)" -s INT 5)
	bench openat 1000 1000
	[ "$status" -eq 124 ]
	head -n 1 stdout | grep -E ': medians of [0-9]+ rounds? of 1000$'
	[ -z "$(left)" ]
}

@test "trace: events are lines, bytes those of the files, rates of perf's" {
	only true sleep babeltrace2
	# What is recorded are the events that ktrace takes, of CMD; and then it is ten lines.
	program perf <<-'END'
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
	[ "$(<seen)" = "record -o perf.data -m 4M -e $("$KTRACE" list --default | paste -sd,) true" ]
	sed -n 3p stdout | grep -E '^ +10 +100\.0 +[0-9.]+  perf record$'
	sed -n 4p stdout | grep -E '^ +[0-9]{2,} +[0-9.]+ +[0-9.]+  ktrace record$'
	head -n 5 stdout | grep -E ': medians of 3 rounds$'
	sed -n 7p stdout | grep -E '^ +[0-9.]+ +1\.00 +[0-9.]+  perf script$'
	[ "$(sed 1,7d stdout | grep -cE '^ +[0-9.]+ +[0-9.]+ +[0-9.]+  (ktrace|babeltrace2) ')" -eq 4 ]
	[ -z "$(left)" ]
}

@test "trace: without the others ours alone" {
	only true
	bench trace 1 true
	[ "$status" -eq 0 ]
	[ "$(grep -c 'left out' stderr)" -eq 2 ]
	[ "$(grep -c '^ *[0-9]' stdout)" -eq 4 ]
	[ "$(grep -cE ' - +[0-9.]+  ktrace ' stdout)" -eq 3 ]
}

@test "trace: losses are no figures" {
	only true
	program perf <<<'exit 0'
	program sh <<<'exit 3' # as --strict has it
	bench trace 1 sh
	[ "$status" -eq 1 ]
	[ "$(tail -n 1 stderr)" = "trace: ktrace record: exit status 3" ]
	[ ! -s stdout ]
}
