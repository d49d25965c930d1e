#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# System calls by name: entry and return.

bats_require_minimum_version 1.5.0

load ../recording

# 100 writes of 1 byte and 30 of 2.
WRITES='dd if=/dev/zero of=/dev/null status=none bs=1 count=100
	dd if=/dev/zero of=/dev/null status=none bs=2 count=30'

@test "a call's name means both of its events" {
	[ "$("$KTRACE" list syscalls:getppid)" = "$(printf 'syscalls:sys_%s_getppid\n' enter exit)" ]
	record -e syscalls:write -- sh -c "$WRITES"
	[ "$status" -eq 0 ]
	[ "$(count_events ktrace.out sys_enter_write)" -eq 130 ]
	[ "$(count_events ktrace.out sys_exit_write)" -eq 130 ]
	record -e syscalls:sys_exit_write -- sh -c "$WRITES"
	[ "$(count_events ktrace.out)" -eq 130 ]
}

@test "arguments are signed as their types" {
	record -e syscalls:sys_enter_openat -f 'dfd < 0 && flags & 0x80000' -e syscalls:sys_exit_openat \
		-f 'ret == -2' -- cat ./there-is-none
	[ "$("$KTRACE" print --events | grep -c ' sys_enter_openat: .* dfd=AT_FDCWD filename=[^ ]* ')" -ge 2 ]
	"$KTRACE" print --events | grep ' sys_exit_openat: __syscall_nr=257 ret=-ENOENT$'
	[ "$("$KTRACE" print --events | grep -c ' sys_exit_openat: .* ret=[^-]')" -eq 0 ]
}

# By name and number, as strace counts them; strace uses the names of numbers, the kernel those of
# functions. Calls that do not return are not counted.
@test "a command's calls are as many as strace counts" {
	work="$WRITES; true; cat /etc/hostname >/dev/null; ls / >/dev/null"
	strace -f -c -U name,calls -o counted sh -c "$work"
	sed -n 's/^\([a-z0-9_]*\)  *\([0-9]*\)$/\1 \2/p' counted >theirs
	record -e 'syscalls:*' -b 16M --strict -- sh -c "$work"
	[ "$status" -eq 0 ]
	"$KTRACE" print --events | sed -n 's/.* sys_enter_\([a-z0-9_]*\): .*/\1/p' | sed -E '
		s/^new([fl]?stat|uname)$/\1/; s/^sendfile64$/sendfile/; s/^umount$/umount2/' |
		sort | uniq -c | awk '{ print $2, $1 }' >ours
	grep -x "write [0-9]*" ours
	diff <(grep -v '^total ' theirs | sort) <(grep -v '^exit_group ' ours | sort)
}

# Paths of all kinds; the last is longer than any path can be, and is cut.
PATHS='cat /etc/hostname >/dev/null; mkdir "a \"quoted\" one"; mv "a \"quoted\" one" other; rmdir other
	ln -s "back\\slash" link; readlink link >/dev/null; mv link elsewhere; rm elsewhere
	cat "" ./none "$(printf "%5000s" "" | tr " " x)" 2>/dev/null; true'

# Prints each call with its texts.
print_texts() {
	sed -nE 's/^[0-9]+ +//; s/^([a-z0-9_]+)\(/\1 /p' "$1" | perl -ne '
		($call) = /^(\w+)/; $call = "new$call" if $call =~ /^l?stat$/;
		for (/"((?:[^"\\]|\\.)*)"/g) { print "$call $_\n" }'
}

# A page not yet touched is not in memory, and its text unavailable.
@test "paths are as strace prints them, except those not yet in memory" {
	calls=openat,newfstatat,access,mkdir,rename,renameat2,rmdir,symlink,symlinkat,unlinkat
	strace -f -s 6000 -e trace=$calls -e signal=none -o straced sh -c "$PATHS"
	print_texts straced | sort >theirs
	record -e "$(printf 'syscalls:sys_enter_%s,' ${calls//,/ } | sed 's/,$//')" --strict \
		-- sh -c "$PATHS"
	[ "$status" -eq 0 ]
	"$KTRACE" print --events | sed -nE 's/.* sys_enter_([a-z0-9_]+): /\1(/p' >printed
	print_texts printed | sort >ours
	[ -z "$(comm -13 theirs ours)" ]
	grep -F 'mkdir a \"quoted\" one' ours
	grep -F 'back\\slash' ours
	grep -x "openat x\{4095\}" ours
	grep 'filename="x\{4095\}"\.\.\. ' printed
	pointers="$(grep -oE '(filename|pathname|oldname|newname)=0x[1-9a-f]' printed | wc -l)"
	[ "$(comm -23 theirs ours | wc -l)" -eq "$pointers" ]
	[ "$pointers" -lt "$(wc -l <ours)" ]
}

# All kinds and lengths; the last is longer than the limit.
BYTES='exec >/dev/null; printf "%s\n" one "\"two\"" "back\\slash" "tab	ä"; printf "\0\1\177\200\377x"; printf ""
	for n in 31 32 33; do printf "%${n}s" x; done; cat /etc/passwd; readlink link
	dd if=/bin/true bs=7 count=3 status=none; dd if=/dev/zero bs=5000 count=1 status=none'

# Prints CALL and each byte that strace -xx prints, then dots if there were more.
print_strace_bytes() {
	perl -ne 'next unless /^\d+ +(\w+)\(/; my $call = $1;
		print "$call $1", $2 // "", "\n" while /"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?/g' "$1"
}

