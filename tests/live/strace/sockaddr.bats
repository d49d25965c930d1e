#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Socket addresses of system calls, and control messages. strace is the witness.

bats_require_minimum_version 1.5.0
load ../recording

CALLS=accept,bind,connect,getpeername,getsockname,recvfrom,recvmsg,sendmsg,sendto
EVENTS="syscalls:${CALLS//,/,syscalls:}"

# Removes the differences in doc/syscalls.md (interface names, comments on unknown numbers, unknown
# and short control messages, padding) and what differs from run to run.
normalize() {
	perl -ne 'next unless /\) += /; s/^\d+ +//; s/\) += /) = /; s| /\* \w+_\?\?\? \*/||g;
		s/if_nametoindex\("lo"\)/1/; s/\b0x[0-9a-f]{6,}(?=[,)])/POINTER/g; s/htons\([1-9]\d{4}\)/PORT/g;
		s/sa_data="[^"]*"(?=}, \[)/DATA/; s/(cmsg_level=SOL_IPV6, cmsg_type=)\w+(, cmsg_data=\{.*?\})?/$1N/g;
		s/cmsg_type=(SCM_PIDFD|0x4)\b.*?(?=\})/cmsg_type=PIDFD/g; s/UDP_SEGMENT/0x67/; s/controllen=\d+ => /controllen=/;
		s/(cmsg_type=(?!SCM_SEC)\w+), cmsg_data=(".*?"|\?\?\?)(?=\})/$1/g; s| /\* 0x\w+ \*/||g; s/tv_u?n?sec=1\d{9}, tv_(u|n)sec=\d+/NOW/g; s/pid=\d+/PID/g;
		print' "$1"
}

compare_with_strace() { # PROGRAM
	strace -f -e trace=$CALLS -e signal=none -o straced perl -e "$1" 3>&-
	record -e "$EVENTS" --strict -- perl -e "$1"
	[ "$status" -eq 0 ]
	"$KTRACE" print --strace >printed
	normalize straced >theirs
	normalize printed >ours
	diff theirs ours
}

# Calls by number, as perl makes them, with values no program would use.
GIVEN='require "syscall.ph"; sub give { my ($at, $n) = @_; syscall(&SYS_connect, -1, $at, $n // length $at) }
	my $in = pack("Snx0a4x8", 2, 80, "\x7f\0\0\1"); my $in6 = pack("SnNa16L", 10, 80, 7, "\xfe\x80" . "\0" x 13 . "\1", 0);
	give($_) for $in, $in6, pack("Sa*", 1, "/tmp/none\0"), pack("Sa*", 1, "\0kt\0\""), pack("Sa*", 1, "\0"),
		pack("Sa*", 1, "x\xff\"\\\n"), pack("Sa8", 1, "/a\0b\1\n"), pack("Sa*", 1, "/" . "y" x 107),
		pack("SSLL", 16, 0, 77, 0x11), pack("SSlL", 16, 0, -1, 0), pack("SSLL", 16, 0, 0, 0xdeadbeef),
		pack("SnlSCCa8", 17, 0x800, 1, 1, 4, 6, "\1\2\3\0\5\6\7\x80"), pack("SnlSCCa8", 17, 3, 1, 772, 0, 0, ""),
		pack("SnlSCCa8", 17, 0x1234, 0, 999, 77, 8, "\1\2\3\4\5\6\7\x80"),
		pack("Sa14LLa64", 38, "hash", 1, 2, "sha1"), pack("SSLLC4", 40, 0, 1234, 2, 0, 0, 0, 0),
		pack("SSLLC4", 40, 0, 9, 77, 0, 0, 0, 0), pack("SSLLC4", 40, 0, 9, 0xffffffff, 0, 0, 0, 0),
		pack("Sa14", 0, ""), pack("Sa14", 99, "abc\1"), pack("Sa4", 29, "\1\2\3\4");
	give($in6, $_) for 24, 20, 3, 2, 1, 0, -1; give($in, $_) for 15, 5;
	give(pack("SSLL", 16, 0, 77, 0x11), 11); give(pack("SnlSCCa8", 17, 3, 1, 1, 4, 6, ""), 19);
	give(0, 0); give(0, 16); give(1, 16); give($in . "x" x 300, 200);'

@test "addresses of all families, valid, short and absent, are as strace prints them" {
	compare_with_strace "$GIVEN"
	[ "$(wc -l <ours)" -ge 34 ]
	grep -F 'sun_path=@"kt\0\""' ours
}

