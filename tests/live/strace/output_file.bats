#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The file of 'ktrace strace -o', in directories where other users can create links, files and
# pipes.

bats_require_minimum_version 1.5.0
load ../recording

run_as_other() {
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

@test "a new file is private; one's own file is truncated and keeps its mode" {
	umask 022
	echo "a line of before, longer than what comes" >there
	chmod 640 there
	ln -s there link
	for to in made there link; do
		timeout 20 "$KTRACE" strace -e exit_group -o "$to" true
		[ "$(sed 's/^[0-9]* *//' "$to")" = "exit_group(0)                     = ?
+++ exited with 0 +++" ]
	done
	[ "$(stat -c '%a %F' made there link)" = "600 regular file
640 regular file
777 symbolic link" ]
}

@test "standard output, a descriptor, a pipe and a device are written as they are" {
	timeout 20 "$KTRACE" strace -e exit_group -o /dev/stdout true | grep -q 'exit_group(0)'
	timeout 20 "$KTRACE" strace -e exit_group -o /dev/fd/7 true 7>&1 | grep -q 'exit_group(0)'
	mkfifo pipe
	timeout 20 cat pipe >through &
	timeout 20 "$KTRACE" strace -e exit_group -o pipe true
	wait $!
	grep -q 'exit_group(0)' through
	timeout 20 "$KTRACE" strace -e exit_group -o /dev/null true
	run -1 --separate-stderr timeout 20 "$KTRACE" strace -e exit_group -o /dev/full true
	[[ $stderr == *"No space left on device"* ]]
}

@test "another user's link, file or pipe is not written to, even if the kernel would allow it" {
	[ "$EUID" -eq 0 ] || skip "another user is needed"
	mkdir -m 1777 shared
	mkdir -m 755 mine
	echo keep | tee mine/victim >shared/theirs
	chown 65534 shared/theirs
	run_as_other ln -s "$PWD/mine/victim" shared/link
	run_as_other ln -s "$PWD/mine/new" shared/dangling
	run_as_other mkfifo shared/pipe
	for name in theirs link dangling pipe; do
		# Not within 'run': the test sees by its end whether it waits for a reader.
		timeout 20 "$KTRACE" strace -e exit_group -o "shared/$name" true >message 2>&1 && status=0 || status=$?
		[ "$status" -eq 1 ]
		grep -qE "^ktrace strace: cannot write to shared/$name: (it belongs to|a symbolic link of) 'nobody'" message
	done
	[ "$(cat mine/* shared/theirs)" = "keep
keep" ]
	[ "$(ls mine)" = victim ]
}

@test "an unwritable file is reported before anything is traced" {
	mkdir directory
	while read -r name why; do
		run -1 --separate-stderr timeout 20 "$KTRACE" strace -o "$name" touch ran
		[ "$stderr" = "ktrace strace: cannot write to $name: $why" ]
	done <<-'.'
		directory Is a directory
		directory/ Is a directory
		none/ Is a directory
		/proc/none No such file or directory
	.
	run -1 --separate-stderr timeout 20 "$KTRACE" strace -o none/file touch ran
	[ "$stderr" = "ktrace strace: cannot write to none: No such file or directory" ]
	[ ! -e ran ]
}
