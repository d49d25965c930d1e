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
	[ "$("$KTRACE" print | grep -c ' sys_enter_openat: .* dfd=-100 filename=[^ ]* ')" -ge 2 ]
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

# Made with paths of all kinds; the last one, of more letters than any path can have, is cut.
PATHS='cat /etc/hostname >/dev/null; mkdir "a \"quoted\" one"; mv "a \"quoted\" one" other; rmdir other
	ln -s "back\\slash" link; readlink link >/dev/null; mv link elsewhere; rm elsewhere
	cat "" ./none "$(printf "%5000s" "" | tr " " x)" 2>/dev/null; true'

# Each call and the texts that it has, cut as strace does it: it shows a byte less.
texts_of() {
	sed -nE 's/^[0-9]+ +//; s/^([a-z0-9_]+)\(/\1 /p' "$1" | perl -ne '
		($call) = /^(\w+)/; $call = "new$call" if $call =~ /^l?stat$/;
		for (/"((?:[^"\\]|\\.)*)"/g) { print "$call ", length > 4095 ? substr($_, 0, 4095) : $_, "\n" }'
}

# A page that the process has not touched yet is not in memory, and what lies there not to be had.
@test "paths are those that strace shows, but for what is not in memory yet" {
	calls=openat,newfstatat,access,mkdir,rename,renameat2,rmdir,symlink,symlinkat,unlinkat
	strace -f -s 6000 -e trace=$calls -e signal=none -o straced sh -c "$PATHS"
	texts_of straced | sort >theirs
	record -e "$(printf 'syscalls:sys_enter_%s,' ${calls//,/ } | sed 's/,$//')" --strict \
		-- sh -c "$PATHS"
	[ "$status" -eq 0 ]
	"$KTRACE" print | sed -nE 's/.* sys_enter_([a-z0-9_]+): /\1(/p' >printed
	texts_of printed | sort >ours
	[ -z "$(comm -13 theirs ours)" ]
	grep -F 'mkdir a \"quoted\" one' ours
	grep -F 'back\\slash' ours
	grep -x "openat x\{4095\}" ours
	grep 'filename="x\{4096\}"\.\.\. ' printed
	pointers="$(grep -oE '(filename|pathname|oldname|newname)=0x[1-9a-f]' printed | wc -l)"
	[ "$(comm -23 theirs ours | wc -l)" -eq "$pointers" ]
	[ "$pointers" -lt "$(wc -l <ours)" ]
}

@test "an argument that is compared with text is the text that it points to" {
	record -e syscalls:sys_enter_openat -f 'filename ~ "/etc/host*" && flags == 0' -- \
		cat /etc/hostname /etc/hosts /etc/passwd
	[ "$(count_events ktrace.out)" -eq 2 ]
	"$KTRACE" print | grep ' filename="/etc/hostname" '
	[ "$(babeltrace2 ktrace.out | grep -c ' __filename_val = "/etc/host[a-z]*" }$')" -eq 2 ]
	run ! "$KTRACE" record -e syscalls:sys_enter_openat -f 'flags == "/etc"' -- true
	run ! "$KTRACE" record -e syscalls:sys_enter_write -f 'buf == "x"' -- true
}

@test "an object has a pointer and what it leads to; null where that is not to be had" {
	record -e syscalls:sys_enter_openat -f 'filename ~ "*x"' -- cat none-x "$(printf '%5000sx' "" | tr ' ' x)"
	"$KTRACE" print --json | sed -n 1p >object
	[ "$(jq -r '.fields.__filename_val' object)" = none-x ]
	jq -e '.fields.filename | startswith("0x")' object
	jq -e 'has("truncated") | not' object
	[ "$("$KTRACE" print --json | sed -n 2p | jq -c .truncated)" = '["__filename_val"]' ]
	record -e syscalls:sys_enter_unlink -- perl -e 'require "syscall.ph"; syscall(87, 16)'
	[ "$("$KTRACE" print --json | jq -c '.fields | [.pathname, .__pathname_val]')" = '["0x10",null]' ]
	"$KTRACE" print | grep ' pathname=0x10$'
}
