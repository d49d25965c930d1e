#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What ioctl is given and gives, by its request. The witness is strace.

bats_require_minimum_version 1.5.0
load ../recording

# Without the process, what is another address in each run, and what strace says of the same in other
# words: requests that share a number, what it does not know, and flags of which there are none.
in_common() {
	perl -ne 's/^\d+ +// && /^ioctl/ or next; s/\) += /) = /; s| /\* \w+\?\?\? \*/||;
		s/(?<=, )\w+ or (?=\w)//; s/(c_.flag=)(?=,)/${1}0/g; s/\bCS\d\K\|(?=,)//;
		s/\b0x[0-9a-f]{12}\b/POINTER/; print' "$1"
}

# The one file's lines that the other has not, of any descriptor, and how often.
only() {
	diff "$1" "$2" | perl -ne 's/^< // or next; s/(?<=ioctl)\(\d/(F/; s/(\\0){256}/ZEROES/; s/= -1 E.*/FAILS/;
		s/(?<=fsx_xflags=)[^,]*/FLAGS/; print' |
		sort | uniq -c | sed 's/^ *//'
}

@test "what ioctl is given and gives is what strace shows, but for what that does not know" {
	record -e 'syscalls:ioctl' -f 'comm == "requests"' --strict -- strace -f -v -o straced "$TRACED/requests"
	[ "$status" -eq 0 ]
	"$KTRACE" print --strace >printed
	in_common straced >theirs
	in_common printed >ours
	[ "$(wc -l <theirs)" -eq "$(wc -l <ours)" ]
	[ "$(wc -l <ours)" -gt 400 ]

	# Numbers that are given in any case, or that strace leaves out; requests that have no name; what is
	# no address; and NULL, which is a number like others.
	only ours theirs | grep -v 'FIGETBSZ\|FIOQSIZE\|GETVERSION\|TIOCGP[KT]' >seen
	diff seen - <<-'END'
		4 ioctl(F, 0x400c5101, "unknown\0one\0") FAILS
		4 ioctl(F, 0x5105, POINTER) FAILS
		4 ioctl(F, 0x80005104, POINTER) FAILS
		4 ioctl(F, 0xc1005102, "ZEROES") FAILS
		4 ioctl(F, 0xc1015103, POINTER) FAILS
		4 ioctl(F, FIBMAP, [0]) FAILS
		4 ioctl(F, FS_IOC_FSSETXATTR, {fsx_xflags=FLAGS, fsx_extsize=1, fsx_nextents=2, fsx_projid=0x3, fsx_cowextsize=4}) FAILS
		4 ioctl(F, PERF_EVENT_IOC_SET_FILTER, POINTER) FAILS
		4 ioctl(F, TIOCGWINSZ, 0) FAILS
		4 ioctl(F, TIOCSWINSZ, 0) FAILS
	END

	# What strace leaves out of what is given: as stat has it, and 0, as the terminal is nobody's.
	grep -qF "FIGETBSZ, [$(stat -f -c %s /)])" ours
	grep -qF 'TIOCGPKT, [0])' ours

	# Both are what another program reads: bytes, which are called what they are by who knows the request.
	"$KTRACE" print --json >objects
	[ "$(jq -c 'select(.labels.cmd == "TIOCSWINSZ") | .fields.__arg_val | select(.)' objects | uniq)" = \
		'{"ws_row":24,"ws_col":80,"ws_xpixel":32767,"ws_ypixel":65535}' ]
	[ "$(jq -c 'select(.labels.cmd == "FS_IOC_SETFLAGS") | .fields.__arg_val' objects | sed -n 5p)" = \
		'["FS_SYNC_FL","FS_INDEX_FL"]' ]
	babeltrace2 ktrace.out | grep -q 'enter_ioctl: .*__arg_val = \[ \[0\] = 0x18, \[1\] = 0x0, \[2\] = 0x50,'
}
