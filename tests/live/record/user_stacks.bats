#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Stacks in user space. The witness: the program walks its own stack, and prints the offsets in its
# functions (tests/traced/callers.c).

bats_require_minimum_version 1.5.0

load ../recording

# Copies the program, and records the stacks of its calls.
record_callers() { # NAME MODE...
	[[ -e $1 ]] || cp "$TRACED/callers" "$1"
	record -o t -k user -e getsid -- "./$1" "${@:2}"
	[[ $message != *"Operation not permitted"* ]] || skip "$message"
	[ "$status" -eq 0 ]
}

# Print a line per call: its number, and the innermost four functions.
print_recorded() { # PATH
	"$KTRACE" print --json t | jq -r --arg file " ($1)" 'select(.call == "getsid") |
		"\(.args.pid): " + (.user_stack[:4] | map(rtrimstr($file)) | join(" "))'
}

# Asserts that the stacks are those that the program printed.
assert_witnessed() { # PATH LINES
	[ "$(wc -l <stdout)" -eq "$2" ]
	print_recorded "$1" | diff stdout -
}

@test "frames are those that the program finds" {
	record_callers kt_callers once
	assert_witnessed "$PWD/kt_callers" 1
	"$KTRACE" print t | grep -qxF " => middle+$(sed 's/.* middle+\([^ ]*\) .*/\1/' stdout) ($PWD/kt_callers)"
}

@test "of children, of programs after exec" {
	record_callers kt_callers fork
	assert_witnessed "$PWD/kt_callers" 1
	record_callers kt_callers exec 5
	assert_witnessed "$PWD/kt_callers" 5
	[ "$(grep -c '"stack"' t/ktrace/stacks.jsonl)" -ge 5 ]
}

@test "of threads: each stack is stored once for a process" {
	record_callers kt_callers threads 16 50
	"$KTRACE" print --folded t >folded
	# A kernel that preempts programs misses calls, and says so.
	[[ $(<folded) =~ ^'kt_callers;run_thread;run;middle;inner;innermost '([0-9]+)$ ]]
	[[ ${BASH_REMATCH[1]} -eq 1600 || $message == *"missed by the kernel"* ]]
	[ "$(grep -c '"stack"' t/ktrace/stacks.jsonl)" -le 200 ]
}

@test "two programs at the same addresses, in one process, are two" {
	cp "$TRACED/callers" kt_a_caller
	cp "$TRACED/callers" kt_b_caller
	objcopy -O binary --only-section=.note.gnu.build-id kt_a_caller note
	printf '\xee' | dd of=note bs=1 seek=16 conv=notrunc status=none
	objcopy --update-section .note.gnu.build-id=note kt_a_caller kt_b_caller
	record -o t -k user -e getsid -- setarch -R sh -c './kt_a_caller once; exec ./kt_b_caller once'
	[[ $message != *"Operation not permitted"* ]] || skip "$message"
	print_recorded "$PWD/kt_a_caller" | head -n 1 | diff <(head -n 1 stdout) -
	print_recorded "$PWD/kt_b_caller" | tail -n 1 | diff <(tail -n 1 stdout) -
}

@test "a stack that is too deep ends with ..." {
	record_callers kt_callers deep 200
	"$KTRACE" print t | tail -n 1 | grep -qx ' => \.\.\.'
	"$KTRACE" print --json t | jq -se 'all(.[]; .user_stack | length == 126 and last == "...")'
	record_callers kt_callers deep 100
	"$KTRACE" print --json t | jq -se 'all(.[]; .user_stack | length > 100 and all(.[]; . != "..."))'
	"$KTRACE" print --folded t | grep -q '^kt_callers;main;descend;'
}

@test "a program without a build id, and one without symbols" {
	objcopy -R .note.gnu.build-id "$TRACED/callers" kt_plain
	record_callers kt_plain once
	assert_witnessed "$PWD/kt_plain" 1
	run ! grep -q build_id t/ktrace/stacks.jsonl

	strip -o kt_stripped "$TRACED/callers"
	record_callers kt_stripped once
	innermost=$((0x$(nm "$TRACED/callers" | sed -n 's/ [tT] innermost$//p') + $(sed 's/.* innermost+\([^ ]*\) .*/\1/' stdout)))
	"$KTRACE" print t | grep -qxF "$(printf ' => %s+%#x' "$PWD/kt_stripped" "$innermost")"
	"$KTRACE" print --folded t | grep -q '^kt_stripped;.*;\[kt_stripped\] 2$'
}

