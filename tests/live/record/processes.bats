#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Whom `ktrace record -a` and `-p` look at, with and without a command.

bats_require_minimum_version 1.5.0

load ../recording
load ../tasks

# Begin a process that is there before it is recorded, and does nothing until it is told to.
begin() { # SCRIPT
	mkfifo "go${#others[@]}"
	bash -c "read <go${#others[@]}; $1" 3>&- &
	others+=($!)
}

go() { # INDEX
	echo >"go$1"
}

@test "-p: a process and what it forks, until it ends; of others nothing" {
	skip_in_a_container
	begin 'for i in 1 2 3; do (./kt_witness; ./kt_witness; :); done'
	start -e "$EXIT" -p "${others[0]}"
	[ "$line" = "ktrace record: recording 1 event of process ${others[0]} and its children;\
 Ctrl-C ends it" ]
	witness 5
	go 0
	finish
	[ "$status" -eq 0 ]
	[ "$(count_events ktrace.out kt_witness)" -eq 6 ]
	# And those of three subshells. It ends it by its own end, which may be the last event.
	[ "$(count_events ktrace.out)" -ge 9 ]
	[ "$(count_events ktrace.out)" -le 10 ]
	[ "$(said_events)" -eq "$(count_events ktrace.out)" ]
	[ "$(said_left_out)" -ge 5 ]
}

@test "-p: several, with commas or one by one, until the last one ends" {
	skip_in_a_container
	for n in 1 2 3; do begin "for i in \$(seq $n); do ./kt_witness; done; :"; done
	start -e "$EXIT" -p "${others[0]},${others[1]}" -p "${others[2]},${others[0]}"
	[[ $line == *" of 3 processes and their children; "* ]]
	for n in 0 1 2; do
		kill -0 "$pid"
		go "$n"
		wait "${others[$n]}"
		sleep 0.3
	done
	finish
	[ "$status" -eq 0 ]
	[ "$(count_events ktrace.out kt_witness)" -eq 6 ]
}

@test "-p: Ctrl-C ends it before the process does" {
	skip_in_a_container
	begin ./kt_witness
	start -e "$EXIT" -p "${others[0]}"
	kill -TERM "$pid"
	finish
	[ "$status" -eq 0 ]
	kill -0 "${others[0]}"
	[ "$(count_events ktrace.out)" -eq 0 ]
}

@test "-p with a command: not the command is recorded, but the process as long as it runs" {
	skip_in_a_container
	begin './kt_witness; echo >done; read <go0'
	mkfifo "done"
	start -e "$EXIT" -p "${others[0]}" -- sh -c './kt_witness; echo >go0; read _ <done; exit 7'
	[ "$line" = "ktrace record: recording 1 event of process ${others[0]} and its children\
 while 'sh' runs" ]
	finish
	[ "$status" -eq 7 ]
	kill -0 "${others[0]}"
	[ "$(count_events ktrace.out)" -eq 1 ]
	[ "$(said_left_out)" -ge 2 ]
}

@test "-a with a command: everybody, as long as it runs" {
	mkfifo go "done"
	start -e "$EXIT" -a -- sh -c 'echo >go; read _ <done; exit 7'
	[ "$line" = "ktrace record: recording 1 event on the whole machine while 'sh' runs" ]
	read -r _ <go
	witness 5
	echo >"done"
	finish
	[ "$status" -eq 7 ]
	[ "$(count_events ktrace.out kt_witness)" -eq 5 ]
	[ -z "$(said_left_out)" ]
	[ "$(said_events)" -eq "$(count_events ktrace.out)" ]
}

# What it says of -p TEXT, and with which status.
refused() { # TEXT STATUS MESSAGE
	run "$KTRACE" record -e "$EXIT" -p "$1"
	[ "$status" -eq "$2" ]
	[ "${lines[0]}" = "ktrace record: $3" ]
	[ ! -e ktrace.out ]
}

@test "-p: what is no process, or none any more" {
	for text in '' x 12x 0 -1 " $$" "$$," ",$$" "$$,,$$"; do
		refused "$text" 2 "not a process number"
	done
	run "$KTRACE" record -e "$EXIT" -p "$$,x"
	[ "${lines[1]}" = "  $$,x" ]
	[ "$(tr -d ' ' <<<"${lines[2]}")" = "^" ]
	[ "${#lines[2]}" -eq $((2 + ${#lines[1]} - 2)) ]
	refused 4194304 1 "cannot follow 4194304: no such process"
	refused 99999999999999999999 1 "cannot follow 99999999999999999999: no such process"
	true &
	wait $!
	refused $! 1 "cannot follow $!: no such process"
	run "$KTRACE" record -e "$EXIT" -a -p $$
	[ "$status" -eq 2 ]
	[ "$output" = "ktrace record: -a and -p exclude each other" ]
}

@test "-p: in a container, where the kernel's numbers are not known" {
	run unshare -fp "$KTRACE" record -e "$EXIT" -p 1 true
	[ "$status" -eq 1 ]
	[[ $output == *"cannot follow 1: in a container "* ]]
	[ ! -e ktrace.out ]
}
