# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Flight recorders on a bpffs of the test's own. What bpftool reads of the kernel's objects is the
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
	cp "$(type -P true)" kt_flown # nobody else runs it
}

# Run a function on a bpffs of its own, which goes when it ends. The first one of a file has ktrace
# mount it, and tries whether sessions may be started at all.
apart() { # FUNCTION [SECONDS]
	local -x COMPLETION=${BASH_SOURCE[0]%/*}/../../completion/ktrace.bash
	export KTRACE PLACE GETPGID INCOMPLETE NOT_RUNNING NOT_ROOT
	unshare -m timeout "${2:-60}" bash -euo pipefail -c "$(declare -f)"'
		while umount -q /sys/fs/bpf; do :; done
		mountpoint -q /sys/kernel/tracing || mount -t tracefs nodev /sys/kernel/tracing
		if [ ! -e "$BATS_FILE_TMPDIR/may" ]; then
			ktrace start -b 8K -e sched_process_exit ||
				! grep -q "not permitted\|denied" said || exit 99
			ktrace stop
			touch "$BATS_FILE_TMPDIR/may"
		else
			mount -t bpf -o mode=700 bpf /sys/fs/bpf
		fi
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

# Of a command that switches events, as all of them do; 'one' runs then, of one event alone.
refuses_what_is_not_there() { # COMMAND
	refused 1 "$1" -e sched_switch
	[ "$said" = "ktrace $1: $NOT_RUNNING" ]
	refused 2 "$1"
	[ "$said" = "ktrace $1: missing -e PATTERN" ]
	refused 2 "$1" sched_switch
	[ "$said" = "ktrace $1: missing -e PATTERN
  'sched_switch' is the name of a flight recorder here; for events: ktrace $1 -e 'sched_switch'" ]
	refused 2 "$1" -e a one two
	refused 2 "$1" -e a a/b
	ktrace start -e "$GETPGID" -b 8K one
	[ "$(completed "ktrace $1 ")" = one ]
	refused 1 "$1" -e sched_switch one
	diff <(echo "$said") - <<-END
		ktrace $1: no event of flight recorder 'one' is called 'sched_switch'; see 'ktrace status one'
		  sched_switch
		  ^~~~~~~~~~~~
	END
	! setpriv --reuid 65534 --clear-groups "$KTRACE" "$1" -e x one 2>said
	[ "$(<said)" = "ktrace $1: $NOT_ROOT" ]
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

# What the session has counted of its one event, on all CPUs: the N-th figure of bpf/counters.h. Behind
# both banks of the ledger stands what was in each when it was cleared.
counted() { # NAME N
	local sum=0 cpu
	while read -r -a cpu; do
		sum=$((sum + $(u64 "${cpu[@]}")))
	done < <(bpftool -j map dump pinned "$PLACE/$1/ledger" |
		jq -r ".[:length / 2][].value[8 * $2:8 * $2 + 8] | map(ltrimstr(\"0x\")) | join(\" \")")
	echo "$sum"
}

hits() { # NAME
	counted "$1" 0
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

# What bash makes of a line of two words with its cursor behind a blank.
completed() { # LINE
	. "$COMPLETION"
	local words
	read -r -a words <<<"$1"
	COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=("${words[@]}" '') COMP_CWORD=2
	_ktrace
	echo "${COMPREPLY[*]}"
}

# Until it is so, for some time, or as many seconds as WITHIN says.
await() { # COMMAND...
	local tries
	for ((tries = 0; tries < 50 * ${WITHIN:-4}; tries++)); do
		! "$@" || return 0
		sleep 0.02
	done
	return 1
}

# Somebody waits for hits, by $vigil; what he says is in the file heard.
begin_vigil() { # ARG...
	: >heard
	"$KTRACE" snapshot "$@" >nothing 2>heard 3>&- &
	vigil=$!
	trap 'kill "$vigil"' EXIT
	await grep -q "waiting for hits of" heard
}

has_taken() { # SNAPSHOTS
	[ "$(grep -c "^  hit .* before" heard)" -ge "$1" ]
}

end_vigil() { # SIGNAL STATUS
	local ended=0
	[ "$1" = none ] || kill "-$1" "$vigil"
	wait "$vigil" || ended=$?
	trap - EXIT
	[ "$ended" -eq "$2" ]
	[ ! -s nothing ]
}
