#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace record -C: recording some CPUs only.

bats_require_minimum_version 1.5.0

load ../recording
load ../tasks

setup_file() {
	local cpus
	mapfile -t cpus < <(list_cpus)
	export HERE=${cpus[0]} THERE=${cpus[1]:-}
}

skip_without_two() {
	[ "$THERE" ] || skip "this machine gives us one CPU"
}

# Runs 3 programs on the first CPU and 5 on the second.
run_on_both() {
	echo "for i in 1 2 3; do taskset -c $HERE ./kt_witness; done
		for i in 1 2 3 4 5; do taskset -c $THERE ./kt_witness; done"
}

@test "a command's events on that CPU only; other CPUs have no stream" {
	skip_without_two
	record -e sched_process_exec -f 'filename ~ "./kt_*"' -C "$THERE" --strict -- sh -c "$(run_on_both)"
	[ "$status" -eq 0 ]
	[[ $message == *"recording 1 event of 'sh' and its children on CPU $THERE"$'\n'* ]]
	[ "$(count_events ktrace.out)" -eq 5 ]
	[ "$(grep -c "cpu_id = $THERE" events)" -eq 5 ]
	[[ $message =~ ";"\ [0-9]+" filtered (other processes, other CPUs, -f)" ]]
	echo ktrace.out/cpu*
	[ "$(echo ktrace.out/cpu*)" = "ktrace.out/cpu$THERE" ]
}

@test "several CPUs, in any order, repeated, and with -a" {
	skip_without_two
	record -e sched_process_exec -a -C "$THERE,$HERE" -C "$HERE" -- sh -c "$(run_on_both)"
	[ "$status" -eq 0 ]
	[[ $message == *"recording 1 event on 2 CPUs while 'sh' runs"* ]]
	[ "$(count_events ktrace.out 'filename = "./kt_witness"')" -eq 8 ]
	[ "$(sort -u <(grep -o 'cpu_id = [0-9]*' events) | wc -l)" -eq 2 ]
}

@test "until Ctrl-C, and with -p" {
	start -e sched_switch -C "$HERE"
	[ "$line" = "ktrace record: recording 1 event on CPU $HERE; Ctrl-C ends it" ]
	kill -INT "$pid"
	finish
	[ "$status" -eq 0 ]
	[[ $message =~ ";"\ [0-9]+" filtered (other CPUs)" ]]

	skip_in_a_container
	record -e sched_switch -C "$HERE" -p $BASHPID -- true
	[[ $message == *" of process $BASHPID and its children on CPU $HERE while 'true' runs"* ]]
}

@test "a missing CPU is an error before anything is recorded" {
	record -e sched_switch -C "$HERE,9999-10000" true
	[ "$status" -eq 1 ]
	[ "$message" = "ktrace record: CPU 9999 is not online
  $HERE,9999-10000
  ${HERE//?/ } ^~~~~~~~~~" ]
	[ ! -e ktrace.out ]
	for cpus in '' 0, 0-x 3-1 ,0 'CPU 0'; do
		record -e sched_switch -C "$cpus" true
		[ "$status" -eq 2 ]
		[[ $message == "ktrace record: not a list of CPUs: expected numbers or ranges: 0,2-3"* ]]
	done
}
