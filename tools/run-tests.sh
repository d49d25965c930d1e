#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run-tests.sh FILE...: run cmocka programs and bats files, and add up their TAP results. Each file
# has TEST_TIMEOUT seconds. A program that dies, hangs, or runs fewer tests than it announced is a
# failure. Prints failures as they come and once more at the end, skips with reasons, and the sum; with
# V=1, all results.
#
# As many files run at once as there are CPUs, but at least two. Files in live/ and flight/ folders
# trace the machine: they run last, one at a time per folder; tests of different folders trace
# different calls. Files in bench/ run first, one at a time, while others run. Temporary files of the
# others are in memory if possible: on ext4, truncating and rewriting a file waits for the disk.
set -euo pipefail
shopt -s extglob

limit=${TEST_TIMEOUT:-120}
passed=0 failed=0
skips=() failures=()
dir=$(mktemp -d) memory=
trap 'rm -rf "$dir" "$memory"' EXIT
memory=$(mktemp -d -p /dev/shm 2>/dev/null || true)
# Tests also execute programs there.
if [[ -z $memory ]] || ! { cp /bin/true "$memory/true" && "$memory/true"; } 2>/dev/null; then
	rm -rf "$memory"
	memory=$dir
fi

fail() { # TEXT
	failed=$((failed + 1))
	failures+=("$1")
	echo "not ok $1"
}

# Runs a file: output goes to $dir/FILE (with _ for /), exit status to $dir/FILE.status.
run_file() { # FILE
	local run=(env CMOCKA_MESSAGE_OUTPUT=TAP "$1") status=0 to=$dir/${1//\//_}
	[[ $1 != *.bats ]] || run=(bats --tap "$1")
	timeout -k 5 "$limit" "${run[@]}" >"$to" 2>&1 </dev/null || status=$?
	echo "$status" >"$to.status"
}

# Counts the results of a file, and reports its failures.
count_results() { # FILE
	local file=$1 output=$dir/${1//\//_} status ok=0 bad=0 plan=none reason='' line
	status=$(<"$output.status")
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
		"not ok "*)
			bad=$((bad + 1)) reason=
			failures+=("$file: ${line#not ok }")
			;;
		"ok "*) ok=$((ok + 1)) reason= ;;
		"# "*) reason=${line#\# } ;;
		esac
	done <"$output"
	passed=$((passed + ok))
	failed=$((failed + bad))

	if [[ ${V:-0} == 1 || $status -ne 0 || $bad -ne 0 || $plan != $((ok + bad)) ]]; then
		cat "$output"
	fi
	if [[ $status -eq 124 || $status -eq 137 ]]; then
		fail "$file: ended after $limit s"
	elif [[ $plan != $((ok + bad)) ]]; then
		fail "$file: $((ok + bad)) results, but a plan of $plan (exit status $status)"
	elif [[ $status -ne 0 && $bad -eq 0 ]]; then
		fail "$file: exit status $status, though no test failed"
	fi
}

# Starts the next file, from the list with the largest part left, among lists below their maximum.
start_next() {
	local name next='' part largest=0 file
	for name in "${!most[@]}"; do
		local -n list=$name
		[[ ${whole[$name]} -gt 0 && ${runs[$name]} -lt ${most[$name]} ]] || continue
		part=$(((1000 * ${#list[@]} + whole[$name] - 1) / whole[$name]))
		[[ $part -le $largest ]] || largest=$part next=$name
	done
	[[ -n $next ]] || return 1
	local -n list=$next
	file=${list[0]}
	list=("${list[@]:1}")
	echo "  TEST   $file"
	run_file "$file" &
	running[$!]="$next $file"
	runs[$next]=$((runs[$next] + 1))
}

# Runs all files of the lists, AT_ONCE in total, and at most MOST of each list.
run_lists() { # AT_ONCE LIST:MOST...
	local -A most=() whole=() runs=() running=()
	local at_once=$1 pid name file
	for name in "${@:2}"; do
		local -n all=${name%:*}
		most[${name%:*}]=${name#*:} whole[${name%:*}]=${#all[@]} runs[${name%:*}]=0
	done
	while [[ ${#running[@]} -lt $at_once ]] && start_next; do :; done
	while [[ ${#running[@]} -gt 0 ]]; do
		wait -n -p pid "${!running[@]}"
		read -r name file <<<"${running[$pid]}"
		unset "running[$pid]"
		runs[$name]=$((runs[$name] - 1))
		while [[ ${#running[@]} -lt $at_once ]] && start_next; do :; done
		count_results "$file"
	done
}

# Adds a file to the list of its outermost live/ or flight/ folder.
add_tracing() { # FILE
	local folder=${1%%/live/*}
	[[ $folder != "$1" ]] || folder=${1%%/flight/*}/flight
	: "${tracing[$folder]:=tracing_${#tracing[@]}}"
	local -n list=${tracing[$folder]}
	list+=("$1")
}

quiet=() bench=()
declare -A tracing=()
for file in "$@"; do
	case $file in
	*/live/* | */flight/*) add_tracing "$file" ;;
	*/bench/*) bench+=("$file") ;;
	*) quiet+=("$file") ;;
	esac
done

at_once=$(nproc)
[[ $at_once -ge 2 ]] || at_once=2
TMPDIR=$memory run_lists $at_once bench:1 quiet:$at_once
run_lists $at_once "${tracing[@]/%/:1}"

for s in "${skips[@]}"; do
	echo "skipped $s"
done | sort
for f in "${failures[@]}"; do
	echo "failed $f"
done
echo "$passed passed, $failed failed, ${#skips[@]} skipped"
[[ $failed -eq 0 && $passed -gt 0 ]]
