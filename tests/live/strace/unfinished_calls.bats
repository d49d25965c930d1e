#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Calls that a process is within when it is attached to. strace attaches to the same processes.

bats_require_minimum_version 1.5.0
load ../recording

# Starts a process that reads from 'fifo', which stays open for writing; $reader.
start_reader() {
	rm -f fifo
	mkfifo fifo
	exec 7<>fifo
	cat <fifo >/dev/null 3>&- 7>&- &
	reader=$!
	await_call "$reader" 0
}

stop_reader() {
	kill "$reader"
	wait "$reader" || true
	exec 7>&-
}

# Waits until a thread is in that call.
await_call() { # TID NUMBER
	local tries
	for ((tries = 0; tries < 100; tries++)); do
		! grep -q "^$2 " "/proc/$1/syscall" || return 0
		sleep 0.1
	done
	return 1
}

await_line() { # FILE REGEX
	local tries
	for ((tries = 0; tries < 100; tries++)); do
		! grep -q "$2" "$1" 2>/dev/null || return 0
		sleep 0.1
	done
	cat "$1"
	return 1
}

# Attaches a tracer to the reader, writes it a line, and stores the tracer's output in FILE.
trace_line() { # FILE TRACER...
	"${@:2}" -o "$1" -p "$reader" >message 2>&1 3>&- 7>&- &
	pid=$!
	await_line "$1" 'read(0, $'
	echo line >fifo
	await_line "$1" 'read(0, "line'
	await_call "$reader" 0
	kill -INT "$pid"
	wait "$pid" || true
	pid=
}

@test "a call begun before attaching, its result, and one that is unfinished at the end" {
	start_reader
	trace_line theirs strace -f -e read
	trace_line ours "$KTRACE" strace -e read
	diff ours theirs
	[ "$(wc -l <ours)" -eq 2 ]
	trace_line ours "$KTRACE" strace -T
	grep -qxE '[0-9]+ +read\(0, "line\\n", 131072\) += 5' ours # unknown start, so no duration
	stop_reader
}

@test "those of each thread, with their texts" {
	mkfifo named
	perl -e 'if (!fork) { open F, "<", "named" } wait' 3>&- &
	parent=$!
	await_call "$parent" 61
	child=$(pgrep -P "$parent")
	await_call "$child" 257
	"$KTRACE" strace -o ours -p "$parent,$child" 2>message 3>&- &
	pid=$!
	await_line ours '^[0-9]* *openat('
	: >named
	wait "$pid"
	pid=
	wait "$parent"
	grep -qE "^$parent +wait4\(-1,  <unfinished ...>$" ours
	grep -qE "^$child +openat\(AT_FDCWD, \"named\", O_RDONLY\|O_CLOEXEC\) += 3$" ours
	grep -qE "^$parent +<... wait4 resumed>.*\) += $child$" ours
}

@test "only the selected ones: by name, by outcome, by filter" {
	start_reader
	for args in '-e write' '-e read --filter fd==0' '-e read -c'; do
		# shellcheck disable=SC2086
		timeout -s INT 0.5 "$KTRACE" strace -q $args -p "$reader" >message 2>&1 || [ $? -eq 124 ]
		[ ! -s message ]
	done
	timeout -s INT 0.5 "$KTRACE" strace -q -e read --status unfinished -p "$reader" >message 2>&1 || [ $? -eq 124 ]
	grep -qxE "$reader +read\(0,  <unfinished ...>" message
	"$KTRACE" strace -e read -c -U calls,name -p "$reader" >message 2>&1 3>&- 7>&- &
	pid=$!
	await_line message 'and its children'
	sleep 0.3
	echo line >fifo
	sleep 0.3
	kill -INT "$pid"
	wait "$pid" || true
	pid=
	grep -qE '^ +1 read$' message
	stop_reader
}
