#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The built man pages: the prose in man/ with the program's generated parts.

bats_require_minimum_version 1.5.0

setup() {
	tree=$(realpath "$BATS_TEST_DIRNAME/../..")
	built=$(dirname "$KTRACE")/man
	cd "$BATS_TEST_TMPDIR"
	commands=$("$KTRACE" --help | awk '/^  [a-z]/ { print $1 }')
	paged=$(grep -vx -e help -e version <<<"$commands")
	[ "$(wc -l <<<"$paged")" -ge 4 ]
}

# Prints the lines of a section of a command's page, or of ktrace(1), as man formats them.
print_section() { # NAME [COMMAND]
	mandoc -T ascii -O width=500 "$built/ktrace${2:+-$2}.1" | sed 's/.\x08//g' |
		awk -v name="$1" '/^[A-Z]/ { inside = $0 == name; next } inside'
}

# Lists the options in a help text or a page.
list_options() {
	sed -nE 's/^ {2,6}((-., )?--[a-z-]+(\[=[A-Z]+\]| [A-Z]+)?|-.( [A-Z]+)?)(  .*)?$/\1/p'
}

@test "each command has a page, and each page a command" {
	pages=$(cd "$tree/man" && ls)
	message=$({ echo ktrace.1 && sed 's/.*/ktrace-&.1/' <<<"$paged"; } | LC_ALL=C sort)
	diff <(LC_ALL=C sort <<<"$pages") - <<<"$message"
}

@test "a page's name and synopsis are those of the help" {
	for command in $paged; do
		help=$("$KTRACE" "$command" --help)
		summary=$("$KTRACE" --help | sed -n "s/^  $command  *//p")
		[ "$(wc -w <<<"$summary")" -le 8 ]
		[ "$(sed -n '/^$/ { n; p; q }' <<<"$help")" = "${summary^}." ]
		[ "$(print_section NAME $command | sed 's/^ *//' | grep .)" = "ktrace-$command - $summary" ]
		usage=$(sed '/^$/,$d; s/^usage: //' <<<"$help" | xargs)
		[[ $usage == "ktrace $command "* ]]
		[ "$(print_section SYNOPSIS $command | xargs)" = "$usage" ]
	done
}

@test "a page's options are those of the help, in that order" {
	for command in $paged; do
		"$KTRACE" "$command" --help | list_options >message
		[ -s message ] || [[ $command =~ ^(pause|reset|resume|stop)$ ]]
		print_section OPTIONS $command | list_options | diff message -
	done
}

@test "every option in the help is accepted, and no other" {
	for command in $paged; do
		"$KTRACE" "$command" --help | list_options | sed -E 's/(\[=| )[A-Z]*\]?$//; s/, /\n/' >message
		for letter in {a..z} {A..Z}; do
			"$KTRACE" "$command" "-$letter" x --frobnicate 2>&1 |
				grep -qE "unknown option '-$letter'|are not recorded" || printf '%s\n' "-$letter"
		done | grep -vx -e -h | sort >taken
		grep -x -e '-.' message | sort | diff - taken || [ ! -s message ]
		for name in $(grep -e '^--' message); do
			"$KTRACE" "$command" "$name=x" --frobnicate >shown 2>&1 || true
			run ! grep -q "unknown option '$name" shown
		done
	done
}

@test "the examples of the help are in the page" {
	for command in $paged; do
		"$KTRACE" "$command" --help |
			sed -nE '/^examples:/,$ s/^  //p' >message
		[ -s message ]
		print_section EXAMPLES $command | sed 's/^ *//' >shown
		while read -r line; do
			grep -Fx -e "$line" shown
		done <message
	done
}

@test "ktrace(1) has every command with its summary" {
	print_section DESCRIPTION | tr -s ' ' >shown
	for command in $commands; do
		summary=$("$KTRACE" --help | sed -n "s/^  $command  *//p")
		grep -E "^ $command( \[COMMAND\])?( |\$)" shown
		grep -F -e " ${summary^}." shown
	done
}

@test "ktrace-record(1) has every reason for a loss" {
	sed -nE 's/.*\[KT_LOST_[A-Z_]*\] = "(.*)",/\1/p' "$tree/src/view/losses.c" >reasons
	[ "$(wc -l <reasons)" -ge 6 ]
	print_section LOSSES record | sed 's/^ *//' >shown
	while read -r reason; do
		grep -Fx -e "$reason" shown
	done <reasons
}

# Some formatters replace them by typographic characters, which shells do not understand.
@test "commands have plain quotes, hyphens, tildes and carets" {
	run ! awk '/^\.Bd/ { literal = 1 } /^\.Ed/ { literal = 0 }
		literal && !/^\./ && /(^|[^\\])-|['\''`~^]/ { print FILENAME ": " $0; found = 1 }
		END { exit !found }' "$built"/*.1
	[ -z "$output" ]
}
