#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The emulated machine: its verdict is the command's, and a machine that dies has failed.

bats_require_minimum_version 1.5.0

setup_file() {
	kernel=$(tools/vm/kernel.sh | head -1)
	export kernel VM_SECONDS=100
}

boot() { # COMMAND...
	run --separate-stderr timeout 110 tools/vm/boot.sh "${KTRACE%/ktrace}/vm" "$kernel" "$@"
	echo "status $status" "$output" "$stderr" # shown on failure
}

@test "a command's output and status come back, and its files stay in the guest" {
	boot sh -c 'uname -r; pwd; echo guest >guest-wrote-this; id -u >&2; exit 7'
	[ "$status" -eq 7 ]
	[[ ${lines[0]} == "$kernel".* ]]
	[ "${lines[1]}" = "$PWD" ]
	[ "${lines[2]}" = 0 ]
	[ ! -e guest-wrote-this ]
}

@test "a guest that dies has failed, and its last messages are shown" {
	boot sh -c 'echo before; echo c >/proc/sysrq-trigger; sleep 60'
	[ "$status" -eq 125 ]
	[ "$output" = before ]
	[[ $stderr == *"did not finish"* && $stderr == *"Kernel panic"* ]]
}

@test "unknown kernels are refused, with those that are known" {
	run --separate-stderr tools/vm/boot.sh "$BATS_TEST_TMPDIR" 2.6 true
	[ "$status" -eq 2 ]
	[ "$stderr" = "vm: unknown kernel '2.6'; known: 6.1 6.12 7.3" ]
}
