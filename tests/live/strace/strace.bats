#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace strace: lines as they come. The witnesses are strace, what the traced programs count, and the
# kernel's word for what ktrace's own memory holds.

bats_require_minimum_version 1.5.0
load ../recording

# What is there of a file once it has a line that matches.
await() { # FILE REGEX
	local tries
	for ((tries = 0; tries < 100; tries++)); do
		! grep -qE "$2" "$1" 2>/dev/null || return 0
		sleep 0.1
	done
	cat "$1"
	return 1
}

# In the background, with what it says in `said`; `pid`.
begin() { # ARG...
	"$KTRACE" strace "$@" >stdout 2>said 3>&- &
	pid=$!
}

# Its exit status.
end() {
	status=0
	wait "$pid" || status=$?
	pid=
	heard <said
}

strace_of() { # ARG...
	status=0
	"$KTRACE" strace "$@" >stdout 2>said 3>&- || status=$?
	heard <said
	! grep -q 'Operation not permitted\|Permission denied' said || skip "$(<said)"
}

# Without process numbers and addresses, and what strace alone tells: signals and ends.
plain() { # FILE
	sed -E '/^[0-9]+ +(---|\+\+\+) /d; s/^[0-9]+ +//; s/0x[0-9a-f]{6,}/A/g; s/ += / = /
		s/^getppid.*/getppid/; s/^kill.[0-9]+/kill(PID/' "$1"
}

CALLS='getppid,write,umask,chdir,mkdir,rmdir,pipe2,close,kill,exit_group'
WORK='umask 022; mkdir "d"; chdir "d"; chdir ".."; rmdir "d"; rmdir "d"; syswrite(STDOUT, "x$_\n") for 1 .. 300;
	getppid for 1 .. 500; kill 0, $$; pipe A, B; close A; close B; select undef, undef, undef, 0.2; getppid; exit 7'

@test "the lines are strace's, and the exit status is the command's" {
	strace -f -o straced -e trace=$CALLS perl -e "$WORK" >there 3>&- || [ $? -eq 7 ]
	strace_of -o ours -e trace=$CALLS perl -e "$WORK"
	[ "$status" -eq 7 ]
	[ ! -s said ]
	cmp stdout there
	diff <(plain ours) <(plain straced)
	[ "$(grep -c getppid ours)" -eq 501 ]
	strace_of -e rmdir,getppid -f perl -e "$WORK"
	diff <(plain said) <(plain straced | grep '^rmdir\|^getppid')
}

@test "a call is there while somebody is in it, and its line is ended when it returns" {
	mkfifo f
	begin -o lines -T -e read sh -c 'exec <f; read a; read b'
	exec 6>f
	await lines '^[0-9]+ +read\(0, $'
	tail -c 8 lines | grep -x 'read(0, '
	echo one >&6
	await lines '^[0-9]+ +read\(0, "o", 1\) += 1 <[0-9.]+>$'
	exec 6>&-
	end
	[ "$status" -eq 1 ]
	grep -xE '[0-9]+ +read\(0, "\\n", 1\) += 1 <0\.[0-9]{6}>' lines
	grep -xE '[0-9]+ +read\(0, "", 1\) += 0 <[0-9.]+>' lines
	! grep unfinished lines || false
}

@test "a call that others come between is resumed" {
	mkfifo f
	begin -o lines -e read,getppid sh -c 'perl -e "open F, \"<f\"; sysread(F, \$_, 1)" &
		exec 5>f; perl -e "getppid; select undef, undef, undef, 0.2; getppid"; exec 5>&-; wait'
	end
	[ "$status" -eq 0 ]
	grep -E '^[0-9]+ +read\(3,  <unfinished \.\.\.>$' lines
	grep -E '^[0-9]+ +<\.\.\. read resumed>"", 1\) += 0$' lines
	! grep -vE '^[0-9]+ +([a-z<]|--- SIG|\+\+\+ exited)' lines || false
}

@test "a process is followed, and what it forks, until it ends" {
	mkfifo f
	sh -c 'read a <f; perl -e "getppid for 1 .. 50"; exit 5' 3>&- &
	other=$!
	others+=("$other")
	begin -o lines -e getppid -p "$other"
	await said "process $other and its children; Ctrl-C ends it"
	sleep 1
	echo >f
	end
	[ "$status" -eq 0 ]
	[ "$(grep -c '^[0-9]* *getppid() *= '"$other"'$' lines)" -eq 50 ]
}

@test "Ctrl-C ends it with a process, which goes on, and all lines are there" {
	perl -e 'while (1) { getppid; select undef, undef, undef, 0.01 }' 3>&- &
	other=$!
	others+=("$other")
	begin -o lines -e getppid -tt -p "$other"
	await lines getppid
	kill -INT "$pid"
	end
	[ "$status" -eq 0 ]
	kill -0 "$other"
	[ "$(wc -l <lines)" -gt 0 ]
	! grep -vE '^[0-9]+ +[0-9:]{8}\.[0-9]{6} getppid\(\) += [0-9]+$' lines || false
}

# Rings have room for all of them, whoever comes by.
@test "of many calls at once on all CPUs each has its line, in the order of time" {
	strace_of -o lines -ttt -e umask -b 16M sh -c 'for i in 1 2 3 4; do
		perl -e "umask \$_ for 1 .. 20000" & done; wait'
	[ "$status" -eq 0 ]
	[ ! -s said ]
	[ "$(grep -cE 'umask.* = [0-7]+$' lines)" -eq 80000 ]
	[ "$(grep -cE '^[0-9]+ +[0-9.]+ umask\([0-7]+(\) +=| <unf| +<unf)' lines)" -eq 80000 ]
	[ "$(grep -c unfinished lines || true)" -eq "$(grep -c resumed lines || true)" ]
	# A call's line is at the time of its entry.
	awk '{ print $2 }' lines | sort -c
}

# Bytes that the kernel holds for files of that name that ktrace has open, and how long they are.
held() { # NAME
	local fd
	for fd in /proc/"$pid"/fd/*; do
		[[ $(readlink "$fd") != */"$1"* ]] || stat -L -c '%i %b %s' "$fd"
	done | sort -u | awk '{ held += $2 * 512; size += $3 } END { print held + 0, size + 0 }'
}

