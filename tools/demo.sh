#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# demo.sh: record the whole machine for three seconds while it compiles ktrace; print the report and
# ten events. KTRACE=PROGRAM records (default: build/ktrace). The trace stays in ./ktrace.out.
set -euo pipefail

tree=$(cd "$(dirname "$0")/.." && pwd)
ktrace=${KTRACE:-$tree/build/ktrace}

events=(sched_switch sched_wakeup 'sched_process_*' 'irq_handler_*')

print_command() { # COMMAND
	printf '\n# %s\n' "$1"
}

objects=$(mktemp -d)
load=
clean_up() {
	if [[ -n $load ]]; then
		kill -- -"$load" 2>/dev/null || true
		wait "$load" 2>/dev/null || true
	fi
	rm -rf "$objects"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The load is a process group, which ends with this script; after a kill -9 it ends by itself.
unset MAKEFLAGS MAKELEVEL MFLAGS
set -m
{
	trap exit TERM
	for _ in {1..20}; do
		make -B -C "$tree" O="$objects"
	done
} >/dev/null 2>&1 &
load=$!
set +m

print_command "$ktrace record$(printf ' -e %q' "${events[@]}")"
timeout --foreground --preserve-status -s INT 3 "$ktrace" record "${events[@]/#/-e}"

print_command "$ktrace report"
"$ktrace" report --no-pager

print_command "$ktrace print | grep -m 1 -A 9 sched_process_exec"
set +o pipefail # grep exits after ten lines, and print gets SIGPIPE
"$ktrace" print | grep -m 1 -A 9 sched_process_exec

printf '\nThe trace is in %s; babeltrace2 and Trace Compass open it as well.\n' "$PWD/ktrace.out"
