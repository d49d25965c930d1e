#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace print shows the same events, times, tasks and values as babeltrace2.

bats_require_minimum_version 1.5.0

load ../recording

# Records the whole machine into t while a few programs run.
record_machine() { # ARG...
	start -o t "$@"
	run_witness 20
	kill -INT "$pid"
	finish
	[ "$status" -eq 0 ]
	[[ $message != *lost* ]]
}

# Prints babeltrace2's events in the form of print_with_ktrace.
print_with_babeltrace() { # DIR
	babeltrace2 --no-delta --clock-cycles "$1" | sed -E '
		s/\{ tid = \( "[^"]*"(, "[^"]*")* : container = ([0-9]+) \) \}, /{ tid = \2 }, /
		s/^\[0*([0-9]+)\] .* \w+:(\w+): \{ cpu_id = ([0-9]+) \}, \{ tid = ([0-9]+) \}, \{ (.*) \}$/\1 \3 \4 \2: \5/
		s/_filename_length = [0-9]+, (.*), filename = (".*")$/filename = \2, \1/
		s/, \[[0-9]+\] = /,/g
		s/ = \[ \[0\] = ([0-9A-Fx,]*) \]/={\1}/g
		s/\( ("[^"]*"|<unknown>|\{ ("[^"]*", )+"[^"]*" \}) : container = (-?[0-9]+|0x[0-9A-F]+) \)/(\1 \3)/g
		s/ = /=/g; s/, / /g; s/"//g; s/0x[0-9A-F]+/\L&/g'
}

# Enumeration values as numbers.
use_numbers() {
	sed -E 's/=\([^)]* (-?[0-9]+|0x[0-9a-f]+)\)/=\1/g'
}

print_json() { # DIR
	"$KTRACE" print --events --json "$1" | sed -E '
		s/,"labels":.*/}/
		s/^\{"time":([0-9]+),"cpu":([0-9]+),"tid":([0-9]+),("comm":"[^"]*",)?"system":"\w+","event":"(\w+)","fields":\{(.*)\}\}$/\1 \2 \3 \5: \6/
		s/,"(\w+)":/ \1=/g; s/: "(\w+)":/: \1=/; s/=\[([0-9,]*)\]/={\1}/g; s/"//g'
}

# Hexadecimal numbers as decimal ones.
to_decimal() {
	perl -pe 's/\b0x([0-9a-f]+)\b/hex($1)/ge'
}

sort_events() {
	LC_ALL=C sort
}

# ftrace.bats compares the values in lines.
@test "every event has time, CPU, thread and all values as in babeltrace2" {
	record_machine -e sched_switch -e sched_process_exec -e raw_syscalls:sys_enter -e kmem:kmalloc
	print_with_babeltrace t | sort_events >witness
	print_with_ktrace t | sort_events >lines
	print_json t | sort_events >objects
	[ "$(wc -l <witness)" -eq "$(summary_events)" ]
	for event in sched_switch sched_process_exec sys_enter kmalloc; do
		grep -q " $event: " witness
	done
	diff <(cut -d: -f 1 witness) <(cut -d: -f 1 lines)
	diff <(use_numbers <witness | to_decimal) <(to_decimal <objects)
	grep -q ' kmalloc: call_site=0x.* ptr=0x' objects
	[ -z "$(grep ' sys_enter: .*0x' objects)" ]
	grep -q ' prev_state=S ' lines
	grep -q ' gfp_flags=GFP_KERNEL ' lines
}

# A 32-bit call has a number of its own: 20 is getpid, not writev.
@test "raw system calls have names" {
	"$TRACED/untraced" 1 0 || skip 'there is no 32-bit mode'
	record -e 'raw_syscalls:*' -o t "$TRACED/untraced" 3 1
	"$KTRACE" print t >lines
	[ "$(grep -c ' sys_enter: NR 20 (.*) call=32-bit$' lines)" -eq 6 ]
	[ "$(grep -c ' sys_exit: NR 20 = [0-9]* call=32-bit$' lines)" -eq 6 ]
	[ "$(grep -c ' sys_enter: NR 999 (.*) call=999$' lines)" -eq 1 ]
	[ "$(grep -c ' sys_enter: NR 231 (.*) call=exit_group$' lines)" -eq 2 ]
	[ "$(grep -c ' sys_exit: NR 257 = 3 call=openat$' lines)" -ge 1 ]
}

@test "options for system calls need system calls" {
	record -e 'raw_syscalls:*' -o t true
	for option in -c -C -z -Z --status=failed --strace; do
		ktrace print "$option" t
		[ "$status" -eq 1 ]
		[ -z "$output" ]
		[ "$stderr" = "ktrace print: this trace has no system calls: record with -e 'syscalls:*'" ]
	done
	record -e getpgrp -o t true
	ktrace print -c t
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
}

