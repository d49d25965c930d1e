#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# 'ktrace strace -ff -o FILE' writes FILE.TID for each thread. The witness is strace -ff -o.

bats_require_minimum_version 1.5.0
load ../recording

: "${TRACED:=$(dirname "$KTRACE")/tests/traced}"

run_as_other() {
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

# Lists the files of threads in the order of their numbers.
list_files() { # FILE
	printf '%s\n' "$1".* | sort -t. -k2n
}

# Prints names and outcomes of each file's lines; without a new thread's return from the call that
# made it, which strace does not show, and what depends on time.
summarize() { # FILE
	local file
	for file in $(list_files "$1"); do
		echo "a thread:"
		sed -E -e '/^<\.\.\. (v?fork|clone3?) resumed>/d' -e '/^(wait4\(|--- SIGCHLD )/d' \
			-e 's/^(\w+)\(.* = (-1 [A-Z]+|\?).*/\1 \2/' -e 's/^(\w+)\(.*/\1/' "$file"
	done
}

@test "each thread's file has the lines that strace writes, whole and without numbers" {
	command -v strace || skip "no strace"
	command='sleep 0.05 & ls /nowhere | cat; wait; exec true'
	timeout 20 strace -ff -o theirs -e %file,%process sh -c "$command" || true
	timeout 20 "$KTRACE" strace -ff -o ours -e %file,%process sh -c "$command"
	diff <(summarize theirs) <(summarize ours)
	[ "$(list_files ours | wc -l)" -eq 4 ]
	run ! grep -hE '^[0-9]|unfinished' ours.*
	[ "$(cat ours.* | grep -c resumed)" -eq 3 ]
	[ "$(stat -c %a ours.* | sort -u)" = 600 ]
}

@test "of threads that take turns, each file has what one file has of that thread" {
	command='for i in $(seq 20); do for j in $(seq 9); do cd /; cd /usr; cd /nowhere; done 2>/dev/null & done; wait'
	timeout 60 "$KTRACE" strace -f -o one -e chdir,clone,exit_group sh -c "$command"
	timeout 60 "$KTRACE" strace --output-separately -o apart -e chdir,clone,exit_group sh -c "$command"
	for file in $(list_files apart); do
		[ "$(grep -c 'chdir("/") *= 0' "$file")" -eq "$(grep -c 'chdir("/nowhere") *= -1' "$file")" ]
	done
	count_calls() { sed -nE 's/^(<\.\.\. )?(\w+)(\(.*| resumed>.*)= .*/\2/p' | sort | uniq -c; }
	diff <(sed -E 's/^[0-9]+ +//' one | count_calls) <(cat apart.* | count_calls)
}

@test "with few descriptors files are closed, and continued" {
	cat >many <<-'END'
		for i in $(seq 60); do
			sh -c 'cd /; sleep 0.3; cd /usr; sleep 0.3; cd /nowhere' &
		done 2>/dev/null
		wait
	END
	(ulimit -n 88; timeout 60 "$KTRACE" strace -ff -o out -e chdir,execve sh many)
	[ "$(grep -lx 'chdir("/") *= 0' out.* | wc -l)" -eq 60 ]
	[ "$(cat out.* | grep -c '^chdir("/usr") *= 0$')" -eq 60 ]
	for file in $(grep -l 'chdir("/")' out.*); do
		[ "$(grep -oE '^chdir\("[a-z/]*"|^\+\+\+ .*' "$file" | tr '\n' ' ')" = \
			'chdir("/" chdir("/usr" chdir("/nowhere" +++ exited with 2 +++ ' ]
	done
}

@test "a file of before is replaced, or with -A continued" {
	timeout 20 "$KTRACE" strace -e exit_group -o one true
	timeout 20 "$KTRACE" strace -A -e exit_group -o one true
	[ "$(grep -c 'exit_group(0)' one)" -eq 2 ]
	timeout 20 "$KTRACE" strace -e exit_group -o one true
	[ "$(grep -c 'exit_group(0)' one)" -eq 1 ]

	sleep 60 &
	others+=($!)
	for arg in '' -A ''; do
		echo "before" >>"threads.$!"
		timeout -s INT 1 "$KTRACE" strace $arg -ff -o threads -p $! || true
		grep -c before "threads.$!" || true
	done >counts
	[ "$(tr '\n' ' ' <counts)" = "0 1 0 " ]
	grep -E '^(clock_nanosleep|restart_syscall)\(.* <detached \.\.\.>$' "threads.$!"
}

@test "a call that a thread waits in is in its file before it returns" {
	mkfifo first second
	cat first &
	others+=($!)
	cat second &
	others+=($!)
	exec 6>first 7>second
	"$KTRACE" strace -ff -o wait -e read -p "${others[0]},${others[1]}" 2>message 6>&- 7>&- &
	pid=$!
	for other in "${others[@]}"; do
		for _ in $(seq 100); do
			[ -s "wait.$other" ] && break
			sleep 0.1
		done
		[[ $(tail -n 1 "wait.$other") =~ ^read\([0-9]+,\ $ ]]
	done
	echo one >&6
	exec 6>&- 7>&-
	wait "$pid"
	pid=
	grep -qE '^read\([0-9]+, "one\\n", [0-9]+\) += 4$' "wait.${others[0]}"
	grep -qE '^read\([0-9]+, "", [0-9]+\) += 0$' "wait.${others[1]}"
}

@test "what cannot be written is said, and the command goes on" {
	run -1 --separate-stderr timeout 20 "$KTRACE" strace -ff -o nowhere/out touch made
	[ "$stderr" = "ktrace strace: cannot write to nowhere: No such file or directory" ]
	[ ! -e made ]
	mkdir small
	run -1 --separate-stderr timeout 20 unshare -m sh -c 'mount -t tmpfs -o size=16k small small &&
		exec "$0" strace -ff -o small/out -- sh -c "$1"' "$KTRACE" \
		'for i in $(seq 1000); do cd /; done; touch made'
	[[ $stderr == *"cannot write to small/out."*": No space left on device"* ]]
	[ "$(grep -c 'cannot write' <<<"$stderr")" -eq 1 ]
	[ -e made ] && rm made
	[ "$EUID" -eq 0 ] || skip "another user is needed"
	mkdir -m 1777 shared
	mkdir -m 755 mine
	last=$(</proc/sys/kernel/ns_last_pid)
	run_as_other perl -e 'symlink "$ARGV[0]/mine/$_", "shared/out.$_" for $ARGV[1] .. $ARGV[1] + 3000' "$PWD" "$last"
	run -1 --separate-stderr timeout 20 "$KTRACE" strace -ff -o shared/out touch made
	[[ $stderr == *"cannot write to shared/out."*"a symbolic link of 'nobody'"* ]]
	[ "$(ls mine | wc -l)" -eq 0 ]
	[ -e made ]
}

@test "options that exclude each other" {
	run -2 --separate-stderr "$KTRACE" strace -ff -c -o file true
	[[ $stderr == *"-c and -C exclude -ff with -o"* ]]
	run -2 --separate-stderr "$KTRACE" strace -A true
	[[ $stderr == *"needs --output"* ]]
	[ ! -e file ]
	"$KTRACE" strace -ff -e execve true 2>message
	grep -q 'execve(' message
}
