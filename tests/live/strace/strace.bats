#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace strace: lines as they come. Witnesses: strace, the traced programs' own counts, and the
# kernel's accounts of ktrace's memory.

bats_require_minimum_version 1.5.0
load ../recording

# Waits for a matching line and prints the file's lines.
await() { # FILE REGEX
	local tries
	for ((tries = 0; tries < 100; tries++)); do
		! grep -qE "$2" "$1" 2>/dev/null || return 0
		sleep 0.1
	done
	cat "$1"
	return 1
}

# Starts ktrace in the background with its messages in 'message'; $pid.
start_strace() { # ARG...
	"$KTRACE" strace "$@" >stdout 2>message 3>&- &
	pid=$!
}

# Returns its exit status.
wait_strace() {
	status=0
	wait "$pid" || status=$?
	pid=
	read_messages <message
}

run_strace() { # ARG...
	status=0
	"$KTRACE" strace "$@" >stdout 2>message 3>&- || status=$?
	read_messages <message
	! grep -q 'Operation not permitted\|Permission denied' message || skip "$(<message)"
}

# Removes PIDs, addresses, and what only strace prints: signals and exits.
normalize() { # FILE
	sed -E '/^[0-9]+ +(---|\+\+\+) /d; s/^[0-9]+ +//; s/0x[0-9a-f]{6,}/A/g; s/ += / = /
		s/^getppid.*/getppid/; s/^kill.[0-9]+/kill(PID/' "$1"
}

CALLS='getppid,write,umask,chdir,mkdir,rmdir,pipe2,close,kill,exit_group'
WORK='umask 022; mkdir "d"; chdir "d"; chdir ".."; rmdir "d"; rmdir "d"; syswrite(STDOUT, "x$_\n") for 1 .. 300;
	getppid for 1 .. 500; kill 0, $$; pipe A, B; close A; close B; select undef, undef, undef, 0.2; getppid; exit 7'

@test "lines are strace's, and the exit status is the command's" {
	strace -f -o straced -e trace=$CALLS perl -e "$WORK" >there 3>&- || [ $? -eq 7 ]
	run_strace -o ours -e trace=$CALLS perl -e "$WORK"
	[ "$status" -eq 7 ]
	[ ! -s message ]
	cmp stdout there
	diff <(normalize ours) <(normalize straced)
	[ "$(grep -c getppid ours)" -eq 501 ]
	run_strace -e rmdir,getppid -f perl -e "$WORK"
	diff <(normalize message) <(normalize straced | grep '^rmdir\|^getppid')
}

@test "a call appears while it runs, and its line ends when it returns" {
	mkfifo f
	start_strace -o lines -T -e read sh -c 'exec <f; read a; read b'
	exec 6>f
	await lines '^[0-9]+ +read\(0, $'
	tail -c 8 lines | grep -x 'read(0, '
	echo one >&6
	await lines '^[0-9]+ +read\(0, "o", 1\) += 1 <[0-9.]+>$'
	exec 6>&-
	wait_strace
	[ "$status" -eq 1 ]
	grep -xE '[0-9]+ +read\(0, "\\n", 1\) += 1 <0\.[0-9]{9}>' lines
	grep -xE '[0-9]+ +read\(0, "", 1\) += 0 <[0-9.]+>' lines
	! grep unfinished lines || false
}

@test "a call interrupted by others is resumed" {
	mkfifo f
	start_strace -o lines -e read,getppid sh -c 'perl -e "open F, \"<f\"; sysread(F, \$_, 1)" &
		exec 5>f; perl -e "getppid; select undef, undef, undef, 0.2; getppid"; exec 5>&-; wait'
	wait_strace
	[ "$status" -eq 0 ]
	grep -E '^[0-9]+ +read\(3,  <unfinished \.\.\.>$' lines
	grep -E '^[0-9]+ +<\.\.\. read resumed>"", 1\) += 0$' lines
	! grep -vE '^[0-9]+ +([a-z<]|--- SIG|\+\+\+ exited)' lines || false
}

@test "a process and its children are followed until it ends" {
	mkfifo f
	sh -c 'read a <f; perl -e "getppid for 1 .. 50"; exit 5' 3>&- &
	other=$!
	others+=("$other")
	start_strace -o lines -e getppid -p "$other"
	await message "process $other and its children; Ctrl-C ends it"
	sleep 1
	echo >f
	wait_strace
	[ "$status" -eq 0 ]
	[ "$(grep -c '^[0-9]* *getppid() *= '"$other"'$' lines)" -eq 50 ]
}

@test "Ctrl-C detaches from a process, which goes on, and all lines are there" {
	perl -e 'while (1) { getppid; select undef, undef, undef, 0.01 }' 3>&- &
	other=$!
	others+=("$other")
	start_strace -o lines -e getppid -tt -p "$other"
	await lines getppid
	kill -INT "$pid"
	wait_strace
	[ "$status" -eq 0 ]
	kill -0 "$other"
	[ "$(wc -l <lines)" -gt 0 ]
	! grep -vE '^[0-9]+ +[0-9:]{8}\.[0-9]{6} getppid\(\) += [0-9]+$' lines || false
}

# The rings have room for all of them.
@test "with many concurrent calls on all CPUs, each has its line, in the order of time" {
	run_strace -o lines -ttt -e umask -b 16M sh -c 'for i in 1 2 3 4; do
		perl -e "umask \$_ for 1 .. 20000" & done; wait'
	[ "$status" -eq 0 ]
	[ ! -s message ]
	[ "$(grep -cE 'umask.* = [0-7]+$' lines)" -eq 80000 ]
	[ "$(grep -cE '^[0-9]+ +[0-9.]+ umask\([0-7]+(\) +=| <unf| +<unf)' lines)" -eq 80000 ]
	[ "$(grep -c unfinished lines || true)" -eq "$(grep -c resumed lines || true)" ]
	# A call's line is at the time of its entry.
	awk '{ print $2 }' lines | sort -c
}

# Prints the bytes in memory and the length of an open file of ktrace, by name.
read_memory() { # NAME
	local fd
	for fd in /proc/"$pid"/fd/*; do
		[[ $(readlink "$fd") != */"$1"* ]] || stat -L -c '%i %b %s' "$fd"
	done | sort -u | awk '{ held += $2 * 512; size += $3 } END { print held + 0, size + 0 }'
}