@test "events are in the order of time, on all CPUs" {
	local cpu cpus
	mapfile -t cpus < <(list_cpus)
	start -o t -e sched_switch
	for cpu in "${cpus[@]}" "${cpus[@]}"; do
		taskset -c "$cpu" true
	done
	kill -INT "$pid"
	finish
	print_with_ktrace t >lines
	cut -d' ' -f1 lines | sort -nc
	[ "$(cut -d' ' -f2 lines | uniq | wc -l)" -gt "$(cut -d' ' -f2 lines | sort -u | wc -l)" ] ||
		[ "${#cpus[@]}" -eq 1 ]
}

@test "the default trace is ktrace.out" {
	"$KTRACE" record -e "$EXIT" ./kt_witness 2>message
	ktrace print
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == "      kt_witness-"*": sched_process_exit: comm=kt_witness pid="* ]]
	[ -z "$stderr" ]
}

@test "--json is JSON" {
	record_machine -e sched_switch -e sched_process_exec
	"$KTRACE" print --events --json t | jq -r '[.event, .fields.filename] | select(.[0] != "sched_switch")[1]' >execs
	[ "$(grep -c '^./kt_witness$' execs)" -eq 20 ]
	[ "$("$KTRACE" print --events --json t | jq -s length)" -eq "$(summary_events)" ]
}

@test "losses are printed where they were, and summed up" {
	use_one_cpu
	"$KTRACE" record -e "$EXIT" -b 8K -o t sh -c 'kill -STOP $PPID
		for i in $(seq 600); do ./kt_witness; done; kill -CONT $PPID' 2>message 3>&-
	lost=$(sed -n 's/^ktrace record: lost \([0-9]*\) of .*/\1/p' message)
	[ "$lost" -gt 0 ]
	ktrace print t
	[ "$status" -eq 0 ]
	[ "$stderr" = "ktrace print: $lost events were lost when this was recorded; the output says where" ]
	[ "$(sed -n 's/^CPU:[0-9]* \[LOST \([0-9]*\) EVENTS\]$/\1/p' <<<"$output" |
		awk '{ n += $1 } END { print n }')" -eq "$lost" ]
	[ "$(grep -c sched_process_exit <<<"$output")" -eq "$(message=$(<message) summary_events)" ]
	[ "$("$KTRACE" print --events --json t 2>stderr | jq -s 'map(.lost // 0) | add')" -eq "$lost" ]
	[ "$(<stderr)" = "$stderr" ]
}

@test "a trace still being recorded is printed up to its end" {
	use_one_cpu
	start -C "$(list_cpus | head -n 1)" -e sched_process_exec -b 32K -o t
	run_witness 200
	until [ "$("$KTRACE" print t 2>>stderr | wc -l)" -gt 0 ]; do kill -0 "$pid"; done
	"$KTRACE" print t >part 2>>stderr
	kill -INT "$pid"
	finish
	"$KTRACE" print t >whole 2>>stderr
	[ ! -s stderr ]
	[ "$(wc -l <whole)" -eq "$(summary_events)" ]
	head -c "$(wc -c <part)" whole | cmp - part
}

@test "a truncated CPU file is reported, all else is printed" {
	record_machine -e sched_switch -b 64K
	"$KTRACE" print t >whole
	cpu=$(cd t && ls -S cpu* | head -n 1)
	truncate -s -5 "t/$cpu"
	ktrace print t
	[ "$status" -eq 1 ]
	[[ $stderr == "ktrace print: $cpu is cut off "*" bytes after the start of the packet at byte "* ]]
	[ "${#lines[@]}" -gt 0 ]
	[ "$(diff whole <(echo "$output") | grep -c '^>')" -eq 0 ]
	other=$(printf '\\[%03d\\]' "${cpu#cpu}")
	diff <(grep -v "$other" whole) <(grep -v "$other" <<<"$output")
}

@test "a closed pipe ends it quietly, a full disk with an error" {
	record_machine -e sched_switch -e raw_syscalls:sys_enter
	run --separate-stderr bash -c '"$KTRACE" print t | head -n 1'
	[ "${#lines[@]}" -eq 1 ]
	[ -z "$stderr" ]
	for form in '' --json; do
		run --separate-stderr bash -c '"$KTRACE" print '"$form"' t >/dev/full'
		[ "$status" -eq 1 ]
		[ "$stderr" = "ktrace: cannot write to standard output: No space left on device" ]
	done
}
