#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# File descriptors: closed standard ones, and few available.

bats_require_minimum_version 1.5.0
load ../recording

# The trace in t is intact: babeltrace2 fails on foreign bytes.
assert_intact() {
	[ "$(count_events t)" -ge 1 ]
	"$KTRACE" report t >/dev/null
	! grep -rqa 'ktrace record: ' t
}

@test "a closed standard descriptor is reused neither for the trace nor in the command" {
	look='for i in 0 1 2; do [ -e /proc/$$/fd/$i ] && echo open $i || echo closed $i; done >fds'
	for closed in '<&-' '>&-' '2>&-' '<&- >&- 2>&-'; do
		rm -rf t
		eval "\"$KTRACE\" record -o t -e sched_switch,sched_process_exec -- sh -c '$look'" \
			"3>&- $closed"
		assert_intact
		eval "sh -c '$look' $closed"
		mv fds expected
		eval "\"$KTRACE\" strace -o t.txt sh -c '$look' 3>&- $closed"
		diff expected fds
		grep -q 'execve("' t.txt
		! grep -q 'ktrace strace:' t.txt
	done
	run -1 --separate-stderr bash -c '"$1" list >&-' - "$KTRACE"
	[ "$stderr" = "ktrace: cannot write to standard output: Bad file descriptor" ]
}

@test "if descriptors run out, that is reported once and the attached events are recorded" {
	n=$("$KTRACE" list 'sched:*,irq:*,timer:*,kmem:*' | wc -l)
	for limit in 40 48 64; do
		rm -rf t
		via=(bash -c "ulimit -n $limit; exec \"\$@\"" -)
		record -o t -e 'sched:*,irq:*,timer:*,kmem:*' -a -- sh -c 'sleep .1'
		[ "$status" -eq 0 ]
		[ "$(grep -c "Too many open files; 'ulimit -n' allows $limit" message)" -eq 1 ]
		[ "$(grep -vc "lost [0-9]* of " message)" -eq 3 ] # an interrupt may hold some back
		[[ $(<message) =~ recording\ ([0-9]+)\ events\ .*,\ ([0-9]+)\ skipped ]]
		[ "${BASH_REMATCH[1]}" -ge 1 ]
		[ $((BASH_REMATCH[1] + BASH_REMATCH[2])) -eq "$n" ]
		[ "$(grep -c 'event {' t/metadata)" -ge "${BASH_REMATCH[1]}" ]
	done
	for limit in 9 12 20; do
		via=(bash -c "ulimit -n $limit; exec \"\$@\"" -)
		record -o few -e 'sched:*' -a -- sleep 1
		[ "$status" -eq 1 ]
		[ "$(grep -c . message)" -eq 1 ]
		[[ $(<message) == *"Too many open files; 'ulimit -n' allows $limit" ]]
		[ ! -e few ]
	done
}

@test "every command raises the soft limit of open files" {
	cat >commands <<-END
		list sched:*
		record -o t -e sched:* -- true
		print t
		report t
		strace -o t.txt true
		status
	END
	while read -r command; do
		# shellcheck disable=SC2086 # they are words
		strace -o calls -e trace=prlimit64,setrlimit bash -c 'ulimit -Sn 20; exec "$@"' - \
			"$KTRACE" $command 3>&-
		grep -q "RLIMIT_NOFILE, {rlim_cur=\([0-9*]*\), rlim_max=\1}, NULL) = 0" calls
	done <commands
}
