#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace snapshot. Witnesses: babeltrace2 reading the snapshots, and who made the calls.

load flight
load numbers
load ../live/tasks

# Reports on each of the traces, for sum_reports.
report_on() { # TRACE...
	local trace
	for trace in "$@"; do "$KTRACE" report --json "$trace"; done >reports
}

# Prints the sum of a figure over all reports.
sum_reports() { # FIGURE
	jq -s "map(.$1 // 0) | add" reports
}

# Two callers, with snapshots one after the other while they call, and a last one.
take_while_called() { # FIRST LAST
	local callers=() n=0 half=$((($1 + $2) / 2))
	call_numbers "$1" "$half" &
	callers+=($!)
	call_numbers $((half + 1)) "$2" &
	callers+=($!)
	while kill -0 "${callers[@]}" 2>no_more; do
		ktrace snapshot
		: $((++n))
	done
	wait "${callers[0]}"
	wait "${callers[1]}"
	ktrace snapshot
	[ "$n" -ge 1 ]
	[ "$(echo flight-* | wc -w)" -eq $((n + 1)) ]
}

check_each_once() {
	start_numbered -b 32M
	take_while_called 1 1000000
	[ "$(count_hits flight)" -eq 1000000 ]
	ktrace stop
	report_on flight-*
	[ "$(sum_reports overwritten)" -eq 0 ]
	[ "$(sum_reports lost)" -eq 0 ]
	for trace in flight-*; do print_trace_numbers "$trace"; done >all
	sort -n all | cmp - <(seq 1000000)
}

@test "of a million calls, each is in exactly one snapshot" {
	run_on_bpffs check_each_once
}

# The first calls overrun the rings, which hold less than a third of them however long a snapshot
# takes.
check_overrun() { # ARG...
	start_numbered -b 64K "$@"
	call_numbers 1 50000
	take_while_called 50001 200000
	[ "$(count_hits flight)" -eq 200000 ]
	ktrace stop
	report_on flight-*
	[ "$(sum_reports lost)" -eq 0 ]
	[ "$(sum_reports overwritten)" -gt 30000 ]
	for trace in flight-*; do
		print_trace_numbers "$trace" | tee -a all | wc -l
	done >counts
	jq '.count + (.early // 0)' reports | cmp - counts
	[ -z "$(sort -n all | uniq -d)" ]
	[ $(($(wc -l <all) + $(sum_reports overwritten))) -eq 200000 ]
	[ "$(sum_reports hits)" -eq 200000 ]
}

@test "with an overrun, what no snapshot has was overwritten and is counted" {
	run_on_bpffs check_overrun
}

check_overrun_without_spare() {
	check_overrun --no-spare
}

@test "with an overrun and without spare buffers: the same" {
	run_on_bpffs check_overrun_without_spare
}

# Lists what waits for an RCU grace period, some 10 ms each. A plain array's element, as the format
# that symbols are asked with, is written in place.
list_waits() { # CMD...
	strace -f -qq -e trace=bpf -e signal=none -o calls "$@" 2>told_by_it
	awk '
		/BPF_MAP_CREATE/ { plain["map_fd=" $NF ","] = /BPF_MAP_TYPE_ARRAY,/ }
		/BPF_MAP_(UPDATE|DELETE)_.* = 0$/ {
			match($0, /map_fd=[0-9]+,/)
			fd = substr($0, RSTART, RLENGTH)
			match($0, /BPF_MAP_[A-Z_]*/)
			if (!plain[fd])
				print substr($0, RSTART, RLENGTH)
		}' calls
}

# One for each channel with both buffer sets, whatever the number of CPUs. Elements of the table of
# system calls are replaced without a wait.
check_waits() {
	[ "$(list_waits "$KTRACE" start -b 64K -e 'sched:*' -e kmem:kmalloc | xargs)" = "BPF_MAP_UPDATE_BATCH BPF_MAP_UPDATE_BATCH" ]
	[ "$(grep -c "BPF_MAP_UPDATE_BATCH.*count=$((2 * $(nproc)))," calls)" -eq 2 ]
	[ "$(list_waits "$KTRACE" snapshot -o s)" = BPF_MAP_UPDATE_BATCH ]
	grep 'BPF_MAP_UPDATE_BATCH.*count=1,' calls
	ktrace stop
}

@test "the rings of all CPUs are created and swapped together" {
	run_on_bpffs check_waits
}

# Memory suffices for one ring, not for two.
check_no_memory() {
	start_numbered -b 32M --no-spare
	call_numbers 1 5000
	if (
		ulimit -v $((32 << 10 | 3 << 15))
		"$KTRACE" snapshot -o s 2>message
	); then false; fi
	grep -F "ktrace snapshot: no memory for a second buffer set of 'flight'; nothing is lost: " message
	[ ! -e s ]
	[ "$(ls "$PLACE/flight")" = "$(printf '%s\n' buffer_state calls counters enable info link pid_filter program rings set0 tasks)" ]
	call_numbers 5001 6000
	ktrace snapshot -o s
	ktrace stop
	print_trace_numbers s | sort -n | cmp - <(seq 6000)
}

