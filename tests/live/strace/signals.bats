#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Signals and exits as strace prints them. strace traces the same program at the same time, or in
# another run.

bats_require_minimum_version 1.5.0
load ../recording

: "${TRACED:=$(dirname "$KTRACE")/tests/traced}"
EVENTS=signal:signal_deliver,sched:sched_process_exit

# Prints signal and exit lines, thread by thread.
print_signal_lines() { # FILE
	sed -nE '/^[0-9]+ +(---|\+\+\+) /s/^([0-9]+) +/\1 /p' "$1" | sort -s -n -k 1,1
}

# Removes what differs from run to run.
normalize() {
	sed -E 's/^[0-9]+ +//; s/si_(pid|utime|stime)=[0-9]+/si_\1=N/g; s/addr=0x[0-9a-f]{6,}/addr=A/'
}

@test "signals and exits are as strace prints them, except for the documented ones" {
	record -e $EVENTS -f 'comm == "signals"' --strict -- strace -f -o straced "$TRACED/signals"
	[ "$status" -eq 7 ]
	"$KTRACE" print --strace >printed
	[ "$(wc -l <printed)" -gt 35 ]
	! grep -vE '^[0-9]+ +(--- SIG.* ---|\+\+\+ (exited with [0-9]+|killed by SIG[A-Z]+) \+\+\+)$' printed || false
	print_signal_lines straced >theirs
	print_signal_lines printed >ours
	# strace asks for the siginfo at each stop, decodes SI codes of files for other signals
	# chosen with F_SETSIG, and names system calls.
	sed -E '/ stopped by SIGSTOP /d; s/__NR_getppid/110/
		s/(SIGRT_6, si_code=)0x1, si_pid=65, si_uid=0, si_int=3, si_ptr=0x3}/\1POLL_IN, si_band=65, si_fd=3}/' \
		theirs >expected
	diff expected ours
	[ "$(diff theirs ours | grep -c '^[<>]')" -eq 5 ]
}

@test "untraced, ignored signals are not delivered, and an exit is the task's own" {
	strace -f -o straced "$TRACED/signals" 3>&- || [ $? -eq 7 ]
	status=0
	"$KTRACE" strace -e getpid -o lines "$TRACED/signals" 2>message 3>&- || status=$?
	[ "$status" -eq 7 ]
	grep -E '^[0-9]+ +getpid\(\)' lines
	print_signal_lines straced | normalize | sort >theirs
	print_signal_lines lines | normalize | sort >ours
	comm -23 theirs ours | grep -v __NR_ | sed 's/ {.*//' >missing
	printf '%s\n' '--- SIGRT_6' '--- SIGTERM' '--- SIGWINCH' '--- stopped by SIGSTOP ---' | diff - missing
	comm -13 theirs ours | grep -v 'si_syscall=110' | sed 's/ {.*//' >more
	printf '%s\n' '--- SIGRT_6' | diff - more
}

@test "signals can be selected, and exits omitted" {
	list_names() {
		sed -nE 's/^[0-9]+ +--- (SIG\w+) .*/\1/p; s/^[0-9]+ +(\+\+\+) .*/\1/p' lines | sort -u | paste -sd' '
	}
	strace() { # ARG...
		"$KTRACE" strace -e getppid "$@" -o lines "$TRACED/signals" 2>message 3>&- || [ $? -eq 7 ]
		[ ! -s message ]
	}
	strace -e signal=INT,USR1,SIGUSR2,36
	[ "$(list_names)" = '+++ SIGRT_4 SIGUSR1 SIGUSR2' ]
	strace -qq -e signals=ALRM -e s=PIPE
	[ "$(list_names)" = 'SIGPIPE' ]
	strace -qq -e 'signal=!INT,USR1,RT_4'
	[ "$(list_names | grep -wE 'SIGINT|SIGUSR1|SIGRT_4')" = '' ]
	list_names | grep -w SIGUSR2 | grep -w SIGPIPE
	strace -e 'signal=!none' -qq
	list_names | grep -w SIGUSR1 | grep -w SIGPIPE
	strace -e 'signal=!all'
	[ "$(list_names)" = '+++' ]
	strace --quiet -e signal=none
	[ "$(list_names)" = '+++' ]
	strace -qq -e signal=none
	[ "$(list_names)" = '' ]
	"$KTRACE" strace -c "$TRACED/signals" 2>lines 3>&- || [ $? -eq 7 ]
	grep getppid lines
	! grep -e '---.*SIG' -e '+++' lines || false
}

@test "the fields of signals and exits match strace, in filters and babeltrace2, too" {
	record -e $EVENTS -- "$TRACED/signals"
	[ "$status" -eq 7 ]
	count_events ktrace.out >/dev/null
	grep -q 'signal_deliver.* sig = 36, .* si_uid = 0, .* si_ptr = 0xFFFFFFB3,' events
	grep -q 'sched_process_exit.* exit_code = 0x900 }' events
	[ "$("$KTRACE" print --events --json | jq -r 'select(.fields.exit_code).fields.exit_code' | sort -n | paste -sd' ')" = \
		'0 9 11 15 1792 2304' ]
	# Fields that a signal and its code do not have are 0, whatever is in their place.
	"$KTRACE" print --events --json | jq -r 'select(.event == "signal_deliver").fields |
		"\(.sig):\(.code)" + ([to_entries[] | select((.key | test("^si_.*[^e]$")) and
			.value != 0 and .value != "0x0") | " " + .key] | join(""))' | sort -u >found
	grep -vE '^(17|[478]):' found | sort -n | diff - <(printf '%s\n' 5:128 '5:2 si_addr' 9:0 '10:0 si_pid' \
		'11:1 si_addr' 11:128 '11:2 si_addr' '12:-6 si_pid' '13:0 si_pid' 14:128 '15:-1 si_pid' \
		'18:0 si_pid' '19:0 si_pid' '29:1 si_band si_fd' 29:128 \
		'31:1 si_call_addr si_syscall si_arch' '36:-1 si_pid si_ptr' '37:-2 si_ptr' '38:1 si_band si_fd' |
		sort -n)
	grep -x '17:2 si_pid si_status' found
	grep -xE '7:[0-9]+ si_addr' found
	"$KTRACE" print --events >lines
	grep -E 'sched_process_exit: .* exit_code=\(exited with 9\)$' lines
	record -e sched:sched_process_exit -f 'exit_code == 2304' -e signal:signal_deliver -f 'si_status == 11' -- \
		"$TRACED/signals"
	"$KTRACE" print --strace | normalize | sort >lines
	printf '%s\n' '+++ exited with 9 +++' \
		'--- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_KILLED, si_pid=N, si_uid=0, si_status=SIGSEGV, si_utime=N, si_stime=N} ---' |
		sort | diff - lines
}
