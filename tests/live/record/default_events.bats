#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The default events.

bats_require_minimum_version 1.5.0

load ../recording

# From here on ktrace sees a kernel with only those events that grep selects.
keep_events() { # GREP-ARG...
	unshare -m sh -ec 'mountpoint -q /sys/kernel/tracing ||
			mount -t tracefs none /sys/kernel/tracing
		grep "$@" /sys/kernel/tracing/available_events' - "$@" >available 2>why || skip "$(<why)"
	via=(unshare -m sh -ec 'mountpoint -q /sys/kernel/tracing ||
			mount -t tracefs none /sys/kernel/tracing
		mount --bind available /sys/kernel/tracing/available_events
		exec "$@"' -)
}

# Its fork, its names, its system calls and its exit, each the right number of times.
@test "the default events show who ran, their system calls, and how they ended" {
	record -o t -- dd if=/dev/zero of=/dev/null bs=1 count=1000 status=none
	[ "$status" -eq 0 ]
	[ "$(count_events t)" -eq "$(summary_events)" ]
	[ "$(count_events t 'sys_enter: .* id = 1,')" -eq 1000 ]
	[ "$(count_events t 'sys_exit: .* id = 1,')" -eq 1000 ]
	[ "$(count_events t 'sched_process_exec: .* filename = "[^"]*/dd"')" -eq 1 ]
	[ "$(count_events t 'sched_process_exit: .* comm = "dd"')" -eq 1 ]
	[[ $message == *"recording $("$KTRACE" list -d | wc -l) events of 'dd'"* ]]
}

@test "list -d prints what record records" {
	record -o t -- true
	[ "$status" -eq 0 ]
	"$KTRACE" report --json t | jq -r '.events[] | "\(.system):\(.event)"' | sort >recorded
	"$KTRACE" list -d | sort >listed
	diff recorded listed
	[ "$(wc -l <listed)" -ge 20 ]
	"$KTRACE" list -d sched_wait_task | sort >more
	[ "$(comm -13 listed more)" = sched:sched_wait_task ]
	[ -z "$(comm -23 listed more)" ]
	record -o t -e '!sched:*,irq:*' -e '!signal_deliver' -- true
	"$KTRACE" report --json t | jq -r '.events[] | "\(.system):\(.event)"' | sort >recorded
	diff recorded <(grep -v '^sched:\|^irq:\|:signal_deliver$' listed)
	"$KTRACE" list -d '!sched:*,irq:*' '!signal_deliver' | sort | diff recorded -
}

@test "events missing in a kernel are reported, and no error" {
	keep_events -v -e '^napi:' -e '^skb:kfree_skb'
	record -o t -- true
	[ "$status" -eq 0 ]
	[ "$(grep -c 'this kernel has no' <<<"$message")" -eq 2 ]
	[ "${message%%$'\n'*}" = "ktrace record: this kernel has no napi:napi_poll" ]
	run --separate-stderr "${via[@]}" "$KTRACE" list -d
	[ "$status" -eq 0 ]
	[ "$stderr" = $'ktrace list: this kernel has no napi:napi_poll\nktrace list: this kernel has no skb:kfree_skb' ]
	"$KTRACE" list -d | grep -v -e ^napi: -e ^skb: | diff - <(echo "$output")
}

@test "a kernel without any of them" {
	keep_events '^kmem:kmalloc$'
	record -o t -- true
	[ "$status" -eq 1 ]
	[ "${message##*$'\n'}" = "ktrace record: no event to record" ]
	[ ! -e t ]
}
