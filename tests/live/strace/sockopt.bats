#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Values of socket options. strace is the witness.

bats_require_minimum_version 1.5.0
load ../recording

# Removes PIDs and varying addresses.
normalize() {
	perl -ne 's/^\d+ +// && /^[sg]etsockopt/ or next; s/\) += /) = /; s| /\* \w+\?\?\? \*/||; s/\b0x[0-9a-f]{6,}\b/POINTER/; s/pid=[1-9]\d*/PID/;
		print' "$1"
}

@test "values of socket options are as strace prints them, except for the documented ones" {
	record -e 'syscalls:setsockopt,syscalls:getsockopt' -f 'comm == "options"' --strict -- \
		strace -f -v -s 4096 -o straced "$TRACED/options"
	[ "$status" -eq 0 ]
	"$KTRACE" print --strace -s 4096 >printed
	normalize straced >theirs
	normalize printed >ours
	[ "$(wc -l <theirs)" -eq "$(wc -l <ours)" ]

	# Times, text of four bytes, and the first 256 bytes of longer values.
	diff theirs ours | sed -n 's/^> //p' >differing
	perl -pe 's/"\\1\\0.*\?\\0\\0\\0@\\0\\0\\0"(?=\.)/GROUPS/; s/"(\\0){256}"/ZEROES/; s/(?<=sockopt)\(\d/(S/' differing |
		sort | uniq -c | sed 's/^ *//' >seen
	diff seen - <<-'END'
		1 getsockopt(S, SOL_SOCKET, SO_PEERGROUPS, GROUPS..., [400]) = 0
		2 getsockopt(S, SOL_SOCKET, SO_RCVTIMEO_OLD, {tv_sec=2, ...}, [12]) = 0
		2 getsockopt(S, SOL_SOCKET, SO_RCVTIMEO_OLD, {tv_sec=2, tv_usec=500000}, [16]) = 0
		2 getsockopt(S, SOL_SOCKET, SO_RCVTIMEO_OLD, {tv_sec=2}, [8]) = 0
		2 setsockopt(S, SOL_SOCKET, SO_RCVTIMEO_OLD, {tv_sec=2, tv_usec=500000}, 16) = 0
		2 setsockopt(S, SOL_SOCKET, SO_SNDTIMEO_OLD, {tv_sec=2, ...}, 15) = -1 EINVAL (Invalid argument)
		1 setsockopt(S, SOL_TCP, TCP_CONGESTION, "reno", 4) = -1 ENOPROTOOPT (Protocol not available)
		1 setsockopt(S, SOL_TCP, TCP_CONGESTION, "reno", 4) = 0
		1 setsockopt(S, SOL_TCP, TCP_CONGESTION, ZEROES..., 257) = -1 EOPNOTSUPP (Operation not supported)
	END

	# Other programs read bytes of a type whose name says what they are.
	"$KTRACE" print --events --json >objects
	[ "$(jq -c 'select(.fields.optlen == 4 and .fields.optname == 8) | .fields.__optval_val' objects)" = 1048576 ]
	[ "$(jq -c 'select(.fields.optlen == 8 and .fields.optname == 13) | .fields.__optval_val' objects | uniq)" = \
		'{"l_onoff":1,"l_linger":5}' ]
	[ "$(jq -c 'select(.truncated) | [.event, (.fields.__optval_val | length), .truncated]' objects | paste -sd' ')" = \
		'["sys_exit_getsockopt",256,["__optval_val"]] ["sys_enter_setsockopt",256,["__optval_val"]]' ]
	babeltrace2 ktrace.out | grep -q 'getsockopt: .*__optval_val = \[ \[0\] = 0x6, \[1\] = 0x0,'
}