# The same for ktrace print.
print_ktrace_bytes() {
	perl -ne 'next unless / sys_(?:enter|exit)_(\w+): /; my $call = $1;
		my %is = (n => "\n", t => "\t");
		while (/="((?:[^"\\]|\\.)*)"(\.\.\.)?/g) {
			my ($text, $more) = ($1, $2 // "");
			$text =~ s/\\(?:x(..)|(.))/defined $1 ? chr hex $1 : $is{$2} \/\/ $2/ge;
			print "$call ", join("", map { sprintf "\\x%02x", ord } split //, $text), "$more\n" }' "$1"
}

@test "data read and written is as strace prints it, in content and length" {
	ln -s 'to "there"' link
	calls=read,write,readlink
	for max in 32 100; do
		strace -f -xx -s $max -e trace=$calls -e signal=none -o straced sh -c "$BYTES"
		print_strace_bytes straced | sort >theirs
		record -e "syscalls:${calls//,/,syscalls:}" -s $max --strict -- sh -c "$BYTES"
		[ "$status" -eq 0 ]
		"$KTRACE" print --events >printed
		print_ktrace_bytes printed | sort >ours
		diff theirs ours
		[ "$(grep -c '\.\.\.$' ours)" -gt 5 ]
	done
	grep -xF 'write \x00\x01\x7f\x80\xff\x78' ours
	grep -xF 'readlink \x74\x6f\x20\x22\x74\x68\x65\x72\x65\x22' ours
}

# Calls by number, as perl makes them: failing ones have no data, empty ones empty data.
ODD='require "syscall.ph"; $b = "abc\xff" x 20; open F, "<", "/etc/hostname"; $f = fileno F;
	syscall(&SYS_write, -1, 16, 3); syscall(&SYS_write, -1, 16, 0); syscall(&SYS_write, -1, 0, 0);
	syscall(&SYS_write, -1, $b, 4); syscall(&SYS_write, -1, $b, 80); $c = "ab\xc3\xa4" x 20;
	syscall(&SYS_write, -1, $c, 79);
	syscall(&SYS_pread64, -1, $b, 4, 0); syscall(&SYS_pread64, $f, $b, 4, 1000000);
	syscall(&SYS_setsockopt, -1, 1, 1, $b, -1);
	use Socket; socketpair(S, T, AF_UNIX, SOCK_DGRAM, 0); syswrite S, "hello" for 1 .. 2;
	syscall(&SYS_recvfrom, fileno T, $b, $_, 0x20, 0, 0) for 0, 2;'

@test "bytes in JSON are a string if valid text, and null if absent" {
	record -s 31 -e syscalls:sys_enter_write -f 'fd == -1' -e syscalls:sys_exit_pread64 -f 'ret <= 0' \
		-e syscalls:sys_enter_setsockopt -e syscalls:sys_exit_recvfrom -- perl -e "$ODD"
	"$KTRACE" print --events >printed
	grep -oE ' (buf|optval)=.*' printed | sed -n '1,6p' >lines
	printf ' buf=%s count=%s\n' 0x10 3 '""' 0 0x0 0 '"abc\xff"' 4 \
		'"abc\xffabc\xffabc\xffabc\xffabc\xffabc\xffabc\xffabc"...' 80 \
		'"abäabäabäabäabäabäabäab\xc3"...' 79 | diff - lines
	grep ' ret=-EBADF$' printed
	grep ' ret=0 buf=""$' printed
	grep ' optval=0x[0-9a-f]* optlen=-1$' printed
	[ "$(sed -n 's/.* ret=5 //p' printed | paste -sd ' ')" = 'ubuf=? addr=? addr_len=? ubuf="he"... addr=? addr_len=?' ]
	"$KTRACE" print --events --json >objects
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

@test "-s is a number of bytes up to 4096" {
	record -s 4K -e syscalls:sys_exit_read -- cat /etc/passwd
	"$KTRACE" print --events | grep -F "buf=\"$(sed -z 's/\n/\\n/g' /etc/passwd)\"" | head -c 100
	record -s 0 -e syscalls:sys_enter_write -- echo hello
	"$KTRACE" print --events | grep ' buf=0x[0-9a-f]* count=6$'
	for wrong in 5000 -1 x ''; do
		run -2 "$KTRACE" record -s "$wrong" -e syscalls:sys_enter_write -- true
	done
}

@test "an argument compared with text means the text it points to" {
	record -e syscalls:sys_enter_openat -f 'filename ~ "/etc/host*" && flags == 0' -- \
		cat /etc/hostname /etc/hosts /etc/passwd
	[ "$(count_events ktrace.out)" -eq 2 ]
	"$KTRACE" print --events | grep ' filename="/etc/hostname" '
	[ "$(babeltrace2 ktrace.out | grep -c ' __filename_val = "/etc/host[a-z]*" }$')" -eq 2 ]
	run ! "$KTRACE" record -e syscalls:sys_enter_openat -f 'flags == "/etc"' -- true
	run ! "$KTRACE" record -e syscalls:sys_enter_write -f 'buf == "x"' -- true
}

@test "JSON has a pointer and its data, or null" {
	record -e syscalls:sys_enter_openat -f 'filename ~ "*x"' -- cat none-x "$(printf '%5000sx' "" | tr ' ' x)"
	"$KTRACE" print --events --json | sed -n 1p >object
	[ "$(jq -r '.fields.__filename_val' object)" = none-x ]
	jq -e '.fields.filename | startswith("0x")' object
	jq -e 'has("truncated") | not' object
	[ "$("$KTRACE" print --events --json | sed -n 2p | jq -c .truncated)" = '["__filename_val"]' ]
	record -e syscalls:sys_enter_unlink -- perl -e 'require "syscall.ph"; syscall(87, 16)'
	[ "$("$KTRACE" print --events --json | jq -c '.fields | [.pathname, .__pathname_val]')" = '["0x10",null]' ]
	"$KTRACE" print --events | grep ' pathname=0x10$'
}

# Calls by number with all kinds of constants; most fail with an invalid descriptor or address.
SYMBOLS='require "syscall.ph"; $SIG{$_} = "IGNORE" for qw(USR1 USR2 WINCH NUM40); $b = "\0" x 4096; $p = -100;
	sub c { my $n = shift; syscall(&{"main::SYS_$n"}, map { /^-?\d+$/ ? $_ + 0 : $_ } @_) }
	c("openat", $p, "none", $_, 384) for 0, 1, 2, 3, 65, 0x80000, 0x410000, 0x1002, 0x101001, 0x2c00, 0x40000, 0x200000;
	c("open", "x", 0x80242, 420); c("openat", -1, "x", 0x20000000, 0); c("access", "x", $_) for 0 .. 8;
	c("mmap", 0, 4096, $_, 0x22, -1, 0) for 0 .. 7; c("mmap", 0, 1, 3, $_, -1, 0) for 0, 1, 3, 4, 0x4022, 0x8022;
	c("mprotect", 1, 1, $_) for 1, 0x1000001; c("madvise", 1, 1, $_) for 0 .. 26, 100, 101, 999;
	c("msync", 1, 1, $_) for 1, 4, 6; c("mremap", 1, 1, 1, 3, 0); c("mlockall", $_) for 9, 8;
	c("socket", $_, 99, 0) for 0 .. 50; c("socket", 999, $_, 0) for 1 .. 11, 0x80801; c("socketpair", 1, 0x80002, 0, 0);
	c("lseek", -1, 0, $_) for 0 .. 6; c("fcntl", -1, $_, 0) for 0 .. 11, 15, 16, 36 .. 38, 1024 .. 1026, 1030 .. 1034;
	c("flock", -1, $_) for 1, 2, 5, 8; c("kill", $$, $_) for 10, 12, 28, 40, 65; c("tgkill", $$, $$, 0);
	c("kill", 2147483647, $_) for 0 .. 64; c("dup3", -1, -1, 0x80000); c("dup3", 0, 9, 5); c("pipe2", 0, 0x84800);
	c("eventfd2", 0, 0x80801); c("epoll_create1", $_) for 0x80000, 2; c("epoll_ctl", -1, $_, -1, 0) for 1 .. 4;
	c("inotify_init1", 0x80800); c("inotify_add_watch", -1, "x", 1 << $_) for 0 .. 11, 13, 14, 15, 24 .. 31;
	c("timerfd_create", $_, 0x80800) for 0 .. 12; c("timerfd_settime", -1, 1, 0, 0); c("signalfd4", -1, 0, 8, 0x80800);
	c("memfd_create", "m", $_) for 3, 7, 16; c("getrandom", $b, 1, $_) for 1, 4, 2, 32;
	c("clock_gettime", $_, 0) for 0 .. 11; c("clock_nanosleep", 1, 1, 0, 0); c("getitimer", $_, 0) for 0 .. 3;
	c("getpriority", $_, -1) for 0 .. 3; c("getrlimit", $_, 0) for 0 .. 16; c("getrusage", $_, 0) for -1, 0, 1, 9;
	c("wait4", -1, 0, $_, 0) for 1, 3, 8, 0xe0000000 - 2**32, 16; c("waitid", $_, 0, 0, 0x1000005, 0) for 0 .. 4;
	c("unshare", 1 << $_) for 7, 8, 9; c("setns", -1, $_) for 0x40000000, 0; c("close_range", 1000000, 1000001, $_) for 0, 4, 6;
	c("mount", 0, "none-such", 0, (1 << $_), 0) for 0 .. 8, 10 .. 24; c("umount2", "none-such", $_) for 1, 2, 4, 8, 16;
	c("linkat", $p, "none", $p, "x", 0x1400); c("unlinkat", $p, "none", $_) for 0, 0x200; c("fchownat", -1, "x", 0, 0, 0x100);
	c("renameat2", $p, "none", $p, "x", $_) for 1, 2, 4, 8; c("newfstatat", $p, "none", $b, 0x800);
	c("faccessat", $p, "none", $_) for 0, 5; c("fallocate", -1, 1 << $_, 0, 1) for 0 .. 7; c("fadvise64", -1, 0, 0, $_) for 0 .. 6;
	c("sendto", -1, $b, 1, 1 << $_, 0, 0) for 0 .. 3, 6 .. 15; c("recvfrom", -1, $b, 1, 0x42, 0, 0); c("accept4", -1, 0, 0, 0x80800);
	c("shutdown", -1, $_) for 0 .. 3; c("rt_sigprocmask", $_, $b, 0, 8) for 0 .. 3; c("semget", 7, 1, 01000);
	c("futex", 1, $_, 0, 0, 0, 0) for 0 .. 12, 128, 129, 256 + 9; c("utimensat", -1, "x", 0, 0x100);
	c("mknodat", -1, "none", $_ << 12 | 0640, 0) for 1, 2, 4, 6, 8, 10, 12; c("statx", -1, "none", 0, $_, $b) for 0x7ff, 0xfff, map 1 << $_, 0 .. 13;
	c("sched_get_priority_max", $_) for 0 .. 6; c("sched_setscheduler", -1, $_, 0) for 0 .. 6;
	c("getpriority", 0, 0); c("execveat", -1, "", 0, 0, 0x1000); exit 0 if fork == 0; wait;
	c("faccessat2", -1, "x", 0, $_) for 0x100, 0x200, 0x1000; c("setxattr", "none", "user.x", "v", 1, $_) for 0 .. 3;
	c("preadv2", -1, 0, 0, 0, 0, 1 << $_) for 0 .. 4; c("splice", -1, 0, -1, 0, 1, 15); c("tee", -1, -1, 1, 3); c("vmsplice", -1, 0, 0, 8);
	c("sync_file_range", -1, 0, 0, $_) for 1, 2, 4; c("swapon", "none-such", $_) for 0x18000; c("fsopen", 16, 1); c("fspick", -1, "x", 15);
	c("fsmount", -1, 1, $_) for 0, 0xf, 0x10, 0x20; c("fsconfig", -1, $_, 0, 0, 0) for 0 .. 7; c("move_mount", -1, "x", -1, "x", 0x77);
	c("open_tree", -1, "x", 0x89901); c("mount_setattr", -1, "x", 0x9900, 0, 0); c("name_to_handle_at", -1, "x", 0, 0, 0x1400);
	for $q (1 .. 9) { c("quotactl", ($_ << 8 | $q % 3) - 2**32, "none", 0, 16) for 0x800000 + $q } c("quotactl", 0x5800 + $_ << 8, "none", 0, 16) for 1 .. 9;
	c("fanotify_init", 0x80000000 + $_, 0x80002) for 0, 1, 2, 4, 8, map { 1 << $_ } 4 .. 12; c("fanotify_mark", -1, 1 << $_, 0, $p, 0) for 0 .. 10;
	c("fanotify_mark", -1, 1, 1 << $_, $p, 0) for 0 .. 12, 14 .. 16, 18, 27, 28, 30; c("userfaultfd", 0x80901); c("pkey_alloc", 1, 3);
	c("mlock2", 1, 1, 1); c("mbind", 1, 1, $_, 0, 0, 7) for 0 .. 5, 0x4003, 0x8002; c("set_mempolicy", $_, 0, 99) for 99, 0x2002;
	c("get_mempolicy", 0, 0, 0, 0, $_) for 1, 2, 4, 8; c("move_pages", -1, 0, 0, 0, 0, 6); c("membarrier", $_, 98) for 0, map { 1 << $_ } 0 .. 8;
	c("bpf", $_, 0, 0) for 0 .. 10, 13 .. 22, 24 .. 30, 33 .. 35; c("keyctl", $_, 16, 0, 0, 0) for 0 .. 17, 19 .. 21, 23 .. 32; c("request_key", "user", "x", 0, -$_) for 1 .. 8;
	c("prctl", $_, 1 << 30, 0, 0, 0) for 1 .. 27, 29 .. 54, 56 .. 64, 0x53564d41; c("ptrace", $_, -1, 99999, 0) for 1 .. 33, 0x4200 .. 0x420f;
	c("arch_prctl", $_, 1) for 0x1003, 0x1004, 0x1011, 0x1021 .. 0x1025; c("kcmp", -1, -1, $_, 0, 0) for 0 .. 8; c("pidfd_open", 2147483647, 0x800);
	c("seccomp", $_, 1 << 30, 0) for 0 .. 4; c("seccomp", 1, 0x1f, 0); c("personality", $_) for 0xffffffff, 0x40008, 0xf20 << 16, 0;
	c("reboot", 1, $_, 0) for 672274793, 85072278, 369367448, 537993216; c("reboot", 1, 2, $_) for 0x1234567, 0xcdef0123 - 2**32, 0x89abcdef - 2**32, 0x4321fedc, 0xa1b2c3d4 - 2**32, 0xd000fce2 - 2**32, 0x45584543;
	c("ioprio_get", $_, -1) for 0 .. 3; c("io_uring_enter", -1, 0, 0, 15, 0, 0); c("io_uring_register", -1, $_, 0, 0) for 0 .. 21;
	for $n ("msgctl", "shmctl") { c($n, -1, $_, 16) for 0 .. 3, 11 .. 14 } c("semctl", -1, 0, $_, 16) for 0 .. 3, 11 .. 19;
	c("msgrcv", -1, $b, 1, 0, 0x7800); c("shmat", -1, 0, 0xf000); c("shmget", $_, 0, 07600) for 0, 7; c("landlock_create_ruleset", 0, 0, 1);
	c("landlock_add_rule", -1, 1, 0, 0); c("perf_event_open", 0, 0, -1, -1, 15); c("setsockopt", -1, $_, 9999, 0, 0) for 0 .. 283'

# Prints CALL, its constants and its error. Not the contents of pointed-to data, nor numbers that
# are not decoded yet; a futex operation is one word.
print_constants() {
	perl -ne 's/^\d+ +//; my ($is_exit, $call, $rest) = /^(?:.* sys_(?:enter|(exit))_)?(\w+)[(:](.*)/ or next;
		$call =~ s/^umount2$/umount/; $rest =~ s/"(?:[^"\\]|\\.)*"\.*//g;
		$rest =~ s/ret=-/ = -1 / if $is_exit;
		print "$call failed $1\n" if $rest =~ s/ += (?:-1|\?) (E[A-Z0-9_]+).*//;
		$rest =~ s/ += [^=]*$//;
		$rest =~ s/QCMD\((\w+), (\w+)\)/$1 $2/g; 1 while $rest =~ s/\{[^{}]*\}|\[[^][]*\]|\/\*.*?\*\///g;
		$rest =~ s/(FUTEX_\w+)_PRIVATE\b/$1 FUTEX_PRIVATE_FLAG/;
		$rest =~ s/\bFASYNC\b/O_ASYNC/; $rest =~ s/\bWSTOPPED\b/WUNTRACED/;
		$rest =~ s/O_RDONLY// if $call eq "fcntl"; $rest =~ s/, AF_UNSPEC\)$// if $call eq "socket";
		print "$call $_\n" for grep !/^(NULL|(IPPROTO|NETLINK|AF_INET_|FD|SIG_[DI]|AX25|IPX|X25|BTPROTO|CAN|PX|CAIFPROTO|ISDN|PN_PROTO|FUTEX_OP|F_RDLCK|KCMPROTO|NFC|SMCPROTO|PF|PIDTYPE)_?.*)$/,
			$rest =~ /\b((?:__)?[A-Z][A-Z0-9]*_?[A-Z0-9_]+)\b/g' "$1" | sort
}

