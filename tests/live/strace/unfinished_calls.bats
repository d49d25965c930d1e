#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Calls that a process is in when it is attached to. strace sees the same processes.

bats_require_minimum_version 1.5.0
load ../recording

# A process that reads from `fifo`, which stays open for writing; `reader`.
begin_reader() {
	rm -f fifo
	mkfifo fifo
	exec 7<>fifo
	cat <fifo >/dev/null 3>&- 7>&- &
	reader=$!
	await_call "$reader" 0
}

end_reader() {
	kill "$reader"
	wait "$reader" || true
	exec 7>&-
}

# Until a thread is in that call.
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

# What a tracer has of the reader, to which a line is written once it is looked at. Into FILE.
trace_line() { # FILE TRACER...
	"${@:2}" -o "$1" -p "$reader" >said 2>&1 3>&- 7>&- &
	pid=$!
	await_line "$1" 'read(0, $'
	echo line >fifo
	await_line "$1" 'read(0, "line'
	await_call "$reader" 0
	kill -INT "$pid"
	wait "$pid" || true
	pid=
}

@test "a call that it is in, what it returns, and one that it is still in at the end" {
	begin_reader
	trace_line theirs strace -f -e read
	trace_line ours "$KTRACE" strace -e read
	diff ours theirs
	[ "$(wc -l <ours)" -eq 2 ]
	trace_line ours "$KTRACE" strace -T
	grep -qxE '[0-9]+ +read\(0, "line\\n", 131072\) += 5' ours # since when, nobody knows
	end_reader
}

@test "each thread's, with the texts they point to" {
	mkfifo named
	perl -e 'if (!fork) { open F, "<", "named" } wait' 3>&- &
	parent=$!
	await_call "$parent" 61
	child=$(pgrep -P "$parent")
	await_call "$child" 257
	"$KTRACE" strace -o ours -p "$parent,$child" 2>said 3>&- &
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

@test "those that are chosen alone: by name, by how they went, by a filter nobody asked them" {
	begin_reader
	for args in '-e write' '-e read --filter fd==0' '-e read -c'; do
		# shellcheck disable=SC2086
		timeout -s INT 0.5 "$KTRACE" strace -q $args -p "$reader" >said 2>&1 || [ $? -eq 124 ]
		[ ! -s said ]
	done
	timeout -s INT 0.5 "$KTRACE" strace -q -e read --status unfinished -p "$reader" >said 2>&1 || [ $? -eq 124 ]
	grep -qxE "$reader +read\(0,  <unfinished ...>" said
	"$KTRACE" strace -e read -c -U calls,name -p "$reader" >said 2>&1 3>&- 7>&- &
	pid=$!
	await_line said 'and its children'
	sleep 0.3
	echo line >fifo
	sleep 0.3
	kill -INT "$pid"
	wait "$pid" || true
	pid=
	grep -qE '^ +1 read$' said
	end_reader
}
