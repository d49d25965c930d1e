#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# `ktrace record --dump`: the programs that record would have the kernel run, and nothing run,
# attached or written. The witnesses are `strace`, which sees what is given to the kernel, and what
# `list --try` says.

bats_require_minimum_version 1.5.0

load ../recording

# A leak checker cannot work under it.
traced() { # SYSTEM_CALL,...
	via=(env ASAN_OPTIONS=detect_leaks=0 strace -f -qq -e trace="$1" -e signal=none -o calls)
}

# $output, $stderr and $status.
dump() { # ARG...
	run --separate-stderr "${via[@]}" "$KTRACE" record --dump "$@" 3>&-
	[[ $stderr != *"Operation not permitted"* && $stderr != *"Permission denied"* ]] ||
		skip "$stderr"
}

# "EVENT KIND INSTRUCTIONS" of each program.
headings() {
	sed -nE 's/^; (\S+): (\S+), ([0-9]+) instructions$/\1 \2 \3/p' <<<"$output"
}

@test "an event's program, whole: from its heading to an empty line" {
	dump -a -e sched_switch
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	read -r _ _ n <<<"$(headings | grep '^sched:sched_switch ')"
	sed -n '/^; sched:sched_switch:/,/^$/p' <<<"$output" >program
	[ "$(tail -n 2 program)" = "$(printf '%4d: exit\n' $((n - 1)))" ]
	[ "$(grep -cE '^; sched:' program)" -eq 1 ]
	grep -q "is recording enabled" program
}

@test "each event by the kind of program that list --try says, in the order of its list" {
	dump -a -e 'sched:*,irq:*' -e sys_enter_write
	[ "$status" -eq 0 ]
	headings | grep -v '^\(self\|task:\|calls:\)' | cut -d ' ' -f 1,2 >said
	"$KTRACE" list --try 'sched:*,irq:*' sys_enter_write | sed 's/[(:)]*\( (\w*\).*/\1/; s/ (/ /' >witness
	[ "$(wc -l <witness)" -ge 20 ]
	diff <(LC_ALL=C sort witness) <(LC_ALL=C sort said)
}

@test "what the kernel is given: as many programs, of as many instructions" {
	traced bpf
	dump -e sched_switch -f 'next_prio < 100' -e sys_enter_write -- true
	[ "$status" -eq 0 ]
	headings | sed 's/.* //' >said
	[ "$(wc -l <said)" -ge 3 ]
	diff <(sed -n '/prog_name="kt_/s/.*PROG_LOAD, .*insn_cnt=\([0-9]*\),.*/\1/p' calls) said
}

@test "filters, processes and CPUs are in the programs" {
	dump -a -e sys_enter_write
	[[ $output != *"is this process followed"* ]]
	plain=$(headings | grep '^syscalls')
	for arg in "-f count==4711" "-p $$" "-C 0"; do
		# shellcheck disable=SC2086
		dump -e sys_enter_write $arg
		[ "$status" -eq 0 ]
		[ "$(headings | grep '^syscalls')" != "$plain" ] # it is longer
		case $arg in
		-f*) [[ $output == *" 4711 "* ]] ;;
		-p*) [[ $output == *"is this process followed"* ]] ;;
		esac
	done
}

@test "no command is run, no trace made, nothing attached" {
	traced bpf,perf_event_open,execve,mkdir,mkdirat
	dump -e sched_switch -e sys_enter_write -- touch touched
	[ "$status" -eq 0 ]
	[ ! -e touched ]
	[ ! -e ktrace.out ]
	[ "$(grep -c execve calls)" -eq 1 ] # ktrace's own
	grep -q BPF_PROG_LOAD calls
	run ! grep -E 'perf_event_open|mkdir|BPF_(LINK_CREATE|RAW_TRACEPOINT_OPEN|PROG_ATTACH)' calls
}

@test "where one event cannot be recorded the others are shown, and the exit status tells" {
	via_unreadable_exec
	dump -a -e 'sched_process_e*'
	[ "$status" -eq 1 ]
	[[ $stderr == *sched_process_exec* ]]
	headings | grep -q "^$EXIT "
	run ! grep -q '^; sched:sched_process_exec' <<<"$output"
}

@test "wrong input is told as record tells it" {
	dump -e nonsense
	[ "$status" -eq 1 ]
	[ -z "$output" ]
	dump -e sched_switch -f 'next_pri < 100'
	[ "$status" -eq 1 ]
	[ -z "$output" ]
	[[ $stderr == *"did you mean 'next_prio'?"* ]]
}

@test "a reader that has seen enough ends it quietly" {
	run --separate-stderr bash -c 'set -o pipefail; "$KTRACE" record --dump -e "sched:*" | head -n 1'
	[ "${#lines[@]}" -eq 1 ]
	[ -z "$stderr" ]
}
