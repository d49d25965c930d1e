#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run-tests.sh FILE...: run cmocka programs and bats files, each within TEST_TIMEOUT seconds, and
# add up what they say in TAP. A program that dies, hangs or runs fewer tests than it announced is
# a failure of its own. Prints failures, skips with their reasons, and last the sum; V=1: all.
#
# Those in a folder live/ look at the machine, and have it for themselves, at the end; of the others
# there run as many at once as there are CPUs. What these write, thousands of small files, over and
# over, goes to memory where it can: on ext4, cutting a file and writing it again waits for the disk.
set -euo pipefail
shopt -s extglob

limit=${TEST_TIMEOUT:-120}
passed=0 failed=0
skips=()
dir=$(mktemp -d) memory=
trap 'rm -rf "$dir" "$memory"' EXIT
memory=$(mktemp -d -p /dev/shm 2>/dev/null || true)
# Programs that are written there are also run.
if [[ -z $memory ]] || ! { cp /bin/true "$memory/true" && "$memory/true"; } 2>/dev/null; then
	rm -rf "$memory"
	memory=$dir
fi

fail() { # TEXT
	failed=$((failed + 1))
	echo "not ok $1"
}

# What it says goes to $dir/I, its exit status to $dir/I.status.
run_file() { # I FILE
	local run=(env CMOCKA_MESSAGE_OUTPUT=TAP "$2") status=0
	[[ $2 != *.bats ]] || run=(bats --tap "$2")
	timeout -k 5 "$limit" "${run[@]}" >"$dir/$1" 2>&1 </dev/null || status=$?
	echo "$status" >"$dir/$1.status"
}

judge() { # I FILE
	local file=$2 status ok=0 bad=0 plan=none reason='' line
	status=$(<"$dir/$1.status")
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
	done <"$dir/$1"
	passed=$((passed + ok))
	failed=$((failed + bad))

	if [[ ${V:-0} == 1 || $status -ne 0 || $bad -ne 0 || $plan != $((ok + bad)) ]]; then
		cat "$dir/$1"
	fi
	if [[ $status -eq 124 || $status -eq 137 ]]; then
		fail "$file: ended after $limit s"
	elif [[ $plan != $((ok + bad)) ]]; then
		fail "$file: $((ok + bad)) results, but a plan of $plan (exit status $status)"
	elif [[ $status -ne 0 && $bad -eq 0 ]]; then
		fail "$file: exit status $status, though no test failed"
	fi
}

quiet=() live=()
for file in "$@"; do
	if [[ $file == */live/* ]]; then live+=("$file"); else quiet+=("$file"); fi
done

for i in "${!quiet[@]}"; do
	[[ $i -lt $(nproc) ]] || wait -n || true
	echo "  TEST   ${quiet[i]}"
	TMPDIR=$memory run_file "$i" "${quiet[i]}" &
done
wait
for i in "${!quiet[@]}"; do
	judge "$i" "${quiet[i]}"
done
for file in "${live[@]}"; do
	echo "  TEST   $file"
	run_file live "$file"
	judge live "$file"
done

for s in "${skips[@]}"; do
	echo "skipped $s"
done
echo "$passed passed, $failed failed, ${#skips[@]} skipped"
[[ $failed -eq 0 && $passed -gt 0 ]]
