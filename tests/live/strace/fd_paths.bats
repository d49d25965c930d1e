#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Paths of descriptors. Witnesses: strace, and what a process reads in its own /proc.

bats_require_minimum_version 1.5.0
load ../recording

# Opens files of every kind, and changes them.
OPENED='require "syscall.ph"; sub c { my ($n, @a) = @_; syscall $n, @a } $b = "\0" x 4096; $d = "dir\0"; $w = "w\0";
	sub try { my ($f) = @_; c(&SYS_fsync, $f); c(&SYS_flock, $f, 8); c(&SYS_lseek, $f, 0, 1); c(&SYS_fstat, $f, $b); $f }
	mkdir "dir"; mkdir "dir/in"; $o = "dir/file\0"; $file = c(&SYS_openat, -100, $o, 66, 0600);
	$at = try(c(&SYS_open, $d, 65536)); $o = "file\0"; try(c(&SYS_openat, $at, $o, 0)); try(c(&SYS_openat, $at, $d, 0)); $o = "/\0";
	try(c(&SYS_open, $o, 65536)); try($at); try(-1); try(99); try(0x7fffffff); try(-100); $o = "none\0";
	for ("/dev/null", "/proc/self/status", "/proc/self/ns/net", "/proc/self/ns/pid_for_children", "/sys/kernel") {
		$p = "$_\0"; try(c(&SYS_open, $p, 0)) }
	try(c(&SYS_socket, 2, 1, 0)); try(c(&SYS_socket, 16, 3, 0)); pipe A, B; try(fileno A);
	try(c(&SYS_epoll_create1, 0)); try(c(&SYS_eventfd2, 0, 0)); try(c(&SYS_timerfd_create, 1, 0)); try(c(&SYS_inotify_init1, 0));
	try(c(&SYS_signalfd4, -1, $b, 8, 0)); try(c(&SYS_memfd_create, $w, 0)); try(c(&SYS_memfd_create, "/a/b\0", 0));
	for ("a>b<c", "w\"q", "a\\b\n\1" . 7, "\xc3\xa4\xff", "x" x 255) {
		$p = "dir/$_\0"; $f = try(c(&SYS_open, $p, 66, 0600)); unlink "dir/$_"; try($f); c(&SYS_close, $f) }
	c(&SYS_openat, $_, $o, 0) for -1, -99, -101, 999, 2 ** 32 - 100; $f = c(&SYS_open, "dir/in\0", 65536); rmdir "dir/in"; try($f); c(&SYS_fchdir, $f); c(&SYS_openat, -100, $o, 0); chdir "..";
	c(&SYS_dup, $file); c(&SYS_dup2, $file, 60); c(&SYS_dup2, $at, 60); c(&SYS_dup3, $at, 61, 0); c(&SYS_fcntl, $at, 0, 70);
	c(&SYS_fcntl, $at, 1030, 71); c(&SYS_fcntl, $at, 1, 0); c(&SYS_mmap, 0, 4096, 1, 2, $file, 0); c(&SYS_close, $file);
	c(&SYS_renameat2, $at, $w, -100, $d, 0); c(&SYS_linkat, $at, $o, $at, $o, 0); c(&SYS_sendfile, 60, $file, 0, 9);'

