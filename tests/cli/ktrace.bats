#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The program as a whole, as a person meets it: KTRACE names the program, VERSION what it must say.

bats_require_minimum_version 1.5.0

ktrace() {
	run --separate-stderr "$KTRACE" "$@"
}

@test "--version, -V and version say the version" {
	for form in --version -V version; do
		ktrace $form
		[ "$status" -eq 0 ]
		[ "$output" = "ktrace $VERSION" ]
		[ -z "$stderr" ]
	done
}

@test "--help goes to stdout and names every command" {
	ktrace --help
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "usage: ktrace COMMAND [ARGS...]" ]
	[[ $output == *"  version "* ]]
	[ -z "$stderr" ]
}

@test "help COMMAND and COMMAND --help say the same" {
	ktrace help version
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "usage: ktrace version" ]
	said=$output
	ktrace version --help
	[ "$status" -eq 0 ]
	[ "$output" = "$said" ]
}

@test "every help fits into a terminal of 80 columns" {
	commands=$(ktrace --help; awk '/^  [a-z]/ { print $1 }' <<<"$output")
	[ "$(wc -l <<<"$commands")" -ge 4 ]
	for command in '' $commands; do
		ktrace $command --help
		[ "$status" -eq 0 ]
		[ -z "$(awk 'length > 80' <<<"$output")" ]
	done
}

@test "no command is a usage error, on stderr" {
	ktrace
	[ "$status" -eq 2 ]
	[ -z "$output" ]
	[[ $stderr == "usage: ktrace "* ]]
}

@test "an unknown command suggests the nearest one" {
	ktrace verison
	[ "$status" -eq 2 ]
	[ -z "$output" ]
	[ "$stderr" = "ktrace: unknown command 'verison'; did you mean 'version'?" ]
	ktrace help verison
	[ "$status" -eq 2 ]
	[ "$stderr" = "ktrace: unknown command 'verison'; did you mean 'version'?" ]
}

@test "an unknown option, and a command like no other, point to the help" {
	ktrace --frobnicate
	[ "$status" -eq 2 ]
	[ "$stderr" = "ktrace: unknown option '--frobnicate'; see 'ktrace --help'" ]
	ktrace ''
	[ "$status" -eq 2 ]
	[ "$stderr" = "ktrace: unknown command ''; see 'ktrace --help'" ]
}

@test "an argument too many is a usage error" {
	ktrace version 7
	[ "$status" -eq 2 ]
	[ "$stderr" = "ktrace version: unexpected argument '7'; see 'ktrace version --help'" ]
}

@test "a full disk under stdout is a failure" {
	run --separate-stderr bash -c '"$KTRACE" --help >/dev/full'
	[ "$status" -eq 1 ]
	[ "$stderr" = "ktrace: cannot write to standard output: No space left on device" ]
}

# Where SIGPIPE is ignored, as by a service of systemd's, it does not end the program.
@test "nobody is told that he has stopped to read" {
	run --separate-stderr perl -e '$SIG{PIPE} = "IGNORE"; pipe R, W; close R;
		open STDOUT, ">&", W; exec @ARGV' "$KTRACE" --help
	[ "$status" -eq 1 ]
	[ -z "$stderr" ]
}

@test "options: unknown, misspelt, with an argument too many" {
	ktrace list -x
	[ "$status" -eq 2 ]
	[ "$stderr" = "ktrace list: unknown option '-x'; see 'ktrace list --help'" ]
	ktrace list --jsno
	[ "$status" -eq 2 ]
	[ "$stderr" = "ktrace list: unknown option '--jsno'; did you mean '--json'?" ]
	ktrace list --json=3
	[ "$status" -eq 2 ]
	[ "$stderr" = "ktrace list: option '--json' takes no argument" ]
}

# ARG...: the same as `ktrace help COMMAND`, of which the first is the name.
assert_help() {
	ktrace help "$1"
	said=$output
	ktrace "$@"
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[ "$output" = "$said" ]
}

@test "--help after other options and arguments" {
	assert_help list -v --help
	assert_help list -vh
	assert_help list sched_switch --help
	assert_help record -e sched_switch -h
	assert_help report nowhere --help
	assert_help help --help
	ktrace list --hlep
	[ "$status" -eq 2 ]
	[ "$stderr" = "ktrace list: unknown option '--hlep'; did you mean '--help'?" ]
}

@test "--help after the operands belongs to the command" {
	ktrace record -a -p $$ true --help
	[ "$status" -eq 2 ]
	[[ $stderr == "ktrace record: -a and -p exclude each other"* ]]
	ktrace print -- --help
	[ "$status" -eq 1 ]
	[[ $stderr == "ktrace print: cannot read the trace --help: "* ]]
}