@test "what has been printed is not kept" {
	mkfifo f
	begin -o /dev/null -s 4096 -e write sh -c 'for i in $(seq 20); do
		dd if=/dev/zero of=/dev/null bs=4096 count=400 status=none; sleep 0.05; done; echo >there; read a <f'
	await there ''
	for ((i = 0; i < 50; i++)); do
		read -r held size < <(held cpu)
		[ "$size" -lt 20000000 ] || [ "$held" -gt 8000000 ] || break
		sleep 0.1
	done
	echo "$held of $size"
	[ "$size" -gt 20000000 ]
	[ "$held" -lt 8000000 ]
	echo >f
	end
	[ "$status" -eq 0 ]
}

@test "where nothing more can be written the command goes on" {
	strace_of -o /dev/full sh -c 'sleep 1; echo on; exit 4'
	[ "$status" -eq 1 ]
	[ "$(<stdout)" = on ]
	grep -x 'ktrace strace: cannot write to /dev/full: No space left on device' said
	grep -x "ktrace strace: tracing has ended; 'sh' continues" said
	[ "$(wc -l <said)" -eq 2 ]
	strace_of -o none/there true
	[ "$status" -eq 1 ]
	grep -x 'ktrace strace: cannot write to none: No such file or directory' said
}

@test "filters and classes choose calls, and other events stand between them" {
	strace_of -o lines -e trace=file,close --filter 'cpu >= 0' -e t=%desc cat /dev/null
	grep -q '^[0-9]* *openat(.*"/dev/null", O_RDONLY) *= 3$' lines
	strace_of -o lines -e openat --filter 'flags & O_CREAT' sh -c 'echo >new; cat /dev/null'
	diff <(plain lines) - <<<'openat(AT_FDCWD, "new", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3'
	strace_of -o lines --filter 'fd == 1' -qq sh -c 'echo b'
	diff <(plain lines) - <<<'write(1, "b\n", 2) = 2'
	strace_of -o lines -e execve,sched:sched_process_exec true
	[ "$(grep -c 'execve(' lines)" -eq 1 ]
	grep -E '^[0-9]+ +sched_process_exec: filename=[^ ]*/true ' lines
}

