#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Lines in which ktrace once differed from strace. strace traces the same program.

bats_require_minimum_version 1.5.0

load ../recording

# Removes PIDs, addresses, blanks before a result, and strace's comments.
normalize() { # FILE
	sed -E '/^([0-9]+ +)?(---|\+\+\+) /d; s/^[0-9]+ +//; s/0x[57][0-9a-f]{11}/P/g; s/ += / = /
		s/[0-9]+ \/\* (SYSLOG_[A-Z_]+) \*\//\1/; s/ \/\* LOGLEVEL_[A-Z]+ \*\///; s/ \/\* 19[^*]*\*\///g; s/ \/\* KEY\w*_\?\?\? \*\///' "$1"
}

# Compares the matching lines of both; a perl script makes the calls.
compare() { # CALLS REGEX SCRIPT [ktrace's OPTION...]
	strace -v -f -e signal=none -e "trace=$1" -o theirs "${@:4}" perl -e "$3"
	"$KTRACE" strace -e "trace=$1" -o ours "${@:4}" perl -e "$3" 2>message
	normalize theirs | grep -E "$2" >theirs.lines
	normalize ours | grep -E "$2" >ours.lines
	diff ours.lines theirs.lines
	[ -s ours.lines ]
}

@test "data of setxattr and add_key is printed up to -s" {
	touch file
	compare setxattr,add_key '^' '
		my ($file, $name, $data) = ("file", "user.a", "v" x 4000);
		syscall(188, $file, $name, $data, 4000, 0);
		my ($type, $what) = ("user", "w" x 3000);
		syscall(248, $type, $what, $data, 4000, -9)' -s 4096
	[ "$(grep -cE '"v{4000}"' ours.lines)" -eq 2 ]
}

@test "keyctl has the arguments that the command uses" {
	# Not those with a text, unknown to strace 6.1, or printed there with another width or a
	# name.
	compare keyctl '^keyctl' '
		for my $option (0 .. 31) {
			next if $option == 5 || $option == 19 || $option == 20;
			syscall(250, $option, 0xdec0ded10000002a, 0xbadc0dedfffffffd, 0xdeadfee300000007, 0xdeadfee4fffffffe);
		}
		syscall(250, 4, -4, -1, -1); syscall(250, 14, -1); syscall(250, 14, 7); syscall(250, 22, -1, -6);
		syscall(250, 30, -1, -2, -3, 1); syscall(250, 1, 8); syscall(250, 99, 1, 2, 3, 4)'
	[ "$(wc -l <ours.lines)" -eq 36 ]
	grep -x 'keyctl(KEYCTL_LINK, 42, KEY_SPEC_SESSION_KEYRING) = .*' ours.lines
}

@test "semctl has a number, a pointer, or nothing" {
	# strace prints a number as passed, and both where the kernel uses neither.
	"$KTRACE" strace -e semctl -o ours perl -e '
		my ($id, $n) = (syscall(64, 0, 2, 0600), 0xdeadbeef00000007);
		syscall(66, $id, 0, $_, $n) for 16, 2, 12, 0' 2>message
	sed -E '/\+\+\+/d; s/^[0-9]+ +semctl\([0-9]+/semctl(ID/; s/ += / = /' ours >ours.lines
	diff ours.lines - <<-'.'
		semctl(ID, 0, SETVAL, 7) = 0
		semctl(ID, 0, IPC_STAT, 0xdeadbeef00000007) = -1 EFAULT (Bad address)
		semctl(ID, 0, GETVAL) = 7
		semctl(ID, 0, IPC_RMID) = 0
	.
}

@test "waitid's target has the names of the manual page" {
	compare waitid '^waitid' 'syscall(247, 0, -1, 0, $_, 0) for 2, 3, 10'
	grep -F 'waitid(P_ALL, -1, NULL, WNOHANG|WSTOPPED, NULL)' ours.lines
}

@test "getcwd prints the whole path" {
	mkdir -p "$(printf '%0100d' 0)"
	compare getcwd '^getcwd' 'chdir "0" x 100; my $room = "\0" x 4096;
		syscall(79, $room, 4096); syscall(79, $room, 2); syscall(79, 8, 4096)'
	[ "$(grep -cE '^getcwd\("/.*/0{100}", 4096\) = [0-9]+$' ours.lines)" -eq 1 ]
}

