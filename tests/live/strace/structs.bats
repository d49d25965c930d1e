#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Structs and arrays of structs of system calls, and signal sets. strace is the witness.

bats_require_minimum_version 1.5.0
load ../recording

STRUCTS='require "syscall.ph"; sub c { my ($n, @a) = @_; syscall $n, @a }
	$b = "\0" x 512; $f = "file\0"; open E, "<", "/dev/null"; pipe A, B;
	c(&SYS_stat, $f, $b); c(&SYS_lstat, $f, $b); c(&SYS_fstat, fileno E, $b);
	c(&SYS_stat, "none\0", $b); c(&SYS_stat, $f, 16); c(&SYS_statx, -100, $f, 0, 0x7ff, $b);
	c(&SYS_statfs, "/proc\0", $b); c(&SYS_fstatfs, fileno E, $b); c(&SYS_uname, $b); c(&SYS_uname, 16); c(&SYS_sysinfo, $b);
	c(&SYS_times, $b); c(&SYS_getrusage, 0, $b); c(&SYS_getrusage, 99, $b); c(&SYS_gettimeofday, $b, "\0" x 8);
	c(&SYS_gettimeofday, $b, 0); c(&SYS_gettimeofday, 16, 0); c(&SYS_clock_getres, 1, $b); c(&SYS_clock_gettime, 1, $b);
	c(&SYS_clock_gettime, 99, $b); c(&SYS_getrlimit, 4, $b); c(&SYS_setrlimit, 4, pack "q2", 5, 6);
	c(&SYS_prlimit64, 0, 4, 0, $b); c(&SYS_prlimit64, 0, 4, pack("q2", 3, 4), $b); c(&SYS_prlimit64, 0, 4, 16, 0);
	$t = pack "q4", 0, 0, 100, 5; c(&SYS_setitimer, 0, $t, $b); c(&SYS_getitimer, 0, $b); c(&SYS_setitimer, 0, "\0" x 32, $b);
	c(&SYS_nanosleep, pack("q2", 0, 12), $b); c(&SYS_nanosleep, pack("q2", 0, -1), $b); c(&SYS_nanosleep, 16, $b);
	c(&SYS_clock_nanosleep, 1, 0, pack("q2", 0, 34), $b); $t = pack "q4", 1, 2, 3, 4;
	c(&SYS_utimensat, -100, $f, $t, 0); c(&SYS_utimensat, -100, $f, 0, 0); c(&SYS_utimes, $f, $t); c(&SYS_utime, $f, $t);
	c(&SYS_select, 0, 0, 0, 0, pack "q2", 0, 7); c(&SYS_pselect6, 0, 0, 0, 0, pack("q2", 0, 7), 0);
	c(&SYS_ppoll, 0, 0, pack("q2", 0, 9), 0, 8); c(&SYS_ppoll, 0, 0, pack("q2", 0, -9), 0, 8);
	$e = c(&SYS_epoll_create1, 0); c(&SYS_epoll_ctl, $e, 1, fileno A, pack "Lq", 1, 12345); c(&SYS_epoll_ctl, $e, 2, fileno A, 0);
	c(&SYS_timer_create, 1, pack("qiix48", 7, 0, 1), $b); c(&SYS_timer_settime, 0, 0, $t, $b); c(&SYS_timer_gettime, 0, $b);
	$d = c(&SYS_timerfd_create, 1, 0); c(&SYS_timerfd_settime, $d, 0, $t, $b); c(&SYS_timerfd_gettime, $d, $b);
	c(&SYS_sigaltstack, pack("qiiq", 0, 2, 0, 0), $b); c(&SYS_adjtimex, "\0" x 256); c(&SYS_semtimedop, 0, 0, 0, pack "q2", 1, 2);
	c(&SYS_mq_open, "none\0", 0, 0, 0); exit 3 unless $p = fork; c(&SYS_wait4, $p, $b, 0, $b);
	<A> unless $p = fork; c(&SYS_wait4, $p, $b, 1, $b); kill "KILL", $p; c(&SYS_wait4, $p, $b, 0, 0); c(&SYS_wait4, -1, $b, 1, $b)'

