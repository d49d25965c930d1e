#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The benchmarks of single events: sys_enter, stacks and calls.

bats_require_minimum_version 1.5.0

load bench

# Lists ftrace's instances.
instances() {
	# shellcheck disable=SC2016 # for that shell
	unshare -m sh -ec 'mkdir -p tracefs; mount -t tracefs nodev tracefs; ls tracefs/instances'
}

@test "sys_enter: one row per way, with cost ratios" {
	bench sys_enter 3 2000
	[ "$status" -eq 0 ]
	[ ! -s stderr ]
	head -n 1 stdout | grep -E ': CPU [0-9]+, medians of 3 rounds of 2000 (events|calls)$'
	[ "$(grep -c '^ *[0-9]' stdout)" -eq 11 ]
	sed -n 3p stdout | grep -E '^ +[0-9.]+ {26}nothing$'
	sed -n 4p stdout | grep -E '^ +[0-9.]+ {26}an empty program$'
	tail -n 1 stdout | grep -E '^ +[0-9.]+ +-?[0-9.]+ +1\.00  ftrace$'
	! instances | grep ktrace-bench
}

@test "sys_enter: Ctrl-C prints the complete rounds and leaves nothing behind" {
	via=(timeout -s INT 3)
	bench sys_enter 1000 20000
	[ "$status" -eq 124 ]
	head -n 1 stdout | grep -E ': CPU [0-9]+, medians of [0-9]+ rounds? of 20000 (events|calls)$'
	! instances | grep ktrace-bench
}

@test "sys_enter: invalid arguments are errors" {
	bench sys_enter 0
	[ "$status" -eq 1 ]
	[ "$(<stderr)" = "sys_enter: not a number from 1 to 1000: '0'" ]
	bench sys_enter 1 1000000
	[ "$status" -eq 1 ]
	[ "$(<stderr)" = "sys_enter: not a number from 1 to 50000: '1000000'" ]
}

@test "stacks: one row per way, relative to ftrace's stack of the kernel" {
	bench stacks 3 2000
	[ "$status" -eq 0 ]
	[ ! -s stderr ]
	[ "$(grep -c '^ *[0-9]' stdout)" -eq 11 ]
	sed -n 3p stdout | grep -E '^ +[0-9.]+ {26}an empty program$'
	tail -n 1 stdout | grep -E "^ +[0-9.]+ +-?[0-9.]+ +1\.00  ftrace, the kernel's stack$"
	! instances | grep ktrace-bench
}

@test "calls: two tables, relative to reading a clock and to an lseek" {
	bench calls 3 2000
	[ "$status" -eq 0 ]
	[ ! -s stderr ]
	head -n 1 stdout | grep -E ': CPU [0-9]+, medians of 3 rounds of 2000 (events|calls)$'
	[ "$(grep -c '^ *[0-9]' stdout)" -eq 9 ]
	sed -n 4p stdout | grep -E '^ +[0-9.]+ {26}an empty program$'
	sed -n 5p stdout | grep -E '^ +[0-9.]+ +-?[0-9.]+ +1\.00  a program that reads the clock$'
	sed -n 6p stdout | grep -E '^ +[0-9.]+ +-?[0-9.]+ +-?[0-9.]+  ktrace records another call$'
	sed -n 10p stdout | grep -E '^ +[0-9.]+ +-?[0-9.]+ +1\.00  lseek: ktrace$'
	tail -n 1 stdout | grep -E '^ +[0-9.]+ +-?[0-9.]+ +-?[0-9.]+  read: ktrace, with its 64 bytes$'
}

@test "calls: Ctrl-C prints the complete rounds" {
	via=(timeout -s INT 3)
	bench calls 1000 20000
	[ "$status" -eq 124 ]
	head -n 1 stdout | grep -E ': CPU [0-9]+, medians of [0-9]+ rounds? of 20000 (events|calls)$'
}
