#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The man pages, held against what the program says of itself.

bats_require_minimum_version 1.5.0

setup() {
	tree=$(realpath "$BATS_TEST_DIRNAME/../..")
	cd "$BATS_TEST_TMPDIR"
	commands=$("$KTRACE" --help | awk '/^  [a-z]/ { print $1 }')
	paged=$(grep -vx -e help -e version <<<"$commands")
	[ "$(wc -l <<<"$paged")" -ge 4 ]
}

# Of a command's page, or of ktrace(1), the lines of a section, as they are shown.
section() { # NAME [COMMAND]
	mandoc -T ascii -O width=500 "$tree/man/ktrace${2:+-$2}.1" | sed 's/.\x08//g' |
		awk -v name="$1" '/^[A-Z]/ { inside = $0 == name; next } inside'
}

# What a command's help says its options are; and what stands in that form in a page.
options() { # INDENTED-BY
	sed -nE "s/^ {$1}((-., )?--[a-z-]+( [A-Z]+)?)(  .*)?\$/\\1/p"
}

@test "each command has a page, and each page a command" {
	pages=$(cd "$tree/man" && ls)
	said=$({ echo ktrace.1 && sed 's/.*/ktrace-&.1/' <<<"$paged"; } | LC_ALL=C sort)
	diff <(LC_ALL=C sort <<<"$pages") - <<<"$said"
}

@test "a page's name and synopsis are those of the help" {
	for command in $paged; do
		help=$("$KTRACE" "$command" --help)
		summary=$(sed -n '/^$/ { n; p; q }' <<<"$help")
		[ "$(section NAME $command | xargs)" = "ktrace-$command - $summary" ]
		usage=$(sed '/^$/,$d; s/^usage: //' <<<"$help" | xargs)
		[[ $usage == "ktrace $command "* ]]
		[ "$(section SYNOPSIS $command | xargs)" = "$usage" ]
	done
}

@test "a page's options are those of the help, in that order" {
	for command in $paged; do
		"$KTRACE" "$command" --help | options 2 >said
		[ -s said ] || [[ $command =~ ^(pause|reset|resume|stop)$ ]]
		section DESCRIPTION $command | options 5 | diff said -
	done
}

@test "an option that is taken is in the help, and the other way round" {
	for command in $paged; do
		"$KTRACE" "$command" --help | options 2 | sed 's/^-., //; s/ .*//' | sort >said
		# In its own file, or in one that several commands include.
		(
			cd "$tree"
			sed -n 's/^#include "\(app\/.*\)\.h"$/\1.c\n\1.h/p' "app/$command.c" | xargs ls -d 2>/dev/null |
				xargs sed -nE 's/.*\{"([a-z-]+)", (no|required|optional)_argument,.*/--\1/p' \
					"app/$command.c"
		) | sort | diff said -
	done
}

@test "the examples of the help are in the page" {
	for command in $paged; do
		"$KTRACE" "$command" --help |
			sed -nE '/^examples:/,$ { s/^  (ktrace)/\1/; T; s/  .*//; p }' >said
		[ -s said ]
		section EXAMPLES $command | sed 's/^ *//' >shown
		while read -r line; do
			grep -Fx -e "$line" shown
		done <said
	done
}

@test "ktrace(1) has every command and what it is for" {
	section DESCRIPTION | tr -s ' ' >shown
	for command in $commands; do
		summary=$("$KTRACE" --help | sed -n "s/^  $command  *//p")
		grep -E "^ $command( \[COMMAND\])?( |\$)" shown
		grep -F -e " $summary" shown
	done
}

@test "ktrace-record(1) has every reason for a loss" {
	sed -nE 's/.*\[KT_LOST_[A-Z_]*\] = "(.*)",/\1/p' "$tree/src/view/losses.c" >reasons
	[ "$(wc -l <reasons)" -ge 6 ]
	section DESCRIPTION record | sed 's/^ *//' >shown
	while read -r reason; do
		grep -Fx -e "$reason" shown
	done <reasons
}

# Some formatters make typographic ones of them, which no shell understands.
@test "what may be pasted has its quotes, hyphens, tildes and carets escaped" {
	run ! awk '/^\.Bd/ { literal = 1 } /^\.Ed/ { literal = 0 }
		literal && !/^\./ && /(^|[^\\])-|['\''`~^]/ { print FILENAME ": " $0; found = 1 }
		END { exit !found }' "$tree"/man/*.1
	[ -z "$output" ]
}