# An address read into too small a buffer; who connected, and who sent.
TAKEN='require "syscall.ph"; use Socket; my $at = "z" x 128;
	socket my $to, AF_INET, SOCK_STREAM, 0; bind $to, pack_sockaddr_in(0, INADDR_LOOPBACK); listen $to, 2;
	for (128, 16, 15, 5, 2, 1, 0, -1) { my $n = pack "l", $_; syscall(&SYS_getsockname, fileno $to, $at, $n) }
	my $n = pack "l", 16; syscall(&SYS_getsockname, fileno $to, 1, $n); syscall(&SYS_getsockname, fileno $to, $at, 0);
	$n = pack "l", 16; syscall(&SYS_getpeername, fileno $to, $at, $n); syscall(&SYS_getsockname, -1, $at, $n);
	socket my $from, AF_INET, SOCK_STREAM, 0; connect $from, getsockname $to; getpeername $from;
	$n = pack "l", 128; syscall(&SYS_accept, fileno $to, $at, $n);
	socket my $again, AF_INET, SOCK_STREAM, 0; connect $again, getsockname $to; syscall(&SYS_accept, fileno $to, 0, 0);
	socket my $one, AF_INET, SOCK_DGRAM, 0; bind $one, pack_sockaddr_in(0, INADDR_LOOPBACK); my $data = "hello";
	my $name = getsockname $one; syscall(&SYS_sendto, fileno $one, $data, 5, 0, $name, 16) for 1 .. 3;
	$n = pack "l", 128; syscall(&SYS_recvfrom, fileno $one, $data, 5, 0, $at, $n);
	$n = pack "l", 3; syscall(&SYS_recvfrom, fileno $one, $data, 5, 0, $at, $n);
	syscall(&SYS_recvfrom, fileno $one, $data, 5, 0, 0, 0);
	socketpair my $a, my $b, AF_UNIX, SOCK_STREAM, 0; $n = pack "l", 128; syscall(&SYS_getsockname, fileno $a, $at, $n);
	socket my $un, AF_UNIX, SOCK_DGRAM, 0; bind $un, pack("Sa*", 1, "\0kt-$$"); $n = pack "l", 128;
	syscall(&SYS_getsockname, fileno $un, $at, $n);'

# perl puts its PID into a name.
@test "returned addresses are as strace prints them, limited to the buffer" {
	compare_with_strace "${TAKEN/-\$\$/-name}"
	[ "$(wc -l <ours)" -ge 30 ]
	grep -F '{sa_family=AF_INET}, [2 => 16]' ours
	grep -F 'sun_path=@"kt-name"}, [128 => 10]' ours
}

