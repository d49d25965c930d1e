#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# `ktrace print`: the same events, times, tasks and values as babeltrace2 finds in the trace.

bats_require_minimum_version 1.5.0

load ../recording

# Record the whole machine into t while a few programs run.
record_machine() { # ARG...
	start -o t "$@"
	witness 20
	kill -INT "$pid"
	finish
	[ "$status" -eq 0 ]
	[[ $said != *lost* ]]
}

# What babeltrace2 says, in the form of as_lines_have_it.
as_babeltrace_has_it() { # DIR
	babeltrace2 --no-delta --clock-cycles "$1" | sed -E '
		s/^\[0*([0-9]+)\] .* \w+:(\w+): \{ cpu_id = ([0-9]+) \}, \{ tid = ([0-9]+) \}, \{ (.*) \}$/\1 \3 \4 \2: \5/
		s/_filename_length = [0-9]+, (.*), filename = (".*")$/filename = \2, \1/
		s/, \[[0-9]+\] = /,/g
		s/ = \[ \[0\] = ([0-9A-Fx,]*) \]/={\1}/g
		s/\( ("[^"]*"|<unknown>|\{ ("[^"]*", )+"[^"]*" \}) : container = (-?[0-9]+|0x[0-9A-F]+) \)/(\1 \3)/g
		s/ = /=/g; s/, / /g; s/"//g; s/0x[0-9A-F]+/\L&/g'
}

# The values of enumerations as numbers.
by_numbers() {
	sed -E 's/=\([^)]* (-?[0-9]+|0x[0-9a-f]+)\)/=\1/g'
}

as_objects_have_it() { # DIR
	"$KTRACE" print --json "$1" | sed -E '
		s/,"labels":.*/}/
		s/^\{"time":([0-9]+),"cpu":([0-9]+),"tid":([0-9]+),("comm":"[^"]*",)?"system":"\w+","event":"(\w+)","fields":\{(.*)\}\}$/\1 \2 \3 \5: \6/
		s/,"(\w+)":/ \1=/g; s/: "(\w+)":/: \1=/; s/=\[([0-9,]*)\]/={\1}/g; s/"//g'
}

# Hexadecimal numbers, with 0x, as decimal ones.
in_decimal() {
	perl -pe 's/\b0x([0-9a-f]+)\b/hex($1)/ge'
}

sorted() {
	LC_ALL=C sort
}

# Values in lines are compared with ftrace's (ftrace.bats).
@test "every event, with time, CPU, thread and all values, as babeltrace2 has it" {
	record_machine -e sched_switch -e sched_process_exec -e raw_syscalls:sys_enter -e kmem:kmalloc
	as_babeltrace_has_it t | sorted >witness
	as_lines_have_it t | sorted >lines
	as_objects_have_it t | sorted >objects
	[ "$(wc -l <witness)" -eq "$(said_events)" ]
	for event in sched_switch sched_process_exec sys_enter kmalloc; do
		grep -q " $event: " witness
	done
	diff <(cut -d: -f 1 witness) <(cut -d: -f 1 lines)
	diff <(by_numbers <witness | in_decimal) <(in_decimal <objects)
	grep -q ' kmalloc: call_site=0x.* ptr=0x' objects
	[ -z "$(grep ' sys_enter: .*0x' objects)" ]
	grep -q ' prev_state=S ' lines
	grep -q ' gfp_flags=GFP_KERNEL ' lines
}

@test "in the order of time, on all CPUs" {
	local cpu cpus
	mapfile -t cpus < <(our_cpus)
	start -o t -e sched_switch
	for cpu in "${cpus[@]}" "${cpus[@]}"; do
		taskset -c "$cpu" true
	done
	kill -INT "$pid"
	finish
	as_lines_have_it t >lines
	cut -d' ' -f1 lines | sort -nc
	[ "$(cut -d' ' -f2 lines | uniq | wc -l)" -gt "$(cut -d' ' -f2 lines | sort -u | wc -l)" ] ||
		[ "${#cpus[@]}" -eq 1 ]
}

@test "without a name it is ktrace.out, and nothing is said of it" {
	"$KTRACE" record -e "$EXIT" ./kt_witness 2>said
	ktrace print
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == "      kt_witness-"*": sched_process_exit: comm=kt_witness pid="* ]]
	[ -z "$stderr" ]
}

@test "--json is JSON" {
	record_machine -e sched_switch -e sched_process_exec
	"$KTRACE" print --json t | jq -r '[.event, .fields.filename] | select(.[0] != "sched_switch")[1]' >execs
	[ "$(grep -c '^./kt_witness$' execs)" -eq 20 ]
	[ "$("$KTRACE" print --json t | jq -s length)" -eq "$(said_events)" ]
}

@test "losses stand where they were, and are summed up" {
	stay_on_one_cpu
	"$KTRACE" record -e "$EXIT" -b 8K -o t sh -c 'kill -STOP $PPID
		for i in $(seq 600); do ./kt_witness; done; kill -CONT $PPID' 2>said 3>&-
	lost=$(sed -n 's/^ktrace record: lost \([0-9]*\) of .*/\1/p' said)
	[ "$lost" -gt 0 ]
	ktrace print t
	[ "$status" -eq 0 ]
	[ "$stderr" = "ktrace print: $lost events were lost when this was recorded; the output says where" ]
	[ "$(sed -n 's/^CPU:[0-9]* \[LOST \([0-9]*\) EVENTS\]$/\1/p' <<<"$output" |
		awk '{ n += $1 } END { print n }')" -eq "$lost" ]
	[ "$(grep -c sched_process_exit <<<"$output")" -eq "$(said=$(<said) said_events)" ]
	[ "$("$KTRACE" print --json t 2>stderr | jq -s 'map(.lost // 0) | add')" -eq "$lost" ]
	[ "$(<stderr)" = "$stderr" ]
}

@test "a trace that is being recorded is printed as far as it is" {
	stay_on_one_cpu
	start -C "$(our_cpus | head -n 1)" -e sched_process_exec -b 32K -o t
	witness 200
	until [ "$("$KTRACE" print t 2>>stderr | wc -l)" -gt 0 ]; do kill -0 "$pid"; done
	"$KTRACE" print t >part 2>>stderr
	kill -INT "$pid"
	finish
	"$KTRACE" print t >whole 2>>stderr
	[ ! -s stderr ]
	[ "$(wc -l <whole)" -eq "$(said_events)" ]
	head -c "$(wc -c <part)" whole | cmp - part
}

@test "a cut CPU is told, what comes before it and the others are printed" {
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

@test "a reader that has seen enough ends it, a full disk with a word" {
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
