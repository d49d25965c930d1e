#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace record, on a disk that becomes full. What babeltrace2 reads is the witness.

load ../recording

# Record to t on a file system of that size, which then goes away: t, $left (what else lay there),
# $said, and $status.
record_on() { # SIZE ARG...
	rm -rf t
	mkdir -p disk
	via=(timeout 50 unshare -m bash -c '
		mount -t tmpfs -o "$1" nodev disk
		status=0
		(cd disk && shift && "$@") || status=$?
		[ ! -e disk/t ] || mv disk/t .
		ls -A disk >left
		exit $status' - "$1")
	shift
	record -o t "$@"
	left=$(<left)
}

# What is said to be recorded is there, and what is said to be lost is counted where it lies.
is_all_told() {
	local lost=0 hits
	[[ ! $said =~ "lost "([0-9]+)" of "([0-9]+)": " ]] || lost=${BASH_REMATCH[1]}
	hits=$((lost + $(said_events)))
	babeltrace2 t >events 2>discarded
	[ "$(wc -l <events)" -eq "$(said_events)" ]
	[ "$(sed -n 's/.*racer discarded \([0-9]*\) event.*/\1/p' discarded |
		awk '{n += $1} END {print n + 0}')" -eq "$lost" ]
	[ "$(grep -vc 'racer discarded' discarded)" -eq 0 ]
	"$KTRACE" report --json t 2>heard >report
	[ ! -s heard ]
	[ "$(jq '"\(.lost) of \(.hits)"' report)" = "\"$lost of $hits\"" ]
}

@test "16 MB: what fits is a trace, and the rest is counted where it lies" {
	record_on size=16m -e 'raw_syscalls:*' \
		bash -c 'dd if=/dev/zero of=/dev/null bs=1 count=200000 && touch "$1"' - "$PWD/survived"
	[ "$status" -eq 1 ]
	[[ $said == *"ktrace record: cannot write to t: "*"cpu"*": No space left on device
ktrace record: recording has ended; 'bash' continues
"* ]]
	[[ $said == *" not written to the trace"* ]]
	[ -e survived ]
	[ "$(du -sk t | cut -f1)" -gt 15000 ]
	is_all_told
}

@test "without a command it ends by itself" {
	while :; do ./kt_witness; done 3>&- &
	others+=($!)
	record_on size=32k -e "$EXIT" -b 8K
	[ "$status" -eq 1 ]
	[[ $said == *"cannot write to t: "*": No space left on device"* ]]
	[[ $said != *"continues"* ]]
	is_all_told
}

# From one page on, and from one file: until a recording comes about, nothing is left of it.
@test "too little for a trace: nothing is left, and which file there was no room for is said" {
	local what=nr_inodes step=1 unit= n failed=
	for what in nr_inodes size; do
		for ((n = step; ; n += step)); do
			record_on "$what=$n$unit" -e "$EXIT" -b 8K true
			[ ! -e t ] || break
			[ "$status" -eq 1 ]
			[[ $said =~ ^"ktrace record: cannot "(create the trace|write to t)": "([^ ]*)": No space left on device"$ ]]
			failed+=" ${BASH_REMATCH[2]}"
			[ -z "$left" ]
		done
		[ "$n" -gt $((2 * step)) ]
		step=$(($(getconf PAGESIZE) / 1024)) unit=k
	done
	echo "$failed"
	for n in t metadata ktrace/tasks.jsonl ktrace/balance.jsonl cpu0; do
		[[ "$failed " == *" $n "* ]]
	done
}

# A page more each time, from the first recording that begins to the first that is whole: names and
# records take turns in being what there is no room for.
@test "wherever it becomes full, a trace remains that tells all" {
	local page began=0 n
	page=$(($(getconf PAGESIZE) / 1024))
	for ((n = page; n < 100 * page; n += page)); do
		record_on "size=${n}k" -e "$EXIT" -b 8K bash -c 'for ((i = 0; i < 300; i++)); do
			(:); done'
		[ -e t ] || continue
		is_all_told
		[ "$("$KTRACE" print t 2>heard | grep -c '<\.\.\.>')" -eq 0 ]
		[ "$status" -eq 1 ] || break
		[[ $said == *"cannot write to t: "*": No space left on device"* ]]
		: $((began++))
	done
	[ "$status" -eq 0 ]
	[ "$began" -gt 3 ]
}

# The limit is not to kill us, and is the command's own: what it does with its signals remains so.
@test "a limit of the size of files is as a full disk, to us alone" {
	ours=$(ulimit -f 400; bash -c 'grep ^Sig /proc/self/status')
	via=(bash -c 'ulimit -f 400; exec "$@"' -)
	record -e 'raw_syscalls:*' -o t bash -c 'dd if=/dev/zero of=/dev/null bs=1 count=20000
		grep ^Sig /proc/self/status >signals'
	[ "$status" -eq 1 ]
	[[ $said == *"cannot write to t: "*": File too large"* ]]
	grep -v ^SigQ <<<"$ours" | diff - <(grep -v ^SigQ signals)
	is_all_told
}
