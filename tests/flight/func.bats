#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Functions of the kernel as events of flight recorders. The witness: what tests/traced/seeks prints
# of its own calls. Other tests call that function, too: the program has a name of its own.

load flight
load tree

# What tests/traced/naps calls. Other tests trace what that calls: while one attaches to a function, the
# kernel forgets returns of calls under way (doc/points.md).
export NANOSLEEP=__x64_sys_clock_nanosleep

# Makes the program, and starts a flight recorder, or leaves if the kernel lets no function be traced.
start_functions() { # ARG...
	cp "$TRACED/seeks" kt_seeks
	ktrace start "$@" && return
	! grep -q 'not permitted\|no kprobes' message || exit 99
	return 1
}

# Prints "OFFSET WHENCE" of each call.
print_calls() { # TRACE
	"$KTRACE" print "$1" | sed -n 's/ *kt_seeks-.*: shmem_file_llseek: .*offset=\(.*\) whence=\(.*\)/\1 \2/p'
}

check_snapshots() {
	start_functions -b 64K -e func:shmem_file_llseek -f 'offset < 1000 && file->f_mode & 3'
	./kt_seeks values | sed -n 's/^seek \(.*\) = .*/\1/p' >printed
	[ "$(wc -l <printed)" -eq 7 ]
	ktrace snapshot -o one
	print_calls one | diff - <(awk '$1 < 1000' printed)

	# Another process attaches what was detached.
	ktrace disable -e 'func:*'
	./kt_seeks forks 3
	ktrace enable -e 'func:*'
	./kt_seeks forks 5
	ktrace snapshot -o two
	print_calls two | diff - <(printf '%s 0\n' 0 1 2 3 4)
	ktrace stop
}

@test "snapshots have each call; events are disabled and enabled by name" {
	run_on_bpffs check_snapshots
}

check_trigger() {
	start_functions -b 64K -e sched:sched_process_exec --freeze-on 'func:shmem_file_llseek if whence == 2 && comm == "kt_seeks"'
	./kt_seeks threads 2 5
	! grep -q frozen <("$KTRACE" status)
	./kt_seeks values >/dev/null
	grep -q frozen <("$KTRACE" status)
	ktrace snapshot -o t
	[ "$(print_calls t | tail -n 1)" = "-1 2" ]
	ktrace stop
}

@test "a call freezes it" {
	run_on_bpffs check_trigger
}

check_tree() {
	start_functions -b 64K -e func:shmem_file_llseek,func:__x64_sys_lseek
	start_server tree
	format=tree/events/func/shmem_file_llseek/format
	grep -q $'\tfield:struct file *\\* *file;\toffset:[0-9]*;\tsize:8;' "$format"
	grep -q $'\tfield:loff_t offset;\toffset:[0-9]*;\tsize:8;\tsigned:1;' "$format"
	grep -q '^print fmt: "file=%p offset=%ld whence=%d", REC->file, REC->offset, REC->whence$' "$format"
	echo 0 >tree/events/func/enable
	./kt_seeks forks 2
	echo 1 >tree/events/func/shmem_file_llseek/enable
	./kt_seeks forks 3
	ktrace snapshot -o t
	[ "$(print_calls t | wc -l)" -eq 3 ]
	stop_server
	ktrace stop
}

@test "the control tree has their formats and switches" {
	run_on_bpffs check_tree
}

# Checks the returns of a trace against what kt_naps printed: each lasted as long as it was meant to,
# and no longer than measured.
check_durations() { # TRACE US
	"$KTRACE" print --json "$1" | jq -r 'select(.comm == "kt_naps") | .fields.duration' |
		paste -d ' ' - <(cut -d ' ' -f 2 printed) |
		awk -v least="$2" '{ n++ } $1 < least * 1000 || $1 > $2 { bad = 1 } END { exit bad || !n }'
}

check_returns() {
	cp "$TRACED/naps" kt_naps
	start_functions -b 64K -e func:$NANOSLEEP:return
	./kt_naps 1 3 2000 >printed
	ktrace snapshot -o one
	check_durations one 2000

	# Another process attaches another program, which has calls of its own under way.
	start_server tree
	filter=tree/events/func/$NANOSLEEP:return/filter
	echo 'duration >= 3000000 && comm == "kt_naps"' >"$filter"
	./kt_naps 1 3 1000
	./kt_naps 1 4 30000 >printed
	ktrace snapshot -o two
	"$KTRACE" print --json two | jq -se 'map(select(.event) | .fields.duration) | all(. >= 3000000)'
	[ "$("$KTRACE" print two | grep -c 'duration=[3-9][0-9]\{7\}$')" -eq 4 ]
	stop_server
	ktrace disable -e 'func:*'
	./kt_naps 1 1 3000
	ktrace enable -e 'func:*'
	./kt_naps 1 5 3000 >printed
	ktrace snapshot -o three
	check_durations three 3000
	ktrace stop
}

@test "returns have their durations, across changes by other processes" {
	run_on_bpffs check_returns
}

check_changes() {
	local least
	cp "$TRACED/naps" kt_naps
	start_functions -b 64K -e func:$NANOSLEEP:return -f 'comm == "kt_naps"'
	start_server tree
	for least in 1 2 3 4 5 6; do
		echo "duration > $least && comm == \"kt_naps\"" >"tree/events/func/$NANOSLEEP:return/filter"
		./kt_naps 1 1 30000 # begins at once, and the detached program had been there
	done
	ktrace snapshot -o t
	[ "$("$KTRACE" print t | grep -c 'kt_naps.*duration=[3-9][0-9]\{7\}$')" -eq 6 ]
	stop_server
	ktrace stop
}

@test "calls that begin when a filter has been changed have their returns" {
	run_on_bpffs check_changes
}

check_return_trigger() {
	cp "$TRACED/naps" kt_naps
	start_functions -b 64K -e sched:sched_process_exec --freeze-on "func:$NANOSLEEP:return if duration > 30000000 && comm == 'kt_naps'"
	./kt_naps 1 2 1000
	! grep -q frozen <("$KTRACE" status)
	./kt_naps 1 1 31000
	grep -q frozen <("$KTRACE" status)
	ktrace stop
}

@test "a slow call freezes it" {
	run_on_bpffs check_return_trigger
}
