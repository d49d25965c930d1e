# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Short runs of the benchmarks: they must measure what they say. Their figures are not tested.

load ../live/recording

export TMPDIR=$BATS_TEST_TMPDIR

bench() { # NAME ARG...
	status=0
	"${via[@]}" "$BENCH/$1" "${@:2}" >stdout 2>stderr || status=$?
	cat stdout stderr
	case $(<stderr) in
	*"Operation not permitted"* | *"Permission denied"* | *CAP_*) skip "$(<stderr)" ;;
	esac
}
