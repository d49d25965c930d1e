#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# System calls in a flight: the kernel's own record of each, with the types that arguments have.

load flight

called() {
	ktrace start -e syscalls:openat -f 'flags & O_CREAT' -e syscalls:sys_exit_mkdir -f 'ret == -EEXIST' \
		-e syscalls:sys_enter_mmap -f 'flags & MAP_ANONYMOUS && fd == -1'
	sh -c 'echo >made; mkdir made; cat /dev/null' || true
	ktrace snapshot -o kept
	"$KTRACE" print --events kept >printed
	grep "sh-.*sys_enter_openat: __syscall_nr=257 dfd=AT_FDCWD filename=0x[0-9a-f]* flags=O_WRONLY|O_CREAT|O_TRUNC mode=0666$" printed
	grep "mkdir-.*sys_exit_mkdir: __syscall_nr=83 ret=-EEXIST$" printed
	grep 'cat-.*sys_enter_mmap: .* prot=PROT_READ|PROT_WRITE flags=MAP_PRIVATE|MAP_ANONYMOUS fd=-1 off=0x0$' printed
	babeltrace2 kept >theirs
	grep 'mkdir: .*ret = ( "-EEXIST" : container = -17 )' theirs
	ktrace stop
}

@test "arguments have their types and names in a snapshot" {
	apart called
}
