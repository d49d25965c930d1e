#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# fuzz.sh SECONDS SEED FUZZER...: let libFuzzer look for input that a fuzzer cannot bear, so long
# each; from one corpus the same inputs with the same seed, with 0 others each time.
# What it learns stays in FUZZER.corpus, from where it goes on the next time. What it finds is left
# as FUZZER.found-*: with such a file as its argument the fuzzer does it once more.
set -euo pipefail

usage='usage: fuzz.sh SECONDS SEED FUZZER...'
seconds=${1:?$usage} seed=${2:?$usage}
shift 2
here=/dev/shm # each input is written to files: not to those of a disk where that can be helped
[[ -w $here ]] || here=/tmp
tmp=$(mktemp -d -p "$here" ktrace-fuzz-XXXXXX)
trap 'rm -rf "$tmp"' EXIT

for fuzzer in "$@"; do
	options=(-max_total_time="$seconds" -seed="$seed" -max_len=32768 -print_final_stats=1
		-timeout=5 -malloc_limit_mb=256 -rss_limit_mb=1024
		-artifact_prefix="$fuzzer.found-")
	words=$(dirname "$0")/../fuzz/$(basename "$fuzzer").dict
	[[ -e $words ]] && options+=(-dict="$words")
	mkdir -p "$fuzzer.corpus"
	status=0
	TMPDIR=$tmp timeout -k 5 $((seconds + 60)) "$fuzzer" "${options[@]}" "$fuzzer.corpus" \
		>"$tmp/log" 2>&1 || status=$?
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$tmp/log")
	if [[ $status -ne 0 || ${runs:-0} -eq 0 ]]; then
		tail -n 60 "$tmp/log"
		echo "fuzz: $fuzzer failed after ${runs:-0} inputs (exit status $status)" >&2
		exit 1
	fi
	echo "  FUZZ   $fuzzer: $runs inputs in $seconds s"
done
