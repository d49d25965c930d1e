#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# fuzz.sh SECONDS SEED FUZZER...: run each libFuzzer target for SECONDS. The same corpus and SEED
# give the same inputs; SEED 0 is random. The corpus is kept in FUZZER.corpus for the next run.
# Findings are FUZZER.found-*; 'FUZZER FILE' repeats one.
set -euo pipefail

usage='usage: fuzz.sh SECONDS SEED FUZZER...'
seconds=${1:?$usage} seed=${2:?$usage}
shift 2
here=/dev/shm # each input is written to files: in memory, if possible
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
