#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace release: probes whose detaching takes the kernel long are left to it.

bats_require_minimum_version 1.5.0

load ../recording

# Prints up to 100 events of kind tracepoint.
list_slow_events() {
	"$KTRACE" list -v | sed -n 's/ (tracepoint)$//p' | head -n 100 | paste -sd,
}

# Prints what the descriptors of a process lead to, once each.
list_open_files() { # PID
	for fd in "/proc/$1/fd/"*; do
		readlink "$fd" || true
	done 2>/dev/null | sed 's/:\[[0-9]*\]$//' | sort -u | paste -sd' '
}

# Prints the processes that detach probes, according to status, of this test.
list_releasing() {
	sentence="ktrace status: the kernel is detaching [0-9]* probes\? of a recording that has ended"
	"$KTRACE" status 2>&1 | sed -n "s/^$sentence (process \([0-9]*\))$/\1/p" |
		while read -r process; do
			! grep -qzFx "BATS_TEST_TMPDIR=$BATS_TEST_TMPDIR" "/proc/$process/environ" ||
				echo "$process"
		done
}

@test "probes that are detached slowly do not hold up the prompt" {
	ktrace record -o t -e "$(list_slow_events)" true
	[ "$status" -eq 0 ]
	releasing=$(list_releasing)

	# It has nothing else of the recording, and is not its shell's.
	[ "$(list_open_files "$releasing")" = "/dev/null anon_inode:bpf_link pipe" ]
	[ "$(readlink "/proc/$releasing/cwd")" = / ]
	[ "$(ps -o sid= -p "$releasing")" -eq "$releasing" ]
	[ "$(ps -o comm= -p "$releasing")" = ktrace-release ]
	last=$(sed -n 's/^link_id:\t//p' "/proc/$releasing/fdinfo/"* 2>/dev/null | sort -n | tail -n 1)
	bpftool link show id "$last"

	# The links are gone with it.
	timeout 60 tail -f /dev/null --pid="$releasing"
	[ "$(bpftool link show id "$last" 2>&1 | grep -c perf_event)" -eq 0 ]
	[ -z "$(list_releasing)" ]
}

@test "probes that are detached quickly need no other process" {
	[[ $("$KTRACE" list -v softirq_raise) == *"(raw_tp)"* ]]
	ktrace record -o t -e softirq_raise true
	[ "$status" -eq 0 ]
	[ -z "$(list_releasing)" ]
}

@test "ktrace release is not for users" {
	ktrace release </dev/null
	[ "$status" -eq 2 ]
	[ "$stderr" = "ktrace release: run by ktrace itself, to detach the probes of a recording that has ended" ]
}
