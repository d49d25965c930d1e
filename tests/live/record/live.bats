#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace trace: events while they happen; and what it has in common with record and strace: a
# duration, and that ktrace leaves itself out.

bats_require_minimum_version 1.5.0

load ../recording

# Waits until the output has so many lines with a text, for 5 seconds at most.
wait_for_lines() { # N TEXT
	local i
	for ((i = 0; i < 100; i++)); do
		[ "$(grep -cF "$2" stdout)" -lt "$1" ] || return 0
		sleep 0.05
	done
	cat stdout
	return 1
}

@test "programs that are started, on the whole machine, as they are" {
	start_command trace -e execve -f 'filename ~ "*kt_witness"'
	run_witness 3
	wait_for_lines 3 'execve("./kt_witness", ["./kt_witness"], '
	run_witness 2
	wait_for_lines 5 ' = 0 <0.0'
	kill -INT "$pid"
	finish
	[ "$status" -eq 0 ]
	[ -z "$message" ]
	[ "$(wc -l <stdout)" -eq 5 ]
}

@test "as print prints a recording: lines, events, objects" {
	"$KTRACE" trace -e sched_process_exec,sched_process_exit --events ./kt_witness >lines
	grep -E '^ +kt_witness-[0-9]+ +\[[0-9]+\] +[0-9.]+: sched_process_exec: filename=./kt_witness ' lines
	[ "$(wc -l <lines)" -eq 2 ]
	"$KTRACE" trace --json -e sched_process_exit ./kt_witness | jq -e '.event == "sched_process_exit" and .comm == "kt_witness"'
	run --separate-stderr "$KTRACE" trace -e openat sh -c 'exec 3</nowhere'
	[ "$status" -eq 2 ]
	[[ $output == *'openat(AT_FDCWD, "/nowhere", O_RDONLY) = -1 ENOENT (No such file or directory)'* ]]
	[[ $stderr != *ktrace* ]]
}

@test "a reader that has enough ends it quietly" {
	timeout 20 bash -c '"$KTRACE" trace -e openat 2>stderr | head -n 1 >first' &
	others+=($!)
	until [ -s first ]; do cat /etc/hostname; sleep 0.05; done
	while kill -0 $! 2>/dev/null; do cat /etc/hostname; sleep 0.05; done
	grep -v 'Ctrl-C ends it' stderr | diff - /dev/null
}

@test "the duration of record, trace and strace" {
	before=$(date +%s%N)
	record -a -e sched_process_exit -d 300ms -o t
	[ "$status" -eq 0 ]
	length=$("$KTRACE" report --json t | jq '.end - .begin')
	((length >= 300000000 && length < $(date +%s%N) - before))
	"$KTRACE" trace -e sched_process_exec -d 1 ./kt_witness >lines
	[ "$(wc -l <lines)" -eq 1 ]

	# The command continues without ktrace.
	for command in 'record -o t' trace strace; do
		# shellcheck disable=SC2086
		run --separate-stderr "$KTRACE" $command -d 200ms sh -c 'sleep 0.4; cat <kt_witness >copy; exit 7'
		[ "$status" -eq 7 ]
		[[ $stderr == *"has ended; 'sh' continues"* ]]
		cmp kt_witness copy
		rm copy
	done
	[ -z "$("$KTRACE" print t | grep -F "\"copy\", O_")" ]

	for wrong in 0 1.5 5x ''; do
		run "$KTRACE" record -d "$wrong" true
		[ "$status" -eq 2 ]
	done
}

# The number of the program's process is known from its messages' descriptor.
@test "of the whole machine, ktrace leaves itself out" {
	start_command trace -e write
	run_witness 5
	echo shell >written
	wait_for_lines 1 'write(1, "shell\n", 6'
	self=$pid
	kill -INT "$pid"
	finish
	run ! grep -E "^ +[^ ]+-$self +\[" stdout

	start_command trace --self -e write
	echo shell >written
	wait_for_lines 3 'ktrace-'
	self=$pid
	kill -INT "$pid"
	finish
	grep -E "^ +[^ ]+-$self +\[" stdout >/dev/null

	# Calls of the command, and switches to ktrace, are recorded.
	bash -c 'echo $$ >self; exec "$KTRACE" record -a -e write,sched_switch -o t -- sh -c "echo shell"'
	self=$(<self)
	[ "$("$KTRACE" print t | grep -cF 'write(1, "shell\n", 6')" -eq 1 ]
	"$KTRACE" print t | grep "next_comm=ktrace next_pid=$self " >/dev/null
	[ -z "$("$KTRACE" print -e write -p "$self" t)" ]
}
