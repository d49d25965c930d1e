#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace snapshot. What babeltrace2 reads of the snapshots is the witness, and who made the calls.

load flight
load numbers
load ../live/tasks

# What is told of each of the traces, for `told`.
look_at() { # TRACE...
	local trace
	for trace in "$@"; do "$KTRACE" report --json "$trace"; done >reports
}

# Of all of them together: what is overwritten, say.
told() { # FIGURE
	jq -s "map(.$1 // 0) | add" reports
}

# Two callers, and snapshots one after the other as long as they call, and a last one.
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

each_once() {
	start_numbered -b 32M
	take_while_called 1 1000000
	[ "$(hits flight)" -eq 1000000 ]
	ktrace stop
	look_at flight-*
	[ "$(told overwritten)" -eq 0 ]
	[ "$(told lost)" -eq 0 ]
	for trace in flight-*; do numbers_of "$trace"; done >all
	sort -n all | cmp - <(seq 1000000)
}

@test "a million calls: each is in one snapshot" {
	apart each_once
}

# The first calls overrun the rings, which hold not a third of them, however long a snapshot takes.
overrun() { # ARG...
	start_numbered -b 64K "$@"
	call_numbers 1 50000
	take_while_called 50001 200000
	[ "$(hits flight)" -eq 200000 ]
	ktrace stop
	look_at flight-*
	[ "$(told lost)" -eq 0 ]
	[ "$(told overwritten)" -gt 30000 ]
	for trace in flight-*; do
		numbers_of "$trace" | tee -a all | wc -l
	done >counts
	jq '.count + (.early // 0)' reports | cmp - counts
	[ -z "$(sort -n all | uniq -d)" ]
	[ $(($(wc -l <all) + $(told overwritten))) -eq 200000 ]
	[ "$(told hits)" -eq 200000 ]
}

@test "overrun: what is in none of them was overwritten, and is counted" {
	apart overrun
}

overrun_without() {
	overrun --no-spare
}

@test "overrun without a spare: the same" {
	apart overrun_without
}

# What has the kernel wait until no program is at what was there before, some 10 ms each time.
waits() { # CMD...
	strace -f -qq -e trace=bpf -e signal=none -o calls "$@" 2>told_by_it
	grep -E 'BPF_MAP_(UPDATE|DELETE)_.* = 0$' calls | grep -o 'BPF_MAP_[A-Z_]*' || true
}

# However many CPUs there are: once for each channel, of both banks.
together() {
	[ "$(waits "$KTRACE" start -b 64K | xargs)" = "BPF_MAP_UPDATE_BATCH BPF_MAP_UPDATE_BATCH" ]
	[ "$(grep -c "BPF_MAP_UPDATE_BATCH.*count=$((2 * $(nproc)))," calls)" -eq 2 ]
	[ "$(waits "$KTRACE" snapshot -o s)" = BPF_MAP_UPDATE_BATCH ]
	grep 'BPF_MAP_UPDATE_BATCH.*count=1,' calls
	ktrace stop
}

@test "the rings of all CPUs are put into their places at once, and turned at once" {
	apart together
}

# There is memory for one ring, and not for two.
no_memory() {
	start_numbered -b 32M --no-spare
	call_numbers 1 5000
	if (
		ulimit -v $((32 << 10 | 3 << 15))
		"$KTRACE" snapshot -o s 2>said
	); then false; fi
	grep -F "ktrace snapshot: no memory for a second buffer set of 'flight'; nothing is lost: " said
	[ ! -e s ]
	[ "$(ls "$PLACE/flight")" = "$(printf '%s\n' about bank0 calls focus gate ledger link program rings tasks turns)" ]
	call_numbers 5001 6000
	ktrace snapshot -o s
	ktrace stop
	numbers_of s | sort -n | cmp - <(seq 6000)
}

@test "no memory for other rings: nothing is lost" {
	apart no_memory
}

