#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The names that tasks have in print and report, against those that the kernel itself records.

bats_require_minimum_version 1.5.0

load ../recording
load ../tasks

@test "whose each hit is: a command's, from its first instruction" {
	prepare
	cp kt_witness outsider
	while :; do ./outsider; done 3>&- &
	others+=($!)
	record -e "sched_switch,$EXIT" -- bash -c "sleep 0.1; $WORK"
	[ "$status" -eq 0 ]
	[ "$(said_events)" -ge 9 ]
	wrong_names ktrace.out >wrong
	diff wrong /dev/null
	names ktrace.out >names
	for name in kt_witness a_name_of_many_ renamed again; do
		grep -qx "$name" names
	done
	"$KTRACE" print | grep -q '^ *kt_witness-[0-9]* *\[[0-9]*\] '
	"$KTRACE" print | grep -qF ' a\tb\x1b-'
	"$KTRACE" report --tasks | grep -q ' %  kt_witness-[0-9]*$'
	[ "$("$KTRACE" report --json | jq -r '.tasks[] | select(.comm == null) | .tid')" = "" ]
}

@test "nobody else's name is kept where nobody else can have a hit" {
	prepare
	cp kt_witness outsider
	while :; do ./outsider; done 3>&- &
	others+=($!)
	record -e "$EXIT" -- bash -c "sleep 0.1; ./kt_witness; :"
	[ "$status" -eq 0 ]
	grep -q kt_witness ktrace.out/ktrace/tasks.jsonl
	[ "$(grep -c outsider ktrace.out/ktrace/tasks.jsonl)" -eq 0 ]
	record -e "$EXIT,sched_switch" -- bash -c "sleep 0.1; ./kt_witness; :"
	[ "$status" -eq 0 ]
	grep -q outsider ktrace.out/ktrace/tasks.jsonl
}

@test "who is followed, and who is not, is told of each" {
	skip_in_a_container
	cpu=$(our_cpus | head -n 1)
	taskset -c "$cpu" bash -c 'printf outsider >/proc/$$/comm; while :; do :; done' 3>&- &
	others+=($!)
	until grep -q outsider /proc/$!/comm; do :; done
	record -e sched_switch -- taskset -c "$cpu" bash -c '
		for ((i = 0; i < 5; i++)); do ./kt_witness & echo $! >>pids; sleep 0.01; done
		echo $$ >>pids; wait'
	[ "$status" -eq 0 ]
	"$KTRACE" report --json >report
	jq '.tasks[] | select(.followed) | .tid' report | sort >followed
	[ "$(sort pids | comm -23 - followed | wc -l)" -eq 0 ]
	jq -r '.tasks[] | select(.followed) | .comm' report | sort -u |
		diff - <(printf '%s\n' bash kt_witness sleep)
	"$KTRACE" report | grep -qx " .* %  outsider-${others[0]}, not followed"
	"$KTRACE" report | sed '/^ CPU seconds/,$d' | grep -q ' %  kt_witness, 5 tasks$'
	[ "$("$KTRACE" report --tasks | sed '/^ CPU seconds/,$d' | grep -c 'kt_witness-[0-9]*$')" -eq 5 ]
}

@test "whose each hit is: of the whole machine, of those that there were before, too" {
	skip_in_a_container
	prepare
	bash -c 'echo was there >/proc/$$/comm; while [ ! -e done ]; do :; sleep 0.01; done' 3>&- &
	others+=($!)
	until grep -q 'was there' /proc/$!/comm; do :; done
	record -e "sched_switch,$EXIT" -a -- bash -c "sleep 0.1; $WORK; touch done; sleep 0.1"
	[ "$status" -eq 0 ]
	wrong_names ktrace.out >wrong
	diff wrong /dev/null
	names ktrace.out >names
	grep -qx 'was there' names
	grep -qx renamed names
}

@test "whose each hit is: on one CPU, with names that were given on others" {
	[ "$(our_cpus | wc -l)" -ge 2 ] || skip "one CPU"
	here=$(our_cpus | sed -n 1p) there=$(our_cpus | sed -n 2p)
	prepare
	record -e "sched_switch,$EXIT" -C "$here" -- taskset -c "$there" bash -c "
		echo from there >/proc/self/comm
		taskset -cp $here \$\$ >/dev/null; $WORK"
	[ "$status" -eq 0 ]
	wrong_names ktrace.out >wrong
	diff wrong /dev/null
	names ktrace.out >names
	grep -qx renamed names
}