@test "symbols of a debug file, found by the build id" {
	[[ -w /usr/lib ]] || skip "not root"
	strip -o kt_stripped "$TRACED/callers"
	objcopy --only-keep-debug "$TRACED/callers" debug
	id=$(readelf -n kt_stripped | sed -n 's/.*Build ID: //p')
	export id
	unshare -m bash -ec 'mkdir -p /usr/lib/debug && mount -t tmpfs none /usr/lib/debug
		mkdir -p "/usr/lib/debug/.build-id/${id:0:2}"
		cp debug "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
		"$KTRACE" record -o t -k user -e getsid -- ./kt_stripped once' >stdout 2>message || {
		grep -q 'not permitted' message && skip "$(<message)"
		return 1
	}
	assert_witnessed "$PWD/kt_stripped" 1
}

# Lets the program make its N-th call.
call() { # N
	echo >&4
	while [[ $(wc -l <called) -lt $1 ]]; do sleep 0.01; done
}

# Starts the program by a command: it makes a call for each line that it reads. Records the second
# call, and asserts that the stack is as printed.
check_waiting() { # PATH COMMAND...
	mkfifo lines
	"${@:2}" <lines >called 3>&- &
	others+=($!)
	exec 4>lines
	call 1
	${remove:+rm "$remove"}
	start -o t -k user -e getsid -p "${others[0]}"
	call 2
	kill -INT "$pid"
	finish
	exec 4>&-
	print_recorded "$1" | diff <(tail -n 1 called) -
}

@test "a process that began before, although its file is deleted" {
	cp "$TRACED/callers" kt_callers
	remove=kt_callers check_waiting "$PWD/kt_callers (deleted)" ./kt_callers wait
}

@test "a process in other mounts, with another file at the path" {
	mkdir root
	cp "$TRACED/callers" kt_callers
	cp "$TRACED/waiting" root/kt_callers
	check_waiting "$PWD/root/kt_callers" unshare -m bash -ec '
		mount --bind kt_callers root/kt_callers; exec root/kt_callers wait'
}

@test "both stacks: the kernel's come first; one alone has no more" {
	cp "$TRACED/callers" kt_callers
	record -o t -k -e getsid -- ./kt_callers once
	[[ $message != *"Operation not permitted"* ]] || skip "$message"
	"$KTRACE" print t | sed -n '/entry_SYSCALL/,/inner/p' | tail -n +2 | head -n 1 | grep -q '^ => innermost+'
	"$KTRACE" print --folded t | grep -q '^kt_callers;main;run;middle;inner;innermost;entry_SYSCALL.*;do_syscall_64;'
	record -o t2 --stack=both -e getsid -- ./kt_callers once
	"$KTRACE" print --json t2 | jq -se 'all(.[]; (.kernel_stack | length > 1) and (.user_stack | length > 4))'
	record -o t3 -k kernel -e getsid -- ./kt_callers once
	"$KTRACE" print --json t3 | jq -se 'all(.[]; has("user_stack") | not)'
	[ ! -e t3/ktrace/binaries.jsonl ]
}

@test "a task of the kernel has no stack in user space" {
	record -a -o t -k user -e workqueue_execute_start --duration 1s
	[[ $message != *"Operation not permitted"* ]] || skip "$message"
	"$KTRACE" print --json t | jq -se 'all(.[]; .user_stack == [])'
	[ "$("$KTRACE" print --json t | wc -l)" -gt 0 ]
}

@test "other tools read such a trace" {
	record_callers kt_callers once
	babeltrace2 t | grep -q 'sys_enter_getsid.*user_stack = [1-9][0-9]*'
}

# Functions alone, as the groups have them.
@test "groups by stack are those of all events" {
	record_callers kt_callers threads 4 25
	"$KTRACE" report -e getsid --by comm,user_stack --json t | jq -c '.groups[] | [.by.comm, .by.user_stack, .count]' | sort >groups
	"$KTRACE" print --json t | jq -c 'select(.call == "getsid") |
		[.comm, (.user_stack | map(select(test("^0x") | not)) | map(sub("[+ ].*"; "")))]' |
		sort | uniq -c | sed 's/^ *\([0-9]*\) \(.*\)]$/\2,\1]/' | sort >expected
	sed -i 's/"\[\([^"]*\)\]"/"\1"/g' groups
	sed -i 's|"/[^"]*/|"|g' expected
	diff expected groups
	grep -q '"innermost","inner","middle","run","run_thread"' groups
	"$KTRACE" report -e getsid --by user_stack t | grep -A 2 -E '^[ 0-9]+  innermost$' | tail -n 2 |
		tr -s '\n ' ' ' | grep -qx ' inner middle '
	record -o t -e getsid -- ./kt_callers once
	ktrace report --by stack t
	[ "$status" -eq 1 ]
	[ "$stderr" = "ktrace report: no selected event has a 'stack': record stacks with -k" ]
}