@test "a path is printed in full if the call returns a descriptor" {
	"$KTRACE" strace -y -e fcntl -o ours perl -e '
		my $name = "f" x 100;
		open(my $file, ">", $name);
		syscall(72, fileno($file), 0, 50)' 2>message
	grep -E 'fcntl\([0-9]+<.*/f{100}>, F_DUPFD, 50\) += 50<.*/f{100}>$' ours
}

@test "file times before 1970 are negative" {
	touch -d 1960-01-01T00:00:00Z old
	"$KTRACE" strace -v -e newfstatat,stat -o ours perl -e 'stat "old"' 2>message
	grep '"old", .*st_atime=-315619200 /\* 1960-01-01T00:00:00+0000 \*/, st_atime_nsec=0, st_mtime=-315619200 ' ours
}

@test "socket options and mount flags have their names" {
	compare getsockopt,setsockopt '^' '
		socket(my $s, 2, 1, 0);
		my ($room, $n, $fd) = ("\0" x 100, pack("L", 100), fileno($s));
		for my $of ([1, 26], [0, 64], [0, 65], [0, 96], [0, 128], [0, 1152], [41, 64], [41, 68]) {
			syscall(55, $fd, @$of, $room, $n = pack("L", 100));
		}
		syscall(54, $fd, @$_, $room, 4) for [0, 64], [0, 97], [0, 1153], [41, 65]'
	[ "$(grep -c SO_GET_FILTER ours.lines)" -eq 1 ]
	compare mount '^' '
		my @of = ("none", "/nonexistent", "tmpfs");
		syscall(165, @of, $_, 0) for 0xc0ed0000, 0xc0ed0001, 0xc0c10000, 0x3c000000'
}

@test "numbers have the bits that the kernel uses" {
	compare futex,ioctl,fcntl,umask '^(futex.*REQUEUE|ioctl\(0, (TC|TIO|LOOP)|fcntl\(0|umask)' '
		my $high = 1 << 32;
		my ($word, $other) = (pack("L", 0), pack("L", 0));
		syscall(202, $word, 3, 1, $high + 7, $other, 0);
		syscall(202, $word, 4, 1, $high + 7, $other, $high);
		syscall(16, 0, $_, $high + 5) for 0x5409, 0x5425, 0x540e, 0x4c00, 0x4c06;
		syscall(72, 0, $_, $high + 1) for 2, 4, 8, 10;
		syscall(95, $_) for 0x7fffff12, $high + 022, 0177777, 022;
		syscall(72, 0, 8, 0)'
	compare kcmp 'kcmp' 'syscall(312, 1, 1, 0, (1 << 32) + 1001, (1 << 32) + 1002)'
	"$KTRACE" strace -e fcntl -o ours perl -e 'syscall(72, 0, $_, (1 << 32) + 7) for 0, 1026, 1031, 1033' 2>message
	normalize ours | grep -oE '^fcntl\(0, F_[A-Z_]*(DUPFD|NOTIFY|PIPE|SEALS)[^)]*\)' >lines
	diff lines - <<-'END'
		fcntl(0, F_DUPFD, 7)
		fcntl(0, F_NOTIFY, DN_ACCESS|DN_MODIFY|DN_CREATE)
		fcntl(0, F_SETPIPE_SZ, 7)
		fcntl(0, F_ADD_SEALS, F_SEAL_SEAL|F_SEAL_SHRINK|F_SEAL_GROW)
	END
}

@test "the highest bit of an int has its name" {
	record -e recvfrom -- perl -e 'syscall(45, -1, 0, 0, $_, 0, 0) for 0x80000000, 0x80000001'
	"$KTRACE" print | grep -oE 'recvfrom\(.*\)' >lines
	diff lines - <<-'END'
		recvfrom(-1, NULL, 0, MSG_CMSG_COMPAT, NULL, NULL) = -1 EBADF (Bad file descriptor)
		recvfrom(-1, NULL, 0, MSG_OOB|MSG_CMSG_COMPAT, NULL, NULL) = -1 EBADF (Bad file descriptor)
	END
}