# The disk fails when all is written, but has not reached it.
disk_fails() {
	start_numbered -b 64K
	call_numbers 1 100
	if strace -f -o calls -e trace=fsync -e inject=fsync:error=EIO "$KTRACE" snapshot -o s 2>said; then
		false
	fi
	grep -F "ktrace snapshot: cannot write to s: cannot sync: Input/output error" said
	[ ! -e s ]
	call_numbers 101 200
	strace -f -y -o calls -e trace=fsync "$KTRACE" snapshot -o s
	# The one that failed, and the one after it: each of their files, and the directories.
	for file in s.earlier s; do
		[ -d "$file" ] || continue
		find "$file" -type f | while read -r path; do
			grep -q "fsync([0-9]*<$PWD/$path>) *= 0" calls
		done
		grep -q "fsync([0-9]*<$PWD/$file>) *= 0" calls
	done
	grep -q "fsync([0-9]*<$PWD>) *= 0" calls
	ktrace stop
	{ numbers_of s.earlier && numbers_of s; } | sort -n | cmp - <(seq 200)
}

@test "a snapshot that has not reached the disk is taken once more" {
	apart disk_fails
}

# Which of these traces are whole.
whole() { # TRACE...
	local trace
	for trace in "$@"; do
		[ ! -s "$trace/ktrace/balance.jsonl" ] || echo "$trace"
	done
}

# One that was killed once all is written, and before it says so, is written again.
killed() {
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
		"$KTRACE" snapshot -o "s$i" 2>>said &
		sleep "0.$(printf %06d "$us")"
		kill -KILL $! 2>no_more || true
		wait $! || true
	done
	ktrace snapshot -o last
	ktrace stop
	mapfile -t traces < <(whole w* s* last*)
	for trace in "${traces[@]}"; do
		numbers_of "$trace" | tr '\n' ' '
		echo
	done | sort -u | tr ' ' '\n' | sed '/^$/d' | sort -n | cmp - <(seq 6000)
	[ "$(whole s[0-9] s[0-9][0-9] | wc -l)" -lt 30 ]
	[ "$(whole ./*.earlier | wc -l)" -gt 0 ]
}

@test "whoever is killed at it has taken all, or left all for the next one" {
	apart killed
}

taken() { # NAME
	"$KTRACE" status --json "$1" | jq -c '[.held, .resting, .taken]'
}