@test "constants have strace's names" {
	calls="$(grep -oE 'c\("[a-z0-9_]+"' <<<"$SYMBOLS" | sed 's/c("//; s/"//' | sort -u | paste -sd,)"
	mkdir there here
	(cd there && timeout 60 strace -f -e signal=none -e "trace=$calls" -o ../straced perl -e "$SYMBOLS" </dev/null >/dev/null)
	cd here
	ours="${calls/umount2/umount}"
	timeout 60 "$KTRACE" record -e "syscalls:${ours//,/,syscalls:}" --strict -o ../recorded \
		-- perl -e "$SYMBOLS" </dev/null >/dev/null
	cd ..
	"$KTRACE" print --events recorded >printed
	diff <(print_constants straced) <(print_constants printed)
	[ "$(print_constants printed | sort -u | wc -l)" -gt 400 ]
}

@test "filters accept the names of constants" {
	work='cat /etc/hostname ./none; echo >made; echo >>made; true'
	record -e syscalls:sys_enter_openat -f 'flags & O_CREAT' -- sh -c "$work"
	[ "$("$KTRACE" print --events | grep -o 'flags=[^ ]*' | paste -sd ' ')" = \
		'flags=O_WRONLY|O_CREAT|O_TRUNC flags=O_WRONLY|O_CREAT|O_APPEND' ]
	record -e syscalls:sys_enter_openat -f 'flags == O_APPEND|O_CREAT|O_WRONLY && dfd == AT_FDCWD' -- sh -c "$work"
	[ "$(count_events ktrace.out)" -eq 1 ]
	record -e syscalls:sys_enter_openat -f 'filename ~ "./n*"' -e syscalls:sys_exit_openat -f 'ret == -ENOENT' \
		-- sh -c "$work"
	"$KTRACE" print --events | grep ' sys_exit_openat: __syscall_nr=257 ret=-ENOENT$'
	run "$KTRACE" record -e syscalls:sys_enter_openat -f 'flags & O_CRAET' -- true
	[ "$status" -ne 0 ]
	[[ "$output" == *"unknown value 'O_CRAET'; did you mean 'O_CREAT'?"* ]]
	run ! "$KTRACE" record -e syscalls:sys_enter_openat -f 'dfd == AT_FDCWD|1' -- true
	run ! "$KTRACE" record -e syscalls:sys_enter_openat -f 'filename == O_CREAT' -- true
}