# Prints calls with their descriptors, except those in arrays and perl's own output. strace has
# "(deleted)" of a removed working directory within the brackets.
print_descriptors() {
	perl -ne 's/^\d+ +//; s/\[\d+<.*?>\]\)|\[\{fd=.*?\]//; s/ \(deleted\)>/>(deleted)/; next unless /^(\w+)\(.*\) += (.*)/ and !/^lseek\([12]</;
		print "$1 $2:";
		s/"(?:[^"\\]|\\.)*"//g; s/(socket|pipe):\[\d+\]/$1:[N]/g; s/\/proc\/\d+/\/proc\/N/g;
		print " $1" while /((?:-?\d+|AT_FDCWD)<(?:[^<>"\\]|\\.)*>(?:\(deleted\))?)/g; print "\n"' "$1" |
		sed -E 's/0x[0-9a-f]{6,}/POINTER/; s/(socket|pipe):\[[0-9]+\]/\1:[N]/; s/\/proc\/[0-9]+/\/proc\/N/'
}

@test "descriptors have the paths that strace prints" {
	calls=open,openat,close,flock,lseek,dup,dup2,dup3,fsync,mmap,socket,memfd_create,renameat2,linkat,sendfile
	calls+=,fchdir,eventfd2,timerfd_create,signalfd4,inotify_init1,epoll_create1
	strace -f -y -e "trace=$calls,fstat" -e signal=none -o straced perl -e "$OPENED" 3>&-
	rm -rf dir
	record -y -e "$(sed 's/,/,syscalls:/g; s/^/syscalls:/' <<<"$calls,newfstat,fcntl")" --strict -- perl -e "$OPENED"
	[ "$status" -eq 0 ]
	"$KTRACE" print --strace >printed
	print_descriptors straced >theirs
	grep -v ' fcntl(' printed >others
	print_descriptors others >ours
	diff theirs ours
	[ "$(grep -c '<' ours)" -gt 120 ]
	rm -rf dir
	strace -f -y -e trace=fcntl -e signal=none -o straced perl -e "$OPENED" 3>&-
	grep -c 'fcntl(.*F_DUPFD.* = 7[01]<' straced >theirs
	grep -c 'fcntl(.*F_DUPFD.* = 7[01]<' printed >ours
	diff theirs ours
	run ! grep 'F_GETFD.* = [0-9]*<' printed
}

# Each line is a descriptor's path as the process itself read it just before.
LINKED='$| = 1; require "syscall.ph"; sub try { my ($f, $is) = @_; print $is // readlink "/proc/self/fd/$f"; print "\n"; syscall(&SYS_flock, $f, 8) }
	sub with { my ($p, $mode) = ("$_[0]\0", $_[1] // 0); my $f = syscall(&SYS_open, $p, $mode, 0600);
		try($f, $_[2]) if $f >= 0; syscall(&SYS_close, $f) }'

# Equal, except for the first names of a cut path.
assert_linked() { # PATH...
	"$KTRACE" print --events --json | jq -r 'select(.event == "sys_enter_flock").fields.__fd_val // ""' >ours
	wc -l stdout ours
	[ "$(wc -l <stdout)" -ge "$1" ]
	paste -d '\n' stdout ours | perl -ne 'chomp; $. % 2 and $link = $_, next; next if $link eq $_;
		s/^\.\.\.\/// and "/$_" eq substr $link, -length($_) - 1 or $bad = print "$link is shown as $_\n"; $cut++;
		END { print "$cut are cut\n" if $cut; exit $bad }' >compared || { head compared; return 1; }
}

@test "descriptors have the paths in the process's own /proc, across mounts" {
	record -y -e syscalls:sys_enter_flock -- unshare -m perl -e "$LINKED"'
		mkdir "top"; my $here = readlink "/proc/self/cwd"; system "mount -t tmpfs one top && mkdir top/a top/b && mount -t tmpfs two top/a && mkdir top/a/c &&
			echo >top/a/c/file && mount --bind top/a/c top/b && echo >top/over && mount --bind top/over top/a/c/file" and die;
		with($_, 0) for qw(top top/a top/a/c top/a/c/file top/b top/b/file top/over / /proc /proc/self/ns/mnt /dev/pts);
		symlink "b", "top/link"; with("top/link/file", 0); socket S, 1, 1, 0; try(fileno S); pipe A, B; try(fileno A); try(fileno B);
		system "mount -t tmpfs three top/b"; open F, ">", "top/b/lost"; try(fileno F); unlink "top/b/lost"; try(fileno F);
		for (0 .. 30) { with("top/b/x" . "n" x (8 * $_), 66) } chroot "top/a"; with("/c", 0, "$here/top/a/c")'
	[ "$status" -eq 0 ]
	assert_linked 45
	run ! grep . compared
}

# At the limit of 40 names and mounts. /proc has no path longer than a page, so the process itself
# knows the path.
DIVE='mkdir "t"; system "mount -t tmpfs t t"; chdir "t"; my $at = readlink "/proc/self/cwd";
	for (1 .. 60) { $d = chr(ord("a") + $_ % 26) x 150; mkdir $d or die; chdir $d or die; with(".", 65536, $at .= "/$d") }'

@test "a path too deep or too long begins with dots" {
	for length in 150 20; do
		rm -rf ktrace.out t
		record -y -e syscalls:sys_enter_flock -- unshare -m perl -e "$LINKED${DIVE/150/$length}"
		[ "$status" -eq 0 ]
		assert_linked 60
		cut=$(sed -n 's/ are cut//p' compared)
		[ "$cut" -ge 20 ]
		[ "$cut" -lt 40 ]
	done
	"$KTRACE" print >printed
	grep -F ' fd=3<.../' printed >dotted
}

# Room for an eighth of a sub-buffer.
@test "a path is cut if a small ring has no room for it" {
	record -b 32K -y -e syscalls:sys_enter_flock --strict -- unshare -m perl -e "$LINKED${DIVE/60/20}"
	[ "$status" -eq 0 ]
	assert_linked 20
	[ "$(sed -n 's/ are cut//p' compared)" -ge 5 ]
}

@test "in JSON a path is a member of its own, or null; no filter tests it" {
	record -y -e syscalls:openat,syscalls:close -- perl -e 'require "syscall.ph"; $f = "/etc/passwd\0"; $a = -1;
		for (-100, 99) { $d = $_; $a = syscall(&SYS_openat, $d, $f, 0) if $a < 0; } syscall(&SYS_close, $a); syscall(&SYS_close, $_) for -1, $a'
	[ "$status" -eq 0 ]
	"$KTRACE" print --events --json | jq -c 'select(.event == "sys_enter_close").fields | [.fd, .__fd_val]' | tail -3 >closed
	fd=$(sed -n '3s/\[\([0-9]*\),.*/\1/p' closed)
	diff closed - <<<"[$fd,\"/etc/passwd\"]"$'\n[-1,null]\n'"[$fd,null]"
	"$KTRACE" print --events --json | jq -e "select(.event == \"sys_exit_openat\" and .fields.ret == $fd).fields.__ret_val" | grep -Fx '"/etc/passwd"'
	"$KTRACE" print --events | grep -F " fd=$fd</etc/passwd>"
	for filter in '__fd_val == "x"' 'fd ~ "/etc/*"'; do
		record -y -e syscalls:sys_enter_close -f "$filter" -- true
		[ "$status" -eq 1 ]
		[[ $message == *"'__fd_val' is the path of a file descriptor, which filters cannot test"* ]]
	done
}

# A file that is renamed between two names as fast as possible, and a descriptor that alternates
# between two files.
MOVED='require "syscall.ph"; $| = 1; my @to = map { $_ x 200 } "a", "b"; my @short = ("a" x 9, "b" x 30);
	open F, ">", $to[0]; open G, ">", $short[0]; my $n = fileno F; my $m = fileno G; my $p = fork; die unless defined $p;
	if (!$p) { while (getppid != 1) { for (0 .. 999) { rename($to[$_ & 1], $to[~$_ & 1]); rename($short[$_ & 1], $short[~$_ & 1]) } } exit }
	for (1 .. 60000) { syscall &SYS_flock, $_ & 1 ? $n : $m, 8 } kill "KILL", $p; wait'

@test "a file renamed meanwhile has one of its names, or none" {
	record -b 64M -y -e syscalls:sys_enter_flock --strict -- perl -e "$MOVED"
	[ "$status" -eq 0 ]
	"$KTRACE" print --events --json | jq -r '.fields.__fd_val // "none"' | sed 's/.*\///' | sort | uniq -c >names
	awk '{ print $1, substr($2, 1, 1), length($2) }' names
	awk '{ n[$2] = $1 } END { for (i in n) all += n[i]; exit !(all == 60000 && n["none"] < 30000) }' names
	run ! grep -Ev "^ *[0-9]+ (a{200}|b{200}|a{9}|b{30}|none)$" names
	[ "$(wc -l <names)" -ge 4 ]
}
