#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Stacks of the kernel. The witness: what ftrace prints for the same hits, in an instance of its own.

bats_require_minimum_version 1.5.0

load ../recording
load ../functions

# Runs a command beside an instance of ftrace that records an event with its stacks: ./ftrace.
beside_ftrace() { # SYSTEM/EVENT FILTER COMMAND...
	unshare -m bash -euo pipefail -c '
		mountpoint -q /sys/kernel/tracing || mount -t tracefs nodev /sys/kernel/tracing
		instance=$(mktemp -d /sys/kernel/tracing/instances/kt_test_XXXXXX)
		event=$instance/events/$1
		trap "echo 0 >$event/enable; echo \"!stacktrace\" >$event/trigger; rmdir $instance" EXIT
		echo mono >"$instance/trace_clock"
		echo 8192 >"$instance/buffer_size_kb"
		echo "$2" >"$event/filter"
		echo "stacktrace if $2" >"$event/trigger"
		echo 1 >"$event/enable"
		"${@:3}"
		echo 0 >"$instance/tracing_on"
		cp "$instance/trace" ftrace' - "$@"
}

# Print a line per stack, its functions from the innermost on. ftrace's have what calls it.
fold_ftrace() {
	awk '/<stack trace>/ { n++; next }
		/^ => / { if ($2 !~ /^(trace_event_|__traceiter_|perf_trace_|__bpf_trace_|event_trigger)/) s[n] = s[n] " " $2 }
		END { for (i = 1; i <= n; i++) print s[i] }' ftrace
}

fold_recorded() {
	"$KTRACE" print --json t | jq -r 'select(.kernel_stack).kernel_stack | map(sub("\\+.*"; "")) | " " + join(" ")'
}

# Compares the stacks of a program's hits in which a function occurs.
check_event() { # SYSTEM/EVENT FILTER FUNCTION LEAST
	cp "$TRACED/naps" kt_naps
	beside_ftrace "$1" "$2" "$KTRACE" record -o t -e "${1/\//:}" -f "$2" -k kernel -- ./kt_naps 2 5 2000 \
		>stdout 2>message || {
		grep -q 'not permitted\|denied\|Operation not supported' message && skip "$(<message)"
		cat message
		return 1
	}
	fold_ftrace | grep "$3" >expected
	[ "$(wc -l <expected)" -ge "$4" ]
	fold_recorded | grep "$3" | diff expected -
}

@test "a stack has the functions that ftrace prints" {
	check_event sched/sched_switch 'prev_comm == "kt_naps"' do_nanosleep 10
}

@test "so it has for an event whose program gets the kernel's own record" {
	"$KTRACE" list --try kmem:rss_stat | grep -qF '(tracepoint)' || skip "this one gets the arguments"
	check_event kmem/rss_stat 'comm == "kt_naps"' exit_mmap 2
}

@test "it is under the event's or call's line, and in its JSON; -k is for the -e before it, or for all" {
	record_command -e openat -k kernel -e sched_process_exit -- cat /etc/hostname
	"$KTRACE" print t >lines
	[[ "$(grep -A 1 'openat(.*hostname' lines | tail -n 1)" == " => "*+0x* ]]
	[ "$(tail -n 1 lines | grep -c 'sched_process_exit: ')" -eq 1 ]
	"$KTRACE" print --events t | grep -A 1 'sys_exit_openat: ' | grep -q '^ => '
	[ "$("$KTRACE" print --json t | jq -s 'map(select(.kernel_stack)) | length')" -eq "$(grep -c ': openat(' lines)" ]
	"$KTRACE" print --json t | jq -se 'all(.[]; .call == "openat" or (has("kernel_stack") | not))'

	record_command -k kernel -e openat -e sched_process_exit -- cat /etc/hostname
	"$KTRACE" print t | tail -n 1 | grep -q '^ => '
	"$KTRACE" print --json t | jq -se 'all(.[]; .kernel_stack | length > 1)'
}

@test "folded stacks: as many as there are events" {
	cp "$TRACED/naps" kt_naps
	record_command -e sched_switch -k kernel -f 'prev_comm == "kt_naps"' -e sched_process_exit \
		-- ./kt_naps 1 20 1000
	"$KTRACE" print --folded t >folded
	grep -q '^kt_naps;entry_SYSCALL_64[^ ]*;do_nanosleep;schedule;__schedule [0-9]*$' folded
	run ! grep -q +0x folded
	[ "$(awk '{ n += $NF } END { print n }' folded)" -eq "$("$KTRACE" print t | grep -c sched_switch:)" ]
	"$KTRACE" print --folded -e sched_process_exit t 2>message
	grep -q 'have no stacks: record with -k' message
}

@test "other tools read such a trace" {
	record_command -k kernel -e sched_process_exec,sched_process_exit -- cat /etc/hostname
	babeltrace2 t | grep 'sched_process_exit.*kernel_stack = [1-9][0-9]*'
}

@test "a program's function has none of the kernel's" {
	record_command -e uprobe:libc.so.6:getenv -k kernel -- env -i A=1 printenv A
	"$KTRACE" print --json t | jq -se 'length > 0 and all(.[]; .kernel_stack == [])'
	run ! grep -q '^ =>' <("$KTRACE" print t)
}

# Asserts that each hit of an event is in a function that a system call leads to.
assert_callers() { # EVENT FUNCTION COUNT
	"$KTRACE" print --json t | jq -r --arg e "$1" 'select(.event == $e and .comm == "kt_seeks").kernel_stack |
		map(sub("\\+.*"; "")) | join(" ")' >stacks
	[ "$(grep -c "^$2\( .*\)* do_syscall_64 entry_SYSCALL_64_after_hwframe$" stacks)" -eq "$3" ]
}

@test "a function's begins with itself, however it is traced; a return's with it or its caller" {
	cp "$TRACED/seeks" kt_seeks
	record_command -k kernel -e func:shmem_file_llseek,func:shmem_file_llseek:return -- ./kt_seeks forks 20
	assert_callers shmem_file_llseek shmem_file_llseek 20
	assert_callers shmem_file_llseek:return '\(shmem_file_llseek \)*ksys_lseek' 20

	record_command -k kernel -e 'func:vfs_*,func:shmem_*' -- ./kt_seeks forks 20
	assert_callers shmem_file_llseek shmem_file_llseek 20
}

@test "wrong options" {
	run "$KTRACE" record --stack=users -e openat -- true
	[ "$status" -eq 2 ]
	[ "$output" = "ktrace record: --stack is 'kernel', 'user' or 'both'" ]
	run "$KTRACE" record -e '!openat' -k -- true
	[ "$status" -eq 2 ]
	run "$KTRACE" print --folded --json t
	[ "$status" -eq 2 ]
}
