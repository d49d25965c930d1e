#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The addresses of sockets that system calls are given and give. The witness is strace.

bats_require_minimum_version 1.5.0
load recording

CALLS=accept,bind,connect,getpeername,getsockname,recvfrom,sendto
EVENTS="syscalls:${CALLS//,/,syscalls:}"

# But for the differences that doc/syscalls.md names: strace looks up an interface's name, says that
# it does not know what has none, and pads a line that is short; and for what is another in each run.
in_common() {
	perl -ne 'next unless /\) += /; s/^\d+ +//; s/\) += /) = /; s| /\* \w+_\?\?\? \*/||g;
		s/if_nametoindex\("lo"\)/1/; s/\b0x[0-9a-f]{6,}(?=[,)])/POINTER/g; s/htons\([1-9]\d{4}\)/PORT/g;
		s/sa_data="[^"]*"(?=}, \[)/DATA/;
		print' "$1"
}

assert_same() { # PROGRAM
	strace -f -e trace=$CALLS -e signal=none -o straced perl -e "$1" 3>&-
	record -e "$EVENTS" --strict -- perl -e "$1"
	[ "$status" -eq 0 ]
	"$KTRACE" print --strace >printed
	in_common straced >theirs
	in_common printed >ours
	diff theirs ours
}

# Calls by number, as perl makes them, with what no program would ask for.
GIVEN='require "syscall.ph"; sub give { my ($at, $n) = @_; syscall(&SYS_connect, -1, $at, $n // length $at) }
	my $in = pack("Snx0a4x8", 2, 80, "\x7f\0\0\1"); my $in6 = pack("SnNa16L", 10, 80, 7, "\xfe\x80" . "\0" x 13 . "\1", 0);
	give($_) for $in, $in6, pack("Sa*", 1, "/tmp/none\0"), pack("Sa*", 1, "\0kt\0\""), pack("Sa*", 1, "\0"),
		pack("Sa*", 1, "x\xff\"\\\n"), pack("Sa8", 1, "/a\0b\1\n"), pack("Sa*", 1, "/" . "y" x 107),
		pack("SSLL", 16, 0, 77, 0x11), pack("SSlL", 16, 0, -1, 0), pack("SSLL", 16, 0, 0, 0xdeadbeef),
		pack("SnlSCCa8", 17, 0x800, 1, 1, 4, 6, "\1\2\3\4\5\6\7\x80"), pack("SnlSCCa8", 17, 3, 1, 772, 0, 0, ""),
		pack("SnlSCCa8", 17, 0x1234, 0, 999, 77, 8, "\1\2\3\4\5\6\7\x80"),
		pack("Sa14LLa64", 38, "hash", 1, 2, "sha1"), pack("SSLLC4", 40, 0, 1234, 2, 0, 0, 0, 0),
		pack("SSLLC4", 40, 0, 9, 77, 0, 0, 0, 0), pack("SSLLC4", 40, 0, 9, 0xffffffff, 0, 0, 0, 0),
		pack("Sa14", 0, ""), pack("Sa14", 99, "abc\1"), pack("Sa4", 29, "\1\2\3\4");
	give($in6, $_) for 24, 20, 3, 2, 1, 0, -1; give($in, $_) for 15, 5;
	give(pack("SSLL", 16, 0, 77, 0x11), 11); give(pack("SnlSCCa8", 17, 3, 1, 1, 4, 6, ""), 19);
	give(0, 0); give(0, 16); give(1, 16); give($in . "x" x 300, 200);'

@test "addresses of all families, whole, cut and none, are those that strace shows" {
	assert_same "$GIVEN"
	[ "$(wc -l <ours)" -ge 34 ]
	grep -F 'sun_path=@"kt\0\""' ours
}

# What a socket is bound to, whose name is asked for in too little room; who has connected, and sent.
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

# perl has its own number in a name: another in each run.
@test "what calls give is what strace shows, and no more than there was room for" {
	assert_same "${TAKEN/-\$\$/-name}"
	[ "$(wc -l <ours)" -ge 30 ]
	grep -F '{sa_family=AF_INET}, [2 => 16]' ours
	grep -F 'sun_path=@"kt-name"}, [128 => 10]' ours
}

@test "in events and objects they have their parts" {
	record -e "$EVENTS" -- perl -e "$TAKEN"
	[ "$status" -eq 0 ]
	"$KTRACE" print --events >events
	grep -F ' sys_enter_bind: ' events | grep -F 'umyaddr={sa_family=AF_INET, sin_port=htons(0), sin_addr=inet_addr("127.0.0.1")} addrlen=16'
	grep -F ' sys_exit_accept: ' events | grep -F ' upeer_sockaddr={sa_family=AF_INET, sin_port=htons('
	"$KTRACE" print --json >objects
	jq -es 'map(select(.event == "sys_enter_sendto").fields.__addr_val) |
		length == 3 and all(.sa_family == "AF_INET" and .sin_addr == "127.0.0.1" and .sin_port > 0)' objects
	jq -es 'map(select(.event == "sys_exit_getpeername" and .fields.ret < 0)) |
		length == 1 and all(.fields.__usockaddr_val == null)' objects
	jq -es 'any(.fields.__usockaddr_val.sun_path? // "" | startswith("\u0000kt-"))' objects
}