@test "what is not wanted is said as to strace" {
	without() { # OPTION...
		strace -f -o straced "$@" perl -e "$WORK" >stdout 3>&- || [ $? -eq 7 ]
		strace_of -o ours "$@" perl -e "$WORK"
		diff <(plain ours | grep -oE '^\w+\(') <(plain straced | grep -oE '^\w+\(')
	}
	without -e '!getppid,%file'
	[ "$(grep -cE '^[0-9]+ +write\(1, ' ours)" -eq 300 ]
	without -e 't=!%memory,%desc'
	[ "$(grep -c getppid ours)" -eq 501 ]
	strace_of -o ours -e '!getppid' -e write,getppid perl -e "$WORK"
	[ "$(plain ours | grep -c '^write')" -eq 300 ]
	[ "$(plain ours | grep -vc '^write')" -eq 0 ]
	strace_of -o ours -e '!openat' --filter 'fd == 1' -e '!fstat' perl -e "$WORK"
	[ "$(plain ours | grep -c '^write(1, ')" -eq 300 ]
	plain ours | grep -E '^(ioctl|lseek)\(1, '
	! plain ours | grep -vE '^\w+\(1[,)]' || false
	! plain ours | grep '^openat\|^fstat' || false
}

# A thread waits in a call while the other one calls others, which waits for it then.
OVERLAPPING='use threads; pipe A, B;
	$SIG{USR1} = sub { chdir "from a handler" };
	$t = threads->create(sub { sysread A, $_, 1; chdir "none/a"; chdir "." });
	chdir "none/b"; select undef, undef, undef, 0.1; chdir "none/c"; chdir "..";
	syswrite B, "x"; $t->join; kill USR1, $$; rmdir "none/d"; umask 0; exit 3'

@test "of calls those alone are shown that went as is asked, in whole lines, as strace does" {
	local option way
	for option in -z -Z '-e status=successful' '-e status=!successful,unfinished' '-e status=none' \
		'-z -e status=unfinished'; do
		echo "$option"
		# shellcheck disable=SC2086
		for way in "strace -f -qq -o straced" "$KTRACE strace -qq -o ours"; do
			$way -e trace=chdir,rmdir,umask,exit_group,rt_sigreturn $option \
				perl -e "$OVERLAPPING" 3>&- || [ $? -eq 3 ]
		done
		plain straced | sed 's/^rt_sigreturn.*/rt_sigreturn/' >theirs
		diff <(plain ours | sed 's/^rt_sigreturn.*/rt_sigreturn/') theirs
	done
	strace_of -o ours -e chdir -Z perl -e "$OVERLAPPING"
	[ "$(grep -c ' chdir(.* = -1 ENOENT ' ours)" -eq 4 ]
}

