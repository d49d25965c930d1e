#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Stacks, and other addresses, of events that are printed as they happen. Witnesses: the program
# walks its own stack (tests/traced/callers.c); strace; /proc/kallsyms.

bats_require_minimum_version 1.5.0

load ../recording

# Copies the program, and prints the stacks of its calls.
trace_callers() { # NAME MODE...
	[[ -e $1 ]] || cp "$TRACED/callers" "$1"
	status=0
	"$KTRACE" trace -k user -e getsid --json -- "./$1" "${@:2}" >printed 2>message || status=$?
	[[ $(<message) != *"Operation not permitted"* ]] || skip "$(<message)"
	[ "$status" -eq 0 ]
	grep '^{' printed >objects
	grep -v '^{' printed >stdout
}

# Asserts that the stacks are those that the program printed.
assert_witnessed() { # PATH LINES
	[ "$(wc -l <stdout)" -eq "$2" ]
	jq -r --arg file " ($1)" 'select(.call == "getsid") |
		"\(.args.pid): " + (.user_stack[:4] | map(rtrimstr($file)) | join(" "))' objects |
		diff stdout -
}

@test "the functions of programs that end at once, of their children, after exec" {
	trace_callers kt_callers once
	assert_witnessed "$PWD/kt_callers" 1
	trace_callers kt_callers fork
	assert_witnessed "$PWD/kt_callers" 1
	trace_callers kt_callers exec 5
	assert_witnessed "$PWD/kt_callers" 5
}

@test "functions that are new while it prints, each once" {
	cp "$TRACED/callers" kt_callers
	start_command trace -k user -e getsid -f 'comm ~ "kt_*"' --json
	./kt_callers once >witness
	sleep 0.3
	cp kt_callers kt_later
	./kt_later fork >>witness
	sleep 0.3
	./kt_callers once >>witness
	kill -INT "$pid"
	finish
	[ "$status" -eq 0 ]
	mv stdout objects
	mv witness stdout
	sed -i "s|$PWD/kt_later|$PWD/kt_callers|g" objects
	assert_witnessed "$PWD/kt_callers" 3
}

# Asserts that addresses have the names of /proc/kallsyms. Reads lines "ADDRESS NAME+0xOFFSET".
assert_in_kallsyms() {
	local address name
	while read -r address name; do
		printf -v address %x $((address - ${name#*+}))
		grep -qx "$address . ${name%+*}" /proc/kallsyms
	done
}

@test "addresses in fields have names" {
	status=0
	"$KTRACE" trace -e kmalloc -d 300ms --json >objects 2>message || status=$?
	[[ $(<message) != *"Operation not permitted"* ]] || skip "$(<message)"
	jq -r 'select(.labels.call_site != null) | select(.labels.call_site | test(" ") | not) |
		"\(.fields.call_site) \(.labels.call_site)"' objects | sort -u >names
	[ "$(wc -l <names)" -ge 3 ]
	head -n 20 names | assert_in_kallsyms
	run ! jq -e 'select(.event == "kmalloc" and .labels.call_site == null)' objects
	"$KTRACE" trace -e kmalloc -d 300ms >lines
	grep -q ' call_site=[a-z_0-9]*+0x[0-9a-f]*/0x[0-9a-f]* ' lines
}

@test "the kernel's stack, and both" {
	"$KTRACE" trace -k kernel -e sys_enter_getsid -- "$TRACED/callers" once >lines || skip "not here"
	grep -qx ' => do_syscall_64+0x[0-9a-f]*' lines
	grep -qx ' => entry_SYSCALL_64_after_hwframe+0x[0-9a-f]*' lines
	run ! grep -q "callers)" lines
	"$KTRACE" trace -k -e sys_enter_getsid -- "$TRACED/callers" once |
		grep -A 1 entry_SYSCALL_64 | tail -n 1 | grep -qx " => innermost+0x[0-9a-f]* ($TRACED/callers)"
}

# Print the innermost four frames of each call.
print_strace_frames() { # FILE
	grep -A 4 'getsid(' "$1" | sed 's/^[0-9]* *getsid/getsid/'
}

@test "strace -k: as strace prints them" {
	cp "$TRACED/callers" kt_callers
	strace -f -k -o theirs -e trace=getsid ./kt_callers fork || skip "strace does not run here"
	"$KTRACE" strace -f -k -o ours -e trace=getsid ./kt_callers fork
	[ "$(print_strace_frames theirs | wc -l)" -eq 5 ]
	diff <(print_strace_frames theirs) <(print_strace_frames ours)
	grep -qE "^ > $PWD/kt_callers\(innermost\+0x[0-9a-f]+\) \[0x[0-9a-f]+\]$" ours
	"$KTRACE" strace --stack-trace=symbol -o more -e trace=getsid ./kt_callers fork
	diff <(print_strace_frames ours) <(print_strace_frames more)
	"$KTRACE" strace -k -c -o table -e trace=getsid ./kt_callers fork
	run ! grep -q kt_callers table
}

@test "strace -k: only calls have them; what is not known is said" {
	"$KTRACE" strace -k -o lines -e trace=kill -e sched:sched_process_exit sh -c 'kill -USR1 $$' || [ $? -eq 138 ]
	[ "$(grep -c '^ > ' lines)" -ge 1 ]
	[ "$(grep -A 1 -e '--- SIGUSR1' lines | grep -c '^ > ')" -eq 0 ]
	for option in -kk --stack-trace=source; do
		ktrace strace "$option" true
		[ "$status" -eq 2 ]
		[ "$stderr" = "ktrace strace: source lines of stacks are not shown; leave out one 'k'" ]
	done
	ktrace strace -i true
	[ "$status" -eq 2 ]
	[[ $stderr == *"-k shows which calls led to each system call" ]]
}
