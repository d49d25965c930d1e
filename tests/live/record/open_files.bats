#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The process's file descriptors: closed ones, and few of them.

bats_require_minimum_version 1.5.0
load ../recording

# The files of the trace in t, by what babeltrace2 reads, which fails on a foreign byte in them.
is_whole() {
	[ "$(count_events t)" -ge 1 ]
	"$KTRACE" report t >/dev/null
	! grep -rqa 'ktrace record: ' t
}

@test "a standard descriptor that is closed is given to no file of the trace, nor to the command" {
	look='for i in 0 1 2; do [ -e /proc/$$/fd/$i ] && echo open $i || echo closed $i; done >fds'
	for closed in '<&-' '>&-' '2>&-' '<&- >&- 2>&-'; do
		rm -rf t
		eval "\"$KTRACE\" record -o t -e sched_switch,sched_process_exec -- sh -c '$look'" \
			"3>&- $closed"
		is_whole
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

@test "where descriptors run out that is said once, and what could be attached is recorded" {
	n=$("$KTRACE" list 'sched:*,irq:*,timer:*,kmem:*' | wc -l)
	for limit in 40 48 64; do
		rm -rf t
		via=(bash -c "ulimit -n $limit; exec \"\$@\"" -)
		record -o t -e 'sched:*,irq:*,timer:*,kmem:*' -a -- sh -c 'sleep .1'
		[ "$status" -eq 0 ]
		[ "$(grep -c "Too many open files; 'ulimit -n' allows $limit" said)" -eq 1 ]
		[ "$(grep -vc "lost [0-9]* of " said)" -eq 3 ] # an interrupt may keep some back
		[[ $(<said) =~ recording\ ([0-9]+)\ events\ .*,\ ([0-9]+)\ skipped ]]
		[ "${BASH_REMATCH[1]}" -ge 1 ]
		[ $((BASH_REMATCH[1] + BASH_REMATCH[2])) -eq "$n" ]
		[ "$(grep -c 'event {' t/metadata)" -ge "${BASH_REMATCH[1]}" ]
	done
	for limit in 9 12 20; do
		via=(bash -c "ulimit -n $limit; exec \"\$@\"" -)
		record -o few -e 'sched:*' -a -- sleep 1
		[ "$status" -eq 1 ]
		[ "$(grep -c . said)" -eq 1 ]
		[[ $(<said) == *"Too many open files; 'ulimit -n' allows $limit" ]]
		[ ! -e few ]
	done
}

@test "a soft limit of open files is raised in every command" {
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