@test "whose each hit is: of a process that ran before, and what it forks" {
	skip_in_a_container
	prepare
	bash -c "echo was there >/proc/\$\$/comm; until [ -e go ]; do sleep 0.01; done; $WORK" 3>&- &
	others+=($!)
	until grep -q 'was there' /proc/$!/comm; do :; done
	start -e "sched_switch,$EXIT" -p $!
	sleep 0.1
	touch go
	finish
	[ "$status" -eq 0 ]
	wrong_names ktrace.out >wrong
	diff wrong /dev/null
	names ktrace.out >names
	for name in 'was there' renamed again; do
		grep -qx "$name" names
	done
}

@test "in a container: whom it knows from birth, and no wrong one" {
	unshare -pf --mount-proc true || skip "no pid namespaces"
	prepare
	via=(unshare -pf --mount-proc)
	record -e "sched_switch,$EXIT" -a -- bash -c "$WORK"
	[ "$status" -eq 0 ]
	wrong_names ktrace.out | jq -c 'select(.[2])' >wrong
	diff wrong /dev/null
	names ktrace.out | grep -qx renamed
}

@test "in a container no filter compares numbers of tasks, which are others there" {
	unshare -pf --mount-proc true || skip "no pid namespaces"
	via=(unshare -pf --mount-proc)
	for filter in 'pid == 1' 'prio < 1 || !(tid > 7)' 'common_pid & 1' 'comm ~ "a*" && pid < 9'; do
		record -e "$EXIT" -f "$filter" -- true
		[ "$status" -eq 1 ]
		[[ $said == *"$EXIT: cannot filter by '"[pt]id"': in a container"* ]]
	done
	record -e sched_switch -f 'next_pid == 1' -- true
	[ "$status" -eq 1 ]
	[[ $said == *"cannot filter by 'next_pid'"* ]]
	"${via[@]}" "$KTRACE" strace -e getpid --filter 'tid == 1' true 2>&1 | grep "cannot filter by 'tid'"
	run -1 --separate-stderr "${via[@]}" "$KTRACE" start -e sched_switch --freeze-on "$EXIT if tid == 1"
	[[ $stderr == *"cannot filter by 'tid'"* ]]
	# Arguments of calls are numbers of the caller's namespace.
	record -e syscalls:sys_enter_kill -f 'pid == 1 && sig == 0' -- perl -e 'kill 0, 1'
	[ "$status" -eq 0 ]
	[ "$(count_events ktrace.out)" -eq 1 ]
	record -e "$EXIT" -f 'comm == "kt_witness"' -a -- ./kt_witness
	[ "$(count_events ktrace.out)" -eq 1 ]
}

@test "a trace without its names is told so, and printed" {
	record -e "$EXIT" -- ./kt_witness
	echo nonsense >>ktrace.out/ktrace/tasks.jsonl
	run --separate-stderr "$KTRACE" print
	[ "$status" -eq 1 ]
	[ "$stderr" = "ktrace print: ktrace/tasks.jsonl, line 4: not a JSON object" ]
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == "           <...>-"* ]]
	rm ktrace.out/ktrace/tasks.jsonl
	run --separate-stderr "$KTRACE" print
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[[ $output == "           <...>-"* ]]
}

@test "without the kernel's types nobody has a name, which is said" {
	[ -e /sys/kernel/btf/vmlinux ] || skip "this kernel does not tell its types"
	via=(unshare -m sh -ec 'mount --bind /dev/null /sys/kernel/btf/vmlinux; exec "$@"' -)
	record -e "$EXIT" -- ./kt_witness
	[ "$status" -eq 0 ]
	[[ $said == "ktrace record: cannot log task names: cannot read the kernel's types (BTF): "* ]]
	[ "$(said_events)" -eq 1 ]
	[[ $("$KTRACE" print) == "           <...>-"*": comm=kt_witness "* ]]
}
