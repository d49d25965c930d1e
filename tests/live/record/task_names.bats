#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Task names in print and report, compared with the kernel's own events.

bats_require_minimum_version 1.5.0

load ../recording
load ../tasks

@test "a command's events have its name from its first instruction" {
	run_tasks
	cp kt_witness outsider
	while :; do ./outsider; done 3>&- &
	others+=($!)
	record -e "sched_switch,$EXIT" -- bash -c "sleep 0.1; $WORK"
	[ "$status" -eq 0 ]
	[ "$(summary_events)" -ge 9 ]
	list_wrong_names ktrace.out >wrong
	diff wrong /dev/null
	list_names ktrace.out >names
	for name in kt_witness a_name_of_many_ renamed again; do
		grep -qx "$name" names
	done
	"$KTRACE" print | grep -q '^ *kt_witness-[0-9]* *\[[0-9]*\] '
	"$KTRACE" print | grep -qF ' a\tb\x1b-'
	"$KTRACE" report --all --tasks | grep -q ' %  kt_witness-[0-9]*$'
	[ "$("$KTRACE" report --json | jq -r '.tasks[] | select(.comm == null) | .tid')" = "" ]
}

@test "babeltrace2 shows each task's names" {
	run_tasks
	record -e "sched_switch,$EXIT" -- bash -c "sleep 0.1; $WORK"
	babeltrace2 ktrace.out >theirs
	[ "$(wc -l <theirs)" -ge 9 ]
	"$KTRACE" print --json --events | jq -r '"\(.tid) \(.comm | @json)"' >ours
	# Each event's name is among those that its task had.
	perl -e 'open my $t, "<", "theirs"; open my $o, "<", "ours";
		my $many = `wc -l <ktrace.out/ktrace/tasks.jsonl` > 500; # other tests start many tasks
		while (my $line = <$t>) {
			my ($tid, $comm) = <$o> =~ /^(\d+) "?(.*?)"?$/;
			next if $many && $line =~ /\{ tid = \( <unknown> : /;
			my ($names, $number) = $line =~ /\{ tid = \( (.*?) : container = (\d+) \) \}/ or die $line;
			$comm = "<idle>" if $tid == 0;
			$number == $tid or die "$line$tid";
			next if $comm =~ /\\/; # TSDL has no escapes for these
			grep { $_ eq $comm } $names =~ /"([^"]*)"/g or die "$line$comm";
		}' 2>wrong || true
	diff wrong /dev/null
	grep -q 'tid = ( .*"kt_witness".* : container = ' theirs
}

