#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# `ktrace print` of what is no trace, or none of ours.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# What it says of a directory, alone, before it fails.
assert_refused() { # DIR WHY
	run --separate-stderr "$KTRACE" print "$1"
	echo "$stderr"
	[ "$status" -eq 1 ]
	[ -z "$output" ]
	[ "$stderr" = "ktrace print: cannot read the trace $1: $2" ]
}

@test "nothing recorded yet: told how it is done" {
	run --separate-stderr "$KTRACE" print
	[ "$status" -eq 1 ]
	[ -z "$output" ]
	[ "$stderr" = "ktrace print: cannot read the trace ktrace.out: No such file or directory
  'ktrace record' makes one; or name a trace that is elsewhere" ]
}

@test "no directory, no trace" {
	touch file
	mkdir empty
	assert_refused nosuch "No such file or directory"
	assert_refused file "Not a directory"
	assert_refused empty "metadata: No such file or directory"
	mkdir -p nested/metadata
	assert_refused nested "metadata: Is a directory"
}

@test "a trace of another tracer, or of another format" {
	mkdir ctf2 other cut
	printf '\x1e{"type":"preamble","version":2}\n' >ctf2/metadata
	assert_refused ctf2 "metadata: not CTF 1.8 as text, and so none of ktrace's"
	cat >other/metadata <<-'TSDL'
		/* CTF 1.8 */
		env {
			tracer_name = "lttng-modules";
		};
	TSDL
	assert_refused other "metadata, line 4: a trace, but none of ktrace's; babeltrace2 may read it"
	head -n 3 other/metadata >cut/metadata
	assert_refused cut "metadata, line 4: a name expected, but the text is at its end"
}

@test "arguments and options that there are not" {
	run --separate-stderr "$KTRACE" print a b
	[ "$status" -eq 2 ]
	[ "$stderr" = "ktrace print: unexpected argument 'b'; see 'ktrace print --help'" ]
	run --separate-stderr "$KTRACE" print --jsn
	[ "$status" -eq 2 ]
	[ "$stderr" = "ktrace print: unknown option '--jsn'; did you mean '--json'?" ]
}
