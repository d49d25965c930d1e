#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Returns of functions of the kernel as events. The witnesses: what tests/traced/seeks and
# tests/traced/naps say of their own calls. A function is timed by fexit, and with --nested, or
# where the kernel preempts itself, by kprobe.session or kretprobe.

bats_require_minimum_version 1.5.0

load ../recording
load ../functions

# Fails unless each duration is as long as the nap was meant to be, and no longer than the program
# measured; the lines are of one thread after the other, in the order of time.
check_naps() { # US
	"$KTRACE" print --json t | jq -r 'select(.event) | "\(.tid) \(.fields.ret) \(.fields.duration)"' |
		sort -s -n -k 1,1 >durations
	sort -s -n -k 1,1 stdout | paste -d ' ' durations - | awk -v least="$1" '
		{ n++ }
		$1 != $4 || $2 != 0 || $3 < least * 1000 || $3 > $5 { print "not so:", $0; bad = 1 }
		END { exit bad || !n }'
}

@test "results are those that the program got" {
	record_command -e func:shmem_file_llseek:return -- "$TRACED/seeks" values
	"$KTRACE" print t | sed -n 's/.*: shmem_file_llseek:return: ret=\(.*\) duration=[0-9]*$/\1/p' >results
	sed -n 's/^seek .* = \(.*\)/\1/p' stdout | sed '6s/-1/-22/;7s/-1/-6/' | diff - results
	[ "$(wc -l <results)" -eq 7 ]
}

@test "durations are between what was asked for and what the program measured" {
	record_command -e func:hrtimer_nanosleep:return -- "$TRACED/naps" 1 5 3000
	check_naps 3000
	[ "$(wc -l <durations)" -eq 5 ]
	record_command --nested -e func:hrtimer_nanosleep:return -- "$TRACED/naps" 1 5 3000
	check_naps 3000
	[ "$(wc -l <durations)" -eq 5 ]
}

@test "durations of threads that wait at the same time" {
	record_command --nested -e func:hrtimer_nanosleep:return -- "$TRACED/naps" 8 20 500
	check_naps 500
	[ "$(wc -l <durations)" -eq 160 ]
}

@test "a duration is never another call's" {
	record_command -e func:shmem_file_llseek:return -- "$TRACED/seeks" threads 64 400
	"$KTRACE" print t | sed -n 's/.*seeks-\([0-9]*\) .* \([0-9]*\)\.\([0-9]*\): .* duration=\(.*\)/\1 \2\3 \4/p' >returns
	sort -s -n -k 1,1 -k 2,2 returns | awk '
		$1 == tid && $3 >= 0 && $2 - $3 < before { print "overlaps:", $0; bad = 1 }
		{ tid = $1; before = $2; known += $3 >= 0 }
		END { exit bad || known < NR / 10 }'
	[ "$(count shmem_file_llseek:return)" -eq 25600 ]
}

@test "filters test results and durations; a signal ends a call" {
	record_command -e func:hrtimer_nanosleep:return -f 'ret == -516 && duration >= 25ms' -- \
		sh -c '"$TRACED/naps" 1 3 1000; "$TRACED/naps" cut 50'
	[ "$(count hrtimer_nanosleep:return)" -eq 1 ]
	"$KTRACE" print --json t | jq -se --argjson most "$(tail -n 1 stdout | cut -d ' ' -f 2)" '
		map(select(.event)) | .[0].fields.duration <= $most'
	"$KTRACE" print -f 'duration > 25ms' t | grep -q hrtimer_nanosleep
	[ -z "$("$KTRACE" print -f 'duration < 25ms' t)" ]
}

@test "every return is counted: of threads, children, programs after exec" {
	record_command -e func:shmem_file_llseek:return -- "$TRACED/seeks" threads 64 50
	[ "$(count shmem_file_llseek:return)" -eq 3200 ]
	record_command -e func:shmem_file_llseek:return -- "$TRACED/seeks" forks 7
	[ "$(count shmem_file_llseek:return)" -eq 7 ]
	record_command -e func:shmem_file_llseek:return -- "$TRACED/seeks" exec 5
	[ "$(count shmem_file_llseek:return)" -eq 5 ]
}

@test "a return that the kernel has no room for is in the ledger" {
	"$KTRACE" list --try func:hrtimer_nanosleep:return | grep -q kprobe.session && skip "it has room"
	record_command --nested -e func:hrtimer_nanosleep:return -- "$TRACED/naps" 64 1 300000
	grep -q 'missed events are not counted' message && skip "this kernel does not count them"
	[ "$(count_hits hrtimer_nanosleep:return)" -eq 64 ]
	[ "$(count hrtimer_nanosleep:return)" -lt 64 ]
}

@test "a call within a call of the same function: each has its duration" {
	[ "$(stat -f -c %T "$TRACED/seeks")" = overlayfs ] || skip "the program is not on an overlay"
	record_command -e func:do_dentry_open:return -f 'comm == "cat"' -- cat "$TRACED/seeks"
	"$KTRACE" print --json t | jq -se 'map(select(.event)) |
		length >= 2 and length % 2 == 0 and all(.fields.duration > 0) and
		.[-1].fields.duration > .[-2].fields.duration and
		.[-1].time - .[-1].fields.duration < .[-2].time - .[-2].fields.duration'
}

@test "a function that returns nothing has a duration" {
	record_command -e func:mmput:return -- true
	"$KTRACE" print --json t | jq -se 'any(.fields.duration > 0)'
}

@test "a function without types: what it returned is a number of unknown meaning" {
	grep -q '^overlay ' /proc/modules || skip "the module overlay is not loaded"
	grep -q ' ovl_open.\[overlay\]' /proc/kallsyms || skip "the module has no ovl_open()"
	cp "$TRACED/seeks" program
	record_command -e func:overlay:ovl_open:return -- cat program program program
	"$KTRACE" print --json t | jq -se 'map(select(.event == "overlay:ovl_open:return")) |
		length >= 3 and all(.fields.ret == 0 and .fields.duration > 0)'
}

@test "list says how calls are timed" {
	run --separate-stderr "$KTRACE" list --try func:shmem_file_llseek:return
	grep -q 'not permitted\|no kprobes' <<<"$output" && skip "${lines[0]}"
	[[ $output == "func:shmem_file_llseek:return ("@("fexit, timed by "f@(session|entry)|kprobe.session:*)")" ]]
}
