#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace start and stop.

load flight

records_until_stopped() {
	local id ring filter='pid == 4194303 && comm != "it'\''s not"'
	ktrace start -e "$GETPGID" -f "$filter" -b 8K
	[[ $said =~ ^"ktrace start: 'flight' records 1 event on the whole machine; it keeps the newest 8.0 KiB of each of "[0-9]+" CPU"s?$ ]]
	make_calls 1000
	[ "$(hits flight)" -eq 1000 ]
	[ "$(about flight | jq -r .command)" = \
		"ktrace start -e $GETPGID -f '${filter//\'/\'\\\'\'}' -b 8K" ]
	[ "$(about flight | jq -r .uid)" -eq "$(id -u)" ]
	id=$(bpftool -j prog show pinned "$PLACE/flight/program/$GETPGID:1" | jq .id)
	ring=$(bpftool -j map show pinned "$PLACE/flight/bank0/cpu0" | jq .id)

	refused 1 start
	[ "$said" = "ktrace start: a flight recorder 'flight' is already running
  stop it with 'ktrace stop flight', or choose another name" ]
	make_calls 10
	[ "$(hits flight)" -eq 1010 ]

	ktrace stop
	[ "$said" = "ktrace stop: 'flight' is stopped" ]
	[ ! -e "$PLACE" ]
	await_end prog "$id"
	await_end map "$ring"
	refused 1 stop
	[ "$said" = "ktrace stop: $NOT_RUNNING" ]
}

nothing_but_their_directory() {
	mkdir "$PLACE"
	refused 1 stop
	[ "$said" = "ktrace stop: $NOT_RUNNING" ]
	[ ! -e "$PLACE" ]
	ktrace start -e "$GETPGID" -b 8K other
	refused 1 stop
	ktrace stop other
}

@test "of a stop that was killed when the last one had gone, the next one leaves nothing" {
	apart nothing_but_their_directory
}

@test "it records with no process alive until it is stopped, and then is gone" {
	apart records_until_stopped
}

side_by_side() {
	ktrace start -e "$GETPGID" -f 'pid == 4194303' -b 8K one
	make_calls 100
	ktrace start two -b 64K -e "$GETPGID" -f 'pid == 4194303'
	make_calls 100
	[ "$(completed 'ktrace stop ')" = "one two" ]
	ktrace stop one
	make_calls 100
	[ "$(hits two)" -eq 200 ]
	[ "$(ls "$PLACE")" = two ]
	ktrace stop two
}

@test "several, side by side" {
	apart side_by_side
}

# Where each ring stands by its pin; and where programs find one, as the kernel has it.
pinned_places() { # NAME
	local n bank ring
	n=$(($(bpftool -j map show pinned "$PLACE/$1/ledger" | jq .max_entries) / 4))
	for bank in 0 1; do
		for ring in $(ls "$PLACE/$1/bank$bank" 2>none); do
			echo "$((bank * n + ${ring#cpu}))" \
				"$(bpftool -j map show pinned "$PLACE/$1/bank$bank/$ring" | jq .id)"
		done
	done | sort
}

places() { # NAME
	local entry
	while read -r -a entry; do
		echo "$((0x${entry[1]}${entry[0]})) $((0x${entry[7]}${entry[6]}${entry[5]}${entry[4]}))"
	done < <(bpftool -j map dump pinned "$PLACE/$1/rings" |
		jq -r '.[] | .key + .value | map(ltrimstr("0x")) | join(" ")') | sort
}

memory() { # NAME
	"$KTRACE" status --json "$1" | jq .memory
}

spare() {
	local rings
	ktrace start -e "$GETPGID" -b 1M with
	ktrace start -e "$GETPGID" -b 1M --no-spare without
	[ "$(ls "$PLACE/with/bank0")" = "$(ls "$PLACE/with/bank1")" ]
	diff <(ls "$PLACE/with/bank0") <(ls "$PLACE/without/bank0")
	[ ! -e "$PLACE/without/bank1" ]
	diff <(places with) <(pinned_places with)
	diff <(places without) <(pinned_places without)
	rings=$(places without | wc -l)
	[ "$rings" -eq "$(ls "$PLACE/without/bank0" | wc -l)" ]
	[ "$("$KTRACE" status --json with | jq .spare_rings)" -eq "$rings" ]
	[ "$("$KTRACE" status --json without | jq .spare_rings)" -eq 0 ]
	[ "$(memory with)" -ge $(($(memory without) + (rings << 20))) ]
	"$KTRACE" status without >report
	grep " used; " report
	ktrace stop with
	ktrace stop without
}

@test "there are as many rings to spare, unless it is said" {
	apart spare
}

default_set() {
	ktrace start
	[ "$(about flight | jq -r '.events[] | "\(.system):\(.name)"' | sort)" = \
		"$("$KTRACE" list --default | sort)" ]
	[ "$(ls "$PLACE/flight/link" | wc -l)" -eq "$("$KTRACE" list --default | wc -l)" ]
	ktrace stop
}

@test "without -e it records what list --default names" {
	apart default_set
}

leaves_nothing() {
	refused 1 start -e sched_swtich
	[[ $said == *"did you mean 'sched:sched_switch'?"* ]]
	refused 2 start -e sched_switch a/b
	[[ $said == "ktrace start: names consist of letters, digits, "* ]]
	refused 2 stop ..
	refused 2 start one two
	[ "$said" = "ktrace start: unexpected argument 'two'; see 'ktrace start --help'" ]
	refused 2 start -f 'pid == 1'
	refused 2 start -b 7K
	refused 1 start -e sched_switch -f 'nosuch == 1'
	[ ! -e "$PLACE" ]
}

@test "what is wrong is said, and leaves nothing" {
	apart leaves_nothing
}

# That the signal is there already when ktrace is begun is as if it came at its first step.
interrupted() {
	status=0
	perl -MPOSIX=:signal_h -e 'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGINT));
		kill INT => $$; exec @ARGV' "$KTRACE" start 2>said || status=$?
	[ "$status" -eq 1 ]
	[ "$(<said)" = "ktrace start: interrupted before anything was recorded" ]
	[ ! -e "$PLACE" ]
}

@test "Ctrl-C before it has started leaves nothing" {
	apart interrupted
}

remnant() {
	mkdir -m 700 -p "$PLACE/flight/link"
	ktrace stop
	[ ! -e "$PLACE" ]
	mkdir -m 700 -p "$PLACE/flight/link"
	ktrace start -e "$GETPGID" -b 8K
	ktrace stop
}

@test "what a killed ktrace left is no hindrance, and stop removes it" {
	apart remnant
}

without_rights() {
	umount /sys/fs/bpf
	"$KTRACE" list >/dev/null
	! setpriv --bounding-set -sys_admin --inh-caps -sys_admin \
		"$KTRACE" start -e "$GETPGID" 2>said
	grep -F "no BPF file system is mounted at /sys/fs/bpf, and mounting one needs CAP_SYS_ADMIN" said
	[ "$(stat -f -c %T /sys/fs/bpf)" != bpf_fs ]
	ktrace start -e "$GETPGID" -b 8K
	! setpriv --reuid 65534 --clear-groups "$KTRACE" stop 2>said
	grep -F "$NOT_ROOT" said
	ktrace stop
}

@test "without the rights it says which one is missing, and somebody else cannot stop it" {
	apart without_rights
}