@test "numbers without a name have the base that strace uses" {
	numbers='require "syscall.ph"; sub c { my $n = shift; syscall(&{"main::SYS_$n"}, map { /^-?\d+$/ ? $_ + 0 : $_ } @_) }
		c("chown", "none", -1, 7); c("fchown", -1, 2**32 - 1, -1); c("setresuid", -1, -1, -1); c("setregid", -1, 2**32 - 1);
		c("fchownat", -1, "x", 4294967294, -1, 0); c("lseek", -1, 0, 99); c("getitimer", 99, 0); c("getrlimit", 99, 0);
		c("getpriority", 99, -1); c("clock_gettime", 99, 0); c("madvise", 1, 1, 99); c("shutdown", -1, 99); c("epoll_ctl", -1, 99, -1, 0);
		c("socket", 99, 3, 99); c("fadvise64", -1, 0, 0, 99); c("rt_sigprocmask", 99, 0, 0, 8); c("waitid", 99, 1, 0, 4, 0);
		c("bpf", 99, 0, 0); c("keyctl", 99, 16, -1, 0, 1); c("prctl", 9999, 1, -1, 3, 0); c("ptrace", 99, -1, 7, 0); c("kcmp", -1, -1, 99, 0, 0);
		c("semget", 5, 1, 0); c("semget", 5, 1, 0700); c("shmget", 5, 0, 0); c("msgget", 5, 0); c("shmat", -1, 0, 0); c("msgrcv", -1, 0, 0, 0, 0);
		c("mbind", 1, 1, 99, 0, 0, 99); c("getsockopt", -1, 999, 9, 0, 0); c("mlock2", 1, 1, 6); c("kill", 2147483647, 99); c("personality", 99)'
	strace -e signal=none -o straced perl -e "$numbers" 3>&-
	record -e 'syscalls:*' -- perl -e "$numbers"
	"$KTRACE" print --strace >printed
	call='(fchown|chown|fchownat|set[a-z]*id|lseek|getitimer|getpriority|getrlimit|getsockopt|clock_gettime|madvise|shutdown|epoll_ctl|socket|fadvise64|rt_sigprocmask|waitid|bpf|keyctl|prctl|ptrace|kcmp|sem.*|shm.*|msg.*|mbind|mlock2|kill|personality)'
	print_lines() {
		sed -nE "s/^([0-9]+ +)?($call\\()/\\2/; /^$call\\(/!d; s| /\\* \\w+_\\?+ \\*/||g; s/\\) += .*//p" "$1" |
			grep -E "0x63|99|0x270f|0x3e7|chown|set|shm|msg|sem|mlock2"
	}
	diff <(print_lines straced) <(print_lines printed)
	[ "$(print_lines printed | wc -l)" -ge 33 ]
}

