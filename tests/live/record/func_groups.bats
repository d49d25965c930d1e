#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Many functions of the kernel, which share a program where the kernel has links for many. The
# witnesses: the kernel's own tracer of functions, which sees the same hits, and what
# tests/traced/seeks says of its own calls. The program has a name of its own.

bats_require_minimum_version 1.5.0

load ../recording
load ../functions

# Lets the kernel trace functions, too, or skips the test. It takes 0.1 s for each name, also for a
# glob, which may be more functions than ktrace's.
start_ftrace() { # GLOB...
	instance=$(mktemp -d /sys/kernel/tracing/instances/kt_test_XXXXXX) || skip "no tracefs"
	echo 8192 >"$instance/buffer_size_kb"
	echo mono >"$instance/trace_clock"
	printf '%s\n' "$@" >"$instance/set_ftrace_filter"
	echo function >"$instance/current_tracer"
}

teardown() {
	if [ -d "${instance:-}" ]; then
		rmdir "$instance"
	fi
}

# Prints the names of functions that match, without a module's.
list_functions() { # PATTERN
	"$KTRACE" list "$1" | sed -n 's/^func:\([^:]*\)$/\1/p'
}

# Print how often kt_seeks hit each function of the file `names`, as the kernel and as the trace say,
# since its first brk(): the kernel's trace also has what its process did before exec.
count_seen() {
	sed -n 's/^ *kt_seeks-[0-9].*: \([^ ]*\) <-.*/\1/p' "$instance/trace" |
		awk '/_sys_execve$/ { exec = 1 } exec && /_sys_brk$/ { on = 1 } on' | grep -xFf names | sort | uniq -c
}

count_recorded() {
	"$KTRACE" print t | sed -n 's/^ *kt_seeks-[0-9].*: \([a-z0-9_.]*\):.*/\1/p' |
		awk '/_sys_brk$/ { on = 1 } on' | sort | uniq -c
}

@test "each of many functions has the hits that the kernel's tracer saw" {
	cp "$TRACED/seeks" kt_seeks
	"$KTRACE" list --try func:vfs_read | grep -q 'not permitted\|no kprobes' && skip "no functions"
	list_functions 'func:vfs_*,func:shmem_*,func:ksys_*,func:__x64_sys_[be]*' >names
	[ "$(wc -l <names)" -gt 100 ]
	start_ftrace 'vfs_*' 'shmem_*' 'ksys_*' '__x64_sys_[be]*'
	record_command -e 'func:vfs_*,func:shmem_*,func:ksys_*,func:__x64_sys_[be]*' -- ./kt_seeks threads 8 200
	echo 0 >"$instance/tracing_on"
	diff <(count_seen) <(count_recorded)
	count_recorded | grep -q ' 1600 shmem_file_llseek$'
	! grep -q 'ktrace record: lost\|functions missed' message
}

@test "returns of many functions" {
	record_command -e 'func:vfs_*:return,func:shmem_f*:return' -- "$TRACED/seeks" values
	"$KTRACE" print t | sed -n 's/.*: shmem_file_llseek:return: ret=\(.*\) duration=[0-9]*$/\1/p' >results
	sed -n 's/^seek .* = \(.*\)/\1/p' stdout | sed '6s/-1/-22/;7s/-1/-6/' | diff - results
	"$KTRACE" print --json t | jq -se 'map(select(.event)) | all(.fields.duration >= 0) and
		(map(.event) | unique | length) > 5'
}

@test "arguments are those of each function; a filter is its own" {
	record_command -e func:shmem_file_llseek -f 'offset < 0 && whence != 1' -e 'func:vfs_*' \
		-e func:__x64_sys_lseek -- "$TRACED/seeks" values
	"$KTRACE" print t | sed -n 's/.*: shmem_file_llseek: .*offset=\(.*\) whence=\(.*\)/\1 \2/p' >calls
	printf '%s\n' '-1 2' '-9223372036854775808 0' | diff - calls
	[ "$(count __x64_sys_lseek)" -ge 7 ]
	"$KTRACE" print --json t | jq -se 'map(select(.event == "vfs_read")) |
		length > 0 and all(.fields.buf >= "0x0000" and .fields.count > 0 and (.fields | length) == 4)'
	record_command -e 'func:vfs_*,func:shmem_*' -f 'comm == "seeks"' -- "$TRACED/seeks" threads 4 50
	[ "$(count shmem_file_llseek)" -eq 200 ]
	"$KTRACE" print --json t | jq -se 'map(select(.event)) | all(.comm == "seeks")'
}

@test "two names of one function: each has all its hits" {
	at=$(sed -n 's/ . __x64_sys_getppid$//p' /proc/kallsyms)
	grep -q "^$at . __do_sys_getppid$" /proc/kallsyms || skip "they are two functions here"
	record_command -e 'func:__x64_sys_getppid,func:__do_sys_getppid,func:vfs_*' -- \
		perl -e 'getppid() for 1 .. 100'
	[ "$(count __x64_sys_getppid)" -eq 100 ]
	[ "$(count __do_sys_getppid)" -eq 100 ]
}

@test "hits that interrupt a program are in the ledger: none is lost in silence" {
	cp "$TRACED/seeks" kt_seeks
	"$KTRACE" list --try func:vfs_read | grep -q 'not permitted\|no kprobes' && skip "no functions"
	list_functions 'func:hrtimer_*,func:tick_*,func:shmem_file_llseek' >names
	start_ftrace 'hrtimer_*' 'tick_*' shmem_file_llseek
	record_command -a -e 'func:hrtimer_*,func:tick_*,func:shmem_file_llseek' -- ./kt_seeks threads 64 150
	echo 0 >"$instance/tracing_on"
	grep -q 'missed events are not counted' message && skip "this kernel does not count them"
	missed=$(sed -n 's/^ktrace record: \([0-9]*\) hits\? of functions missed.*/\1/p' message)
	[ "$(count shmem_file_llseek)" -eq 9600 ]

	# Between the first call and the last one.
	"$KTRACE" print t | sed -n 's/^.*\] *\([0-9]*\)\.\([0-9]*\): \([a-z0-9_.]*\):.*/\1\2 \3/p' >recorded
	read -r from until < <(awk '$2 == "shmem_file_llseek" { if (!a) a = $1; b = $1 } END { print a, b }' recorded)
	sed -n 's/^.*\] [^ ]* *\([0-9]*\)\.\([0-9]*\): \([^ ]*\) <-.*/\1\2000 \3/p' "$instance/trace" |
		awk 'NR == FNR { is[$1] = 1; next } $2 in is' names - >seen
	within() {
		awk -v from="$from" -v until="$until" '$1 > from && $1 < until { n++ } END { print n + 0 }' "$1"
	}
	echo "recorded $(within recorded), missed ${missed:-0}, seen $(within seen)"
	[ "$(within seen)" -le $(($(within recorded) + ${missed:-0} + 2)) ]
	[ "$(within recorded)" -le $(($(within seen) + 64)) ]
}