# Prints the structs and results. Normalizes the order of members, names that only one tracer has
# (doc/syscalls.md), and what differs from run to run.
print_structs() {
	perl -ne 's/^\d+ +//; s/ <unfinished \.\.\.>$// and $begun = $_, chomp $begun, next;
		s/^<\.\.\. \w+ resumed>// and $_ = $begun . $_;
		/^(\w+)\(/ or next; $call = $1; s/\[\{WIF.*?\}\]//; s/\/\*.*?\*\/ ?//g; s/ ([,\]}])/$1/g;
		s/([^ ,{=]+) => ([^ ,}]+)/$call eq "adjtimex" ? $2 : $1/ge; s/\((?:Timeout|TIME_ERROR)\)//;
		s/, st_rdev=0\b//; s/, st_size=0\b//; s/, stx_btime=\{.*?\}//; s/, stx_mnt_id=[^}]*//; s/val=\[.*?\]/val/;
		s/data=\{u32=12345, u64=(\d+)\}/data=$1/; s/sival_int=7, //; s/, _sigev_un=\{.*?\}\}//; s/(\d+)\*1024/1024 * $1/ge;
		s/18446744073709551607/-9/; s/18446744073709551615/-1/; s/makedev\((\w+), (\w+)\)/sprintf "0x%x", hex($1) << 8 | hex $2/ge;
		s/(ctime(?:_nsec)?=)(?:\{.*?\}|\d+)/$1/g;
		($s) = /(\{.*\})/; $s = "none" unless defined $s;
		$s =~ s/\{(.*)\}/join ", ", sort split ", ", $1/e if $call =~ /stat$/;
		$s =~ s/=-?\d+/=N/g if $call =~ /^(sysinfo|times|getrusage|gettimeofday|clock_gettime|getitimer|adjtimex|wait4|timer.*)$/;
		$s =~ s/usec=\d+/usec=N/g, $s =~ s/=99\b/=100/ if $call eq "setitimer"; $s =~ s/loads=\[.*?\]// if $call eq "sysinfo"; ($e) = / (E[A-Z]+) /;
		print "$call $s ", $e // "", "\n"; $e = undef' "$1"
}

@test "structs are as strace prints them" {
	calls=adjtimex,clock_getres,clock_gettime,clock_nanosleep,epoll_ctl,fstatfs,getitimer,getrlimit,getrusage
	calls+=,gettimeofday,mq_open,nanosleep,ppoll,prlimit64,pselect6,select,semtimedop,setitimer,setrlimit,sigaltstack
	calls+=,statfs,statx,sysinfo,timer_create,timer_gettime,timer_settime,timerfd_gettime,timerfd_settime,times,utime
	calls+=,utimensat,utimes,wait4
	cpu=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
	echo text >file
	touch -d @12345 file
	strace -v -s 80 -e "trace=$calls,stat,lstat,fstat,uname" -e signal=none -o straced \
		taskset -c "$cpu" perl -e "$STRUCTS" 3>&-
	print_structs straced >theirs
	touch -d @12345 file
	record -e "$(sed 's/,/,syscalls:/g; s/^/syscalls:/' <<<"$calls,newstat,newlstat,newfstat,newuname")" --strict \
		-- taskset -c "$cpu" perl -e "$STRUCTS"
	[ "$status" -eq 0 ]
	"$KTRACE" print >printed
	sed -E 's/^ *[^[]*-([0-9]+) +\[[0-9]+\] +[0-9.]+: /\1 /; s/ <[0-9.]+>$//' printed >shown
	print_structs shown >ours
	diff theirs ours
	[ "$(grep -c '[{=]' ours)" -gt 40 ]
	"$KTRACE" print --events --json >objects
	[ "$(jq -r 'select(.event == "sys_exit_newuname" and .fields.ret == 0) | .fields.__name_val[0].release' objects)" = "$(uname -r)" ]
	[ "$(jq -c 'select(.event == "sys_enter_utimensat") | .fields.__utimes_val[1]' objects | head -n 1)" = '{"tv_sec":3,"tv_nsec":4}' ]
	[ "$(jq -c 'select(.event == "sys_exit_newuname" and .fields.ret < 0) | .fields.__name_val' objects)" = null ]
	babeltrace2 ktrace.out | grep -F 'sys_exit_newuname: ' | grep -F "{ sysname = \"Linux\", nodename = \"$(uname -n)\", release = \"$(uname -r)\""
}

ARRAYS='require "syscall.ph"; sub c { my ($n, @a) = @_; syscall $n, @a } pipe R, W; ($r, $w) = (fileno(R), fileno(W));
	$p = pack "iss" x 2, $r, 1, 0, $w, 4, 0; c(&SYS_poll, $p, 2, 0); c(&SYS_poll, pack("iss", $w, 4, 0) x 40, 40, 0);
	c(&SYS_poll, 0, 0, 0); c(&SYS_poll, 16, 2, 0); c(&SYS_poll, $p, 0, 0); c(&SYS_ppoll, $p, 2, 0, 0, 8);
	($b, $c, $e) = ("first ", "second", "\0" x 4096); $v = pack "pQpQ", $b, 6, $c, 6; c(&SYS_writev, $w, $v, 2);
	$i = pack "pQ", $e, 20; c(&SYS_readv, $r, $i, 1); c(&SYS_writev, -1, $v, 0); c(&SYS_writev, -1, 0, 1);
	c(&SYS_pwritev, -1, $i x 6, 6, 0, 0); c(&SYS_vmsplice, $w, $v, 1, 0); c(&SYS_process_vm_readv, $$, $i, 1, $v, 2, 0);
	$d = c(&SYS_epoll_create1, 0); c(&SYS_epoll_ctl, $d, 1, $w, pack "LQ", 5, 77); c(&SYS_epoll_ctl, $d, 1, $r, pack "LQ", 1, 78);
	c(&SYS_epoll_wait, $d, $e, 9, 0); c(&SYS_epoll_pwait, $d, $e, 1, 0, 0, 8); c(&SYS_epoll_wait, $d, $e, -1, 0);
	c(&SYS_epoll_wait, $d, 16, 1, 0);
	c(&SYS_setgroups, 9, pack "L9", 1 .. 9); c(&SYS_getgroups, 16, $e); c(&SYS_getgroups, 0, 0); c(&SYS_getgroups, -1, $e);
	c(&SYS_getgroups, 1, $e); c(&SYS_setgroups, 2, 16);
	$s = c(&SYS_semget, 0, 2, 0600); c(&SYS_semop, $s, pack("Sss" x 2, 0, 2, 0, 1, -1, 2048), 2); c(&SYS_semctl, $s, 0, 0, 0);
	$x = "\0" x 8; syscall(&SYS_io_setup, 1, $x); c(&SYS_io_getevents, unpack("q", $x), 0, 2, $e, 0);
	c(437, -100, "/\0", pack("QQQQ", 0301, 0640, 8, 0), $_) for 24, 32, 16, 0; c(437, -100, "/\0", 16, 24);
	c(&SYS_sched_getattr, 0, $e, 56, 0); c(&SYS_sched_getattr, 0, $e, 1, 0); c(442, -1, "\0", 0, pack("Q4", 0, 0, 0, 5), 32);
	exit 0 unless $q = c(435, pack("Q8", 0, 0, 0, 0, 17, 0, 0, 0), 64); wait; c(435, pack("Q8", 1, (0) x 7), 64);
	c(279, 0, 3, pack("Q3", 4096, 8192, 0), 0, $e, 0); c(279, 0, 2, pack("Q2", 4096, 8192), pack("ll", 0, 0), $e, 8);
	c(449, pack("QQLL" x 2, 0, 0, 2, 0, 0, 64, 2, 0), 2, 0, 0, 0); c(449, 16, 2, 0, 0, 0);
	c(&SYS_sendmsg, -1, pack("Q7", (0) x 7), 0); c(&SYS_sendmsg, -1, pack("Q7", (0) x 6, 0xff), 0);
	c(&SYS_poll, pack("iss", 1000, $_, 0), 1, 0) for 0x1fff, 0x2000, -1; c(&SYS_epoll_ctl, -1, 1, 0, pack "LQ", ~0, 9);
	c(442, -1, "x", 0, pack("Q4", 0x100000 | $_, 0x200000, 1 << 18 | $_, 5), 32) for 3, 12, 0x10, 0x20, 0x80;
	c(435, pack("Q8", 0x300000000 | $_, 0, 0, 0, 10, 0, 0, 0), 64) for 0x80, 0x100, 0x50f00, ~0;
	c(437, -1, "x", pack("QQQ", $_, 0, $_), 24) for 1, 0x3f, 0x101042; c(&SYS_semop, -1, pack("Sss", 1, 2, $_), 1) for 04000, 010000, -1;
	c(449, pack("QQLL", 0, 64, $_, 0), 1, 0, 0, 0) for 2, 130, ~0;
	$s = c(&SYS_socket, 2, 2, 0); $q = pack "SnC4x8", 2, 0, 127, 0, 0, 1; c(&SYS_bind, $s, $q, 16); $l = pack "l", 16;
	syscall(&SYS_getsockname, $s, $q, $l); $m = sub { pack(($_[0] ? "p" : "Q") . "lx4" . ($_[2] =~ /^\d+$/ ? "Q" : "p") . "Q3Lx4", @_) };
	c(&SYS_sendmsg, $s, $m->($q, 16, $v, 2, 0, 0, 0x40), 0) for 1 .. 4; c(&SYS_sendmsg, $s, $m->(0, 0, $v, 0, 0, 0, 0), 0);
	c(&SYS_sendmsg, $s, $m->($q, $_, $v, 1, 0, 0, 0), 64) for 0, 1, 200, -1; c(&SYS_sendmsg, $s, $m->($q, 16, 16, 1, 0, 0, 0), 64);
	c(&SYS_sendmsg, -1, $m->($q, 16, $v x 20, 40, 0, 0, 0), 0); c(&SYS_sendmsg, -1, pack("QQQQ", 16, 16, 16, 1) . "\0" x 24, 0);
	($x, $y, $z) = ("\0" x 3, "\0" x 30, "\0" x 128); $v = pack "pQpQpQ", $x, 3, $y, 30, $e, 9;
	c(&SYS_recvmsg, $s, $m->($z, $_, $v, 3, 0, 0, 0x7f), 64) for 128, 16, 5, 0; c(&SYS_recvmsg, $s, $m->($z, 9, $v, 1, 0, 0, 0), 64);
	c(&SYS_recvmsg, $s, $m->($z, 9, $v, 1, 0, 0, 0), 64)'


# Normalizes what differs from run to run, the place where strace prints poll's result, and the
# differences in doc/syscalls.md.
print_arrays() {
	perl -ne 's/^\d+ +//; s/ <unfinished \.\.\.>$// and $begun = $_, chomp $begun, next;
		s/^<\.\.\. \w+ resumed>// and $_ = $begun . $_; /^(\w+)\(/ or next; $call = $1;
		s/0x[0-9a-f]{6,}/A/g; s/\\x00/\\0/g; s/htons\(\d+/htons(N/g; s/sa_data="([^"\\]|\\.)*"/sa_data=D/; s/ \(Timeout\)//;
		s/data=\{u32=(\d+), u64=\1\}/data=$1/g; s/uaddr=NULL/uaddr=0/g; s/uaddr=0x40\b/uaddr=64/; s/msg_control=NULL, //; s| /\* \w+_\?\?\? \*/||g;
		s/^(semget.* = |semop\(|process_vm_readv\(|clone3.* = )\d+/$1N/; s/sched_(runtime|deadline|period)=\d+/sched_$1/g;
		s/\{(flags=[\w|]+).*(exit_signal=\w+).*?(stack_size=\d+).*?\}/{$1, $2, $3}/ if $call eq "clone3";
		s/, 0, 0\)/, 0)/ if $call eq "pwritev"; s/\{.*(msg_namelen=\d+).*\}/{$1}/ if /^recvmsg.* = -1/;
		s/\{.*\}, 16/A, 16/, s/, mode=000// if $call eq "openat2"; s/ +(= [^=]*)$/ $1/;
		if ($call =~ /poll$/ && s/, revents=0\b(?! =)//g + (@f = /\{fd=(\d+), events=[\w|]+, revents=0 => ([\w|]+)\}/g)) {
			s/, revents=0 => [\w|]+//g;
			for ($l = ""; ($fd, $v) = splice @f, 0, 2;) { $l .= ", " x !!$l . "{fd=$fd, revents=$v}" }
			$l .= ", ..." if / \.\.\.\]/; s/$/ ([$l])/ if $l }
		print' "$1"
}