# Makes every request in the metadata; its name must be strace's, or one of strace's if several
# share the number.
@test "ioctl requests have strace's names" {
	record -e syscalls:sys_enter_ioctl -- true
	sed -nE '/enum ioctl/,/\}/s/^\s*"(\w+)" = ([0-9]+),?$/\1 \2/p' ktrace.out/metadata >requests
	[ "$(wc -l <requests)" -gt 400 ]
	cut -d' ' -f2 requests >numbers
	requests='require "syscall.ph"; open N, "<", "numbers"; syscall(&SYS_ioctl, -1, $_ + 0, 0) for <N>'
	strace -e trace=ioctl -o straced perl -e "$requests" 3>&-
	record -e syscalls:ioctl --strict -- perl -e "$requests"
	"$KTRACE" print --strace >printed
	paste -d' ' <(sed -nE 's/^ioctl\(-1, ([A-Za-z0-9_ ]+).*/\1/p' straced) \
		<(sed -nE 's/.* ioctl\(-1, ([A-Za-z0-9_]+)[,)].*/\1/p' printed) >both
	[ "$(wc -l <both)" -eq "$(wc -l <requests)" ]
	diff <(cut -d' ' -f1 requests) <(sed 's/.* //' both)
	! awk '{ ours = $NF; $NF = ""; if (!index(" " $0 " ", " " ours " ")) print ours, "is", $0 }' both | grep . || false
}

