#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# `ktrace record` on the running kernel. What happens here, and nowhere else, is that programs called
# kt_witness exit: so many as we run.

bats_require_minimum_version 1.5.0

load ../recording

@test "every hit is in the trace, whichever way it is ended; an older trace is kept" {
	times=3
	for signal in INT TERM HUP; do
		start -e sched_process_exit
		witness $times
		kill -s "$signal" "$pid"
		finish
		[ "$status" -eq 0 ]
		[ ! -s stdout ]
		[[ $said == "ktrace record: "*" events in "*"s, "*" in ktrace.out" ]]
		[ "$(count_events ktrace.out)" -eq "$(said_events)" ]
		[ "$(count_events ktrace.out 'comm = "kt_witness"')" -eq "$times" ]
		times=$((times + 1))
	done
	[ "$(count_events ktrace.out.old 'comm = "kt_witness"')" -eq 4 ]
}

# As the kernel is asked for it: strace is the witness.
@test "it sleeps a quarter of the time in which 200 MB/s fill a ring" {
	for size in 4M=5242 64K=1000 128M=100000; do
		strace -e trace=rt_sigtimedwait -o waits "$KTRACE" record -b "${size%=*}" -e "$EXIT" -o t -- true
		grep -q "tv_nsec=${size#*=}000}" waits
	done
}

@test "what nohup ignores does not end it" {
	via=(nohup)
	start -e "$EXIT" -o t
	kill -HUP "$pid"
	witness 2
	kill -INT "$pid"
	finish
	[ "$status" -eq 0 ]
	[ "$(count_events t kt_witness)" -eq 2 ]
}

@test "a pipe that nobody reads any more costs no event" {
	start -e "$EXIT" -o t
	exec 5<&-
	witness 2
	kill -INT "$pid"
	wait "$pid"
	pid=
	[ "$(count_events t kt_witness)" -eq 2 ]
}

# A stopped reader and the smallest ring: some 200 records have room.
# setarch makes this kernel an old one by its release.
@test "losses: what the kernel does not count is not said to be none" {
	"$KTRACE" record -e "$EXIT" -o t setarch --uname-2.6 true 2>said || skip "$(<said)"
	setarch --uname-2.6 "$KTRACE" record --strict -e "$EXIT" -o t ./kt_witness 2>said
	note="missed events are not counted: Linux counts them since 6.7"
	[ "$(tail -n 1 said)" = "ktrace record: $note" ]
	"$KTRACE" report t >report
	[[ $(sed -n 2p report) == "1 event, "*"/s, none known to be lost"?("; "*) ]]
	[ "$(sed -n 3p report)" = "$note" ]
	[ "$("$KTRACE" report --json t | jq .missed_unknown)" = true ]
}

@test "losses: said by cause and event, the rest is in the trace, --strict exits with 3" {
	stay_on_one_cpu
	for strict in "" --strict; do
		start -e "$EXIT" -b 8K -o t $strict
		kill -STOP "$pid"
		witness 300
		kill -CONT "$pid"
		kill -INT "$pid"
		finish
		[ "$status$strict" = 0 ] || [ "$status$strict" = 3--strict ]
		[[ $said =~ "lost "([0-9]+)" of "([0-9]+)": "([0-9]+)" no room in the ring (-b)" ]]
		lost=${BASH_REMATCH[1]} hits=${BASH_REMATCH[2]}
		[[ $said == *$'\n'"  $EXIT: lost $lost of $hits: "* ]]
		[ "$lost" -gt 0 ]
		[ "$hits" -ge 300 ]
		[ "$(said_events)" -eq $((hits - lost)) ]

		# babeltrace2 says between which events of a stream how many were discarded.
		babeltrace2 t 2>stderr >events || true
		[ "$(wc -l <events)" -eq $((hits - lost)) ]
		[ "$(sed -n 's/.*racer discarded \([0-9]*\) event.*/\1/p' stderr |
			awk '{ n += $1 } END { print n }')" -eq "$lost" ]
	done
}

@test "what cannot be recorded is skipped and counted; when nothing is left, it fails" {
	via_unreadable_exec
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

# Each line with the moment at which it is said, in ms.
@test "what it waits for in the end is said where that is long" {
	"$KTRACE" record -e 'block:*,sched:*,writeback:*' true 2>&1 |
		while read -r line; do echo "${EPOCHREALTIME/./} $line"; done >said
	ended=$((${EPOCHREALTIME/./} / 1000))
	cat said
	grep -q ' events of ' said || skip "nothing is attached"
	whole=$(($(sed -n '/ in ktrace.out/{s/ .*//p;q}' said) / 1000))
	more=$(sed -n 's/.*: detaching \([0-9]*\) more probes takes .* about [0-9]* s$/\1/p' said)
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

@test "without the rights: which are missing" {
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

@test "a directory that cannot be written, or is somebody else's" {
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

@test "no directory of another user's, nor through another's link, and nothing for others to read" {
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

@test "behind a link of one's own: where it led is said" {
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

@test "usage: what is wrong is marked, and nothing is made" {
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

# The kernel's own numbers of them: bpf_prog_type.
@test "what lies at addresses in the kernel is in the trace, for babeltrace2 too" {
	record -e kmalloc -o t -- ./kt_witness
	[ "$status" -eq 0 ]
	[ "$(count_events t)" -eq "$(said_events)" ]
	[ "$(said_events)" -ge 1 ]
	"$KTRACE" print t >lines
	[ "$(grep -cE ' call_site=[A-Za-z_][^ +]*\+0x[0-9a-f]+/0x[0-9a-f]+ ' lines)" -eq "$(said_events)" ]
	diff <(sed -E 's/^.* call_site=(.*)\+0x[^ ]*( \[\w+\])? ptr=.*$/\1\2/' lines) \
		<(sed -E 's/^.* call_site = \( "([^"]*)" : container = .*$/\1/' events)
	[ "$(ls t/ktrace)" = "balance.jsonl"$'\n'"tasks.jsonl" ]
}

@test "where the kernel hides its addresses they stay numbers, which is said" {
	sed -n 's/^[0-9a-f]*/0000000000000000/p;1000q' /proc/kallsyms >hidden
	via=(unshare -m sh -ec 'mount --bind hidden /proc/kallsyms; exec "$@"' -)
	record -e kmalloc -o t -- ./kt_witness
	[ "$status" -eq 0 ]
	[[ $said == *"ktrace record: kernel addresses remain numbers: /proc/kallsyms: the kernel hides"* ]]
	[ "$(count_events t)" -eq "$(said_events)" ]
	[ "$("$KTRACE" print t | grep -c ' call_site=0x[0-9a-f]\{16\} ')" -eq "$(said_events)" ]

	# Nor is there a word of it where no event has any.
	record -e "$EXIT" -o t -- ./kt_witness
	[[ $said != *numbers* ]]
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
