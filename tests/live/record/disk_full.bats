#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace record on a disk that becomes full. babeltrace2 is the witness.

load ../recording

# Records to t on a file system of SIZE, which is then removed. Sets t, $left (other files there),
# $message and $status.
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

# Everything reported as recorded is there, and every loss is counted in its place.
assert_complete() {
	local lost=0 hits
	[[ ! $message =~ "lost "([0-9]+)" of "([0-9]+)": " ]] || lost=${BASH_REMATCH[1]}
	hits=$((lost + $(summary_events)))
	babeltrace2 t >events 2>discarded
	[ "$(wc -l <events)" -eq "$(summary_events)" ]
	[ "$(sed -n 's/.*racer discarded \([0-9]*\) event.*/\1/p' discarded |
		awk '{n += $1} END {print n + 0}')" -eq "$lost" ]
	[ "$(grep -vc 'racer discarded' discarded)" -eq 0 ]
	"$KTRACE" report --json t 2>messages >report
	[ ! -s messages ]
	[ "$(jq '"\(.lost) of \(.hits)"' report)" = "\"$lost of $hits\"" ]
}

@test "16 MB: what fits is a trace, and losses are counted in their places" {
	record_on size=16m -e 'raw_syscalls:*' \
		bash -c 'dd if=/dev/zero of=/dev/null bs=1 count=200000 && touch "$1"' - "$PWD/survived"
	[ "$status" -eq 1 ]
	[[ $message == *"ktrace record: cannot write to t: "*"cpu"*": No space left on device
ktrace record: recording has ended; 'bash' continues
"* ]]
	[[ $message == *" not written to the trace"* ]]
	[ -e survived ]
	[ "$(du -sk t | cut -f1)" -gt 15000 ]
	assert_complete
}

@test "without a command it ends by itself" {
	while :; do ./kt_witness; done 3>&- &
	others+=($!)
	record_on size=32k -e "$EXIT" -b 8K
	[ "$status" -eq 1 ]
	[[ $message == *"cannot write to t: "*": No space left on device"* ]]
	[[ $message != *"continues"* ]]
	assert_complete
}

# From one page and one file on: until a recording succeeds, nothing is left.
@test "too small for a trace: nothing is left, and the file without room is named" {
	local what=nr_inodes step=1 unit= n failed=
	for what in nr_inodes size; do
		for ((n = step; ; n += step)); do
			record_on "$what=$n$unit" -e "$EXIT" -b 8K true
			[ ! -e t ] || break
			[ "$status" -eq 1 ]
			[[ $message =~ ^"ktrace record: cannot "(create the trace|write to t)": "([^ ]*)": No space left on device"$ ]]
			failed+=" ${BASH_REMATCH[2]}"
			[ -z "$left" ]
		done
		[ "$n" -gt $((2 * step)) ]
		step=$(($(getconf PAGESIZE) / 1024)) unit=k
	done
	echo "$failed"
	for n in t metadata ktrace/tasks.jsonl ktrace/counts.jsonl cpu0; do
		[[ "$failed " == *" $n "* ]]
	done
}

# One page more each time, from the first recording that begins to the first complete one: names and
# records take turns in having no room.
@test "wherever it becomes full, a trace remains that reports everything" {
	local page began=0 n
	page=$(($(getconf PAGESIZE) / 1024))
	for ((n = page; n < 100 * page; n += page)); do
		record_on "size=${n}k" -e "$EXIT" -b 8K bash -c 'for ((i = 0; i < 300; i++)); do
			(:); done'
		[ -e t ] || continue
		assert_complete
		[ "$("$KTRACE" print t 2>messages | grep -c '<\.\.\.>')" -eq 0 ]
		[ "$status" -eq 1 ] || break
		[[ $message == *"cannot write to t: "*": No space left on device"* ]]
		: $((began++))
	done
	[ "$status" -eq 0 ]
	[ "$began" -gt 3 ]
}

# SIGXFSZ must not kill ktrace; the command keeps its own disposition.
@test "a file size limit acts like a full disk, on ktrace only" {
	ours=$(ulimit -f 400; bash -c 'grep ^Sig /proc/self/status')
	via=(bash -c 'ulimit -f 400; exec "$@"' -)
	record -e 'raw_syscalls:*' -o t bash -c 'dd if=/dev/zero of=/dev/null bs=1 count=20000
		grep ^Sig /proc/self/status >signals'
	[ "$status" -eq 1 ]
	[[ $message == *"cannot write to t: "*": File too large"* ]]
	grep -v ^SigQ <<<"$ours" | diff - <(grep -v ^SigQ signals)
	assert_complete
}