@test "printed lines take no memory" {
	mkfifo f
	start_strace -o /dev/null -s 4096 -e write sh -c 'for i in $(seq 20); do
		dd if=/dev/zero of=/dev/null bs=4096 count=400 status=none; sleep 0.05; done; echo >there; read a <f'
	await there ''
	for ((i = 0; i < 50; i++)); do
		read -r held size < <(read_memory cpu)
		[ "$size" -lt 20000000 ] || [ "$held" -gt 8000000 ] || break
		sleep 0.1
	done
	echo "$held of $size"
	[ "$size" -gt 20000000 ]
	[ "$held" -lt 8000000 ]
	echo >f
	wait_strace
	[ "$status" -eq 0 ]
}

@test "if nothing more can be written, the command goes on" {
	run_strace -o /dev/full sh -c 'sleep 1; echo on; exit 4'
	[ "$status" -eq 1 ]
	[ "$(<stdout)" = on ]
	grep -x 'ktrace strace: cannot write to /dev/full: No space left on device' message
	grep -x "ktrace strace: tracing has ended; 'sh' continues" message
	# What happened while tracing ended may be lost too.
	[ -z "$(sed 1,2d message | grep -v ': lost ')" ]
	run_strace -o none/there true
	[ "$status" -eq 1 ]
	grep -x 'ktrace strace: cannot write to none: No such file or directory' message
}

@test "filters and classes select calls, with other events between them" {
	run_strace -o lines -e trace=file,close --filter 'cpu >= 0' -e t=%desc cat /dev/null
	grep -q '^[0-9]* *openat(.*"/dev/null", O_RDONLY) *= 3$' lines
	run_strace -o lines -e openat --filter 'flags & O_CREAT' sh -c 'echo >new; cat /dev/null'
	diff <(normalize lines) - <<<'openat(AT_FDCWD, "new", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3'
	run_strace -o lines --filter 'fd == 1' -qq sh -c 'echo b'
	diff <(normalize lines) - <<<'write(1, "b\n", 2) = 2'
	run_strace -o lines -e execve,sched:sched_process_exec true
	[ "$(grep -c 'execve(' lines)" -eq 1 ]
	grep -E '^[0-9]+ +sched_process_exec: filename=[^ ]*/true ' lines
}

@test "exclusions are written as for strace" {
	without() { # OPTION...
		strace -f -o straced "$@" perl -e "$WORK" >stdout 3>&- || [ $? -eq 7 ]
		run_strace -o ours "$@" perl -e "$WORK"
		diff <(normalize ours | grep -oE '^\w+\(') <(normalize straced | grep -oE '^\w+\(')
	}
	without -e '!getppid,%file'
	[ "$(grep -cE '^[0-9]+ +write\(1, ' ours)" -eq 300 ]
	without -e 't=!%memory,%desc'
	[ "$(grep -c getppid ours)" -eq 501 ]
	run_strace -o ours -e '!getppid' -e write,getppid perl -e "$WORK"
	[ "$(normalize ours | grep -c '^write')" -eq 300 ]
	[ "$(normalize ours | grep -vc '^write')" -eq 0 ]
	run_strace -o ours -e '!openat' --filter 'fd == 1' -e '!fstat' perl -e "$WORK"
	[ "$(normalize ours | grep -c '^write(1, ')" -eq 300 ]
	normalize ours | grep -E '^(ioctl|lseek)\(1, '
	! normalize ours | grep -vE '^\w+\(1[,)]' || false
	! normalize ours | grep '^openat\|^fstat' || false
}

