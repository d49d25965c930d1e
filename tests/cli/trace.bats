#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The commands that read a trace, given no trace or a foreign one.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# Asserts what they all print about a directory, and that they print nothing else.
assert_refused() { # DIR WHY
	for command in print report; do
		run --separate-stderr "$KTRACE" "$command" "$1"
		echo "$stderr"
		[ "$status" -eq 1 ]
		[ -z "$output" ]
		[ "$stderr" = "ktrace $command: cannot read the trace $1: $2" ]
	done
}

@test "a missing trace: how to record one" {
	for command in print report; do
		run --separate-stderr "$KTRACE" "$command"
		[ "$status" -eq 1 ]
		[ -z "$output" ]
		[ "$stderr" = "ktrace $command: cannot read the trace ktrace.out: No such file or directory
  create one with 'ktrace record', or name another directory" ]
	done
}

@test "a missing directory, and one without a trace" {
	touch file
	mkdir empty
	assert_refused nosuch "No such file or directory"
	assert_refused file "Not a directory"
	assert_refused empty "not a trace: there is no metadata"
	mkdir -p nested/metadata
	assert_refused nested "metadata: Is a directory"
}

@test "a trace of another tracer or format" {
	mkdir ctf2 other cut
	printf '\x1e{"type":"preamble","version":2}\n' >ctf2/metadata
	assert_refused ctf2 "metadata: not CTF 1.8 text, so not a trace of ktrace"
	cat >other/metadata <<-'TSDL'
		/* CTF 1.8 */
		env {
			tracer_name = "lttng-modules";
		};
	TSDL
	assert_refused other "metadata, line 4: not a trace of ktrace; try babeltrace2"
	head -n 3 other/metadata >cut/metadata
	assert_refused cut "metadata, line 4: expected a name at the end of the text"
}

@test "unknown arguments and options" {
	for command in print report; do
		run --separate-stderr "$KTRACE" "$command" a b
		[ "$status" -eq 2 ]
		[ "$stderr" = "ktrace $command: unexpected argument 'b'; see 'ktrace $command --help'" ]
		run --separate-stderr "$KTRACE" "$command" --jsn
		[ "$status" -eq 2 ]
		[ "$stderr" = "ktrace $command: unknown option '--jsn'; did you mean '--json'?" ]
	done
}
