#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The data of ioctl requests. strace is the witness.

bats_require_minimum_version 1.5.0
load ../recording

# Removes PIDs, varying addresses, and known differences from strace: requests that share a number,
# requests strace does not decode, and empty flags.
normalize() {
	perl -ne 's/^\d+ +// && /^ioctl/ or next; s/\) += /) = /; s| /\* \w+\?\?\? \*/||;
		s/(?<=, )\w+ or (?=\w)//; s/(c_.flag=)(?=,)/${1}0/g; s/\bCS\d\K\|(?=,)//;
		s/\b0x[0-9a-f]{12}\b/POINTER/; print' "$1"
}

# Lists the lines that only one file has, for any descriptor, with their counts.
list_unique() {
	diff "$1" "$2" | perl -ne 's/^< // or next; s/(?<=ioctl)\(\d/(F/; s/(\\0){256}/ZEROES/; s/= -1 E.*/FAILS/;
		s/(?<=fsx_xflags=)[^,]*/FLAGS/; print' |
		sort | uniq -c | sed 's/^ *//'
}

@test "ioctl's data is what strace prints, for requests that strace decodes" {
	record -e 'syscalls:ioctl' -f 'comm == "requests"' --strict -- strace -f -v -o straced "$TRACED/requests"
	[ "$status" -eq 0 ]
	"$KTRACE" print --strace -v >printed
	normalize straced >theirs
	normalize printed >ours
	[ "$(wc -l <theirs)" -eq "$(wc -l <ours)" ]
	[ "$(wc -l <ours)" -gt 400 ]

	# Numbers copied in any case or omitted by strace; data of requests without a name; and
	# invalid addresses.
	list_unique ours theirs | grep -v 'FIGETBSZ\|FIOQSIZE\|GETVERSION\|TIOCGP[KT]' >seen
	diff seen - <<-'END'
		4 ioctl(F, FIBMAP, [0]) FAILS
		4 ioctl(F, PERF_EVENT_IOC_SET_FILTER, POINTER) FAILS
		4 ioctl(F, _IOC(_IOC_READ|_IOC_WRITE, 0x51, 0x2, 0x100), "ZEROES") FAILS
		4 ioctl(F, _IOC(_IOC_WRITE, 0x51, 0x1, 0xc), "unknown\0one\0") FAILS
	END

	# Values that strace omits: as stat prints them, and 0 for a terminal without an owner.
	grep -qF "FIGETBSZ, [$(stat -f -c %s /)])" ours
	grep -qF 'TIOCGPKT, [0])' ours

	# Other programs read bytes of a type whose name says what they are.
	"$KTRACE" print --events --json >objects
	[ "$(jq -c 'select(.labels.cmd == "TIOCSWINSZ") | .fields.__arg_val | select(.)' objects | uniq)" = \
		'{"ws_row":24,"ws_col":80,"ws_xpixel":32767,"ws_ypixel":65535}' ]
	[ "$(jq -c 'select(.labels.cmd == "FS_IOC_SETFLAGS") | .fields.__arg_val' objects | sed -n 5p)" = \
		'["FS_SYNC_FL","FS_INDEX_FL"]' ]
	babeltrace2 ktrace.out | grep -q 'enter_ioctl: .*__arg_val = \[ \[0\] = 0x18, \[1\] = 0x0, \[2\] = 0x50,'
}
