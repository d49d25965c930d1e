#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace record on the running kernel. The witness: programs called kt_witness exit, as often as the
# test runs them.

bats_require_minimum_version 1.5.0

load ../recording

@test "every event is in the trace, however recording ends; an older trace is kept" {
	times=3
	for signal in INT TERM HUP; do
		start -e sched_process_exit
		run_witness $times
		kill -s "$signal" "$pid"
		finish
		[ "$status" -eq 0 ]
		[ ! -s stdout ]
		[[ $message == "ktrace record: "*" events in "*"s, "*" in ktrace.out" ]]
		[ "$(count_events ktrace.out)" -eq "$(summary_events)" ]
		[ "$(count_events ktrace.out 'comm = "kt_witness"')" -eq "$times" ]
		times=$((times + 1))
	done
	[ "$(count_events ktrace.out.old 'comm = "kt_witness"')" -eq 4 ]
}

# strace shows how often the kernel is asked.
@test "it polls every quarter of the time in which 200 MB/s fill a ring" {
	for size in 4M=5242 64K=1000 128M=100000; do
		strace -e trace=rt_sigtimedwait -o waits "$KTRACE" record -b "${size%=*}" -e "$EXIT" -o t -- true
		grep -q "tv_nsec=${size#*=}000}" waits
	done
}

@test "signals ignored by nohup do not end it" {
	via=(nohup)
	start -e "$EXIT" -o t
	kill -HUP "$pid"
	run_witness 2
	kill -INT "$pid"
	finish
	[ "$status" -eq 0 ]
	[ "$(count_events t kt_witness)" -eq 2 ]
}

@test "a pipe without a reader costs no event" {
	start -e "$EXIT" -o t
	exec 5<&-
	run_witness 2
	kill -INT "$pid"
	wait "$pid"
	pid=
	[ "$(count_events t kt_witness)" -eq 2 ]
}

# A stopped reader and the smallest ring: room for some 200 records. setarch makes this kernel
# report an old release.
@test "losses: what the kernel does not count is not reported as zero" {
	"$KTRACE" record -e "$EXIT" -o t setarch --uname-2.6 true 2>message || skip "$(<message)"
	setarch --uname-2.6 "$KTRACE" record --strict -e "$EXIT" -o t ./kt_witness 2>message
	note="missed events are not counted: Linux counts them since 6.7"
	[ "$(tail -n 1 message)" = "ktrace record: $note" ]
	"$KTRACE" report t >report
	[[ $(sed -n 2p report) == "1 event, "*"/s, none known to be lost"?("; "*) ]]
	[ "$(sed -n 3p report)" = "$note" ]
	[ "$("$KTRACE" report --json t | jq .missed_unknown)" = true ]
}

@test "losses: by cause and event; the rest is in the trace, --strict exits with 3" {
	use_one_cpu
	for strict in "" --strict; do
		start -e "$EXIT" -b 8K -o t $strict
		kill -STOP "$pid"
		run_witness 300
		kill -CONT "$pid"
		kill -INT "$pid"
		finish
		[ "$status$strict" = 0 ] || [ "$status$strict" = 3--strict ]
		[[ $message =~ "lost "([0-9]+)" of "([0-9]+)": "([0-9]+)" no room in the ring (-b)" ]]
		lost=${BASH_REMATCH[1]} hits=${BASH_REMATCH[2]}
		[[ $message == *$'\n'"  $EXIT: lost $lost of $hits: "* ]]
		[ "$lost" -gt 0 ]
		[ "$hits" -ge 300 ]
		[ "$(summary_events)" -eq $((hits - lost)) ]

		# babeltrace2 reports between which events of a stream how many were discarded.
		babeltrace2 t 2>stderr >events || true
		[ "$(wc -l <events)" -eq $((hits - lost)) ]
		[ "$(sed -n 's/.*racer discarded \([0-9]*\) event.*/\1/p' stderr |
			awk '{ n += $1 } END { print n }')" -eq "$lost" ]
	done
}