# A thread waits in a call until the other one has made several.
OVERLAPPING='use threads; pipe A, B;
	$SIG{USR1} = sub { chdir "from a handler" };
	$t = threads->create(sub { sysread A, $_, 1; chdir "none/a"; chdir "." });
	chdir "none/b"; select undef, undef, undef, 0.1; chdir "none/c"; chdir "..";
	syswrite B, "x"; $t->join; kill USR1, $$; rmdir "none/d"; umask 0; exit 3'

@test "only calls with the chosen outcome are printed, in whole lines, as by strace" {
	local option way
	for option in -z -Z '-e status=successful' '-e status=!successful,unfinished' '-e status=none' \
		'-z -e status=unfinished'; do
		echo "$option"
		# shellcheck disable=SC2086
		for way in "strace -f -qq -o straced" "$KTRACE strace -qq -o ours"; do
			$way -e trace=chdir,rmdir,umask,exit_group,rt_sigreturn $option \
				perl -e "$OVERLAPPING" 3>&- || [ $? -eq 3 ]
		done
		normalize straced | sed 's/^rt_sigreturn.*/rt_sigreturn/' >theirs
		diff <(normalize ours | sed 's/^rt_sigreturn.*/rt_sigreturn/') theirs
	done
	run_strace -o ours -e chdir -Z perl -e "$OVERLAPPING"
	[ "$(grep -c ' chdir(.* = -1 ENOENT ' ours)" -eq 4 ]
}

@test "in a trace each call is successful, failed or unfinished" {
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

@test "at the end the call that a process waits in is printed" {
	perl -e '$| = 1; print "1\n"; select undef, undef, undef, 0.05 while !-e "go"; sleep 1000' >ready 3>&- &
	others+=("$!")
	await ready 1
	start_strace -o lines --status unfinished -p "${others[0]}"
	await message 'Ctrl-C ends it'
	touch go
	await "/proc/${others[0]}/wchan" nanosleep
	kill -INT "$pid"
	wait_strace
	[ "$(wc -l <lines)" -eq 1 ]
	grep -E '^[0-9]+ +clock_nanosleep\(CLOCK_REALTIME, 0, \{tv_sec=1000, tv_nsec=0\},  <unfinished \.\.\.>$' lines
}

@test "calls with an unknown outcome are counted and omitted" {
	ktrace record -o trace -e sys_enter_rmdir -e sys_exit_chdir perl -e "$OVERLAPPING"
	"$KTRACE" print -Z trace >lines 2>message
	[ "$(grep -c 'sys_exit_chdir: .* ret=-ENOENT' lines)" -eq 4 ]
	[ "$(wc -l <lines)" -eq 4 ]
	diff message - <<<'ktrace print: 1 call omitted: outcome unknown (return not recorded)'
	! "$KTRACE" print -c -Z trace 2>message || false
	grep -F -e '-c prints no lines' message
}

@test "usage errors are reported" {
	while IFS='|' read -r args text; do
		echo "$args"
		# shellcheck disable=SC2086
		run_strace $args
		[ "$status" -eq 2 ] || [ "$status" -eq 1 ]
		grep -F -e "$text" message
	done <<-'.'
		|missing command, or -p PID
		-p 1 true|a command and -p exclude each other
		-e openn true|did you mean 'syscalls:open'?
		-e !opena true|did you mean 'syscalls:open'?
		-e !open --filter fd==2 -e read true|--filter without an -e before it applies to all calls
		-e read -e !open --filter fd==2 true|--filter cannot apply to excluded events ('!')
		-c -e !all true|no event to record
		-e trace=/(open true|not a regular expression
		-e signal=!FOO true|unknown signal
		-e abbrev=stat true|expected none
		-e raw=all true|unsupported qualifier; expected trace=, signal=, status=
		-e signal=INT,FOO true|unknown signal
		-e signal=INT --filter sig==2 true|--filter applies to calls, not to signals
		--filter fd==2 -e read true|--filter without an -e before it applies to all calls
		--filter fd==2 --filter fd==3 true|two --filter for one -e
		-p 99999999|no such process
		-tttt true|-t can be given at most three times
		-s 5K true|the maximum is 4K
		-e status=x true|unknown status; expected successful, failed, unfinished, all, none
		--status failed, true|unknown status; expected successful, failed, unfinished, all, none
		-e status=none,failed true|unknown status; expected successful, failed, unfinished, all, none
		-c -Z true|-c prints no lines
	.
	run_strace ./nothing
	[ "$status" -eq 127 ]
	run_strace -o lines sh -c 'kill -9 $$'
	[ "$status" -eq 137 ]
}
