#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace record --dump prints the programs that record would load, and does nothing else. Witnesses:
# strace, which sees what the kernel is given, and 'list --try'.

bats_require_minimum_version 1.5.0

load ../recording

# LeakSanitizer does not work under strace.
run_under_strace() { # SYSTEM_CALL,...
	via=(env ASAN_OPTIONS=detect_leaks=0 strace -f -qq -e trace="$1" -e signal=none -o calls)
}

# Sets $output, $stderr and $status.
dump() { # ARG...
	run --separate-stderr "${via[@]}" "$KTRACE" record --dump "$@" 3>&-
	[[ $stderr != *"Operation not permitted"* && $stderr != *"Permission denied"* ]] ||
		skip "$stderr"
}

# Lists "EVENT KIND INSTRUCTIONS" of each program.
list_headings() {
	sed -nE 's/^; (\S+): (\S+), ([0-9]+) instructions$/\1 \2 \3/p' <<<"$output"
}

@test "a program is printed whole, from its heading to an empty line" {
	dump -a -e sched_switch
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	read -r _ _ n <<<"$(list_headings | grep '^sched:sched_switch ')"
	sed -n '/^; sched:sched_switch:/,/^$/p' <<<"$output" >program
	[ "$(tail -n 2 program)" = "$(printf '%4d: exit\n' $((n - 1)))" ]
	[ "$(grep -cE '^; sched:' program)" -eq 1 ]
	grep -q "is recording enabled" program
}

@test "events have the program type that list --try prints, in its order" {
	dump -a -e 'sched:*,irq:*' -e sys_enter_write
	[ "$status" -eq 0 ]
	list_headings | grep -v '^\(self\|task:\|calls:\)' | cut -d ' ' -f 1,2 >message
	"$KTRACE" list --try 'sched:*,irq:*' sys_enter_write | sed 's/[(:)]*\( (\w*\).*/\1/; s/ (/ /' >witness
	[ "$(wc -l <witness)" -ge 20 ]
	diff <(LC_ALL=C sort witness) <(LC_ALL=C sort message)
}

@test "it has as many programs and instructions as the kernel is given" {
	run_under_strace bpf
	dump -e sched_switch -f 'next_prio < 100' -e sys_enter_write -- true
	[ "$status" -eq 0 ]
	list_headings | sed 's/.* //' >message
	[ "$(wc -l <message)" -ge 3 ]
	diff <(sed -n '/prog_name="kt_/s/.*PROG_LOAD, .*insn_cnt=\([0-9]*\),.*/\1/p' calls) message
}

@test "filters, processes and CPUs are in the programs" {
	dump -a -e sys_enter_write
	[[ $output != *"is this process followed"* ]]
	plain=$(list_headings | grep '^syscalls')
	for arg in "-f count==4711" "-p $$" "-C 0"; do
		# shellcheck disable=SC2086
		dump -e sys_enter_write $arg
		[ "$status" -eq 0 ]
		[ "$(list_headings | grep '^syscalls')" != "$plain" ] # it is longer
		case $arg in
		-f*) [[ $output == *" 4711 "* ]] ;;
		-p*) [[ $output == *"is this process followed"* ]] ;;
		esac
	done
}

@test "no command is run, no trace written, nothing attached" {
	run_under_strace bpf,perf_event_open,execve,mkdir,mkdirat
	dump -e sched_switch -e sys_enter_write -- touch touched
	[ "$status" -eq 0 ]
	[ ! -e touched ]
	[ ! -e ktrace.out ]
	[ "$(grep -c execve calls)" -eq 1 ] # ktrace's own
	grep -q BPF_PROG_LOAD calls
	run ! grep -E 'perf_event_open|mkdir|BPF_(LINK_CREATE|RAW_TRACEPOINT_OPEN|PROG_ATTACH)' calls
}

@test "if one event cannot be recorded, the others are printed and the exit status is 1" {
	hide_exec_format
	dump -a -e 'sched_process_e*'
	[ "$status" -eq 1 ]
	[[ $stderr == *sched_process_exec* ]]
	list_headings | grep -q "^$EXIT "
	run ! grep -q '^; sched:sched_process_exec' <<<"$output"
}

@test "wrong input is reported as by record" {
	dump -e nonsense
	[ "$status" -eq 1 ]
	[ -z "$output" ]
	dump -e sched_switch -f 'next_pri < 100'
	[ "$status" -eq 1 ]
	[ -z "$output" ]
	[[ $stderr == *"did you mean 'next_prio'?"* ]]
}

@test "a closed pipe ends it quietly" {
	run --separate-stderr bash -c 'set -o pipefail; "$KTRACE" record --dump -e "sched:*" | head -n 1'
	[ "${#lines[@]}" -eq 1 ]
	[ -z "$stderr" ]
}
