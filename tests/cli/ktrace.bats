#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The program as a whole. KTRACE is its path, VERSION the expected version.

bats_require_minimum_version 1.5.0

ktrace() {
	run --separate-stderr "$KTRACE" "$@"
}

@test "--version, -V and version print the version" {
	for form in --version -V version; do
		ktrace $form
		[ "$status" -eq 0 ]
		[ "$output" = "ktrace $VERSION" ]
		[ -z "$stderr" ]
	done
}

@test "--help prints to stdout and names every command" {
	ktrace --help
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "usage: ktrace COMMAND [ARGS...]" ]
	[[ $output == *"  version "* ]]
	[ -z "$stderr" ]
}

@test "help COMMAND and COMMAND --help print the same" {
	ktrace help version
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "usage: ktrace version" ]
	message=$output
	ktrace version --help
	[ "$status" -eq 0 ]
	[ "$output" = "$message" ]
}

@test "every help text fits 80 columns" {
	commands=$(ktrace --help; awk '/^  [a-z]/ { print $1 }' <<<"$output")
	[ "$(wc -l <<<"$commands")" -ge 4 ]
	for command in '' $commands; do
		ktrace $command --help
		[ "$status" -eq 0 ]
		[ -z "$(awk 'length > 80' <<<"$output")" ]
	done
}

@test "a missing command is a usage error, on stderr" {
	ktrace
	[ "$status" -eq 2 ]
	[ -z "$output" ]
	[[ $stderr == "usage: ktrace "* ]]
}

@test "for an unknown command the nearest one is suggested" {
	ktrace verison
	[ "$status" -eq 2 ]
	[ -z "$output" ]
	[ "$stderr" = "ktrace: unknown command 'verison'; did you mean 'version'?" ]
	ktrace help verison
	[ "$status" -eq 2 ]
	[ "$stderr" = "ktrace: unknown command 'verison'; did you mean 'version'?" ]
}

@test "an unknown option or command points to the help" {
	ktrace --frobnicate
	[ "$status" -eq 2 ]
	[ "$stderr" = "ktrace: unknown option '--frobnicate'; see 'ktrace --help'" ]
	ktrace ''
	[ "$status" -eq 2 ]
	[ "$stderr" = "ktrace: unknown command ''; see 'ktrace --help'" ]
}

@test "an extra argument is a usage error" {
	ktrace version 7
	[ "$status" -eq 2 ]
	[ "$stderr" = "ktrace version: unexpected argument '7'; see 'ktrace version --help'" ]
}

@test "a full disk under stdout is an error" {
	run --separate-stderr bash -c '"$KTRACE" --help >/dev/full'
	[ "$status" -eq 1 ]
	[ "$stderr" = "ktrace: cannot write to standard output: No space left on device" ]
}

# With SIGPIPE ignored, as in systemd services, writing to a closed pipe fails.
@test "a closed pipe is not reported" {
	run --separate-stderr perl -e '$SIG{PIPE} = "IGNORE"; pipe R, W; close R;
		open STDOUT, ">&", W; exec @ARGV' "$KTRACE" --help
	[ "$status" -eq 1 ]
	[ -z "$stderr" ]
}

@test "unknown options, misspelt ones, and ones with an unexpected argument" {
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

# Output must equal that of 'ktrace help COMMAND', the first argument.
assert_help() {
	ktrace help "$1"
	message=$output
	ktrace "$@"
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[ "$output" = "$message" ]
}

@test "--help is accepted after other options and arguments" {
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

@test "--help after '--' belongs to the recorded command" {
	ktrace record -a -p $$ true --help
	[ "$status" -eq 2 ]
	[[ $stderr == "ktrace record: -a and -p exclude each other"* ]]
	ktrace print -- --help
	[ "$status" -eq 1 ]
	[[ $stderr == "ktrace print: cannot read the trace --help: "* ]]
}
