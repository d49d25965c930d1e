#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What recording an event adds to it, as measured.

bats_require_minimum_version 1.5.0

load bench

# Of ftrace; its root is the argument.
instances() {
	# shellcheck disable=SC2016 # for that shell
	unshare -m sh -ec 'mkdir -p tracefs; mount -t tracefs nodev tracefs; ls tracefs/instances'
}

@test "sys_enter: a row a way, ratios of what each adds" {
	bench sys_enter 3 2000
	[ "$status" -eq 0 ]
	[ ! -s stderr ]
	head -n 1 stdout | grep -E ': CPU [0-9]+, medians of 3 rounds of 2000$'
	[ "$(grep -c '^ *[0-9]' stdout)" -eq 11 ]
	sed -n 3p stdout | grep -E '^ +[0-9.]+ {26}nothing$'
	sed -n 4p stdout | grep -E '^ +[0-9.]+ {26}an empty program$'
	tail -n 1 stdout | grep -E '^ +[0-9.]+ +-?[0-9.]+ +1\.00  ftrace$'
	! instances | grep ktrace-bench
}

@test "sys_enter: ended early it shows the rounds that it has, and leaves nothing" {
	via=(timeout -s INT 3)
	bench sys_enter 1000 20000
	[ "$status" -eq 124 ]
	head -n 1 stdout | grep -E ': CPU [0-9]+, medians of [0-9]+ rounds? of 20000$'
	! instances | grep ktrace-bench
}

@test "sys_enter: what it cannot do it says" {
	bench sys_enter 0
	[ "$status" -eq 1 ]
	[ "$(<stderr)" = "sys_enter: '0' is not a number from 1 to 1000" ]
	bench sys_enter 1 1000000
	[ "$status" -eq 1 ]
	[ "$(<stderr)" = "sys_enter: '1000000' is not a number from 1 to 50000" ]
}

@test "calls: rows of two tables, parts of what a clock and an lseek cost" {
	bench calls 3 2000
	[ "$status" -eq 0 ]
	[ ! -s stderr ]
	head -n 1 stdout | grep -E ': CPU [0-9]+, medians of 3 rounds of 2000$'
	[ "$(grep -c '^ *[0-9]' stdout)" -eq 9 ]
	sed -n 4p stdout | grep -E '^ +[0-9.]+ {26}an empty program$'
	sed -n 5p stdout | grep -E '^ +[0-9.]+ +-?[0-9.]+ +1\.00  a program that reads the clock$'
	sed -n 6p stdout | grep -E '^ +[0-9.]+ +-?[0-9.]+ +-?[0-9.]+  ktrace, another call$'
	sed -n 10p stdout | grep -E '^ +[0-9.]+ +-?[0-9.]+ +1\.00  lseek: ktrace$'
	tail -n 1 stdout | grep -E '^ +[0-9.]+ +-?[0-9.]+ +-?[0-9.]+  read: ktrace, with its 64 bytes$'
}

@test "calls: ended early it shows the rounds that it has" {
	via=(timeout -s INT 3)
	bench calls 1000 20000
	[ "$status" -eq 124 ]
	head -n 1 stdout | grep -E ': CPU [0-9]+, medians of [0-9]+ rounds? of 20000$'
}
