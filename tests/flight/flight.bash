# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Helpers for flight recorders on a private bpffs. bpftool, which reads the kernel's objects, is the
# witness.

PLACE=/sys/fs/bpf/ktrace
GETPGID=syscalls:sys_enter_getpgid

# Messages that several tests expect.
INCOMPLETE="incomplete for a while (disabled, paused, PID filter, filter changed or broken); see 'ktrace report'"
NOT_RUNNING="no flight recorder 'flight' is running"
NOT_ROOT="/sys/fs/bpf: Permission denied; run as root"

setup() {
	cd "$BATS_TEST_TMPDIR"
	unshare -m true 2>why || skip "$(<why)"
	cp "$(type -P true)" kt_flown # a name that no other process has
}

# Runs a function on a private bpffs, which disappears when it ends. The first call in a file lets
# ktrace mount it, and skips the test if flight recorders cannot be started here.
run_on_bpffs() { # FUNCTION [SECONDS]
	local -x COMPLETION=${BASH_SOURCE[0]%/*}/../../completion/ktrace.bash
	export KTRACE PLACE GETPGID INCOMPLETE NOT_RUNNING NOT_ROOT
	unshare -m timeout "${2:-60}" bash -euo pipefail -c "$(declare -f)"'
		while umount -q /sys/fs/bpf; do :; done
		mountpoint -q /sys/kernel/tracing || mount -t tracefs nodev /sys/kernel/tracing
		if [ ! -e "$BATS_FILE_TMPDIR/may" ]; then
			ktrace start -b 8K -e sched_process_exit ||
				! grep -q "not permitted\|denied" message || exit 99
			ktrace stop
			touch "$BATS_FILE_TMPDIR/may"
		else
			mount -t bpf -o mode=700 bpf /sys/fs/bpf
		fi
		set -x
		"$1"' - "$1" >log 2>&1 || {
		[ $? -ne 99 ] || skip "$(<message)"
		cat log
		return 1
	}
}

# Runs ktrace. Sets $message, without what status says of other tests' recordings, and $status, which
# it returns.
ktrace() { # ARG...
	status=0
	"$KTRACE" "$@" >stdout 2>message || status=$?
	message=$(sed '/: the kernel is detaching /d' message)
	[ ! -s stdout ]
	return "$status"
}

assert_fails() { # STATUS ARG...
	local expected=$1
	shift
	! ktrace "$@"
	[ "$status" -eq "$expected" ]
}

# Tests the errors that all commands taking -e share. Starts flight 'one' with one event.
assert_event_errors() { # COMMAND
	assert_fails 1 "$1" -e sched_switch
	[ "$message" = "ktrace $1: $NOT_RUNNING" ]
	assert_fails 2 "$1"
	[ "$message" = "ktrace $1: missing -e PATTERN" ]
	assert_fails 2 "$1" sched_switch
	[ "$message" = "ktrace $1: missing -e PATTERN
  'sched_switch' is the name of a flight recorder here; for events: ktrace $1 -e 'sched_switch'" ]
	assert_fails 2 "$1" -e a one two
	assert_fails 2 "$1" -e a a/b
	ktrace start -e "$GETPGID" -b 8K one
	[ "$(complete_line "ktrace $1 ")" = one ]
	assert_fails 1 "$1" -e sched_switch one
	diff <(echo "$message") - <<-END
		ktrace $1: no event of flight recorder 'one' is called 'sched_switch'; see 'ktrace status one'
		  sched_switch
		  ^~~~~~~~~~~~
	END
	! setpriv --reuid 65534 --clear-groups "$KTRACE" "$1" -e x one 2>message
	[ "$(<message)" = "ktrace $1: $NOT_ROOT" ]
}

# Makes calls that no other process makes.
make_calls() { # TIMES
	perl -e 'getpgrp(4194303) for 1 .. $ARGV[0]' "$1"
}

u64() { # HEXADECIMAL BYTE...
	local n=0 i
	for ((i = 8; i > 0; i--)); do n=$((n << 8 | 0x${!i})); done
	echo "$n"
}

# Returns a counter of flight NAME's only event, summed over CPUs: the N-th member of
# bpf/counters.h. The map also has each buffer set's counters at its last clear, which are skipped.
read_counter() { # NAME N
	local sum=0 cpu
	while read -r -a cpu; do
		sum=$((sum + $(u64 "${cpu[@]}")))
	done < <(bpftool -j map dump pinned "$PLACE/$1/counters" |
		jq -r ".[:length / 2][].value[8 * $2:8 * $2 + 8] | map(ltrimstr(\"0x\")) | join(\" \")")
	echo "$sum"
}

count_hits() { # NAME
	read_counter "$1" 0
}

read_info() { # NAME
	bpftool -j map dump pinned "$PLACE/$1/info" |
		jq -r '.[].value | map(ltrimstr("0x")) | join("")' | perl -ne 'print pack "H*", $_' |
		tr -d '\0'
}

# Waits until the kernel has freed it.
await_freed() { # prog|map ID
	local tries
	for ((tries = 0; tries < 500; tries++)); do
		bpftool "$1" show id "$2" >/dev/null 2>&1 || return 0
		sleep 0.02
	done
	return 1
}

# Prints what bash completion offers for a command line of two words and a blank.
complete_line() { # LINE
	. "$COMPLETION"
	local words
	read -r -a words <<<"$1"
	COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=("${words[@]}" '') COMP_CWORD=2
	_ktrace
	echo "${COMPREPLY[*]}"
}

# Waits until a command succeeds, for 4 seconds or $WITHIN.
await() { # COMMAND...
	local tries
	for ((tries = 0; tries < 50 * ${WITHIN:-4}; tries++)); do
		! "$@" || return 0
		sleep 0.02
	done
	return 1
}

# Starts 'snapshot --on' in the background as $waiter; its messages go to the file messages.
start_waiter() { # ARG...
	: >messages
	"$KTRACE" snapshot "$@" >nothing 2>messages 3>&- &
	waiter=$!
	trap 'kill "$waiter"' EXIT
	await grep -q "waiting for hits of" messages
}

has_snapshots() { # SNAPSHOTS
	[ "$(grep -c "^  hit .* before" messages)" -ge "$1" ]
}

end_waiter() { # SIGNAL STATUS
	local ended=0
	[ "$1" = none ] || kill "-$1" "$waiter"
	wait "$waiter" || ended=$?
	trap - EXIT
	[ "$ended" -eq "$2" ]
	[ ! -s nothing ]
}
