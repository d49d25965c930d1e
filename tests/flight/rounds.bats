#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Flights that start and stop on a busy machine while commands are killed at any moment. TIMES=10
# runs more rounds.

load flight

N_CPUS=$(getconf _NPROCESSORS_ONLN)
ROUNDS=$((40 * ${TIMES:-1}))
LIMIT=$((60 + 3 * ROUNDS)) # seconds; a round takes one on a slow machine
export N_CPUS ROUNDS LIMIT

# Prints the control group, v1 or v2, that counts this process's memory; or nothing.
find_memory_group() {
	local top=/sys/fs/cgroup group
	group=$top/memory$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup)/ktrace-rounds
	[ -e "${group%/*}/memory.usage_in_bytes" ] || group=$top/ktrace-rounds
	if mkdir "$group" 2>none; then
		[ ! -e "$group/memory.usage_in_bytes" ] && [ ! -e "$group/memory.current" ] ||
			echo "$group"
	fi
}

# Prints the bytes used, without reclaimable file cache.
memory_of() { # GROUP
	! echo 0 2>none >"$1/memory.force_empty" || true
	! echo 1G 2>none >"$1/memory.reclaim" || true
	cat "$1/memory.usage_in_bytes" 2>none || cat "$1/memory.current"
}

is_memory_below() { # BYTES GROUP
	[ "$(memory_of "$2")" -le "$1" ]
}

# Lists BPF programs and maps with ktrace's names.
list_objects() {
	local kind
	for kind in prog map; do
		bpftool -j "$kind" show |
			jq -r --arg kind "$kind" '.[] | select(.name // "" | startswith("kt_")) |
				"\($kind) \(.id)"'
	done | sort
}

# Waits until all of these are gone. Some may be of another test, which ends them soon.
are_gone() { # FILE
	list_objects >now
	[ -z "$(comm -12 "$1" now)" ]
}

# Processes that start and end, sleep, wake each other and make calls, on each CPU.
start_load() {
	local i
	load=()
	for ((i = 0; i < N_CPUS; i++)); do
		timeout "$LIMIT" perl -e 'for (;;) {
			my $child = fork // die;
			if (!$child) { getpgrp 4194303 for 1 .. 1000; exit }
			waitpid $child, 0;
		}' 3>&- &
		load+=($!)
	done
}

kill_all() {
	local rest
	kill "${load[@]}"
	wait "${load[@]}" || true
	[ -z "$group" ] || {
		while read -r rest; do
			echo "$rest" >"${group%/*}/cgroup.procs"
		done <"$group/cgroup.procs"
		rmdir "$group"
	}
}

# Prints how long a command takes by itself, in µs.
measure() { # COMMAND ARG...
	local began=${EPOCHREALTIME/./}
	ktrace "$@"
	takes[$1]=$((${EPOCHREALTIME/./} - began))
}

# Kills a command at a random moment unless it has just ended. Returns its exit status, 137 if
# killed.
run_and_kill() { # COMMAND ARG...
	local ended=0
	perl -MTime::HiRes=usleep -e 'my $us = rand shift;
		my $child = fork // die;
		exec @ARGV if !$child;
		usleep $us;
		kill KILL => $child;
		waitpid $child, 0;
		exit(($? & 127 ? 128 : 0) + ($? & 127) + ($? >> 8))' \
		"${takes[$1]}" "$KTRACE" "$@" >stdout 2>message || ended=$?
	outcomes+=("$1-$ended")
	return "$ended"
}

# Started or left incomplete, the flight is stopped; one that had not begun left nothing.
stop_flight() {
	ktrace stop || [ "$message" = "ktrace stop: $NOT_RUNNING" ]
	[ ! -e "$PLACE" ]
}

one_round() { # start|snapshot|stop
	case $1 in
	start)
		run_and_kill start || [ $? -eq 137 ]
		[ $((RANDOM % 2)) -eq 0 ] || ktrace start || [[ $message == *"is already running"* ]]
		;;
	snapshot)
		ktrace start
		ktrace snapshot -o before
		run_and_kill snapshot -o during || [ $? -eq 137 ]
		ktrace snapshot -o after
		rm -rf before during* after*
		;;
	stop)
		ktrace start
		ktrace snapshot -o before
		run_and_kill stop || [ $? -eq 137 ]
		rm -r before
		;;
	esac
	stop_flight
}

check_rounds() {
	local kinds=(start snapshot stop) outcomes=() i before held
	local -A takes=()
	group=$(find_memory_group)
	start_load
	trap kill_all EXIT
	[ -z "$group" ] || {
		echo "$BASHPID" >"$group/cgroup.procs"
		before=$(memory_of "$group")
	}
	list_objects >others

	ktrace start # the first start may use less
	ktrace stop
	measure start
	held=$("$KTRACE" status --json flight | jq .memory)
	measure snapshot -o first
	measure stop
	for ((i = 0; i < ROUNDS; i++)); do
		one_round "${kinds[i % 3]}"
	done

	list_objects | comm -13 others - >ours
	printf '%s\n' "${outcomes[@]}" >outcomes
	[ "$(grep -c -- "-137$" outcomes)" -ge $((ROUNDS / 4)) ]
	WITHIN=60 await are_gone ours
	[ -z "$group" ] || {
		await is_memory_below "$((before + held / 2))" "$group" || true
		echo "$before $(memory_of "$group") $held" >"$BATS_FILE_TMPDIR/memory"
	}
}

@test "killed commands leave nothing behind and never hang" {
	run_on_bpffs check_rounds "$LIMIT"
}

# All rounds together must leak less than half of one flight's memory.
@test "no memory is leaked" {
	local before after held
	[ -e "$BATS_FILE_TMPDIR/memory" ] || skip "no control group counts memory here"
	read -r before after held <"$BATS_FILE_TMPDIR/memory"
	[ "$after" -le $((before + held / 2)) ]
}
