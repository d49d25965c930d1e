#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace start and stop.

load flight

check_recording() {
	local id ring filter='pid == 4194303 && comm != "it'\''s not"'
	ktrace start -e "$GETPGID" -f "$filter" -b 8K
	[[ $message =~ ^"ktrace start: 'flight' records 1 event on the whole machine; it keeps the newest 8.0 KiB of each of "[0-9]+" CPU"s?$ ]]
	make_calls 1000
	[ "$(count_hits flight)" -eq 1000 ]
	[ "$(read_info flight | jq -r .command)" = \
		"ktrace start -e $GETPGID -f '${filter//\'/\'\\\'\'}' -b 8K" ]
	[ "$(read_info flight | jq -r .uid)" -eq "$(id -u)" ]
	id=$(bpftool -j prog show pinned "$PLACE/flight/program/$GETPGID:1" | jq .id)
	ring=$(bpftool -j map show pinned "$PLACE/flight/set0/cpu0" | jq .id)

	assert_fails 1 start
	[ "$message" = "ktrace start: a flight recorder 'flight' is already running
  stop it with 'ktrace stop flight', or choose another name" ]
	make_calls 10
	[ "$(count_hits flight)" -eq 1010 ]

	ktrace stop
	[ "$message" = "ktrace stop: 'flight' is stopped" ]
	[ ! -e "$PLACE" ]
	await_freed prog "$id"
	await_freed map "$ring"
	assert_fails 1 stop
	[ "$message" = "ktrace stop: $NOT_RUNNING" ]
}

check_killed_stop() {
	mkdir "$PLACE"
	assert_fails 1 stop
	[ "$message" = "ktrace stop: $NOT_RUNNING" ]
	[ ! -e "$PLACE" ]
	ktrace start -e "$GETPGID" -b 8K other
	assert_fails 1 stop
	ktrace stop other
}

@test "the stop after a killed stop leaves nothing" {
	run_on_bpffs check_killed_stop
}

@test "a flight records without any process until it is stopped" {
	run_on_bpffs check_recording
}

check_several() {
	ktrace start -e "$GETPGID" -f 'pid == 4194303' -b 8K one
	make_calls 100
	ktrace start two -b 64K -e "$GETPGID" -f 'pid == 4194303'
	make_calls 100
	[ "$(complete_line 'ktrace stop ')" = "one two" ]
	ktrace stop one
	make_calls 100
	[ "$(count_hits two)" -eq 200 ]
	[ "$(ls "$PLACE")" = two ]
	ktrace stop two
}

@test "several flights at once" {
	run_on_bpffs check_several
}

# Prints each ring by its pin, and by where programs find it, as the kernel has it.
pinned_places() { # NAME
	local n set ring
	n=$(($(bpftool -j map show pinned "$PLACE/$1/counters" | jq .max_entries) / 4))
	for set in 0 1; do
		for ring in $(ls "$PLACE/$1/set$set" 2>none); do
			echo "$((set * n + ${ring#cpu}))" \
				"$(bpftool -j map show pinned "$PLACE/$1/set$set/$ring" | jq .id)"
		done
	done | sort
}

list_rings() { # NAME
	local entry
	while read -r -a entry; do
		echo "$((0x${entry[1]}${entry[0]})) $((0x${entry[7]}${entry[6]}${entry[5]}${entry[4]}))"
	done < <(bpftool -j map dump pinned "$PLACE/$1/rings" |
		jq -r '.[] | .key + .value | map(ltrimstr("0x")) | join(" ")') | sort
}

read_memory() { # NAME
	"$KTRACE" status --json "$1" | jq .memory
}

check_spare() {
	local rings
	ktrace start -e "$GETPGID" -b 1M with
	ktrace start -e "$GETPGID" -b 1M --no-spare without
	[ "$(ls "$PLACE/with/set0")" = "$(ls "$PLACE/with/set1")" ]
	diff <(ls "$PLACE/with/set0") <(ls "$PLACE/without/set0")
	[ ! -e "$PLACE/without/set1" ]
	diff <(list_rings with) <(pinned_places with)
	diff <(list_rings without) <(pinned_places without)
	rings=$(list_rings without | wc -l)
	[ "$rings" -eq "$(ls "$PLACE/without/set0" | wc -l)" ]
	[ "$("$KTRACE" status --json with | jq .spare_rings)" -eq "$rings" ]
	[ "$("$KTRACE" status --json without | jq .spare_rings)" -eq 0 ]
	[ "$(read_memory with)" -ge $(($(read_memory without) + (rings << 20))) ]
	"$KTRACE" status without >report
	grep " used; " report
	ktrace stop with
	ktrace stop without
}

@test "spare buffers as large as the rings exist by default" {
	run_on_bpffs check_spare
}

check_errors() {
	assert_fails 1 start -e sched_swtich
	[[ $message == *"did you mean 'sched:sched_switch'?"* ]]
	assert_fails 2 start -e sched_switch a/b
	[[ $message == "ktrace start: names consist of letters, digits, "* ]]
	assert_fails 2 stop ..
	assert_fails 2 start one two
	[ "$message" = "ktrace start: unexpected argument 'two'; see 'ktrace start --help'" ]
	assert_fails 2 start -f 'pid == 1'
	assert_fails 2 start -b 7K
	assert_fails 1 start -e sched_switch -f 'nosuch == 1'
	[ ! -e "$PLACE" ]
}

@test "errors leave nothing behind" {
	run_on_bpffs check_errors
}

# A signal pending at start must act like one at the first step.
check_signals() {
	status=0
	perl -MPOSIX=:signal_h -e 'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGINT));
		kill INT => $$; exec @ARGV' "$KTRACE" start 2>message || status=$?
	[ "$status" -eq 1 ]
	[ "$(<message)" = "ktrace start: interrupted before anything was recorded" ]
	[ ! -e "$PLACE" ]
}

@test "Ctrl-C during start leaves nothing" {
	run_on_bpffs check_signals
}

check_remains() {
	mkdir -m 700 -p "$PLACE/flight/link"
	ktrace stop
	[ ! -e "$PLACE" ]
	mkdir -m 700 -p "$PLACE/flight/link"
	ktrace start -e "$GETPGID" -b 8K
	ktrace stop
}

@test "remains of a killed start do not block the next one, and stop removes them" {
	run_on_bpffs check_remains
}

check_rights() {
	umount /sys/fs/bpf
	"$KTRACE" list >/dev/null
	! setpriv --bounding-set -sys_admin --inh-caps -sys_admin \
		"$KTRACE" start -e "$GETPGID" 2>message
	grep -F "no BPF file system is mounted at /sys/fs/bpf, and mounting one needs CAP_SYS_ADMIN" message
	[ "$(stat -f -c %T /sys/fs/bpf)" != bpf_fs ]
	ktrace start -e "$GETPGID" -b 8K
	! setpriv --reuid 65534 --clear-groups "$KTRACE" stop 2>message
	grep -F "$NOT_ROOT" message
	ktrace stop
}

@test "missing rights are named; other users cannot stop a flight" {
	run_on_bpffs check_rights
}
