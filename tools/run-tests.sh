#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run-tests.sh FILE...: run cmocka programs and bats files, each within TEST_TIMEOUT seconds, and
# add up what they say in TAP. A program that dies, hangs or runs fewer tests than it announced is
# a failure of its own. Prints failures, skips with their reasons, and last the sum; V=1: all.
set -euo pipefail
shopt -s extglob

limit=${TEST_TIMEOUT:-60}
passed=0 failed=0
skips=()
out=$(mktemp)
trap 'rm -f "$out"' EXIT

fail() { # TEXT
	failed=$((failed + 1))
	echo "not ok $1"
}

for file in "$@"; do
	case $file in
	*.bats) run=(bats --tap "$file") ;;
	*) run=(env CMOCKA_MESSAGE_OUTPUT=TAP "$file") ;;
	esac
	echo "  TEST   $file"
	status=0
	timeout -k 5 "$limit" "${run[@]}" >"$out" 2>&1 </dev/null || status=$?

	ok=0 bad=0 plan=none reason=
	while IFS= read -r line; do
		case $line in
		1..*) plan=${line#1..} ;;
		"ok "*"# "[Ss][Kk][Ii][Pp]* | "not ok "+([0-9])" # SKIP "*)
			# cmocka's is the second form, with the reason as a comment before it.
			ok=$((ok + 1))
			passed=$((passed - 1))
			line=${line#not }
			skips+=("$file: ${line#ok }${reason:+: $reason}")
			reason=
			;;
		"not ok "*) bad=$((bad + 1)) reason= ;;
		"ok "*) ok=$((ok + 1)) reason= ;;
		"# "*) reason=${line#\# } ;;
		esac
	done <"$out"
	passed=$((passed + ok))
	failed=$((failed + bad))

	if [[ ${V:-0} == 1 || $status -ne 0 || $bad -ne 0 || $plan != $((ok + bad)) ]]; then
		cat "$out"
	fi
	if [[ $status -eq 124 || $status -eq 137 ]]; then
		fail "$file: ended after $limit s"
	elif [[ $plan != $((ok + bad)) ]]; then
		fail "$file: $((ok + bad)) results, but a plan of $plan (exit status $status)"
	elif [[ $status -ne 0 && $bad -eq 0 ]]; then
		fail "$file: exit status $status, though no test failed"
	fi
done

for s in "${skips[@]}"; do
	echo "skipped $s"
done
echo "$passed passed, $failed failed, ${#skips[@]} skipped"
[[ $failed -eq 0 && $passed -gt 0 ]]
