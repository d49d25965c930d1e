#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# System calls by their names, each of which means what happens at its entry and at its return.

bats_require_minimum_version 1.5.0

load recording

# 100 writes of 1 byte and 30 of 2.
WRITES='dd if=/dev/zero of=/dev/null status=none bs=1 count=100
	dd if=/dev/zero of=/dev/null status=none bs=2 count=30'

@test "a call's name means both of its events, each by itself" {
	[ "$("$KTRACE" list syscalls:getppid)" = "$(printf 'syscalls:sys_%s_getppid\n' enter exit)" ]
	record -e syscalls:write -- sh -c "$WRITES"
	[ "$status" -eq 0 ]
	[ "$(count_events ktrace.out sys_enter_write)" -eq 130 ]
	[ "$(count_events ktrace.out sys_exit_write)" -eq 130 ]
	record -e syscalls:sys_exit_write -- sh -c "$WRITES"
	[ "$(count_events ktrace.out)" -eq 130 ]
}

@test "arguments have the signs that their types have" {
	record -e syscalls:sys_enter_openat -f 'dfd < 0 && flags & 0x80000' -e syscalls:sys_exit_openat \
		-f 'ret == -2' -- cat ./there-is-none
	[ "$("$KTRACE" print | grep -c ' sys_enter_openat: .* dfd=-100 filename=0x[0-9a-f]* ')" -ge 2 ]
	"$KTRACE" print | grep ' sys_exit_openat: __syscall_nr=257 ret=-2$'
	[ "$("$KTRACE" print | grep -c ' sys_exit_openat: .* ret=[^-]')" -eq 0 ]
}

# By name and number, as strace counts them; its names are those of numbers, the kernel's those of its
# functions. It counts no call that does not return.
@test "all calls of a command are as many as strace counts" {
	work="$WRITES; true; cat /etc/hostname >/dev/null; ls / >/dev/null"
	strace -f -c -U name,calls -o counted sh -c "$work"
	sed -n 's/^\([a-z0-9_]*\)  *\([0-9]*\)$/\1 \2/p' counted >theirs
	record -e 'syscalls:*' -b 16M --strict -- sh -c "$work"
	[ "$status" -eq 0 ]
	"$KTRACE" print | sed -n 's/.* sys_enter_\([a-z0-9_]*\): .*/\1/p' | sed -E '
		s/^new([fl]?stat|uname)$/\1/; s/^sendfile64$/sendfile/; s/^umount$/umount2/' |
		sort | uniq -c | awk '{ print $2, $1 }' >ours
	grep -x "write [0-9]*" ours
	diff <(grep -v '^total ' theirs | sort) <(grep -v '^exit_group ' ours | sort)
}
