#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# demo.sh: record the whole machine for three seconds while it compiles ktrace again and again, and
# show what came of it: the report and ten lines. KTRACE=PROGRAM is what records; the trace stays
# in ./ktrace.out.
set -euo pipefail

tree=$(cd "$(dirname "$0")/.." && pwd)
ktrace=${KTRACE:-$tree/build/ktrace}

events=(sched_switch sched_wakeup 'sched_process_*' 'irq_handler_*')

say() { # COMMAND, as one would type it
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

# A process group of its own, of which make and the shell wait for what they began. It ends with
# us; should we be killed, it ends by itself.
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

say "$ktrace record$(printf ' -e %q' "${events[@]}")"
timeout --foreground --preserve-status -s INT 3 "$ktrace" record "${events[@]/#/-e}"

say "$ktrace report"
"$ktrace" report

say "$ktrace print | grep -m 1 -A 9 sched_process_exec"
set +o pipefail # grep has its ten lines and leaves: print ends by SIGPIPE
"$ktrace" print | grep -m 1 -A 9 sched_process_exec

printf '\nThe trace is in %s; babeltrace2 and Trace Compass open it as well.\n' "$PWD/ktrace.out"