@test "without memory for other rings, nothing is lost" {
	run_on_bpffs check_no_memory
}

# The disk fails after everything was written, before it was synced.
check_disk_error() {
	start_numbered -b 64K
	call_numbers 1 100
	if strace -f -o calls -e trace=fsync -e inject=fsync:error=EIO "$KTRACE" snapshot -o s 2>message; then
		false
	fi
	grep -F "ktrace snapshot: cannot write to s: cannot sync: Input/output error" message
	[ ! -e s ]
	call_numbers 101 200
	strace -f -y -o calls -e trace=fsync "$KTRACE" snapshot -o s
	# The failed snapshot and the next one: each sync of a file or directory.
	for file in s.earlier s; do
		[ -d "$file" ] || continue
		find "$file" -type f | while read -r path; do
			grep -q "fsync([0-9]*<$PWD/$path>) *= 0" calls
		done
		grep -q "fsync([0-9]*<$PWD/$file>) *= 0" calls
	done
	grep -q "fsync([0-9]*<$PWD>) *= 0" calls
	ktrace stop
	{ print_trace_numbers s.earlier && print_trace_numbers s; } | sort -n | cmp - <(seq 200)
}

@test "a snapshot that was not synced is taken again" {
	run_on_bpffs check_disk_error
}

# Lists which of these traces are complete.
list_complete() { # TRACE...
	local trace
	for trace in "$@"; do
		[ ! -s "$trace/ktrace/counts.jsonl" ] || echo "$trace"
	done
}

# A snapshot killed after writing everything, before it is marked as consumed, is written again.
check_killed() {
	local i first=1 us began traces=()
	start_numbered -b 1M
	for ((i = 1; i <= 30; i++)); do
		call_numbers "$first" $((first + 99))
		first=$((first + 100))
		began=${EPOCHREALTIME/./}
		ktrace snapshot -o "w$i"
		us=$(((${EPOCHREALTIME/./} - began) * i / 30))
		call_numbers "$first" $((first + 99))
		first=$((first + 100))
		"$KTRACE" snapshot -o "s$i" 2>>message &
		sleep "0.$(printf %06d "$us")"
		kill -KILL $! 2>no_more || true
		wait $! || true
	done
	ktrace snapshot -o last
	ktrace stop
	mapfile -t traces < <(list_complete w* s* last*)
	for trace in "${traces[@]}"; do
		print_trace_numbers "$trace" | tr '\n' ' '
		echo
	done | sort -u | tr ' ' '\n' | sed '/^$/d' | sort -n | cmp - <(seq 6000)
	[ "$(list_complete s[0-9] s[0-9][0-9] | wc -l)" -lt 30 ]
	[ "$(list_complete ./*.earlier | wc -l)" -gt 0 ]
}

@test "a killed snapshot has consumed everything or nothing" {
	run_on_bpffs check_killed
}

read_consumed() { # NAME
	"$KTRACE" status --json "$1" | jq -c '[.held, .resting, .taken]'
}

