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

# Of all kinds and lengths; behind the last one there is more than is kept.
BYTES='exec >/dev/null; printf "%s\n" one "\"two\"" "back\\slash" "tab	ä"; printf "\0\1\177\200\377x"; printf ""
	for n in 31 32 33; do printf "%${n}s" x; done; cat /etc/passwd; readlink link
	dd if=/bin/true bs=7 count=3 status=none; dd if=/dev/zero bs=5000 count=1 status=none'

# CALL and each byte of it that strace -xx shows, then dots where there were more.
bytes_of_strace() {
	perl -ne 'next unless /^\d+ +(\w+)\(/; my $call = $1;
		print "$call $1", $2 // "", "\n" while /"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?/g' "$1"
}

# The same of what ktrace print shows.
bytes_of_ktrace() {
	perl -ne 'next unless / sys_(?:enter|exit)_(\w+): /; my $call = $1;
		my %is = (n => "\n", t => "\t");
		while (/="((?:[^"\\]|\\.)*)"(\.\.\.)?/g) {
			my ($text, $more) = ($1, $2 // "");
			$text =~ s/\\(?:x(..)|(.))/defined $1 ? chr hex $1 : $is{$2} \/\/ $2/ge;
			print "$call ", join("", map { sprintf "\\x%02x", ord } split //, $text), "$more\n" }' "$1"
}

@test "what is read and written is what strace shows, in each call and as much of it" {
	ln -s 'to "there"' link
	calls=read,write,readlink
	for max in 32 100; do
		strace -f -xx -s $max -e trace=$calls -e signal=none -o straced sh -c "$BYTES"
		bytes_of_strace straced | sort >theirs
		record -e "syscalls:${calls//,/,syscalls:}" -s $max --strict -- sh -c "$BYTES"
		[ "$status" -eq 0 ]
		"$KTRACE" print >printed
		bytes_of_ktrace printed | sort >ours
		diff theirs ours
		[ "$(grep -c '\.\.\.$' ours)" -gt 5 ]
	done
	grep -xF 'write \x00\x01\x7f\x80\xff\x78' ours
	grep -xF 'readlink \x74\x6f\x20\x22\x74\x68\x65\x72\x65\x22' ours
}

# Calls by number, as perl makes them: what fails has nothing, what asks for nothing gets that.
ODD='require "syscall.ph"; $b = "abc\xff" x 20; open F, "<", "/etc/hostname"; $f = fileno F;
	syscall(&SYS_write, -1, 16, 3); syscall(&SYS_write, -1, 16, 0); syscall(&SYS_write, -1, 0, 0);
	syscall(&SYS_write, -1, $b, 4); syscall(&SYS_write, -1, $b, 80); $c = "ab\xc3\xa4" x 20;
	syscall(&SYS_write, -1, $c, 79);
	syscall(&SYS_pread64, -1, $b, 4, 0); syscall(&SYS_pread64, $f, $b, 4, 1000000);
	syscall(&SYS_setsockopt, -1, 1, 1, $b, -1);
	use Socket; socketpair(S, T, AF_UNIX, SOCK_DGRAM, 0); syswrite S, "hello" for 1 .. 2;
	syscall(&SYS_recvfrom, fileno T, $b, $_, 0x20, 0, 0) for 0, 2;'

@test "bytes in an object are text where they are one, and null where there are none" {
	record -s 31 -e syscalls:sys_enter_write -f 'fd == 0xffffffff' -e syscalls:sys_exit_pread64 -f 'ret <= 0' \
		-e syscalls:sys_enter_setsockopt -e syscalls:sys_exit_recvfrom -- perl -e "$ODD"
	"$KTRACE" print >printed
	grep -oE ' (buf|optval)=.*' printed | sed -n '1,6p' >lines
	printf ' buf=%s count=%s\n' 0x10 3 '""' 0 0x0 0 '"abc\xff"' 4 \
		'"abc\xffabc\xffabc\xffabc\xffabc\xffabc\xffabc\xffabc"...' 80 \
		'"abäabäabäabäabäabäabäab\xc3"...' 79 | diff - lines
	grep ' ret=-9$' printed
	grep ' ret=0 buf=""$' printed
	grep ' optval=0x[0-9a-f]* optlen=-1$' printed
	[ "$(sed -n 's/.* ret=5 //p' printed | paste -sd ' ')" = 'ubuf=? ubuf="he"...' ]
	"$KTRACE" print --json >objects
	[ "$(jq -c 'select(.event == "sys_enter_write") | .fields.__buf_val' objects)" = "$(printf '%s\n' \
		null '""' '""' '[97,98,99,255]' \
		'[97,98,99,255,97,98,99,255,97,98,99,255,97,98,99,255,97,98,99,255,97,98,99,255,97,98,99,255,97,98,99]' \
		'"abäabäabäabäabäabäabäab"')" ]
	[ "$(jq -c 'select(.truncated) | .fields.count // .fields.ret' objects |
		paste -sd ' ')" = "80 79 5" ]
	[ "$(jq -c 'select(.event == "sys_exit_pread64") | .fields | [.ret, .__buf_val]' objects |
		paste -sd ' ')" = '[-9,null] [0,""]' ]
	[ "$(jq -c 'select(.event == "sys_enter_setsockopt") | .fields.__optval_val' objects)" = null ]
	babeltrace2 ktrace.out | grep 'buf_val = \[ \[0\] = 0x61, \[1\] = 0x62, \[2\] = 0x63, \[3\] = 0xFF \]'
}

@test "-s is a number of bytes, up to 4096" {
	record -s 4K -e syscalls:sys_exit_read -- cat /etc/passwd
	"$KTRACE" print | grep -F "buf=\"$(sed -z 's/\n/\\n/g' /etc/passwd)\"" | head -c 100
	record -s 0 -e syscalls:sys_enter_write -- echo hello
	"$KTRACE" print | grep ' buf=0x[0-9a-f]* count=6$'
	for wrong in 5000 -1 x ''; do
		run -2 "$KTRACE" record -s "$wrong" -e syscalls:sys_enter_write -- true
	done
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