@test "of a trace each call is successful, failed or unfinished, and all of them are there" {
	local status
	ktrace record -o trace -e 'syscalls:*' perl -e "$OVERLAPPING"
	"$KTRACE" print --strace trace | sed 's/[^ ]* *//' >lines
	for status in successful failed unfinished; do
		"$KTRACE" print --status "$status" trace >"$status"
	done
	[ "$(grep -c ' chdir(.* = -1 ENOENT ' failed)" -eq 4 ]
	[ "$(grep -c . failed)" -eq "$(grep -c ' = -1 E\| = ? ERESTART' lines)" ]
	! grep -v ' = -1 E\| = ? ERESTART' failed || false
	! grep 'unfinished\|exit_group' failed successful || false
	grep ' exit_group(3) *= ?$' unfinished
	diff <(grep -h . successful failed unfinished | wc -l) <(grep -vc 'unfinished' lines)
	diff <("$KTRACE" print -z trace) successful
	diff <("$KTRACE" print --failed-only trace) failed
	diff <("$KTRACE" print -Z --status '!failed,unfinished' trace) successful
	diff <("$KTRACE" print --status all trace) <("$KTRACE" print --strace trace)
}

@test "what a process is waiting for is seen in the end" {
	perl -e '$| = 1; print "1\n"; select undef, undef, undef, 0.05 while !-e "go"; sleep 1000' >ready 3>&- &
	others+=("$!")
	await ready 1
	begin -o lines --status unfinished -p "${others[0]}"
	await said 'Ctrl-C ends it'
	touch go
	await "/proc/${others[0]}/wchan" nanosleep
	kill -INT "$pid"
	end
	[ "$(wc -l <lines)" -eq 1 ]
	grep -E '^[0-9]+ +clock_nanosleep\(CLOCK_REALTIME, 0, \{tv_sec=1000, tv_nsec=0\}, 0x[0-9a-f]+ <unfinished \.\.\.>$' lines
}

@test "calls of which nobody knows how they went are told, and left out" {
	ktrace record -o trace -e sys_enter_rmdir -e sys_exit_chdir perl -e "$OVERLAPPING"
	"$KTRACE" print -Z trace >lines 2>told
	[ "$(grep -c 'sys_exit_chdir: .* ret=-ENOENT' lines)" -eq 4 ]
	[ "$(wc -l <lines)" -eq 4 ]
	diff told - <<<'ktrace print: of 1 call the return is not known: it is not shown'
	! "$KTRACE" print -c -Z trace 2>told || false
	grep -F -e '-c prints no lines' told
}

@test "what is wrong on the command line is said" {
	while IFS='|' read -r args text; do
		echo "$args"
		# shellcheck disable=SC2086
		strace_of $args
		[ "$status" -eq 2 ] || [ "$status" -eq 1 ]
		grep -F -e "$text" said
	done <<-'.'
		|missing command, or -p PID
		-p 1 true|a command and -p exclude each other
		-e openn true|did you mean 'syscalls:open'?
		-e !opena true|did you mean 'syscalls:open'?
		-e !open --filter fd==2 -e read true|--filter without an -e before it applies to all calls
		-e read -e !open --filter fd==2 true|--filter cannot apply to excluded events ('!')
		-c -e !all true|no event to record
		-e trace=/open true|regular expressions are not supported
		-e signal=!FOO true|unknown signal
		-e abbrev=none true|unsupported qualifier; there are trace=, signal= and status=
		-e signal=INT,FOO true|unknown signal
		-e signal=INT --filter sig==2 true|--filter applies to calls, not to signals
		--filter fd==2 -e read true|--filter without an -e before it applies to all calls
		--filter fd==2 --filter fd==3 true|two --filter for one -e
		-p 99999999|no such process
		-tttt true|-t can be given at most three times
		-s 5K true|the maximum is 4K
		-e status=x true|unknown status; there are successful, failed, unfinished, all, none
		--status failed, true|unknown status; there are successful, failed, unfinished, all, none
		-e status=none,failed true|unknown status; there are successful, failed, unfinished, all, none
		-c -Z true|-c prints no lines
	.
	strace_of ./nothing
	[ "$status" -eq 127 ]
	strace_of -o lines sh -c 'kill -9 $$'
	[ "$status" -eq 137 ]
}
