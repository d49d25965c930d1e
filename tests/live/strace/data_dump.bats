#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# strace's options -e read= and -e write=: all data of some descriptors, in hex. strace is the
# witness.

bats_require_minimum_version 1.5.0
load ../recording

# Reads and writes in all ways, with and without errors; 1 is the output, 13 a file, 14 and 15 a
# pair of sockets. Perl loads nothing, as its reads would be seen.
CALLS='open F, "<", "data"; socketpair A, B, 1, 1, 0; syscall SYS_dup3, fileno F, 13, 0; syscall SYS_dup3, fileno A, 14, 0; syscall SYS_dup3, fileno B, 15, 0;
	my ($long, $short, $zeros) = ("hello world, this is long\n", "two\n", "\0" x 5000);
	my $given = pack "PQPQ", $long, length $long, $short, length $short; my $taken = pack "PQPQ", $long, length $long, $zeros, 50;
	syscall SYS_writev, 1, $given, 2; syscall SYS_pwritev, 1, $given, 2, 3, 0; syswrite STDOUT, $_ for "A" x 17, "", join("", map chr, 0 .. 255), "x" x 4096;
	syscall SYS_read, 13, $zeros, 100; syscall SYS_readv, 13, $taken, 2; syscall SYS_read, 13, $zeros, $_ for 4096, 100;
	syscall SYS_pread64, 13, $zeros, 10, 5; syscall SYS_pwrite64, 1, $zeros, 10, 5; syscall SYS_write, -1, $long, 3; syscall SYS_read, 99, $zeros, 3;
	syscall SYS_sendto, 14, $short, 4, 64, 0, 0; syscall SYS_recvfrom, 15, $zeros, 20, 64, 0, 0;'

TRACE=read,write,readv,writev,pread64,pwrite64,pwritev,sendto,recvfrom

prepare() {
	seq 1 500 >data
	printf '%s' "$CALLS" | perl -pe 'BEGIN { require "syscall.ph" } s/(SYS_\w+)/&$1/ge' >calls.pl
}

# From the first call of CALLS on: perl reads random numbers before.
normalize() {
	sed -E 's/^[0-9]+ +//; s/0x[0-9a-f]{9,}/ADDRESS/g; s/\) += /) = /; /exited with/d' "$1" | sed -n '/^writev(/,$p'
}

# Asserts that both print the same with these options.
compare() { # OPTION...
	strace -f -e trace=$TRACE -e signal=none -qq "$@" -o theirs timeout 20 perl calls.pl >/dev/null
	"$KTRACE" strace -e trace=$TRACE -e signal=none -qq "$@" -o ours timeout 20 perl calls.pl >/dev/null
	diff <(normalize theirs) <(normalize ours)
}

@test "dumps are those of strace" {
	prepare
	compare -e read=all -e write=all
	[ "$(grep -c '^ | ' ours)" -ge 300 ]
	[ "$(grep -c '^ \* [0-9]* bytes in buffer [01]$' ours)" -ge 4 ]
	grep -q '^ | 00010  10 11 12 13 14 15 16 17  18 19 1a 1b 1c 1d 1e 1f  \.\{16\} |$' ours
}

@test "some descriptors, all but some, and none" {
	prepare
	compare -e read=13 -e write=14
	compare -e read=13,15 -e 'write=!1'
	compare -e read=none -e write=1
	run -2 "$KTRACE" strace -e write=stdout true
	run -2 "$KTRACE" strace -e read=1,,2 true
	run -2 "$KTRACE" strace --write=1,x true
}

@test "what is longer than a record's data is cut, and says so" {
	"$KTRACE" strace -e write=1 -e trace=write -qq -o lines perl -e 'syswrite STDOUT, "y" x 5000' >/dev/null
	[ "$(grep -c '^ | 00[0-9a-f]*  79 79' lines)" -eq 256 ]
	[ "$(tail -n 1 lines)" = " | ..." ]
	record -e syscalls:write -s 4K -- echo hello
	"$KTRACE" print --write=1 >printed
	grep -Fqx ' | 00000  68 65 6c 6c 6f 0a                                 hello.           |' printed
	[ "$("$KTRACE" print --write=2 | grep -c '^ | ')" -eq 0 ]
}
