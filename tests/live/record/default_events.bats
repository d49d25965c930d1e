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
	# Calls that succeeded have a line each, whatever interrupts came between.
	"$KTRACE" print -z t >lines
	[ "$(grep -c ' read(0, 0x[0-9a-f]*, 1) *= 1$' lines)" -eq 1000 ]
	[ "$(grep -c ' write(1, 0x[0-9a-f]*, 1) *= 1$' lines)" -eq 1000 ]
	[ "$(grep -c ' openat(AT_FDCWD, "/dev/zero", O_RDONLY) *= 3$' lines)" -eq 1 ]
	[ "$(count_events t 'sched_process_exec: .* filename = "[^"]*/dd"')" -eq 1 ]
	[ "$(count_events t 'sched_process_exit: .* comm = "dd"')" -eq 1 ]
	[[ $message == *"recording $("$KTRACE" list -d | wc -l) events of 'dd'"* ]]
}

# writev(1, ["some", "words"]), sendmsg(["message"]), recvmsg([9 bytes])
with_data='
	sub vector { pack "(p L!)*", map { ($_, length) } @_ }
	sub message { pack "L! L! p L! L! L! L!", 0, 0, $_[0], 1, 0, 0, 0 }
	my @texts = ("some", "words", "message", "." x 9);
	my @vectors = (vector(@texts[0, 1]), vector($texts[2]), vector($texts[3]));
	syscall(20, 1, $vectors[0], 2);
	socketpair(my $s, my $r, AF_UNIX, SOCK_STREAM, 0);
	syscall(46, fileno($s), message($vectors[1]), 0);
	syscall(47, fileno($r), message($vectors[2]), 0)'

# The data of writev is in the structs' own fields, that of sendmsg in a struct's.
@test "data that calls read and write is recorded if its length is given" {
	record -o t -- perl -MSocket -e "$with_data"
	"$KTRACE" print -z t >lines
	[ "$(grep -c ' writev(1, \[{iov_base=0x[0-9a-f]*, iov_len=4}, {iov_base=0x[0-9a-f]*, iov_len=5}\], 2) *= 9$' lines)" -eq 1 ]
	[ "$(grep -c ' sendmsg(.*msg_iov=\[{iov_base=0x[0-9a-f]*, iov_len=7}\], msg_iovlen=1,.* *= 7$' lines)" -eq 1 ]
	[ "$(grep -c ' recvmsg(.*msg_iov=\[{iov_base=0x[0-9a-f]*, iov_len=9}\], msg_iovlen=1,.* *= 7$' lines)" -eq 1 ]
	record -o t -s 4 -- perl -MSocket -e "$with_data"
	"$KTRACE" print -z t >lines
	[ "$(grep -c ' writev(1, \[{iov_base="some", iov_len=4}, {iov_base="word"..., iov_len=5}\], 2) *= 9$' lines)" -eq 1 ]
	[ "$(grep -cF 'msg_iov=[{iov_base="mess"..., iov_len=7}], msg_iovlen=1,' lines)" -eq 1 ]
	record -o t -e read,write -- dd if=/dev/zero of=/dev/null bs=1 count=10 status=none
	[ "$("$KTRACE" print -z t | grep -cF ' write(1, "\0", 1)')" -eq 10 ]
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
