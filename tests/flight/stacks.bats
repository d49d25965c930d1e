#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Stacks in flight recorders. The witness: the program walks its own stack, and prints the offsets in
# its functions (tests/traced/callers.c).

load flight
load tree

# Starts a flight of a program's calls with their stacks, and copies the program.
start_callers() { # ARG...
	PATH=$PWD:$PATH
	[ -e kt_caller ] || cp "$TRACED/callers" kt_caller
	ktrace start -e syscalls:sys_enter_getsid -f 'comm == "kt_caller"' -b 1M "$@"
}

# Print a line per call: the innermost four functions.
print_frames() { # TRACE
	"$KTRACE" print --json "$1" | jq -r --arg file " ($PWD/kt_caller)" \
		'": " + (.user_stack[:4] | map(rtrimstr($file)) | join(" "))'
}

# Asserts that a trace has the stacks that the program printed.
assert_witnessed() { # TRACE LINES
	[ "$(wc -l <witness)" -eq "$2" ]
	sed 's/^[0-9]*//' witness | diff - <(print_frames "$1")
}

check_frames() {
	start_callers -k user
	kt_caller once >witness
	kt_caller fork >>witness
	kt_caller exec 5 >>witness
	ktrace snapshot -o s
	assert_witnessed s 7
	[[ $message != *lost* ]]
	kt_caller once >witness
	ktrace disable -e sys_enter_getsid
	kt_caller once >not_recorded
	ktrace enable -e sys_enter_getsid
	kt_caller fork >>witness
	ktrace pause
	ktrace resume
	kt_caller once >>witness
	ktrace snapshot -o s2
	assert_witnessed s2 3
	ktrace stop
}

@test "frames are those that the program finds, also after a pause, and by a program made later" {
	run_on_bpffs check_frames
}

check_both() {
	start_callers -k
	kt_caller once >witness
	ktrace snapshot -o s
	"$KTRACE" print --folded s | grep -q '^kt_caller;main;run;middle;inner;innermost;entry_SYSCALL.*;do_syscall_64'
	[[ "$(read_info flight | jq .events[0].stacks)" -eq 3 ]]
	for pin in kernel_stacks user_stacks stack_scratch; do
		bpftool map show pinned "$PLACE/flight/$pin"
	done
	ktrace stop
}

# As no ktrace does it.
check_foreign() {
	start_callers -k
	kt_caller once >witness
	rm "$PLACE/flight/user_stacks"
	ktrace snapshot -o s
	"$KTRACE" print --json s | jq -e '.user_stack == null and (.kernel_stack | length > 2)'
	[[ $message == *": 1 stack lost: "* ]]
	bpftool map pin pinned "$PLACE/flight/enable" "$PLACE/flight/user_stacks"
	assert_fails 1 snapshot -o s2
	[[ $message == "ktrace snapshot: "*": its stacks cannot be read: user_stacks: not written by ktrace"* ]]
	ktrace stop
}

@test "a table that is gone, or another map" {
	run_on_bpffs check_foreign
}

@test "both stacks: the kernel's continues the program's" {
	run_on_bpffs check_both
}

# The table of user space keeps 4096. Of those in one bucket the newest four are kept.
check_kept() {
	local found lost
	start_callers -k user
	kt_caller paths 3000
	kt_caller paths 6000
	kt_caller once >witness
	ktrace snapshot -o s
	"$KTRACE" print --json s | jq -c .user_stack >stacks
	[ "$(wc -l <stacks)" -eq 9001 ]
	found=$(grep -vcx null stacks)
	lost=$(grep -cx null stacks)
	[ "$found" -le 4096 ]
	[ "$found" -ge 3500 ]
	[ "$lost" -eq "$(tail -n +2 s/ktrace/counts.jsonl | jq -s 'map(.lost_stacks // 0) | add')" ]
	[[ $message == *": $lost stacks lost: too many different ones at a time"* ]]
	[ "$(grep -vx null stacks | sort -u | wc -l)" -ge "$((found / 2))" ]
	tail -n 1 stacks | jq -r '": " + (.[:4] | map(sub(" .*"; "")) | join(" "))' | diff <(sed 's/^[0-9]*//' witness) -
	[ "$(tail -n 1000 stacks | grep -cx null)" -lt 300 ]
	"$KTRACE" print --folded s | grep -qx "kt_caller;<lost> $lost"
	ktrace stop
}

@test "those hit last are kept, the others are counted, and nothing else is" {
	run_on_bpffs check_kept
}

# Asserts that a text has all functions of the witness.
assert_text_witnessed() {
	for function in $(sed 's/^[0-9]*://' witness); do
		grep -qxF " => $function ($PWD/kt_caller)" text
	done
}

check_tree() {
	local reader
	start_callers -k user
	start_server tree
	kt_caller once >witness
	grep -A 6 'getsid' tree/trace >text
	assert_text_witnessed
	# While it grows, too.
	cat tree/trace_pipe >text 3>&- &
	reader=$!
	await grep -q innermost text
	kt_caller fork >witness
	await eval '[ $(grep -c innermost text) -eq 2 ]'
	sed -i '1,/innermost/d' text
	assert_text_witnessed
	kill "$reader"
	! wait "$reader" || false
	stop_server
	ktrace stop
}

@test "the control tree's trace shows them" {
	skip_without_fuse
	run_on_bpffs check_tree
}

check_none() {
	ktrace start -b 8K -e "$GETPGID"
	[ ! -e "$PLACE/flight/stack_scratch" ]
	ktrace stop
	assert_fails 2 start --stack=all
	[ "$message" = "ktrace start: --stack is 'kernel', 'user' or 'both'" ]
}

@test "without -k there are no tables; an unknown kind is refused" {
	run_on_bpffs check_none
}
