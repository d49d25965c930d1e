#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Tables of system calls. Witnesses: strace's own table, what the traced program does, and the lines
# of the same calls.

bats_require_minimum_version 1.5.0
load ../recording

run_strace() { # ARG...
	status=0
	"$KTRACE" strace "$@" >stdout 2>message 3>&- || status=$?
	! grep -q 'Operation not permitted\|Permission denied' message || skip "$(<message)"
}

# Prints CALL COUNT ERRORS of these calls from a table with strace's columns.
print_rows() { # FILE CALL...
	local file=$1
	shift
	awk -v calls=" $* " 'NR > 2 && NF >= 5 && index(calls, " " $NF " ") {
		print $NF, $4, NF == 6 ? $5 : 0 }' "$file" | sort
}

# Concurrent threads; children that end, exec, or are killed; a signal handler during a call that
# restarts afterwards, and during one that does not.
run_work() {
	cat >work.pl <<-'.'
		use threads;
		use POSIX;

		sub in_child { my $pid = fork // die; return $pid if $pid; shift->(); POSIX::_exit(3) }
		sub nap { select undef, undef, undef, 0.5 }

		$_->join for map { my $n = 1000 * $_; threads->create(sub { getppid for 1 .. $n }) } 1 .. 4;
		for my $k (1 .. 10) {
			waitpid in_child(sub { umask for 1 .. 100; exec 'true' if $k % 2 }), 0;
		}
		my $pid = in_child(sub { pause });
		nap;
		kill 'TERM', $pid;
		waitpid $pid, 0;

		my $handled = 0;
		sub handle { sigaction(shift, POSIX::SigAction->new(sub { $handled++ }, POSIX::SigSet->new, shift)) }
		handle(SIGUSR1, SA_RESTART);
		kill 'USR1', $$ for 1 .. 50;
		pipe my $from, my $to;
		$pid = in_child(sub { nap; kill 'USR1', getppid; nap; syswrite $to, 'x' });
		sysread $from, my $byte, 1;
		waitpid $pid, 0;
		handle(SIGUSR2, 0);
		$pid = in_child(sub { nap; kill 'USR2', getppid });
		pause;
		waitpid $pid, 0;
		rmdir "none$_" for 1 .. 30;
		print "$handled\n";
	.
}

# strace counts the interrupted call as an error of rt_sigreturn.
@test "threads, forks, execs, signals and restarts are counted as by strace" {
	run_work
	strace -c -f -o theirs perl work.pl >there 3>&-
	run_strace -c -f -o ours perl work.pl
	[ "$status" -eq 0 ]
	[ ! -s message ]
	cmp stdout there
	[ "$(<there)" = 52 ]
	cat ours
	both=(clone clone3 execve exit exit_group getpid getppid kill pause pipe2 pselect6 read rmdir
		rt_sigaction umask wait4 write)
	diff <(print_rows ours "${both[@]}") <(print_rows theirs "${both[@]}")
	diff <(print_rows ours clone clone3 exit exit_group getppid kill pause pselect6 rmdir rt_sigreturn umask) - <<-.
		clone 13 0
		clone3 4 0
		getppid 10002 0
		kill 53 0
		pause 2 2
		pselect6 4 0
		rmdir 30 30
		rt_sigreturn 52 0
		umask 1000 0
	.
	awk '$NF == "pselect6" { found = $2 >= 2 && $3 >= 500000 } END { exit !found }' ours
	awk '$NF == "total" { sum = $4 } $NF != "total" && $4 > 0 { n += $4 } END { exit n != sum }' ours
}

@test "a trace's table counts its lines, with the requested order and columns" {
	record -b 16M -e 'syscalls:*' sh -c 'for i in 1 2 3; do cat /dev/null & done; rmdir none; wait'
	"$KTRACE" print -C -T >both
	"$KTRACE" print -T >lines
	diff <(head -n "$(wc -l <lines)" both) lines
	sed -n 's/^[0-9]* *<\.\.\. \([a-z0-9_]*\) resumed>/\1(/; /unfinished/d; s/^[0-9]* *\([a-z0-9_]*\)(.* = \(-1 \|? E\)\?.*/\1 \2/p' \
		lines | awk '$1 != "exit_group" { n[$1]++; e[$1] += NF > 1 } END { for (c in n) print c, n[c], e[c] }' | sort >of_lines
	# A child's return is a line, but not a call of the child.
	children=$(grep -cE '(clone|vfork).* = 0( <|$)' lines)
	[ "$children" -ge 3 ]
	"$KTRACE" print -c -S name -U name,calls,errors >table
	[ "$(head -n 1 table)" = 'syscall              calls    errors' ]
	sed '1,2d; /^-/,$d' table | awk '{ print $1, $2, $3 + 0 }' >rows
	sort -c rows
	diff <(grep -v '^clone\|^vfork' rows) <(grep -v '^clone\|^vfork' of_lines)
	[ $((children + $(awk '/^clone|^vfork/ { n += $2 } END { print n }' rows))) -eq \
		"$(awk '/^clone|^vfork/ { n += $2 } END { print n }' of_lines)" ]
	grep -x 'rmdir 1 1' rows
	"$KTRACE" print -c -S calls -U calls | sed '1,2d; /^-/,$d' | sort -c -n -r
	tail -n +$(($(wc -l <lines) + 1)) both | cmp - <("$KTRACE" print -c)
}

@test "with -p, the table comes with Ctrl-C, without the unfinished call" {
	mkfifo f
	sh -c 'read a <f; read b; read c' <f 3>&- &
	other=$!
	others+=("$other")
	exec 6>f
	"$KTRACE" strace -C -o lines -e read,getppid -p "$other" >stdout 2>message 3>&- &
	pid=$!
	until grep -q 'Ctrl-C ends it' message; do sleep 0.1; done
	sleep 1
	echo >&6
	# The call that was there before has ended, and the next one begun.
	until grep -q '^[0-9]* *read(0, "\\n", 1) *= 1$' lines; do sleep 0.1; done
	until tail -n 1 lines | grep -q '^[0-9]* *read(0, $'; do sleep 0.1; done
	kill -INT "$pid"
	wait "$pid"
	pid=
	grep -q 'read(0,  <detached' lines
	grep -xE ' +\? +\? +\? +1 +read' lines
	grep -xF 'ktrace strace: 1 call without a time (entry not recorded)' message
	exec 6>&-
}

@test "calls in no count are reported" {
	record -e syscalls:sys_exit_read cat /dev/null
	"$KTRACE" print -c >table 2>message
	[ ! -s table ]
	n=$("$KTRACE" print --events | wc -l)
	grep -x "ktrace print: $n entries and returns not counted: a call needs both" message

	record -e 'syscalls:*' -o t cat /dev/null
	truncate -s -5 "$(ls -S t/cpu* | head -n 1)"
	run -1 --separate-stderr "$KTRACE" print -c t
	grep -x 'ktrace print: calls are counted only up to the damage' <<<"$stderr"
}

@test "usage errors are reported" {
	while IFS='|' read -r args text; do
		echo "$args"
		# shellcheck disable=SC2086
		run -2 "$KTRACE" $args
		grep -F -e "$text" <<<"$output"
	done <<-'.'
		strace -c -T true|-c prints no lines
		strace -c -C true|-c prints no lines
		strace -S calls true|-S, -U and -w need -c or -C
		strace -c -S speed true|time, nothing
		print -c -U calls,speed|calls, errors, name
		print -c -U calls,name,calls|-U takes each column once
		print -c --json|--events and --json exclude strace
		print -tttt|-t can be given at most three times
	.
}