@test "arrays and structs with a length argument are as strace prints them" {
	calls=clone3,epoll_ctl,epoll_pwait,epoll_wait,futex_waitv,getgroups,io_getevents,mount_setattr,move_pages
	calls+=,openat2,poll,ppoll,process_vm_readv,pwritev,readv,recvmsg,sched_getattr,semop,sendmsg,setgroups,vmsplice,writev
	cpu=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
	for max in 4 32; do
		strace -s $max -e trace=$calls -e signal=none -o straced taskset -c "$cpu" perl -e "$ARRAYS" 3>&-
		print_arrays straced >theirs
		record -s $max -e "syscalls:${calls//,/,syscalls:}" --strict -- taskset -c "$cpu" perl -e "$ARRAYS"
		[ "$status" -eq 0 ]
		"$KTRACE" print -s $max >printed
		sed -E 's/^ *[^[]*-([0-9]+) +\[[0-9]+\] +[0-9.]+: /\1 /; s/ <[0-9.]+>$//' printed >shown
		print_arrays shown >ours
		diff theirs ours
	done
	[ "$(wc -l <ours)" -gt 40 ]
	grep -F ', {msg_name={sa_family=AF_INET, sin_port=htons(N), sin_addr=inet_addr("127.0.0.1")}, msg_namelen=128 => 16, msg_iov=[{iov_base="fir", iov_len=3}, {iov_base="st second", iov_len=30}, {iov_base="", iov_len=9}], ' ours
	grep -F ', {msg_name={sa_family=AF_INET, sa_data=D}, msg_namelen=5 => 16, ' ours
	[ "$("$KTRACE" print --events --json | jq -r 'select(.event == "sys_enter_openat2") | .fields |
		[.usize, .__how_val[0].resolve // "none"] | join(" ")' | head -n 5 | paste -sd ,)" = "24 8,32 8,16 0,0 none,24 none" ]
	"$KTRACE" print --events >printed
	grep -E 'sys_exit_poll: __syscall_nr=7 ret=1 nfds=2 ufds=\[\{fd=[0-9]+, events=POLLIN, revents=0\}' printed
	grep -E 'sys_exit_readv: __syscall_nr=19 ret=12 vlen=1 vec=\[\{iov_base="first second", iov_len=20\}\]' printed
	[ "$("$KTRACE" print --events --json | jq -c 'select(.event | endswith("_writev")) | .fields.__vec_data' | paste -sd ' ')" = \
		'["first ","second"] null [] null null null' ]
	babeltrace2 ktrace.out | grep 'sys_exit_readv: ' | grep -F ', __vec_data = [ [0] = 0xC, [1] = 0x0, [2] = 0x0, [3] = 0x0, [4] = 0x66, '
}

# Prints the lengths of the buffers of vectors, as other programs read them.
print_lengths() { # TRACE
	babeltrace2 "$1" | perl -ne '/___?vec_data_length = (\d+).*, __vec_data = \[ (.*?) \]/ or next;
		my ($n, $data, @all) = ($1, $2);
		my $bytes = pack "C*", map { hex } $data =~ /= 0x(\w+)/g;
		$n == length $bytes or die;
		while (length $bytes >= 4) { push @all, unpack "V", $bytes; substr $bytes, 0, 4 + $all[-1], "" }
		print "@all", $bytes ne "" ? " and @{[length $bytes]} more" : "", "\n"'
}

@test "buffers of vectors have their limits, each and together" {
	record -s 4096 -e syscalls:writev -- perl -e 'require "syscall.ph"; my $b = "x" x 3000;
		open F, ">", "/dev/null"; my $v = pack "pQpQQQpQpQpQ", $b, 3000, $b, 7, 16, 5, $b, 0, $b, 3000, $b, 9; syscall(&SYS_writev, fileno F, $v, $_) for 1 .. 6'
	[ "$status" -eq 0 ]
	print_lengths ktrace.out >lengths
	[ "$(head -n 4 lengths | paste -sd ,)" = '3000,3000 7,3000 7 0,3000 7 0 0' ]
	[ "$(sed -n '5p' lengths)" = "$(sed -n '6p' lengths)" ]
	sed -n '5s/^3000 7 0 0 //p' lengths | grep -x '106.' # of 4096, with 4 for each
}

# Empty, small, nearly full and full sets, known before the call or not.
SETS='require "syscall.ph"; sub c { my ($n, @a) = @_; syscall $n, @a } $o = "\0" x 8;
	for (0, 1, 6, 1 << 31, 1 << 63, ~0, ~0x100, ~0 >> 32, (1 << 41) - 1, (1 << 42) - 1, (1 << 43) - 1, 0) {
		$s = pack "Q", $_; c(&SYS_rt_sigprocmask, 2, $s, $o, 8) }
	$s = pack "Q", 1 << 9 | 1 << 13; c(&SYS_rt_sigprocmask, 0, $s, 0, 8); kill "USR1", $$; c(&SYS_rt_sigpending, $o, 8);
	c(&SYS_rt_sigtimedwait, $s, 0, pack("q2", 0, 0), 8); c(&SYS_rt_sigtimedwait, $s, 0, pack("q2", 0, 0), 8);
	c(&SYS_signalfd4, -1, $s, 8, 0); c(&SYS_signalfd4, -1, 16, 8, 0); c(&SYS_rt_sigprocmask, 1, $s, $o, 8);
	c(&SYS_rt_sigprocmask, 0, 0, $o, 8); c(&SYS_rt_sigprocmask, 0, 0, 0, 8); c(&SYS_rt_sigprocmask, 0, 16, 0, 8);
	c(&SYS_rt_sigpending, 16, 8); c(&SYS_ppoll, 0, 0, pack("q2", 0, 9), $s, 8); $e = c(&SYS_epoll_create1, 0);
	c(&SYS_epoll_pwait, $e, $o, 1, 0, $s, 8);
	$h = sub { pack "Q4", @_ }; c(&SYS_rt_sigaction, $_->[0], $h->(@{$_}[1 .. 4]), $h->(0, 0, 0, 0), 8) for
		[10, 1, 0x14000000, 0x1234, 0], [10, 0, 4, 0, 6], [10, 0, 0xd8000007, 0, ~0], [10, 0, 0, 0, 0], [99, 0x1234, 1 << 40 | 8, 0, 0];
	c(&SYS_rt_sigaction, 10, 16, 0, 8); c(&SYS_rt_sigaction, 10, 0, $s x 4, 8)'

# strace has another order of members, and sa_restorer only with its flag.
print_sets() {
	perl -ne 's/^\d+ +//; next unless /^(\w+)\(/; s/, sa_restorer=\w+//g; s/ \((?:Timeout|SIG\w+)\)$//; s| /\* SA_\?\?\? \*/||;
		s/tv_nsec=9 => 0/tv_nsec=9/; s/ +(= [^=]*)$/ $1/; s/\{(sa_handler=\w+), (sa_mask=~?\[.*?\]), (sa_flags=[\w|]+)\}/{$1, $3, $2}/g;
		s/0x[0-9a-f]{7,}(?=[,)])/A/g if !/^rt_sigaction/; s/0x7f[0-9a-f]+|0x5[0-9a-f]+/A/g; print' "$1"
}

@test "signal sets and actions are as strace prints them" {
	calls=epoll_pwait,ppoll,rt_sigaction,rt_sigpending,rt_sigprocmask,rt_sigtimedwait,signalfd4
	strace -e trace=$calls -e signal=none -o straced perl -e "$SETS" 3>&-
	record -e "syscalls:${calls//,/,syscalls:}" --strict -- perl -e "$SETS"
	[ "$status" -eq 0 ]
	"$KTRACE" print --strace -v >printed
	print_sets straced >theirs
	print_sets printed >ours
	diff theirs ours
	grep -F 'rt_sigprocmask(SIG_SETMASK, ~[RT_11 RT_12 ' ours
	grep -F 'rt_sigpending([USR1], 8) = 0' ours
	"$KTRACE" print --events --json >objects
	jq -es 'any(.event == "sys_exit_rt_sigpending" and .fields.__uset_val == [512] and .labels.__uset_val == [["USR1"]])' objects
	jq -es 'any(.event == "sys_enter_rt_sigaction" and .labels == {"sig":"SIGUSR1","__act_val":[{"sa_handler":"SIG_DFL",
		"sa_flags":["SA_SIGINFO"],"sa_mask":["INT","QUIT"]}]})' objects
	jq -es 'any(.event == "sys_exit_rt_sigprocmask" and .fields.__oset_val == [0] and (has("labels") | not))' objects
	babeltrace2 ktrace.out >events
	grep -F 'sys_exit_rt_sigpending: ' events | grep -F '__uset_val = [ [0] = ( "USR1" : container = 0x200 ) ]'
}