@test "events that cannot be recorded are skipped and counted; without any, it fails" {
	hide_exec_format
	start -e "$EXIT" -e sched_process_exec -o t >begin
	kill -INT "$pid"
	finish
	[ "$status" -eq 0 ]
	[ "$(<begin)" = "ktrace record: sched:sched_process_exec: the format is cut short
ktrace record: recording 1 event on the whole machine, 1 skipped; Ctrl-C ends it" ]

	run --separate-stderr "${via[@]}" "$KTRACE" record -e sched_process_exec -o t
	[ "$status" -eq 1 ]
	[ -z "$output" ]
	[ "${stderr_lines[1]}" = "ktrace record: no event can be recorded (1 skipped)" ]
	[ ! -e t.old ]
}

# Each line with its time in ms.
@test "long waits at the end are explained" {
	"$KTRACE" record -e 'block:*,sched:*,writeback:*' true 2>&1 |
		while read -r line; do echo "${EPOCHREALTIME/./} $line"; done >message
	ended=$((${EPOCHREALTIME/./} / 1000))
	cat message
	grep -q ' events of ' message || skip "nothing is attached"
	whole=$(($(sed -n '/ in ktrace.out/{s/ .*//p;q}' message) / 1000))
	more=$(sed -n 's/.*: detaching \([0-9]*\) more probes takes .* about [0-9]* s$/\1/p' message)
	if [ $((ended - whole)) -gt 4000 ]; then
		((more >= 1 && more < $(wc -l < <("$KTRACE" list 'block:*,sched:*,writeback:*'))))
	elif [ $((ended - whole)) -lt 1000 ]; then
		[ -z "$more" ]
	else
		skip "it took neither long nor short"
	fi
}

@test "an unknown event is marked, the nearest suggested, and nothing is recorded" {
	run --separate-stderr "$KTRACE" record -e "$EXIT" -e sched:sched_swtich
	[ "$status" -eq 1 ]
	[ -z "$output" ]
	[ "$stderr" = "ktrace record: no event of 'sched' is called 'sched_swtich'; did you mean 'sched:sched_switch'?
  sched:sched_swtich
        ^~~~~~~~~~~~" ]
	[ ! -e ktrace.out ]
}

@test "missing rights are named" {
	run --separate-stderr setpriv --reuid 65534 --clear-groups "$KTRACE" record -e "$EXIT"
	[ "$status" -eq 1 ]
	[[ $stderr == *"cannot list the kernel's events: "*"run as root"* ]]

	run --separate-stderr unshare -m bash -c 'mkdir m && mount -t tracefs nodev m &&
		exec setpriv --bounding-set -sys_admin,-bpf,-perfmon "$KTRACE" record -e "$1"' - "$EXIT"
	[ "$status" -eq 1 ]
	[[ $stderr == *"CAP_BPF and CAP_PERFMON are missing"* ]]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[ ! -e ktrace.out ]
}

@test "an unwritable directory, and another user's" {
	mkdir ro theirs
	touch theirs/notes
	run --separate-stderr unshare -m bash -c 'mount -t tmpfs -o ro nodev ro &&
		"$KTRACE" record -e "$1" -o ro/t' - "$EXIT"
	[ "$status" -eq 1 ]
	[ "$stderr" = "ktrace record: cannot create the trace: ro/t: Read-only file system" ]

	run --separate-stderr "$KTRACE" record -e "$EXIT" -o theirs
	[ "$status" -eq 1 ]
	[ "$stderr" = "ktrace record: cannot create the trace: theirs: exists and is not a trace of ktrace: it contains 'notes'" ]

	start -e "$EXIT" -o t
	run --separate-stderr "$KTRACE" record -e "$EXIT" -o t
	[ "$status" -eq 1 ]
	[ "$stderr" = "ktrace record: cannot create the trace: t: a trace is being recorded into it" ]
	kill -INT "$pid"
	finish
	[ "$status" -eq 0 ]
}

nobody() {
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

@test "no directory of another user or behind another's link; nothing readable by others" {
	umask 0
	mkdir -m 1777 w
	cd w
	nobody mkdir ktrace.out
	run --separate-stderr "$KTRACE" record -e "$EXIT" -- true
	[ "$status" -eq 1 ]
	[[ $stderr == "ktrace record: cannot create the trace: ktrace.out: belongs to 'nobody', "* ]]
	[ -z "$(ls ktrace.out)" ]
	rmdir ktrace.out

	mkdir -m 700 roots
	nobody ln -s roots/t ktrace.out
	run --separate-stderr "$KTRACE" record -e "$EXIT" -- true
	[ "$status" -eq 1 ]
	[[ $stderr == "ktrace record: cannot create the trace: ktrace.out: a symbolic link of 'nobody'; "*": roots/t" ]]
	[ -z "$(ls roots)" ]
	rm ktrace.out

	"$KTRACE" record -e "$EXIT" -e kmalloc -- true
	[ -z "$(find ktrace.out -type f ! -perm 600)$(find ktrace.out -type d ! -perm 700)" ]
	[ "$(find ktrace.out -type f | wc -l)" -ge 4 ]
}

@test "behind one's own link: where it led is reported" {
	mkdir disk
	ln -s disk/t t
	for i in 1 2 3; do
		run --separate-stderr "$KTRACE" record -e "$EXIT" -o t -- true
		[ "$status" -eq 0 ]
		[[ ${stderr_lines[1]} == *" in t -> disk/t; "* ]]
	done
	[ "$(readlink t)" = disk/t ]
	[ ! -e t.old ]
	[ "$(ls disk)" = "$(printf '%s\n' t t.old)" ]
	"$KTRACE" report t >report
}

@test "usage errors are marked, and nothing is created" {
	run --separate-stderr "$KTRACE" record -e
	[ "$status" -eq 2 ]
	[ "$stderr" = "ktrace record: option '--event' needs an argument" ]
	for size in 7x 8191 1025M; do
		run --separate-stderr "$KTRACE" record -e "$EXIT" -b $size
		[ "$status" -eq 2 ]
		[ "${stderr_lines[1]}" = "  $size" ]
	done
	[ ! -e ktrace.out ]
}

# The kernel's numbers: bpf_prog_type.
@test "symbols of kernel addresses are in the trace, for babeltrace2 too" {
	record -e kmalloc -o t -- ./kt_witness
	[ "$status" -eq 0 ]
	[ "$(count_events t)" -eq "$(summary_events)" ]
	[ "$(summary_events)" -ge 1 ]
	"$KTRACE" print t >lines
	[ "$(grep -cE ' call_site=[A-Za-z_][^ +]*\+0x[0-9a-f]+/0x[0-9a-f]+ ' lines)" -eq "$(summary_events)" ]
	diff <(sed -E 's/^.* call_site=(.*)\+0x[^ ]*( \[\w+\])? ptr=.*$/\1\2/' lines) \
		<(sed -E 's/^.* call_site = \( "([^"]*)" : container = .*$/\1/' events)
	[ "$(ls t/ktrace)" = "counts.jsonl"$'\n'"tasks.jsonl" ]
}

@test "symbols do not need the kernel's list, which may be hidden" {
	sed -n 's/^[0-9a-f]*/0000000000000000/p;1000q' /proc/kallsyms >hidden
	via=(unshare -m sh -ec 'mount --bind hidden /proc/kallsyms; exec "$@"' -)
	record -e kmalloc -o t -- ./kt_witness
	[ "$status" -eq 0 ]
	[[ $message != *numbers* ]]
	[ "$(count_events t)" -eq "$(summary_events)" ]
	[ "$("$KTRACE" print t | grep -cE ' call_site=[A-Za-z_][^ +]*\+0x[0-9a-f]+/')" -eq "$(summary_events)" ]
}

@test "events are probed as 'list' says" {
	local for_names=(26 26)
	declare -A type=([tracepoint]=5 [raw_tp]=17 [tp_btf]=26)
	for event in kmem:kfree exceptions:page_fault_user "$EXIT"; do
		start -e "$event"
		probe=$("$KTRACE" list --try "$event" | sed 's/^[^(]*(\([a-z_]*\).*/\1/')
		[[ $("$KTRACE" list -v "$event") == "$event ($probe"[:\)]* ]]
		[ "$(cat /proc/"$pid"/fdinfo/* | sed -n 's/^prog_type:\t//p' | sort -n | xargs)" = \
			"$(printf '%s\n' "${type[$probe]}" "${for_names[@]}" | sort -n | xargs)" ]
		kill -INT "$pid"
		finish
		[ "$status" -eq 0 ]
	done
}

@test "if only other processes have an event, -a is suggested" {
	run bash -c '"$KTRACE" record -e syscalls:getsid -o t -- sleep 0.4 2>&1 & sleep 0.2; perl -e "require q(syscall.ph); syscall(SYS_getsid(), 0)"; wait'
	[[ $output == *'ktrace record: 0 events in '*'; 2 filtered (other processes)'*'-a records the whole machine'* ]]
	run "$KTRACE" record -e syscalls:getsid -o t -- true
	[[ $output != *'-a records'* ]]
}
