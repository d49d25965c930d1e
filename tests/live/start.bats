#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# ktrace start and stop, on a bpffs of the test's own, which start mounts. What bpftool reads of the
# kernel's objects is the witness.

load recording

PLACE=/sys/fs/bpf/ktrace
GETPGID=syscalls:sys_enter_getpgid

# Run a function where no bpffs is mounted; what is mounted there goes when it ends.
apart() { # FUNCTION
	local -x COMPLETION=$BATS_TEST_DIRNAME/../../completion/ktrace.bash
	export KTRACE PLACE GETPGID
	unshare -m timeout 60 bash -euo pipefail -c "$(declare -f)"'
		while umount -q /sys/fs/bpf; do :; done
		mountpoint -q /sys/kernel/tracing || mount -t tracefs nodev /sys/kernel/tracing
		ktrace start -b 8K -e sched_process_exit || ! grep -q "not permitted\|denied" said ||
			exit 99
		ktrace stop
		set -x
		"$1"' - "$1" >told 2>&1 || {
		[ $? -ne 99 ] || skip "$(<said)"
		cat told
		return 1
	}
}

# $said, and $status, which it returns.
ktrace() { # ARG...
	status=0
	"$KTRACE" "$@" >stdout 2>said || status=$?
	said=$(<said)
	[ ! -s stdout ]
	return "$status"
}

refused() { # STATUS ARG...
	local expected=$1
	shift
	! ktrace "$@"
	[ "$status" -eq "$expected" ]
}

# Calls that nobody else makes.
make_calls() { # TIMES
	perl -e 'getpgrp(4194303) for 1 .. $ARGV[0]' "$1"
}

u64() { # HEXADECIMAL BYTE...
	local n=0 i
	for ((i = 8; i > 0; i--)); do n=$((n << 8 | 0x${!i})); done
	echo "$n"
}

# How many hits of its one event the session has counted, on all CPUs.
hits() { # NAME
	local sum=0 cpu
	while read -r -a cpu; do
		sum=$((sum + $(u64 "${cpu[@]}")))
	done < <(bpftool -j map dump pinned "$PLACE/$1/ledger" |
		jq -r '.[].value[0:8] | map(ltrimstr("0x")) | join(" ")')
	echo "$sum"
}

about() { # NAME
	bpftool -j map dump pinned "$PLACE/$1/about" |
		jq -r '.[].value | map(ltrimstr("0x")) | join("")' | perl -ne 'print pack "H*", $_' |
		tr -d '\0'
}

# The kernel removes it behind our backs.
await_end() { # prog|map ID
	local tries
	for ((tries = 0; tries < 500; tries++)); do
		bpftool "$1" show id "$2" >/dev/null 2>&1 || return 0
		sleep 0.02
	done
	return 1
}

records_until_stopped() {
	local id ring filter='pid == 4194303 && comm != "it'\''s not"'
	ktrace start -e "$GETPGID" -f "$filter" -b 8K
	[[ $said =~ ^"ktrace start: 'flight' records 1 event on the whole machine; it keeps the last 8.0 KiB of each of "[0-9]+" CPU"s?$ ]]
	make_calls 1000
	[ "$(hits flight)" -eq 1000 ]
	[ "$(about flight | jq -r .command)" = \
		"ktrace start -e $GETPGID -f '${filter//\'/\'\\\'\'}' -b 8K" ]
	[ "$(about flight | jq -r .uid)" -eq "$(id -u)" ]
	id=$(bpftool -j prog show pinned "$PLACE/flight/program/$GETPGID" | jq .id)
	ring=$(bpftool -j map show pinned "$PLACE/flight/ring/cpu0" | jq .id)

	refused 1 start
	[ "$said" = "ktrace start: a session 'flight' is running already
  'ktrace stop flight' ends it; or name another one" ]
	make_calls 10
	[ "$(hits flight)" -eq 1010 ]

	ktrace stop
	[ "$said" = "ktrace stop: 'flight' has ended" ]
	[ ! -e "$PLACE" ]
	await_end prog "$id"
	await_end map "$ring"
	refused 1 stop
	[ "$said" = "ktrace stop: no session 'flight' is running" ]
}

@test "it records with no process alive until it is stopped, and then is gone" {
	apart records_until_stopped
}

# What bash makes of `ktrace stop `.
completed() {
	. "$COMPLETION"
	COMP_LINE='ktrace stop ' COMP_POINT=12 COMP_WORDS=(ktrace stop '') COMP_CWORD=2
	_ktrace
	echo "${COMPREPLY[*]}"
}

side_by_side() {
	ktrace start -e "$GETPGID" -f 'pid == 4194303' -b 8K one
	make_calls 100
	ktrace start two -b 64K -e "$GETPGID" -f 'pid == 4194303'
	make_calls 100
	[ "$(completed)" = "one two" ]
	ktrace stop one
	make_calls 100
	[ "$(hits two)" -eq 200 ]
	[ "$(ls "$PLACE")" = two ]
	ktrace stop two
}

@test "several, side by side" {
	apart side_by_side
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
	[[ $said == "ktrace start: a name has letters, digits, "* ]]
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
	[ "$(<said)" = "ktrace start: ended before anything was recorded" ]
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
	grep -F "no BPF file system is mounted at /sys/fs/bpf, and mounting it needs CAP_SYS_ADMIN" said
	[ "$(stat -f -c %T /sys/fs/bpf)" != bpf_fs ]
	ktrace start -e "$GETPGID" -b 8K
	! setpriv --reuid 65534 --clear-groups "$KTRACE" stop 2>said
	grep -F "/sys/fs/bpf: Permission denied; run as root" said
	ktrace stop
}

@test "without the rights it says which one is missing, and somebody else cannot stop it" {
	apart without_rights
}