@test "names are kept only of tasks that can have events" {
	run_tasks
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

@test "following or not following each task works for names, too" {
	skip_in_a_container
	cpu=$(list_cpus | head -n 1)
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
	"$KTRACE" report --all | grep -qx " .* %  outsider-${others[0]}, not followed"
	"$KTRACE" report --all | sed '/^ *running/,$d' | grep -q ' %  kt_witness, 5 tasks$'
	[ "$("$KTRACE" report --all --tasks | sed '/^ *running/,$d' | grep -c 'kt_witness-[0-9]*$')" -eq 5 ]
}

@test "the whole machine: tasks from before recording, too" {
	skip_in_a_container
	run_tasks
	bash -c 'echo was there >/proc/$$/comm; while [ ! -e done ]; do :; sleep 0.01; done' 3>&- &
	others+=($!)
	until grep -q 'was there' /proc/$!/comm; do :; done
	record -e "sched_switch,$EXIT" -a -- bash -c "sleep 0.1; $WORK; touch done; sleep 0.1"
	[ "$status" -eq 0 ]
	list_wrong_names ktrace.out >wrong
	diff wrong /dev/null
	list_names ktrace.out >names
	grep -qx 'was there' names
	grep -qx renamed names
}

@test "on one CPU, with names set on others" {
	[ "$(list_cpus | wc -l)" -ge 2 ] || skip "one CPU"
	here=$(list_cpus | sed -n 1p) there=$(list_cpus | sed -n 2p)
	run_tasks
	record -e "sched_switch,$EXIT" -C "$here" -- taskset -c "$there" bash -c "
		echo from there >/proc/self/comm
		taskset -cp $here \$\$ >/dev/null; $WORK"
	[ "$status" -eq 0 ]
	list_wrong_names ktrace.out >wrong
	diff wrong /dev/null
	list_names ktrace.out >names
	grep -qx renamed names
}

@test "a process that ran before recording, and its children" {
	skip_in_a_container
	run_tasks
	bash -c "echo was there >/proc/\$\$/comm; until [ -e go ]; do sleep 0.01; done; $WORK" 3>&- &
	others+=($!)
	until grep -q 'was there' /proc/$!/comm; do :; done
	start -e "sched_switch,$EXIT" -p $!
	sleep 0.1
	touch go
	finish
	[ "$status" -eq 0 ]
	list_wrong_names ktrace.out >wrong
	diff wrong /dev/null
	list_names ktrace.out >names
	for name in 'was there' renamed again; do
		grep -qx "$name" names
	done
}

@test "in a container: tasks born there have names, and no name is wrong" {
	unshare -pf --mount-proc true || skip "no pid namespaces"
	run_tasks
	via=(unshare -pf --mount-proc)
	record -e "sched_switch,$EXIT" -a -- bash -c "$WORK"
	[ "$status" -eq 0 ]
	list_wrong_names ktrace.out | jq -c 'select(.[2])' >wrong
	diff wrong /dev/null
	list_names ktrace.out | grep -qx renamed
}

@test "in a container no filter compares PIDs, which differ there" {
	unshare -pf --mount-proc true || skip "no pid namespaces"
	via=(unshare -pf --mount-proc)
	for filter in 'pid == 1' 'prio < 1 || !(tid > 7)' 'common_pid & 1' 'comm ~ "a*" && pid < 9'; do
		record -e "$EXIT" -f "$filter" -- true
		[ "$status" -eq 1 ]
		[[ $message == *"$EXIT: cannot filter by '"[pt]id"': in a container"* ]]
	done
	record -e sched_switch -f 'next_pid == 1' -- true
	[ "$status" -eq 1 ]
	[[ $message == *"cannot filter by 'next_pid'"* ]]
	"${via[@]}" "$KTRACE" strace -e getpid --filter 'tid == 1' true 2>&1 | grep "cannot filter by 'tid'"
	run -1 --separate-stderr "${via[@]}" "$KTRACE" start -e sched_switch --freeze-on "$EXIT if tid == 1"
	[[ $stderr == *"cannot filter by 'tid'"* ]]
	# PIDs in a call's arguments are those of the caller's namespace.
	record -e syscalls:sys_enter_kill -f 'pid == 1 && sig == 0' -- perl -e 'kill 0, 1'
	[ "$status" -eq 0 ]
	[ "$(count_events ktrace.out)" -eq 1 ]
	record -e "$EXIT" -f 'comm == "kt_witness"' -a -- ./kt_witness
	[ "$(count_events ktrace.out)" -eq 1 ]
}

@test "a trace without its names is printed with a note" {
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

@test "without BTF there are no names, which is reported" {
	[ -e /sys/kernel/btf/vmlinux ] || skip "this kernel does not tell its types"
	via=(unshare -m sh -ec 'mount --bind /dev/null /sys/kernel/btf/vmlinux; exec "$@"' -)
	record -e "$EXIT" -- ./kt_witness
	[ "$status" -eq 0 ]
	[[ $message == "ktrace record: cannot log task names: cannot read the kernel's types (BTF): "* ]]
	[ "$(summary_events)" -eq 1 ]
	[[ $("$KTRACE" print) == "           <...>-"*": comm=kt_witness "* ]]
}