no_room() {
	start_numbered -b 1M
	call_numbers 1 20000
	mkdir small
	mount -t tmpfs -o size=200k nodev small
	refused 1 snapshot -o small/s
	[[ $said == "ktrace snapshot: cannot write to small/s: "*": No space left on device
  the events of 'flight' are kept for the next 'ktrace snapshot'" ]]
	[ -z "$(ls small)" ]
	[ "$(taken flight)" = "[0,20000,0]" ]
	call_numbers 20001 20005
	"$KTRACE" status flight >report
	grep -F ' 5 held, 0 overwritten, 20000 of an interrupted snapshot' report

	ktrace snapshot -o s
	[[ $said == "ktrace snapshot: first saving what an interrupted snapshot left
ktrace snapshot: 20000 events in "*" in s.earlier; "*"
ktrace snapshot: 5 events in "*" in s; "* ]]
	numbers_of s.earlier | cmp - <(seq 20000)
	numbers_of s | cmp - <(seq 20001 20005)
	[ "$(taken flight)" = "[0,0,20005]" ]
	ktrace stop
}

@test "without room on the disk nothing is left there, and all is kept" {
	apart no_room
}

# That the signal is there already when ktrace is begun is as if it came while it writes.
interrupted() {
	start_numbered -b 8K
	call_numbers 1 3
	status=0
	perl -MPOSIX=:signal_h -e 'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGINT));
		kill INT => $$; exec @ARGV' "$KTRACE" snapshot -o s 2>said || status=$?
	[ "$status" -eq 1 ]
	[ "$(<said)" = "ktrace snapshot: cannot write to s: interrupted before everything was written
  the events of 'flight' are kept for the next 'ktrace snapshot'" ]
	[ ! -e s ]
	[ "$(taken flight)" = "[0,3,0]" ]
	ktrace stop
}

@test "Ctrl-C leaves no trace, and loses nothing" {
	apart interrupted
}

default_set() {
	local event
	ktrace start
	bash -c 'for ((i = 0; i < 50; i++)); do (:); done'
	ktrace snapshot -o s
	ktrace stop
	babeltrace2 s >events 2>heard
	[ ! -s heard ]
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

@test "it is a trace like any other" {
	apart default_set
}

# Each waits for a file of its own name.
begin_named() { # NAME
	perl -e 'open F, ">/proc/self/comm"; print F $ARGV[0]; close F;
		select undef, undef, undef, 0.01 until -e $ARGV[0]' "$1" &
	until grep -q "$1" /proc/$!/comm; do :; done
}

end_named() { # NAME
	touch "$1"
	wait
}

names_are_right() { # TRACE NAME...
	local trace=$1 name
	shift
	wrong_names "$trace" >wrong
	diff wrong /dev/null
	names "$trace" >names
	for name in kt_witness a_name_of_many_ renamed again "$@"; do
		grep -qx "$name" names
	done
}

# Also of a busy machine, but not where names come and go by the thousand: then some are missing.
named() {
	local tries
	prepare
	for ((tries = 0; tries < 20; tries++)); do
		take_named
		grep -q '"lost"' first/ktrace/tasks.jsonl second/ktrace/tasks.jsonl || break
		sleep 1
	done
	names_are_right first early 'was there'
	names_are_right second 'was there'
	[ "$("$KTRACE" report --json second | jq '.tasks[] | select(.comm == "was there") | .tid' | wc -l)" -eq 1 ]
}

take_named() {
	rm -f early 'was there'
	begin_named early
	ktrace start -e task_newtask,sched_switch,sched_process_exit
	end_named early
	begin_named 'was there'
	bash -c "$WORK"
	ktrace snapshot -o first
	bash -c "$WORK"
	ktrace snapshot -o second
	end_named 'was there'
	ktrace stop
}

@test "whose each hit is, of those that have ended, too" {
	skip_in_a_container
	cp "$(type -P true)" kt_witness
	apart named
}

nameless() {
	mount --bind /dev/null /sys/kernel/btf/vmlinux
	"$KTRACE" start -e "$GETPGID" -f 'pid >= 1000000000' 2>said
	[[ $(head -n 1 said) == "ktrace start: cannot log task names: cannot read the kernel's types (BTF): "* ]]
	[ ! -e "$PLACE/flight/tasks" ]
	call_numbers 1 3
	ktrace snapshot -o s
	ktrace stop
	numbers_of s | cmp - <(seq 3)
	[ ! -e s/ktrace/tasks.jsonl ]
	[[ $("$KTRACE" print s | head -n 1) == "           <...>-"* ]]
}

@test "without the kernel's types nobody has a name, which is said" {
	[ -e /sys/kernel/btf/vmlinux ] || skip "this kernel does not tell its types"
	apart nameless
}

refusals() {
	refused 1 snapshot
	[ "$said" = "ktrace snapshot: $NOT_RUNNING" ]
	refused 2 snapshot a/b
	refused 2 snapshot one two
	refused 2 snapshot --outptu s
	start_numbered -b 8K
	[ "$(completed 'ktrace snapshot ')" = flight ]
	call_numbers 1 3
	mkdir other
	touch other/file
	refused 1 snapshot -o other
	[ "$said" = "ktrace snapshot: cannot create the trace: other: exists and is not a trace of ktrace: it contains 'file'" ]
	refused 1 snapshot -o nowhere/s
	! setpriv --reuid 65534 --clear-groups "$KTRACE" snapshot -o s 2>said
	grep -F "$NOT_ROOT" said
	[ "$(taken flight)" = "[3,0,0]" ] # it has not even been turned
	! flock "$PLACE/flight" timeout 20 "$KTRACE" snapshot -o s 2>said
	[ "$(<said)" = "ktrace snapshot: another ktrace is using 'flight'" ]
	ktrace stop
	[ ! -e s ]
}

@test "what is wrong is said, and changes nothing" {
	apart refusals
}
