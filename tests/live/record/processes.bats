#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Which processes 'ktrace record -a' and '-p' record, with and without a command.

bats_require_minimum_version 1.5.0

load ../recording
load ../tasks

# Starts a process that does nothing until go.
start_waiting() { # SCRIPT
	mkfifo "go${#others[@]}"
	bash -c "read <go${#others[@]}; $1" 3>&- &
	others+=($!)
}

let_run() { # INDEX
	echo >"go$1"
}

@test "-p: a process and its children until it ends; no others" {
	skip_in_a_container
	start_waiting 'for i in 1 2 3; do (./kt_witness; ./kt_witness; :); done'
	start -e "$EXIT" -p "${others[0]}"
	[ "$line" = "ktrace record: recording 1 event of process ${others[0]} and its children;\
 Ctrl-C ends it" ]
	run_witness 5
	let_run 0
	finish
	[ "$status" -eq 0 ]
	[ "$(count_events ktrace.out kt_witness)" -eq 6 ]
	# And those of three subshells. Its exit ends the recording and may be the last event.
	[ "$(count_events ktrace.out)" -ge 9 ]
	[ "$(count_events ktrace.out)" -le 10 ]
	[ "$(summary_events)" -eq "$(count_events ktrace.out)" ]
	[ "$(summary_filtered)" -ge 5 ]
}

@test "-p: several, with commas or repeated, until the last one ends" {
	skip_in_a_container
	for n in 1 2 3; do start_waiting "for i in \$(seq $n); do ./kt_witness; done; :"; done
	start -e "$EXIT" -p "${others[0]},${others[1]}" -p "${others[2]},${others[0]}"
	[[ $line == *" of 3 processes and their children; "* ]]
	for n in 0 1 2; do
		kill -0 "$pid"
		let_run "$n"
		wait "${others[$n]}"
		sleep 0.3
	done
	finish
	[ "$status" -eq 0 ]
	[ "$(count_events ktrace.out kt_witness)" -eq 6 ]
}

@test "-p: Ctrl-C ends it before the process ends" {
	skip_in_a_container
	start_waiting ./kt_witness
	start -e "$EXIT" -p "${others[0]}"
	kill -TERM "$pid"
	finish
	[ "$status" -eq 0 ]
	kill -0 "${others[0]}"
	[ "$(count_events ktrace.out)" -eq 0 ]
}

@test "-p with a command: the process is recorded while the command runs" {
	skip_in_a_container
	start_waiting './kt_witness; echo >done; read <go0'
	mkfifo "done"
	start -e "$EXIT" -p "${others[0]}" -- sh -c './kt_witness; echo >go0; read _ <done; exit 7'
	[ "$line" = "ktrace record: recording 1 event of process ${others[0]} and its children\
 while 'sh' runs" ]
	finish
	[ "$status" -eq 7 ]
	kill -0 "${others[0]}"
	[ "$(count_events ktrace.out)" -eq 1 ]
	[ "$(summary_filtered)" -ge 2 ]
}

@test "-a with a command: all processes while it runs" {
	mkfifo go "done"
	start -e "$EXIT" -a -- sh -c 'echo >go; read _ <done; exit 7'
	[ "$line" = "ktrace record: recording 1 event on the whole machine while 'sh' runs" ]
	read -r _ <go
	run_witness 5
	echo >"done"
	finish
	[ "$status" -eq 7 ]
	[ "$(count_events ktrace.out kt_witness)" -eq 5 ]
	[ -z "$(summary_filtered)" ]
	[ "$(summary_events)" -eq "$(count_events ktrace.out)" ]
}

# Asserts the message and status for -p TEXT.
assert_pid_error() { # TEXT STATUS MESSAGE
	run "$KTRACE" record -e "$EXIT" -p "$1"
	[ "$status" -eq "$2" ]
	[ "${lines[0]}" = "ktrace record: $3" ]
	[ ! -e ktrace.out ]
}

@test "-p: what is not a process, or has ended" {
	for text in '' x 12x 0 -1 " $$" "$$," ",$$" "$$,,$$"; do
		assert_pid_error "$text" 2 "not a process number"
	done
	run "$KTRACE" record -e "$EXIT" -p "$$,x"
	[ "${lines[1]}" = "  $$,x" ]
	[ "$(tr -d ' ' <<<"${lines[2]}")" = "^" ]
	[ "${#lines[2]}" -eq $((2 + ${#lines[1]} - 2)) ]
	assert_pid_error 4194304 1 "cannot follow 4194304: no such process"
	assert_pid_error 99999999999999999999 1 "cannot follow 99999999999999999999: no such process"
	true &
	wait $!
	assert_pid_error $! 1 "cannot follow $!: no such process"
	run "$KTRACE" record -e "$EXIT" -a -p $$
	[ "$status" -eq 2 ]
	[ "$output" = "ktrace record: -a and -p exclude each other" ]
}

@test "-p: in a container, where the kernel's PIDs are unknown" {
	run unshare -fp "$KTRACE" record -e "$EXIT" -p 1 true
	[ "$status" -eq 1 ]
	[[ $output == *"cannot follow 1: in a container "* ]]
	[ ! -e ktrace.out ]
}