check_full_disk() {
	start_numbered -b 1M
	call_numbers 1 20000
	mkdir small
	mount -t tmpfs -o size=200k nodev small
	assert_fails 1 snapshot -o small/s
	[[ $message == "ktrace snapshot: cannot write to small/s: "*": No space left on device
  the events of 'flight' are kept for the next 'ktrace snapshot'" ]]
	[ -z "$(ls small)" ]
	[ "$(read_consumed flight)" = "[0,20000,0]" ]
	call_numbers 20001 20005
	"$KTRACE" status flight >report
	grep -F ' 5 held, 0 overwritten, 20000 of an interrupted snapshot' report

	ktrace snapshot -o s
	[[ $message == "ktrace snapshot: first saving what an interrupted snapshot left
ktrace snapshot: 20000 events in "*" in s.earlier; "*"
ktrace snapshot: 5 events in "*" in s; "* ]]
	print_trace_numbers s.earlier | cmp - <(seq 20000)
	print_trace_numbers s | cmp - <(seq 20001 20005)
	[ "$(read_consumed flight)" = "[0,0,20005]" ]
	ktrace stop
}

@test "on a full disk nothing is left there, and the buffers keep everything" {
	run_on_bpffs check_full_disk
}

# A signal pending at start must act like one during writing.
check_signals() {
	start_numbered -b 8K
	call_numbers 1 3
	status=0
	perl -MPOSIX=:signal_h -e 'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGINT));
		kill INT => $$; exec @ARGV' "$KTRACE" snapshot -o s 2>message || status=$?
	[ "$status" -eq 1 ]
	[ "$(<message)" = "ktrace snapshot: cannot write to s: interrupted before everything was written
  the events of 'flight' are kept for the next 'ktrace snapshot'" ]
	[ ! -e s ]
	[ "$(read_consumed flight)" = "[0,3,0]" ]
	ktrace stop
}

@test "Ctrl-C leaves no trace and loses nothing" {
	run_on_bpffs check_signals
}

check_default_events() {
	local event
	ktrace start
	bash -c 'for ((i = 0; i < 50; i++)); do (:); done'
	ktrace snapshot -o s
	ktrace stop
	babeltrace2 s >events 2>messages
	[ ! -s messages ]
	"$KTRACE" report --json s >report
	[ "$(wc -l <events)" -eq "$(jq '.count + (.early // 0)' report)" ]
	[ "$(jq '.hits == .count + (.early // 0) + .overwritten + .lost' report)" = true ]
	[ "$(jq .ended report)" = true ]
	"$KTRACE" print s | grep -c 'sched_process_fork: ' >forks
	[ "$(<forks)" -ge 50 ]
	"$KTRACE" list --default | while read -r event; do
		grep -qF "name = \"$event\"" s/metadata
	done
}

@test "a snapshot is a trace like any other" {
	run_on_bpffs check_default_events
}

# Starts a process with that name, which waits for a file of that name.
start_named() { # NAME
	perl -e 'open F, ">/proc/self/comm"; print F $ARGV[0]; close F;
		select undef, undef, undef, 0.01 until -e $ARGV[0]' "$1" &
	until grep -q "$1" /proc/$!/comm; do :; done
}

end_named() { # NAME
	touch "$1"
	wait
}

assert_names() { # TRACE NAME...
	local trace=$1 name
	shift
	list_wrong_names "$trace" >wrong
	diff wrong /dev/null
	list_names "$trace" >names
	for name in kt_witness a_name_of_many_ renamed again "$@"; do
		grep -qx "$name" names
	done
}

# Names are known on a busy machine, too, unless thousands of names come and go.
check_task_names() {
	local tries
	run_tasks
	for ((tries = 0; tries < 20; tries++)); do
		take_snapshot
		grep -q '"lost"' first/ktrace/tasks.jsonl second/ktrace/tasks.jsonl || break
		sleep 1
	done
	assert_names first early 'was there'
	assert_names second 'was there'
	[ "$("$KTRACE" report --json second | jq '.tasks[] | select(.comm == "was there") | .tid' | wc -l)" -eq 1 ]
}

take_snapshot() {
	rm -f early 'was there'
	start_named early
	ktrace start -e task_newtask,sched_switch,sched_process_exit
	end_named early
	start_named 'was there'
	bash -c "$WORK"
	ktrace snapshot -o first
	bash -c "$WORK"
	ktrace snapshot -o second
	end_named 'was there'
	ktrace stop
}

@test "each event has its task's name, even after the task has ended" {
	skip_in_a_container
	cp "$(type -P true)" kt_witness
	run_on_bpffs check_task_names
}

check_without_btf() {
	mount --bind /dev/null /sys/kernel/btf/vmlinux
	"$KTRACE" start -e "$GETPGID" -f 'pid >= 1000000000' 2>message
	[[ $(head -n 1 message) == "ktrace start: cannot log task names: cannot read the kernel's types (BTF): "* ]]
	[ ! -e "$PLACE/flight/tasks" ]
	call_numbers 1 3
	ktrace snapshot -o s
	ktrace stop
	print_trace_numbers s | cmp - <(seq 3)
	[ ! -e s/ktrace/tasks.jsonl ]
	[[ $("$KTRACE" print s | head -n 1) == "           <...>-"* ]]
}

@test "without BTF there are no task names, which is reported" {
	[ -e /sys/kernel/btf/vmlinux ] || skip "this kernel does not tell its types"
	run_on_bpffs check_without_btf
}

check_errors() {
	assert_fails 1 snapshot
	[ "$message" = "ktrace snapshot: $NOT_RUNNING" ]
	assert_fails 2 snapshot a/b
	assert_fails 2 snapshot one two
	assert_fails 2 snapshot --outptu s
	start_numbered -b 8K
	[ "$(complete_line 'ktrace snapshot ')" = flight ]
	call_numbers 1 3
	mkdir other
	touch other/file
	assert_fails 1 snapshot -o other
	[ "$message" = "ktrace snapshot: cannot create the trace: other: exists and is not a trace of ktrace: it contains 'file'" ]
	assert_fails 1 snapshot -o other/file/s
	! setpriv --reuid 65534 --clear-groups "$KTRACE" snapshot -o s 2>message
	grep -F "$NOT_ROOT" message
	[ "$(read_consumed flight)" = "[3,0,0]" ] # not even swapped
	! flock "$PLACE/flight" timeout 20 "$KTRACE" snapshot -o s 2>message
	[ "$(<message)" = "ktrace snapshot: another ktrace is using 'flight'" ]
	ktrace stop
	[ ! -e s ]
}

@test "errors change nothing" {
	run_on_bpffs check_errors
}