# Invalid messages; then valid ones: descriptors, credentials, times and interfaces.
MESSAGES='require "syscall.ph"; use Socket; my $fd = -1;
	sub head { my ($len, $level, $type, $data) = @_; pack("Qll", $len, $level, $type) . $data }
	sub message { my ($at, $n) = @_; pack "QQPQ" . ($at =~ /^\d+$/ ? "Q" : "P") . "QQ", 0, 0, pack("PQ", "hello", 5), 1, $at, $n, 0 }
	sub say_it { my ($at, $n) = @_; my $m = message($at, $n // length $at); syscall(&SYS_sendmsg, $fd, $m, 0) }
	sub hear { my ($s, $n) = @_; my ($at, $d) = ("z" x 512, "z" x 9); my $v = pack "PQ", $d, 9;
		my $m = pack "QQPQPQQ", 0, 0, $v, 1, $at, $n, 0; syscall(&SYS_recvmsg, fileno $s, $m, 0) }
	sub send_it { my ($s, $at) = @_; $fd = fileno $s; say_it($at); $fd = -1 }
	say_it(head(@$_)) for [0, 1, 1], [5, 1, 1], [15, 1, 1], [16, 1, 1], [19, 1, 1, "abc"], [100, 1, 1, "abcdefgh"], [22, 1, 1, "abcdefgh"],
		[28, 1, 2, pack "l3", -1, -1, -1], [27, 1, 2, "abcdefghijk"], [21, 1, 3, "la\0el"], [17, 1, 3, "\0"], [20, 1, 4, "abcd"],
		[18, 1, 77, "ab"], [17, 0, 1, "\0"], [19, 0, 1, "\1\2\xff"], [20, 0, 2, "\xff" x 4], [24, 0, 2, "\1\0\0\0\2\0\0\0"],
		[19, 0, 3, "abc"], [19, 0, 6, "abc"], [19, 0, 7, "abc"], [28, 0, 8, pack "l3", 7, -1, 1], [27, 0, 8, "abcdefghijk"],
		[20, 0, 23, "abcd"], [18, 0, 99, "ab"], [28, 0, 20, "abcdefghijkl"], [32, 0, 20, "\2\0\0\1abcdefghijkl"],
		[36, 0, 11, "\1" x 20], [48, 0, 11, "\5\0\0\0\2\3\4\0abcdABCD\2\0\0\1abcdefghijkl"], [17, 6, 1, "x"], [18, 17, 103, "ab"],
		[36, 41, 50, "y" x 20], [16, -1, -1], [20, 999, 1, "abcd"], [31, 1, 29, "x" x 15],
		map { [32, 1, $_, pack "qq", -1, -5] } 29, 35, 63, 64;
	say_it(head(64, 1, $_, pack "q6", 1 .. 6)) for 37, 65; say_it(head(63, 1, 37, "x" x 47)); say_it(head(136, 1, 1, pack "l30", 1 .. 30), 100);
	my $fds = head(20, 1, 1, pack "ll", 1, 0); say_it($fds x 3, $_) for 72, 71, 68, 67, 64, 63, 49, 48, 40, 27, 24, 20, 19, 16, 15, 8, 1, 0;
	say_it(16, 64); say_it(0, 64); say_it(0, 0);
	socketpair my $a, my $b, AF_UNIX, SOCK_DGRAM, 0; setsockopt $b, SOL_SOCKET, $_, 1 for 16, 29;
	send_it($a, head(28, 1, 1, pack "l4", 0, 1, 2, 0)); hear($b, 200); send_it($a, $fds); hear($b, 200);
	send($a, "x", 0), hear($b, $_) for 40, 30, 10, 0;
	setsockopt $b, SOL_SOCKET, 29, 0; setsockopt $b, SOL_SOCKET, 35, 1; send $a, "x", 0; hear($b, 200);
	socket my $to, AF_INET, SOCK_DGRAM, 0; bind $to, pack_sockaddr_in(0, INADDR_LOOPBACK); setsockopt $to, 0, $_, 1 for 8, 12, 13, 20;
	socket my $from, AF_INET, SOCK_DGRAM, 0; connect $from, getsockname $to; send_it($from, head(20, 0, 2, pack "ll", 9, 0)); hear($to, 400);
	send_it($from, head(17, 0, 1, pack "Q", 16)); hear($to, 400); send $from, "x", 0; hear($to, 60);'

@test "control messages of all kinds, valid, short and absent, are as strace prints them" {
	compare_with_strace "$MESSAGES"
	[ "$(wc -l <ours)" -ge 80 ]
	grep -F '{cmsg_len=28, cmsg_level=SOL_SOCKET, cmsg_type=SCM_CREDENTIALS, cmsg_data={PID, uid=0, gid=0}}' ours
	grep -E 'cmsg_type=SCM_RIGHTS, cmsg_data=\[[0-9]+, [0-9]+, [0-9]+\]\}\], msg_controllen=' ours
	grep -F 'cmsg_type=SO_TIMESTAMPNS_OLD, cmsg_data={NOW}}, ' ours
	grep -F '{ipi_ifindex=1, ipi_spec_dst=inet_addr("127.0.0.1"), ipi_addr=inet_addr("127.0.0.1")}}, {' ours
}

# Of more than 256 bytes the beginning is recorded; a received descriptor is one.
@test "of many control messages the first are recorded" {
	record -e "$EVENTS" -- perl -e "$MESSAGES say_it(head(316, 1, 1, pack 'l75', 1 .. 75))"
	[ "$status" -eq 0 ]
	"$KTRACE" print >printed
	grep -F 'cmsg_len=316, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS, cmsg_data=[1, 2, 3, ' printed | grep -F ' 59, 60]}, ...], msg_controllen=316'
	"$KTRACE" print -s 2 | grep -F 'cmsg_len=316, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS, cmsg_data=[1, 2, ...]}, ...], '
	"$KTRACE" print --events --json >objects
	jq -es 'map(select(.event == "sys_exit_recvmsg" and .fields.ret == 5) | .fields.__msg_control_val[]? |
		select(.cmsg_type == "SCM_RIGHTS").cmsg_data | length) == [3, 1]' objects
	jq -es '[.[].fields.__msg_control_val | select(. and length == 3)[2].cmsg_data] | index([[1]]) != null' objects
}

@test "in events and objects they have named members" {
	record -e "$EVENTS" -- perl -e "$TAKEN"
	[ "$status" -eq 0 ]
	"$KTRACE" print --events >events
	grep -F ' sys_enter_bind: ' events | grep -F 'umyaddr={sa_family=AF_INET, sin_port=htons(0), sin_addr=inet_addr("127.0.0.1")} addrlen=16'
	grep -F ' sys_exit_accept: ' events | grep -F ' upeer_sockaddr={sa_family=AF_INET, sin_port=htons('
	"$KTRACE" print --events --json >objects
	jq -es 'map(select(.event == "sys_enter_sendto").fields.__addr_val) |
		length == 3 and all(.sa_family == "AF_INET" and .sin_addr == "127.0.0.1" and .sin_port > 0)' objects
	jq -es 'map(select(.event == "sys_exit_getpeername" and .fields.ret < 0)) |
		length == 1 and all(.fields.__usockaddr_val == null)' objects
	jq -es 'any(.fields.__usockaddr_val.sun_path? // "" | startswith("\u0000kt-"))' objects
}