@test "syslog has a buffer only for reading and writing commands" {
	compare syslog '^' '
		syscall(103, $_, 8, 0) for 9, 10;
		syscall(103, $_, 0, 100) for 3, 10;
		syscall(103, 3, my $room = "x" x 10, 0);
		syscall(103, 3, 8, -5);
		syscall(103, 8, 8, 0)'
}

@test "sendmmsg prints lengths of sent messages only" {
	"$KTRACE" strace -e sendmmsg -o ours perl -e '
		use Socket;
		socketpair(my $a, my $b, AF_UNIX, SOCK_DGRAM, 0);
		my @text = ("abc", "defgh");
		my @vectors = map { pack("pQ", $_, length) } @text;
		sub messages { pack("(QLx4PQQQlx4Lx4)2", map { (0, 0, $vectors[$_], 1, 0, 0, 0, 77 + $_) } 0, 1) }
		syscall(307, fileno($a), messages(), 2, 0);
		syscall(307, -1, messages(), 1, 0);
		my $half = messages();
		substr($half, 64 + 16, 8) = pack("Q", 8);
		syscall(307, fileno($a), $half, 2, 0)' 2>message
	grep -oE 'msg_len=[0-9 =>]+|\) += -?[0-9]+' ours | xargs >lines
	[ "$(<lines)" = "msg_len=3 msg_len=5 ) = 2 ) = -1 msg_len=3 ) = 1" ]
}

@test "an address is printed only up to the buffer's size" {
	compare getsockname,recvfrom '^' '
		use Socket;
		socket(my $s, AF_INET, SOCK_DGRAM, 0);
		my $page = syscall(9, 0, 8192, 3, 0x22, -1, 0);
		syscall(11, $page + 4096, 4096);
		for my $room (0, 4, 8, 12, 16) {
			my $n = pack("L", $room);
			syscall(51, fileno($s), $page + 4096 - $room, $n);
		}
		my $n = pack("L", 16);
		syscall(51, fileno($s), $page + 4090, $n)'
	[ "$(grep -c 'sa_family=AF_INET, sa_data=' ours.lines)" -eq 3 ]
}

# A file whose pages are in no process's memory before the kernel reads a name there.
NAMES='sub untouched { syscall(28, $page, 8192, 4); $page + $_[0] }
	open(my $file, "<", "names");
	our $page = syscall(9, 0, 8192, 1, 2, fileno($file), 0);'

@test "a text not yet in memory at the entry is read at the return" {
	perl -e 'print "/a/b\0", "\0" x 4085, "across/the/edge\0", "\0" x 4080, "endless"' | head -c 8192 >names
	compare openat,rename,chdir '"/a/b|edge|endl|PATH' "$NAMES"'
		syscall(257, -100, untouched(0), 0);
		syscall(82, untouched(0), $page + 4090);
		syscall(80, untouched(4090));
		syscall(82, untouched(4090), untouched(4096));
		syscall(257, -100, untouched(8189), 0)'
	[ "$(grep -c '"/a/b"' ours.lines)" -eq 2 ]
	[ "$(grep -c '"across/the/edge"' ours.lines)" -eq 3 ]
	record -e openat,chdir perl -e "$NAMES"'syscall(257, -100, untouched(0), 0); syscall(80, $page)'
	"$KTRACE" print --events --json | jq -c 'select(.event | test("openat|chdir")).fields |
		select(.__filename_late == "/a/b" or .__filename_val == "/a/b") | [.__filename_val, .__filename_late]' >events
	diff events - <<-'END'
		[null,"/a/b"]
		["/a/b",null]
	END
	"$KTRACE" print --events | grep ' sys_exit_openat: __syscall_nr=257 ret=-ENOENT filename="/a/b"$'
}

@test "options of strace with another meaning here are errors" {
	run -2 --separate-stderr "$KTRACE" strace -yy true
	run -2 --separate-stderr "$KTRACE" record -yy true
	run -2 --separate-stderr "$KTRACE" start -y -y
}
