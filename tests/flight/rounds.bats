#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Sessions that come and go on a busy machine, while whoever starts, takes or ends them is killed at
# any moment of it. TIMES=10 for more of them.

load flight

N_CPUS=$(getconf _NPROCESSORS_ONLN)
ROUNDS=$((40 * ${TIMES:-1}))
LIMIT=$((60 + ROUNDS)) # seconds
export N_CPUS ROUNDS LIMIT

# A control group that counts the memory of those in it, in v1 or v2; or nothing.
memory_group() {
	local top=/sys/fs/cgroup group
	group=$top/memory$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup)/ktrace-rounds
	[ -e "${group%/*}/memory.usage_in_bytes" ] || group=$top/ktrace-rounds
	if mkdir "$group" 2>none; then
		[ ! -e "$group/memory.usage_in_bytes" ] && [ ! -e "$group/memory.current" ] ||
			echo "$group"
	fi
}

# Bytes, without what the kernel keeps of files only until there is a better use for it.
used_by() { # GROUP
	! echo 0 2>none >"$1/memory.force_empty" || true
	! echo 1G 2>none >"$1/memory.reclaim" || true
	cat "$1/memory.usage_in_bytes" 2>none || cat "$1/memory.current"
}

uses_at_most() { # BYTES GROUP
	[ "$(used_by "$2")" -le "$1" ]
}

# Programs and maps as ktrace names them, whoever's they are.
objects() {
	local kind
	for kind in prog map; do
		bpftool -j "$kind" show |
			jq -r --arg kind "$kind" '.[] | select(.name // "" | startswith("kt_")) |
				"\($kind) \(.id)"'
	done | sort
}

# All of these have ended. Some were another one's, who ends them soon.
have_ended() { # FILE
	objects >now
	[ -z "$(comm -12 "$1" now)" ]
}

# Processes come and go, wait, wake each other and make calls, on each CPU.
begin_load() {
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

end_all() {
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

# How long each takes of itself, in us.
measure() { # COMMAND ARG...
	local began=${EPOCHREALTIME/./}
	ktrace "$@"
	takes[$1]=$((${EPOCHREALTIME/./} - began))
}

# Somewhere in its course, unless it has just ended. Its exit status, 137 if it was killed.
killed() { # COMMAND ARG...
	local ended=0
	perl -MTime::HiRes=usleep -e 'my $us = rand shift;
		my $child = fork // die;
		exec @ARGV if !$child;
		usleep $us;
		kill KILL => $child;
		waitpid $child, 0;
		exit(($? & 127 ? 128 : 0) + ($? & 127) + ($? >> 8))' \
		"${takes[$1]}" "$KTRACE" "$@" >stdout 2>said || ended=$?
	outcomes+=("$1-$ended")
	return "$ended"
}

# Ended or left behind, it goes; of one that had not begun there was nothing.
stopped() {
	ktrace stop || [ "$said" = "ktrace stop: $NOT_RUNNING" ]
	[ ! -e "$PLACE" ]
}

one_round() { # start|snapshot|stop
	case $1 in
	start)
		killed start || [ $? -eq 137 ]
		[ $((RANDOM % 2)) -eq 0 ] || ktrace start || [[ $said == *"is already running"* ]]
		;;
	snapshot)
		ktrace start
		ktrace snapshot -o before
		killed snapshot -o during || [ $? -eq 137 ]
		ktrace snapshot -o after
		rm -rf before during* after*
		;;
	stop)
		ktrace start
		ktrace snapshot -o before
		killed stop || [ $? -eq 137 ]
		rm -r before
		;;
	esac
	stopped
}

rounds() {
	local kinds=(start snapshot stop) outcomes=() i before held
	local -A takes=()
	group=$(memory_group)
	begin_load
	trap end_all EXIT
	[ -z "$group" ] || {
		echo "$BASHPID" >"$group/cgroup.procs"
		before=$(used_by "$group")
	}
	objects >others

	ktrace start # the first one may take less
	ktrace stop
	measure start
	held=$("$KTRACE" status --json flight | jq .memory)
	measure snapshot -o first
	measure stop
	for ((i = 0; i < ROUNDS; i++)); do
		one_round "${kinds[i % 3]}"
	done

	objects | comm -13 others - >ours
	printf '%s\n' "${outcomes[@]}" >outcomes
	[ "$(grep -c -- "-137$" outcomes)" -ge $((ROUNDS / 4)) ]
	WITHIN=60 await have_ended ours
	[ -z "$group" ] || {
		await uses_at_most "$((before + held / 2))" "$group" || true
		echo "$before $(used_by "$group") $held" >"$BATS_FILE_TMPDIR/memory"
	}
}

@test "nothing is left of them, whoever is killed, and none is stuck" {
	apart rounds "$LIMIT"
}

# All rounds together leave less than half of what one session holds.
@test "nor is any memory lost" {
	local before after held
	[ -e "$BATS_FILE_TMPDIR/memory" ] || skip "no control group counts memory here"
	read -r before after held <"$BATS_FILE_TMPDIR/memory"
	[ "$after" -le $((before + held / 2)) ]
}