@test "other tools see constants by name, each table once" {
	record -e syscalls:openat -e syscalls:mmap -e syscalls:mprotect -- cat ./none
	[ "$(grep -c '"-ENOENT" = -2' ktrace.out/metadata)" -eq 2 ]
	[ "$(grep -c '"PROT_READ" = 1,' ktrace.out/metadata)" -eq 1 ]
	babeltrace2 ktrace.out >theirs
	grep 'dfd = ( "AT_FDCWD" : container = -100 ), .* flags = ( "O_CLOEXEC" : container = 0x80000 )' theirs
	grep 'ret = ( "-ENOENT" : container = -2 )' theirs
	grep 'sys_exit_openat: .* ret = ( "success" : container = 3 )' theirs
	grep 'sys_exit_mmap: .* ret = ( "success" : container = 0x7[0-9A-F]* )' theirs
	! grep 'ret = ( <unknown>' theirs || false
	"$KTRACE" print --events --json | jq 'select(.event == "sys_enter_openat" and .fields.flags == 524288) |
		.labels == {"dfd":"AT_FDCWD","flags":["O_RDONLY","O_CLOEXEC"]}' >equal
	grep true equal
	! grep false equal || false
}

# Lines as strace -f writes them to a file: interrupted lines joined, in the order of returns,
# addresses as A, without what differs from run to run. strace does not see the return of a killed
# process.
print_lines() {
	perl -ne '
		next unless s/^(\d+) +//; my $pid = $1;
		next unless /^(<\.\.\. )?(\w+)/; my ($resumed, $call) = ($1, $2);
		if (s/ <unfinished \.\.\.>$//) { chomp; $begun{"$pid $call"} = $_; next }
		s/^<\.\.\. \w+ resumed>// and $_ = delete($begun{"$pid $call"}) . $_ if $resumed;
		s/0x[0-9a-f]{6,}/A/g; s/ +(= [^=]*)$/ $1/;
		s/\(.*// if $call =~ /^get|^set_tid|^kill$|^fork$/;
		print;
		END { print "$_) = ?\n" for values %begun }' "$1"
}

# What shells and others do with files, two programs at once, one of them killed within a call.
WORK='cat /etc/hostname ./none >/dev/null 2>&1; mkdir d; mv d e; rmdir e; ln -s x l; readlink l >/dev/null; rm l
	(exit 3); echo x | cat >f; umask 022; chmod 600 f; cat </etc/passwd >/dev/null; kill -0 $$; exec 7>g
	exec 7>&-; dd if=/dev/zero bs=100 count=50 status=none | cat | wc -c >h
	mkfifo p; timeout -s KILL 0.1 cat p 2>/dev/null; cd /; true'

@test "a call is printed as strace prints it" {
	calls=access,brk,chdir,close,dup2,execve,exit_group,fadvise64,fchmodat,fcntl,getegid,geteuid,getgid,getpid
	calls+=,getppid,getuid,kill,lseek,mkdir,mmap,mprotect,munmap,openat,readlink,renameat2,rmdir
	calls+=,set_tid_address,sigaltstack,symlinkat,umask,unlinkat
	mkdir theirs ours
	strace -f -s 4096 -e trace=$calls -e signal=none -o straced sh -c "cd theirs; $WORK" 3>&-
	print_lines straced | sort >theirs/lines
	record -e "syscalls:${calls//,/,syscalls:}" --strict -- sh -c "cd ours; $WORK"
	[ "$status" -eq 0 ]
	"$KTRACE" print --strace >printed
	[ "$(grep -cE '^[0-9]+ +(<\.\.\. \w+ resumed>|\w+\().*( = .+| <unfinished \.\.\.>)$' printed)" -eq "$(wc -l <printed)" ]
	print_lines printed | sed '/^chdir/ s/ours")/theirs")/; /^execve/ s/cd ours;/cd theirs;/; s/F_SETFD, 1)/F_SETFD, FD_CLOEXEC)/; /^openat.*"p"/ s/?.*/?/' |
		sort >ours/lines
	grep -F 'openat(AT_FDCWD, "f", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3' ours/lines
	grep -F 'exit_group(3) = ?' ours/lines
	[ "$(grep -c '^execve("[^"]*", \["[^]]*"\], A /\* [0-9]* vars \*/) = 0$' ours/lines)" -gt 9 ]
	[ "$(wc -l <ours/lines)" -gt 1000 ]
	# Paths not yet in memory are pointers there.
	pointers=$(grep -c '^openat(AT_FDCWD, A' ours/lines) || true
	[ "$(grep -v '^openat(AT_FDCWD, A' ours/lines | comm -23 - theirs/lines | tee /dev/stderr | wc -l)" -eq 0 ]
	[ "$(comm -13 ours/lines theirs/lines | tee /dev/stderr | wc -l)" -eq "$pointers" ]
	[ "$pointers" -lt 100 ]
}

# All bytes, each before a digit, before a letter and at the end; short and long lines.
ESCAPES='require "syscall.ph"; sub w { my ($text) = @_; syscall(&SYS_write, -1, $text, length $text) }
	w join chr($_), "", 0, 7, 8, "x", "" for 0 .. 255; w "x" x $_ for 1 .. 40; w "\xc3\xa4\xe2\x82\xac";
	$_ = "x" x 32; syscall(&SYS_pwrite64, -1, $_, 32, 5);'

@test "--strace prints the very bytes that strace prints" {
	calls=write,pwrite64
	strace -f -e trace=$calls -e signal=none -o straced perl -e "$ESCAPES"
	record -e "syscalls:${calls//,/,syscalls:}" --strict -- perl -e "$ESCAPES"
	[ "$status" -eq 0 ]
	"$KTRACE" print --strace >printed
	diff <(grep -v '^[0-9]* *+++ ' straced | sed "s/^$(head -c 5 straced)/PID  /") \
		<(sed "s/^$(head -c 5 printed)/PID  /" printed)
	[ "$(grep -c 'write(-1' printed)" -eq 297 ]
}

@test "times of day are those that other tools read in the trace" {
	record -e syscalls:getppid -- perl -e 'getppid; getppid'
	export TZ=XXX-5:30
	babeltrace2 --no-delta ktrace.out | sed 's/^\[\([0-9:.]*\)[0-9]\{3\}\] .*enter.*/\1/p; d' >theirs
	"$KTRACE" print -tt >printed
	diff <(awk '{ print $2 }' printed) theirs
	[ "$(wc -l <theirs)" -eq 2 ]
	diff <("$KTRACE" print -t | awk '{ print $2 }') <(cut -d . -f 1 theirs)
	babeltrace2 --no-delta --clock-seconds ktrace.out | sed 's/^\[\([0-9.]*\)[0-9]\{3\}\] .*enter.*/\1/p; d' >theirs
	diff <("$KTRACE" print -ttt | awk '{ print $2 }') theirs
	[ "$("$KTRACE" print -rtT | grep -c '^[0-9]* *[0-9:]* (+     0\.[0-9]\{6\}) getppid() = [0-9]* <0\.[0-9]\{9\}>$')" -eq 2 ]
}

# Calls with numbers as arguments and results, some of them failing or empty.
NUMBERS='require "syscall.ph"; use Socket; use POSIX ":sys_wait_h";
	pipe A, B; socketpair S, T, AF_UNIX, SOCK_STREAM, 0; socket L, AF_INET, SOCK_STREAM, 0;
	bind L, sockaddr_in(0, INADDR_LOOPBACK); listen L, 1; $l = getsockname L; socket C, AF_INET, SOCK_STREAM, 0;
	connect C, $l; accept D, L; getpeername C; getsockopt L, SOL_SOCKET, SO_TYPE; accept E, STDIN; getsockname STDIN;
	$l = pack "i", 16; $b = "x" x 64; syscall(&SYS_getsockname, fileno L, $b, $l); syscall(&SYS_pipe2, 16, 0);
	syscall(&SYS_pipe2, 0, 0); ($u, $v, $w) = ("x" x 8) x 3;
	syscall(&SYS_getresuid, $u, $v, $w); syscall(&SYS_getresuid, $u, 0, $w); syscall(&SYS_getresgid, $u, $v, $w);
	syscall(&SYS_getcpu, $u, $v, 0); syscall(&SYS_getcpu, 0, $v, 0); syscall(&SYS_get_robust_list, 0, $u, $v);
	open F, "<", "/etc/passwd"; open G, "+>", "g"; ($p, $q) = (pack("q", 3), pack "q", 1);
	syscall(&SYS_sendfile, fileno G, fileno F, $p, 5); syscall(&SYS_sendfile, fileno G, fileno F, 0, 5);
	syscall(&SYS_copy_file_range, fileno F, $p, fileno G, $q, 2, 0);
	syscall(&SYS_copy_file_range, -1, 0, fileno G, 0, 2, 0); $c = "\0" x 8; syscall(&SYS_io_setup, 1, $c);
	syscall(&SYS_timer_create, 1, 0, $u); syscall(&SYS_timer_create, 1, 0, 16);
	for $c (sub { exit 7 }, sub { kill "KILL", $$ }) { $c->() unless $p = fork; waitpid $p, 0 }
	$p = fork; kill "STOP", $$ and exit 0 unless $p; waitpid $p, WUNTRACED; waitpid $p, WNOHANG; kill "CONT", $p;
	waitpid $p, 0; wait;'

# Not addresses and PIDs; structs and socket options are not decoded yet.
print_numbers() {
	perl -ne 's/^\d+ +//; s/ <unfinished \.\.\.>$// and $begun = $_, chomp $begun, next;
		s/^<\.\.\. \w+ resumed>// and $_ = $begun . $_;
		/^wait4.* = \? ERESTARTSYS/ and next; # an unhandled signal under a tracer
		s/\{sa_family=[^}]*\}/A/; s/\[?0x[0-9a-f]{6,}\]?/A/g; s/ +(= [^=]*)$/ $1/;
		s/^(wait4\()\d+/$1P/; s/(^wait4.* = )\d+$/$1P/; s/WSTOPPED/WUNTRACED/;
		s/^(getsockopt\(\d+, ).*, (\[[^]]*\]\))/$1$2/;
		s/\[(\d+)\] => \[(\d+)\]/[$1 => $2]/; s/\[(\d+) => \d+\]/[$1]/g if /^copy_file/; print' "$1"
}

@test "numbers passed and returned are as strace prints them" {
	calls=accept4,copy_file_range,get_robust_list,getcpu,getpeername,getresgid,getresuid,getsockname,getsockopt
	calls+=,io_setup,pipe2,sendfile,socketpair,timer_create,wait4
	cpu=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
	strace -s 8 -e trace=$calls -e signal=none -o straced taskset -c "$cpu" perl -e "$NUMBERS" 3>&-
	print_numbers straced | grep '^[a-z]' >theirs
	record -s 1 -e "$(sed 's/sendfile/sendfile64/; s/,/,syscalls:/g; s/^/syscalls:/' <<<"$calls")" --strict \
		-- taskset -c "$cpu" perl -e "$NUMBERS"
	[ "$status" -eq 0 ]
	"$KTRACE" print >printed
	sed -E 's/^ *[^[]*-([0-9]+) +\[[0-9]+\] +[0-9.]+: /\1 /; s/ <[0-9.]+>$//' printed >shown
	print_numbers shown >ours
	diff theirs ours
	"$KTRACE" print --events --json >objects
	[ "$(jq -c 'select(.event == "sys_exit_accept4" and .fields.ret > 0) | .fields.__upeer_addrlen_val' objects)" = '[16]' ]
	[ "$(jq -c 'select(.event == "sys_exit_wait4" and .fields.ret > 0) | .fields.__stat_addr_val' objects |
		paste -sd ' ')" = "[1792] [9] [4991] [0]" ]
	[ "$(jq -c 'select(.event == "sys_exit_pipe2") | .fields.__fildes_val' objects | tail -n 2 | paste -sd ' ')" = "null null" ]
	babeltrace2 ktrace.out | grep 'sys_exit_pipe2: .* __fildes_val = \[ \[0\] = 3, \[1\] = [0-9]* \]'
}

@test "if records are missing, the remaining events are printed" {
	record -e syscalls:getppid -b 16M -- sh -c 'for cpu in 0 1; do
		taskset -c $cpu perl -e "getppid for 1 .. 20000" & done; wait
		exec taskset -c 0 perl -e "getppid for 1 .. 10"' # after all of the other's
	[ "$("$KTRACE" print | grep -c 'getppid\(()\| resumed>)\) = [0-9]* <0\.[0-9]*>$')" -eq $(($(summary_events) / 2)) ]
	truncate -s $(($(stat -c %s ktrace.out/cpu1) / 2)) ktrace.out/cpu1
	"$KTRACE" print >printed 2>&1 || true
	message=$(grep -n '^ktrace print: cpu1 is cut off ' printed | cut -d: -f1)
	[ "$(head -n "$((message - 1))" printed | grep -c 'getppid.*) = [0-9]* <0\.[0-9]*>$')" -gt 0 ]
	tail -n "+$((message + 1))" printed >behind
	[ "$(grep -c ': sys_exit_getppid: ' behind)" -gt 0 ]
	[ "$(grep -vc ': sys_\(enter\|exit\)_getppid: ' behind)" -eq 0 ]
}

@test "calls are paired unless --events is given" {
	record -e syscalls:openat -- cat ./none
	"$KTRACE" print | grep '\[...\] *[0-9.]*: openat(AT_FDCWD, "./none", O_RDONLY) = -1 ENOENT (No such file or directory) <0\.0[0-9]*>$'
	[ "$("$KTRACE" print --events | grep -c ': sys_e[nx][a-z]*_openat: ')" -eq "$(summary_events)" ]
	run "$KTRACE" print --events -T
	[ "$status" -eq 2 ]
	run "$KTRACE" print -tttt
	[ "$status" -eq 2 ]
	[ "$output" = "ktrace print: -t can be given at most three times" ]
}

# Argument lists of programs to be started, empty and invalid ones.
LISTS='require "syscall.ph"; my $f = "/there-is-none"; my $empty = pack "x8"; my $long = "x" x 400;
	sub run { my @of = @_; my $list = pack "p*x8", @of; syscall(&SYS_execve, $f, $list, $empty); syscall(&SYS_execve, $f, $empty, $list) }
	run("a", "b c", "", "\"\\\n\0cut", "\xc3\xa4"); run($long, "b"); run(("x") x 40); run("x");
	syscall(&SYS_execve, $f, $empty, 8); syscall(&SYS_execve, $f, 0, $empty); syscall(&SYS_execve, $f, 16, 0)'

@test "a program's arguments are those it is started with" {
	strace -f -s 512 -e trace=execve -e signal=none -o straced perl -e "$LISTS"
	record -e syscalls:execve --strict -s 512 -- perl -e "$LISTS"
	[ "$status" -eq 0 ]
	"$KTRACE" print --strace >printed
	diff <(sed 's/^[0-9]* *//; s/0x[0-9a-f]\{6,\}/A/; /^+++/d' straced) \
		<(sed 's/^[0-9]* *//; s/0x[0-9a-f]\{6,\}/A/' printed)
	[ "$(wc -l <printed)" -eq 12 ]
	# The environment has only its length; other programs read a list.
	"$KTRACE" print --events --json | jq -c 'select(.event == "sys_enter_execve").fields |
		[.__argv_count, .__envp_count, .__argv_val]' >lists
	grep -Fx '[5,0,["a","b c","","\"\\\n","ä"]]' lists
	grep -Fx '[0,5,[]]' lists
	grep -Fx '[-1,-1,null]' lists
	! grep -c 'PATH=' ktrace.out/cpu* || false

	# More arguments than recorded: their number.
	record -e syscalls:sys_enter_execve -s 2 -- perl -e "$LISTS"
	"$KTRACE" print --events | grep 'argv=\["a", "b c", \.\.\.\]'
	"$KTRACE" print --events --json | jq -c 'select(.truncated).fields | [.__argv_count, .__argv_val]' >lists
	grep -Fx '[40,["x","x"]]' lists
	record -e syscalls:sys_enter_execve -f '__argv_count > 30' -s 0 -- perl -e "$LISTS"
	"$KTRACE" print --events | grep ' argv=0x[0-9a-f]* /\* 40 vars \*/ envp=0x[0-9a-f]* /\* 0 vars \*/'
	[ "$(count_events ktrace.out)" -eq 1 ]
}
