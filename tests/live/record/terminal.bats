#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# print and report on a terminal: colors and the pager. Witnesses: the same output without them, and
# script(1), whose terminal they write to.

bats_require_minimum_version 1.5.0

load ../recording

setup_file() {
	export TRACE=$BATS_FILE_TMPDIR/t
	"$KTRACE" record -e openat -e "$EXIT" -o "$TRACE" cat /missing 2>"$BATS_FILE_TMPDIR/message" || true
	if grep -E "Operation not permitted|Permission denied" "$BATS_FILE_TMPDIR/message"; then
		skip "no BPF"
	fi
	export TERM=xterm
	unset NO_COLOR PAGER LESS
}

# Runs a command on a terminal of its own, and prints what the terminal got.
on_terminal() { # COMMAND
	SHELL=/bin/sh timeout 20 script -qefc "$1" typed </dev/null | tr -d '\r'
}

strip_colors() {
	sed 's/\x1b\[[0-9;]*m//g'
}

@test "colors mark tasks, names and errors, and change nothing else" {
	for options in "" --events "--strace -tT" "--strace -a 60" -c; do
		# shellcheck disable=SC2086
		"$KTRACE" print $options --color "$TRACE" >colors
		# shellcheck disable=SC2086
		"$KTRACE" print $options "$TRACE" >plain
		[ -s plain ]
		strip_colors <colors | diff - plain
	done
	"$KTRACE" print --color "$TRACE" >colors
	grep -q $'\x1b\[36mcat-[0-9]*\x1b\[m .* \x1b\[1mopenat\x1b\[m(AT_FDCWD, "/missing", ' colors
	grep -q $'= \x1b\[31m-1 ENOENT (No such file or directory)\x1b\[m <' colors
	"$KTRACE" report --color=always "$TRACE" >colors
	grep -q $'^\x1b\[1m.*event\x1b\[m$' colors
	strip_colors <colors | diff - <("$KTRACE" report --color=never "$TRACE")
	run -2 "$KTRACE" print --color=red "$TRACE"
}

@test "colors are for terminals, unless NO_COLOR is set" {
	[[ "$("$KTRACE" print --color=auto "$TRACE")" != *$'\x1b'* ]]
	[[ "$(on_terminal "$KTRACE print --no-pager $TRACE")" == *$'\x1b[31m'* ]]
	for env in NO_COLOR=1 TERM=dumb; do
		[[ "$(on_terminal "$env $KTRACE print --no-pager $TRACE")" != *$'\x1b'* ]]
	done
	[[ "$(on_terminal "NO_COLOR= $KTRACE print --no-pager $TRACE")" == *$'\x1b[31m'* ]]
	[[ "$(on_terminal "NO_COLOR=1 $KTRACE print --no-pager --color $TRACE")" == *$'\x1b[31m'* ]]
	[[ "$(on_terminal "$KTRACE strace cat /missing 2>&1")" == *$'\x1b[31m-1 ENOENT'* ]]
	[[ "$(on_terminal "$KTRACE trace -e openat cat /missing")" == *$'\x1b[31m-1 ENOENT'* ]]
}

@test "on a terminal the pager gets all of the output, and waits" {
	for command in print report; do
		screen=$(on_terminal "PAGER='cat >paged; echo left' $KTRACE $command --color=never $TRACE")
		[ "$screen" = left ]
		diff paged <("$KTRACE" "$command" "$TRACE")
	done
	on_terminal "PAGER='cat >paged' $KTRACE print -y $TRACE"
	tail -n 1 paged | grep -q "record with -y" # messages, too
	on_terminal "PAGER='cat >paged' $KTRACE print $TRACE | cat" >/dev/null
	rm paged
	on_terminal "PAGER='cat >paged' $KTRACE print --no-pager $TRACE" >/dev/null
	on_terminal "PAGER= $KTRACE print --color=never $TRACE" | diff - <("$KTRACE" print "$TRACE")
	[ ! -e paged ]
}

@test "a pager that is left early, or cannot be run" {
	[ "$(on_terminal "PAGER='head -n 1' $KTRACE print --color=never $TRACE")" = \
		"$("$KTRACE" print "$TRACE" | head -n 1)" ]
	[[ "$(on_terminal "PAGER=no-such-pager $KTRACE print $TRACE")" == *"no-such-pager: not found" ]]
}

@test "Ctrl-C is the pager's" {
	on_terminal "PAGER='trap \"echo got it; exit\" INT; kill -INT 0; sleep 20' $KTRACE print $TRACE" >screen
	grep -q "got it" screen
}
